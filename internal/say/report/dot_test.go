package report

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
)

// graphs parses what is written of a run. It gives the nodes by name, and the arrows as "f1_n0 -> f1_n1".
func graphs(t *testing.T, name string) (nodes map[string]map[string]string, arrows []string) {
	t.Helper()
	var b bytes.Buffer
	if err := Retell(fixtures()[name]).DOT(&b); err != nil {
		t.Fatal(err)
	}
	file, err := dot.ParseBytes(b.Bytes())
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, b.Bytes())
	}
	nodes = make(map[string]map[string]string)
	var walk func(list []ast.Stmt)
	walk = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.Subgraph:
				walk(s.Stmts)
			case *ast.NodeStmt:
				nodes[s.Node.ID] = make(map[string]string)
				for _, a := range s.Attrs {
					nodes[s.Node.ID][a.Key] = strings.Trim(a.Val, `"`)
				}
			case *ast.EdgeStmt:
				arrows = append(arrows, s.From.String()+" -> "+s.To.Vertex.String())
			}
		}
	}
	walk(file.Graphs[0].Stmts)
	return nodes, arrows
}

func TestGraphsOfAllRunsCanBeParsed(t *testing.T) {
	for name := range fixtures() {
		graphs(t, name)
	}
}

func TestAGraphHasWhoWaitsForWhom(t *testing.T) {
	nodes, arrows := graphs(t, "barrier")
	if len(nodes) != 2 || nodes["f1_0"]["ranks"] != "0-6 8-4095" || nodes["f1_1"]["ranks"] != "7" ||
		nodes["f1_1"]["color"] != "red" ||
		nodes["f1_1"]["label"] != `rank 7\nMPI_Recv\nrefine (refine.c:17)` {
		t.Errorf("%v", nodes)
	}
	if got := strings.Join(arrows, ", "); got != "f1_0 -> f1_1, f1_1 -> f1_0" {
		t.Errorf("arrows %s", got)
	}
}

// The page draws at most so many nodes; a program that reads the graph wants all.
func TestAGraphLeavesNothingOut(t *testing.T) {
	if nodes, _ := graphs(t, "many-files"); len(nodes) <= maxNodes {
		t.Errorf("%d nodes, want one for each of 40 places", len(nodes))
	}
}

func TestTextOfTheProgramStaysInItsQuotes(t *testing.T) {
	if got := dotText(`a"b\`, "", "c\x1bd"); got != `"a\"b\\\nc\x1bd"` && !strings.HasPrefix(got, `"a\"b\\\nc`) {
		t.Errorf("%s", got)
	}
	if nodes, _ := graphs(t, "hostile"); len(nodes) == 0 {
		t.Error("no nodes")
	}
}

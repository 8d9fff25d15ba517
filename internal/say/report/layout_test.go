package report

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

func (n *node) rect() rect { return rect{n.x - n.w/2, n.y - n.h/2, n.w, n.h} }

// checkPicture fails if boxes cover each other or stick out of the picture.
func checkPicture(t *testing.T, name string, p *picture) {
	t.Helper()
	for i := range p.nodes {
		r := p.nodes[i].rect()
		if r.x < 0 || r.y < 0 || r.x+r.w > p.w || r.y+r.h > p.h {
			t.Errorf("%s: node %s sticks out of %gx%g: %+v", name, p.nodes[i].label, p.w, p.h, r)
		}
		for j := range i {
			if r.overlap(p.nodes[j].rect()) > 0 {
				t.Errorf("%s: nodes %s and %s overlap", name, p.nodes[i].label, p.nodes[j].label)
			}
		}
	}
	if svg := string(p.svg("x", name)); regexp.MustCompile(`NaN|Inf`).MatchString(svg) {
		t.Errorf("%s: a coordinate is not a number", name)
	}
}

func TestNodesDoNotOverlap(t *testing.T) {
	for name, run := range fixtures() {
		for i := range run.Findings {
			g := graphOf(&run.Findings[i], run.Ranks, namesOf(run))
			if len(g.nodes) > 2*maxNodes {
				t.Errorf("%s: %d nodes are too many to read", name, len(g.nodes))
			}
			if len(g.arcs) > 0 {
				checkPicture(t, name, layOut(g))
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		g := &graph{}
		n := 1 + random.IntN(maxNodes)
		for i := range n {
			g.nodes = append(g.nodes, node{label: "rank " + strconv.Itoa(i), call: "MPI_Recv",
				at: "main (a.c:" + strconv.Itoa(i) + ")", kind: "core"})
		}
		for range random.IntN(2*n + 1) {
			g.arcs = append(g.arcs, arc{from: random.IntN(n), to: random.IntN(n), label: "a message from somebody"})
		}
		checkPicture(t, fmt.Sprint("trial ", trial), layOut(g))
	}
	for n := 2; n <= 2*maxNodes; n++ {
		g := &graph{}
		for i := range n {
			g.nodes = append(g.nodes, node{label: "rank", call: "MPI_Recv", at: "main (a.c:1)", kind: "core"})
			g.arcs = append(g.arcs, arc{from: i, to: (i + 1) % n, label: "a message"})
		}
		if !g.isCycle() {
			t.Errorf("%d nodes in a ring are no cycle", n)
		}
		checkPicture(t, fmt.Sprint("ring of ", n), layOut(g))
	}
}

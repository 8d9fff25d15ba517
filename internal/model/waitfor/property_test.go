package waitfor

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawGraph makes a graph of up to eight processes with nested conditions, of all kinds or such as lead to large knots.
func drawGraph(t *rapid.T) *Graph {
	if rapid.Bool().Draw(t, "knotty") {
		return drawKnot(t)
	}
	g := New(rapid.IntRange(1, 8).Draw(t, "processes"))
	for range rapid.IntRange(0, 5).Draw(t, "auxiliaries") {
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			g.Never()
		case 1:
			g.Running()
		case 2, 3:
			g.Set(pick(t, g, 0, 5, -1))
		case 4, 5:
			g.Any(pick(t, g, 0, 3, -1))
		default:
			g.All(pick(t, g, 0, 3, -1))
		}
	}
	for p := range Node(g.processes) {
		switch rapid.IntRange(0, 12).Draw(t, "wait") {
		case 0:
		case 1, 2, 3, 4:
			g.BlockAny(p, pick(t, g, 0, 4, -1))
		default:
			g.Block(p, pick(t, g, 0, 4, -1))
		}
	}
	return g
}

// drawKnot makes a graph in which everybody waits for somebody else, mostly for one of several.
func drawKnot(t *rapid.T) *Graph {
	g := New(rapid.IntRange(4, 8).Draw(t, "processes"))
	for range rapid.IntRange(0, 4).Draw(t, "auxiliaries") {
		if rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
			g.All(pick(t, g, 2, 3, -1))
		} else {
			g.Any(pick(t, g, 1, 4, -1))
		}
	}
	for p := range Node(g.processes) {
		if rapid.IntRange(0, 2).Draw(t, "wait") == 0 {
			g.Block(p, pick(t, g, 1, 3, p))
		} else {
			g.BlockAny(p, pick(t, g, 1, 3, p))
		}
	}
	return g
}

// pick draws children, any node but one.
func pick(t *rapid.T, g *Graph, least, most int, not Node) []Node {
	var out []Node
	for range rapid.IntRange(least, most).Draw(t, "children") {
		n := Node(rapid.IntRange(0, len(g.span)-1).Draw(t, "child"))
		if n == not {
			n = (n + 1) % Node(g.processes)
		}
		out = append(out, n)
	}
	return out
}

func TestDeadIsTheComplementOfTheNaiveFixpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		if got, want := g.Dead(), naiveDead(g); !slices.Equal(got, want) {
			t.Fatalf("dead %v, naively %v", got, want)
		}
	})
}

func TestCoreIsTheSmallestClosedSetAndTiesAreSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		cost := rapid.SliceOfN(rapid.IntRange(-2, 2), g.processes, g.processes).Draw(t, "cost")
		prefer := func(n Node) int { return cost[n] }
		got, want := g.Core(prefer), naiveCore(g, prefer)
		if !slices.Equal(got, want) {
			t.Fatalf("core %v, naively %v", got, want)
		}
		if again := g.Core(prefer); !slices.Equal(got, again) {
			t.Fatalf("core %v, then %v", got, again)
		}
	})
}

func TestCoresAreDisjointMinimalAndExplainAllThatIsDead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		cores := g.Cores(0)
		in := map[Node]bool{}
		for i, c := range cores {
			if i > 0 && len(c) < len(cores[i-1]) {
				t.Fatalf("%v before %v", cores[i-1], c)
			}
			checkMinimal(t, g, c)
			for _, n := range c {
				if in[n] {
					t.Fatalf("%d is in two of %v", n, cores)
				}
				in[n] = true
			}
		}
		// If the cores moved, nobody would be left.
		freed := New(g.processes)
		*freed = *g
		freed.span, freed.any, freed.solved = slices.Clone(g.span), slices.Clone(g.any), nil
		for n := range in {
			freed.Block(n, nil)
		}
		if left := freed.Dead(); len(left) > 0 {
			t.Fatalf("%v depend on none of %v", left, cores)
		}
		if len(cores) > 0 && !slices.Equal(g.Cores(1)[0], cores[0]) {
			t.Fatalf("the first core alone is %v, among all %v", g.Cores(1)[0], cores[0])
		}
	})
}

// TestCoreStaysMinimalWithoutBudget takes the way that large graphs take when the search is cut short.
func TestCoreStaysMinimalWithoutBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		budget := rapid.IntRange(0, 40).Draw(t, "budget")
		r, alone := newRegions(g)
		for _, region := range r.split(r.start(alone)) {
			p := r.cut(region, nil)
			members, exact := p.smallest(budget)
			if !exact {
				members = p.thin(members)
			}
			var core []Node
			for _, m := range members {
				core = append(core, p.nodes[m])
			}
			checkMinimal(t, g, core)
		}
	})
}

func checkMinimal(t *rapid.T, g *Graph, c []Node) {
	if !naiveClosed(g, c) {
		t.Fatalf("%v is not closed", c)
	}
	for bits := 1; bits < 1<<len(c)-1; bits++ {
		var part []Node
		for i, n := range c {
			if bits>>i&1 == 1 {
				part = append(part, n)
			}
		}
		if naiveClosed(g, part) {
			t.Fatalf("%v has the closed part %v", c, part)
		}
	}
}

func TestMoreWaitingNeverRevives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		before := g.Dead()
		p := Node(rapid.IntRange(0, g.processes-1).Draw(t, "p"))
		g.Block(p, []Node{g.Never()})
		after := g.Dead()
		for _, n := range before {
			if !slices.Contains(after, n) {
				t.Fatalf("%d was dead, and is not now that %d waits for what never comes", n, p)
			}
		}
		if !slices.Contains(after, p) {
			t.Fatalf("%d waits for what never comes and lives", p)
		}
	})
}

// TestArcsAreTheWholeReason makes a graph of nothing but the arcs of a core: it has the same core.
func TestArcsAreTheWholeReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		for _, core := range g.Cores(0) {
			told := New(g.processes)
			waits := make([][]Node, g.processes)
			arcs := g.Arcs(core)
			for _, a := range arcs {
				to := told.All(a.To)
				if a.Any || len(a.To) == 0 {
					to = told.Any(a.To)
				}
				for _, n := range a.From {
					waits[n] = append(waits[n], to)
				}
			}
			for p, all := range waits {
				told.Block(Node(p), all)
			}
			if dead, again := told.Dead(), told.Core(nil); !slices.Equal(dead, core) || !slices.Equal(again, core) {
				t.Fatalf("arcs %v of the core %v make %v dead, with the core %v", arcs, core, dead, again)
			}
		}
	})
}

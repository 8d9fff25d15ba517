package waitfor

import (
	"reflect"
	"slices"
	"testing"
)

func TestShapesThatProgramsMake(t *testing.T) {
	for _, c := range []struct {
		name      string
		processes int
		build     func(g *Graph)
		dead      []Node
		cores     [][]Node
		arcs      []Arc // of the first core
	}{
		{
			name: "nobody is blocked", processes: 3, build: func(*Graph) {},
		},
		{
			name: "two receive from each other", processes: 2,
			build: func(g *Graph) { g.Block(0, []Node{1}); g.Block(1, []Node{0}) },
			dead:  []Node{0, 1}, cores: [][]Node{{0, 1}},
			arcs: []Arc{{[]Node{0}, []Node{1}, false}, {[]Node{1}, []Node{0}, false}},
		},
		{
			name: "all receive from anybody", processes: 4,
			build: func(g *Graph) {
				all := g.Set([]Node{0, 1, 2, 3})
				for p := range Node(4) {
					g.BlockAny(p, []Node{all})
				}
			},
			dead: []Node{0, 1, 2, 3}, cores: [][]Node{{0, 1, 2, 3}},
			arcs: []Arc{{[]Node{0, 1, 2, 3}, []Node{0, 1, 2, 3}, true}},
		},
		{
			name: "an AND over a live and a dead one is dead, and not to blame", processes: 4,
			build: func(g *Graph) { g.Block(0, []Node{1, 2}); g.Block(2, []Node{3}); g.Block(3, []Node{2}) },
			dead:  []Node{0, 2, 3}, cores: [][]Node{{2, 3}},
			arcs: []Arc{{[]Node{2}, []Node{3}, false}, {[]Node{3}, []Node{2}, false}},
		},
		{
			name: "an OR with one live alternative is no deadlock", processes: 3,
			build: func(g *Graph) { g.BlockAny(0, []Node{1, 2}); g.Block(1, []Node{0}) },
		},
		{
			name: "an AND with a live child in a cycle is dead", processes: 3,
			build: func(g *Graph) { g.Block(0, []Node{1, 2}); g.Block(1, []Node{0}) },
			dead:  []Node{0, 1}, cores: [][]Node{{0, 1}},
			arcs: []Arc{{[]Node{0}, []Node{1}, false}, {[]Node{1}, []Node{0}, false}},
		},
		{
			name: "what never comes explains itself", processes: 3,
			build: func(g *Graph) { g.Block(1, []Node{g.Never(), 0}); g.Block(2, []Node{1}) },
			dead:  []Node{1, 2}, cores: [][]Node{{1}},
			arcs: []Arc{{[]Node{1}, nil, false}},
		},
		{
			name: "what may still come frees", processes: 2,
			build: func(g *Graph) { g.BlockAny(0, []Node{g.Running(), 1}); g.Block(1, []Node{0}) },
		},
		{
			name: "waiting for itself", processes: 2,
			build: func(g *Graph) { g.Block(1, []Node{1}) },
			dead:  []Node{1}, cores: [][]Node{{1}}, arcs: []Arc{{[]Node{1}, []Node{1}, false}},
		},
		{
			name: "an OR over itself and a live one is free", processes: 2,
			build: func(g *Graph) { g.BlockAny(1, []Node{0, 1}) },
		},
		{
			name: "an empty AND is live at once, an empty OR never", processes: 3,
			build: func(g *Graph) { g.Block(0, nil); g.BlockAny(1, nil); g.Block(2, []Node{g.All(nil)}) },
			dead:  []Node{1}, cores: [][]Node{{1}}, arcs: []Arc{{[]Node{1}, nil, false}},
		},
		{
			name: "the later word on a process counts", processes: 2,
			build: func(g *Graph) { g.Block(0, []Node{0}); g.Block(0, []Node{1}) },
		},
		{
			name: "a barrier and a wildcard: AND of an OR and a process", processes: 3,
			build: func(g *Graph) {
				g.Block(0, []Node{1, 2})
				g.Block(1, []Node{g.Any([]Node{0, 2})})
				g.BlockAny(2, []Node{0, 1})
			},
			dead: []Node{0, 1, 2}, cores: [][]Node{{0, 1, 2}},
			arcs: []Arc{
				{[]Node{0}, []Node{1, 2}, false}, {[]Node{1}, []Node{0, 2}, true}, {[]Node{2}, []Node{0, 1}, true},
			},
		},
		{
			name: "separate cycles, smallest first, and one that hangs on both", processes: 6,
			build: func(g *Graph) {
				g.Block(0, []Node{1})
				g.Block(1, []Node{2})
				g.Block(2, []Node{0})
				g.Block(3, []Node{4})
				g.Block(4, []Node{3})
				g.BlockAny(5, []Node{0, 3})
			},
			dead: []Node{0, 1, 2, 3, 4, 5}, cores: [][]Node{{3, 4}, {0, 1, 2}},
			arcs: []Arc{{[]Node{3}, []Node{4}, false}, {[]Node{4}, []Node{3}, false}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := New(c.processes)
			c.build(g)
			if got := g.Dead(); !slices.Equal(got, c.dead) {
				t.Fatalf("dead %v, want %v", got, c.dead)
			}
			if got := g.Cores(0); !reflect.DeepEqual(got, c.cores) {
				t.Fatalf("cores %v, want %v", got, c.cores)
			}
			if c.cores == nil {
				if core := g.Core(nil); core != nil {
					t.Fatalf("core %v of nothing", core)
				}
				return
			}
			if got := g.Core(nil); !slices.Equal(got, c.cores[0]) {
				t.Fatalf("core %v, want %v", got, c.cores[0])
			}
			if got := g.Arcs(c.cores[0]); !sameArcs(got, c.arcs) {
				t.Fatalf("arcs %v, want %v", got, c.arcs)
			}
		})
	}
}

func sameArcs(a, b []Arc) bool {
	return slices.EqualFunc(a, b, func(a, b Arc) bool {
		return slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To) && a.Any == b.Any
	})
}

func TestPreferSettlesTies(t *testing.T) {
	g := New(6)
	for p := range Node(6) {
		g.Block(p, []Node{p ^ 1})
	}
	prefer := func(n Node) int { return -int(n / 4) }
	if got := g.Core(prefer); !slices.Equal(got, []Node{4, 5}) {
		t.Errorf("core %v, want the preferred 4 and 5", got)
	}
	if got := g.Core(nil); !slices.Equal(got, []Node{0, 1}) {
		t.Errorf("core %v, want the lowest 0 and 1", got)
	}
	if got := g.Cores(2); !reflect.DeepEqual(got, [][]Node{{0, 1}, {2, 3}}) {
		t.Errorf("two cores %v, want the lowest two", got)
	}
}

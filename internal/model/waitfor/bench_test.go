package waitfor

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// wildcards is the stress test of the SC 2013 paper: everybody receives from anybody.
func wildcards(processes int) *Graph {
	g := New(processes)
	members := make([]Node, processes)
	for p := range members {
		members[p] = Node(p)
	}
	all := g.Set(members)
	for p := range members {
		g.BlockAny(Node(p), []Node{all})
	}
	return g
}

// ownSets is the same without sharing: p² arcs.
func ownSets(processes int) *Graph {
	g := New(processes)
	members := make([]Node, processes)
	for p := range members {
		members[p] = Node(p)
	}
	others := make([]Node, processes-1)
	for p := range members {
		copy(others, members[:p])
		copy(others[p:], members[p+1:])
		g.BlockAny(Node(p), others)
	}
	return g
}

func cycle(processes int) *Graph {
	g := New(processes)
	for p := range processes {
		g.Block(Node(p), []Node{Node((p + 1) % processes)})
	}
	return g
}

// ladder is a cycle in which everybody waits for the next two: the core is half as long as the cycle.
func ladder(processes int) *Graph {
	g := New(processes)
	for p := range processes {
		g.Block(Node(p), []Node{Node((p + 1) % processes), Node((p + 2) % processes)})
	}
	return g
}

// random blocks everybody, half by AND and half by OR, on three others: no core is smaller than two.
func random(processes int) *Graph {
	g := New(processes)
	rng := rand.New(rand.NewPCG(1, 2))
	for p := range processes {
		waits := make([]Node, 3)
		for i := range waits {
			waits[i] = Node((p + 1 + rng.IntN(processes-1)) % processes)
		}
		if rng.IntN(2) == 0 {
			g.Block(Node(p), waits)
		} else {
			g.BlockAny(Node(p), waits)
		}
	}
	return g
}

func BenchmarkBuildDeadCore(b *testing.B) {
	for _, c := range []struct {
		name      string
		build     func(int) *Graph
		processes []int
	}{
		{"wildcards", wildcards, []int{4096, 65536, 1000000}},
		{"own-sets", ownSets, []int{4096}},
		{"cycle", cycle, []int{1000000}},
		{"ladder", ladder, []int{4096, 1000000}},
		{"random", random, []int{4096, 65536, 1000000}},
	} {
		for _, n := range c.processes {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				core := 0
				for b.Loop() {
					g := c.build(n)
					if len(g.Dead()) != n {
						b.Fatalf("%d dead of %d", len(g.Dead()), n)
					}
					core = len(g.Core(nil))
				}
				b.ReportMetric(float64(core), "core")
			})
		}
	}
}

// TestLargeGraphsKeepTheirCores runs the shapes at a size at which the search may be cut short.
func TestLargeGraphsKeepTheirCores(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(int) *Graph
		core  int
	}{
		{"wildcards", wildcards, 4096},
		{"cycle", cycle, 4096},
		{"ladder", ladder, 2048},
	} {
		if got := len(c.build(4096).Core(nil)); got != c.core {
			t.Errorf("%s: core of %d, want %d", c.name, got, c.core)
		}
	}
}

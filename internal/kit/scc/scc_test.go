package scc

import (
	"testing"

	"pgregory.net/rapid"
)

// TestComponentsAreThoseThatReachEachOther compares with a search from every node, of parts of random graphs, one after
// the other.
func TestComponentsAreThoseThatReachEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 12).Draw(t, "size")
		arcs := make([][]int, size)
		for n := range arcs {
			arcs[n] = rapid.SliceOfN(rapid.IntRange(0, size-1), 0, 4).Draw(t, "arcs")
		}
		f := New[int](size)
		for range 3 {
			in := rapid.SliceOfN(rapid.Bool(), size, size).Draw(t, "in")
			var nodes []int
			for n := range in {
				if in[n] {
					nodes = append(nodes, n)
				}
			}
			count := f.Split(nodes, func(n, place int) (int, int) {
				for ; place < len(arcs[n]); place++ {
					if to := arcs[n][place]; in[to] {
						return to, place + 1
					}
				}
				return 0, -1
			})
			seen := make([]bool, count)
			for _, a := range nodes {
				seen[f.Of(a)] = true
				from := reached(arcs, in, a)
				for _, b := range nodes {
					if both := from[b] && reached(arcs, in, b)[a]; both != (f.Of(a) == f.Of(b)) {
						t.Fatalf("%d and %d reach each other: %v; components %d and %d", a, b, both, f.Of(a), f.Of(b))
					}
					if from[b] && f.Of(b) > f.Of(a) {
						t.Fatalf("%d leads to %d, from component %d to %d", a, b, f.Of(a), f.Of(b))
					}
				}
			}
			for c := range seen {
				if !seen[c] {
					t.Fatalf("component %d of %d has no node", c, count)
				}
			}
		}
	})
}

// reached are the nodes that a node leads to within a part, itself among them.
func reached(arcs [][]int, in []bool, from int) []bool {
	out := make([]bool, len(arcs))
	var visit func(n int)
	visit = func(n int) {
		if in[n] && !out[n] {
			out[n] = true
			for _, to := range arcs[n] {
				visit(to)
			}
		}
	}
	visit(from)
	return out
}

package objects

import (
	"fmt"
	"testing"

	"unknot/internal/vocab/op"
)

func TestNeighboursAreInTheOrderOfTheStandard(t *testing.T) {
	const handle = 7
	for _, x := range []struct {
		name     string
		topology *Topology
		rank     int
		want     string // destinations, sources, known
	}{
		{"none", nil, 0, "[] [] false"},
		{"middle of a line", &Topology{Dims: []int64{3}, Periods: []bool{false}}, 1, "[0 2] [0 2] true"},
		{"end of a line", &Topology{Dims: []int64{3}, Periods: []bool{false}}, 2, "[1 -1] [1 -1] true"},
		{"ring", &Topology{Dims: []int64{3}, Periods: []bool{true}}, 0, "[2 1] [2 1] true"},
		{"ring of one", &Topology{Dims: []int64{1}, Periods: []bool{true}}, 0, "[0 0] [0 0] true"},
		{"grid in row-major order", &Topology{Dims: []int64{2, 3}, Periods: []bool{false, true}}, 4,
			"[1 -1 3 5] [1 -1 3 5] true"},
		{"outside of the grid", &Topology{Dims: []int64{2}, Periods: []bool{true}}, 2, "[] [] false"},
		{"dimensions without periods", &Topology{Dims: []int64{2}}, 0, "[] [] false"},
		{"graph", &Topology{Nodes: 3, Index: []int64{1, 3, 4}, Edges: []int64{1, 0, 2, 1}}, 1, "[0 2] [0 2] true"},
		{"first node of a graph", &Topology{Nodes: 3, Index: []int64{1, 3, 4}, Edges: []int64{1, 0, 2, 1}}, 0,
			"[1] [1] true"},
		{"node that a graph lacks", &Topology{Nodes: 1, Index: []int64{1}, Edges: []int64{0}}, 1, "[] [] false"},
		{"graph with an index that descends", &Topology{Nodes: 2, Index: []int64{3, 1}, Edges: []int64{1, 0, 1}}, 1,
			"[] [] false"},
		{"distributed graph", &Topology{Sources: []int64{2}, Destinations: []int64{1, 1}}, 0, "[1 1] [2] true"},
	} {
		r := NewRank(0)
		if x.topology != nil {
			Set(&r.shapes.topos, handle, x.topology)
		}
		to, from, known := r.Neighbours(&Comm{Handle: handle, Rank: x.rank, Members: op.FirstRanks(6)})
		if got := fmt.Sprint(to, from, known); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

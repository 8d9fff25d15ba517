package usage

import (
	"fmt"
	"testing"
)

func TestNeighboursAreInTheOrderOfTheStandard(t *testing.T) {
	const handle = 7
	for _, x := range []struct {
		name     string
		topology *topology
		rank     int
		want     string // destinations, sources, known
	}{
		{"none", nil, 0, "[] [] false"},
		{"middle of a line", &topology{dims: []int64{3}, periods: []bool{false}}, 1, "[0 2] [0 2] true"},
		{"end of a line", &topology{dims: []int64{3}, periods: []bool{false}}, 2, "[1 -1] [1 -1] true"},
		{"ring", &topology{dims: []int64{3}, periods: []bool{true}}, 0, "[2 1] [2 1] true"},
		{"ring of one", &topology{dims: []int64{1}, periods: []bool{true}}, 0, "[0 0] [0 0] true"},
		{"grid in row-major order", &topology{dims: []int64{2, 3}, periods: []bool{false, true}}, 4, "[1 -1 3 5] [1 -1 3 5] true"},
		{"outside of the grid", &topology{dims: []int64{2}, periods: []bool{true}}, 2, "[] [] false"},
		{"dimensions without periods", &topology{dims: []int64{2}}, 0, "[] [] false"},
		{"graph", &topology{nodes: 3, index: []int64{1, 3, 4}, edges: []int64{1, 0, 2, 1}}, 1, "[0 2] [0 2] true"},
		{"graph with an index that descends", &topology{nodes: 2, index: []int64{3, 1}, edges: []int64{1, 0, 1}}, 1, "[] [] false"},
		{"distributed graph", &topology{sources: []int64{2}, destinations: []int64{1, 1}}, 0, "[1 1] [2] true"},
	} {
		r := NewRank(0)
		if x.topology != nil {
			r.shapes.topos[handle] = x.topology
		}
		to, from, known := r.Neighbours(&Comm{Handle: handle, Rank: x.rank, Size: 6})
		if got := fmt.Sprint(to, from, known); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

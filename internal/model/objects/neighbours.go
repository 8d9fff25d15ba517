package objects

import "slices"

// Neighbours are the places in its group of those that a process sends to and receives from in collectives of
// neighbours on a communicator, in the order that these use, with -1 for none (MPI-4.0, 8.6). It is false where they
// are not known.
func (r *Rank) Neighbours(c *Comm) (to, from []int, known bool) {
	t := r.shapes.topos[c.Handle]
	switch {
	case t == nil || c.Freed || c.Rank < 0:
		return nil, nil, false
	case t.Sources != nil || t.Destinations != nil:
		return places(t.Destinations), places(t.Sources), true
	case t.Nodes > 0:
		all, ok := t.adjacent(c.Rank)
		return all, all, ok
	case len(t.Periods) != len(t.Dims):
		return nil, nil, false
	}
	all, ok := t.grid(c.Rank)
	return all, all, ok
}

// Arrange takes in who are the neighbours of the process in a distributed graph: ranks in the communicator (MPI-4.0,
// 8.5.5).
func (r *Rank) Arrange(comm uint64, sources, destinations []int64) {
	Set(&r.shapes.topos, comm, &Topology{Sources: sources, Destinations: destinations})
}

// adjacent are the neighbours of a node of a graph: index holds for each node where its neighbours end (MPI-4.0,
// 8.5.3).
func (t *Topology) adjacent(node int) ([]int, bool) {
	if node >= len(t.Index) {
		return nil, false
	}
	first := int64(0)
	if node > 0 {
		first = t.Index[node-1]
	}
	if last := t.Index[node]; first >= 0 && first <= last && last <= int64(len(t.Edges)) {
		return places(t.Edges[first:last]), true
	}
	return nil, false
}

// grid are the neighbours of a process of a Cartesian topology, whose ranks are in row-major order (MPI-4.0, 8.2): in
// each dimension the one before it and the one behind.
func (t *Topology) grid(rank int) ([]int, bool) {
	all := int64(1)
	for _, n := range t.Dims {
		all *= n
	}
	if int64(rank) >= all {
		return nil, false
	}
	out := make([]int, 0, 2*len(t.Dims))
	stride := 1
	for i := len(t.Dims) - 1; i >= 0; i-- {
		n := int(t.Dims[i])
		at := rank / stride % n
		for _, next := range [2]int{at + 1, at - 1} { // in reverse, as the dimensions are
			if next < 0 || next >= n {
				if !t.Periods[i] {
					out = append(out, -1)
					continue
				}
				next = (next + n) % n
			}
			out = append(out, rank+(next-at)*stride)
		}
		stride *= n
	}
	slices.Reverse(out)
	return out, true
}

func places(ranks []int64) []int {
	out := make([]int, len(ranks))
	for i, r := range ranks {
		out[i] = int(int32(r))
		if out[i] < 0 {
			out[i] = -1 // MPI_PROC_NULL
		}
	}
	return out
}

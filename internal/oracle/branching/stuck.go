package branching

// stuck are the groups of states that lead nowhere but to each other, and in which not all ranks have ended, if MPI buffers no
// more sends from there on, and collectives wait for all (strict) or for no more than they must. That is every hang: of
// what a state leads to by progress alone, each thing happens in the end, and a poll that can find something does so in the
// end. They are the strongly connected components without a way out (Tarjan, SIAM J. Comput. 1(2), 1972).
func (x *exploration) stuck(strict bool) (groups [][]int) {
	most := weakness
	if strict {
		most = nothing
	}
	f := &finder{x: x, most: most, index: make([]int, len(x.nodes)), low: make([]int, len(x.nodes)), group: make([]int, len(x.nodes))}
	for n := range x.nodes {
		if f.index[n] == 0 {
			f.search(n)
		}
	}
	for g, members := range f.groups {
		out := false
		for _, n := range members {
			for _, e := range x.nodes[n].edges {
				out = out || e.need <= most && f.group[e.to] != g
			}
		}
		if first := x.nodes[members[0]]; !out && !first.done && first.state.wrong == "" {
			groups = append(groups, members)
		}
	}
	return groups
}

type finder struct {
	x          *exploration
	most       need
	index, low []int // from 1
	group      []int // -1 while it is on the stack
	stack      []int
	groups     [][]int
	next       int
}

// frame is a state that is being searched from.
type frame struct{ node, edge int }

func (f *finder) search(root int) {
	calls := []frame{{root, 0}}
	f.open(root)
	for len(calls) > 0 {
		at := &calls[len(calls)-1]
		n := at.node
		edges := f.x.nodes[n].edges
		if at.edge < len(edges) {
			e := edges[at.edge]
			at.edge++
			switch {
			case e.need > f.most:
			case f.index[e.to] == 0:
				f.open(e.to)
				calls = append(calls, frame{e.to, 0})
			case f.group[e.to] < 0:
				f.low[n] = min(f.low[n], f.index[e.to])
			}
			continue
		}
		calls = calls[:len(calls)-1]
		if len(calls) > 0 {
			up := calls[len(calls)-1].node
			f.low[up] = min(f.low[up], f.low[n])
		}
		if f.low[n] == f.index[n] {
			f.close(n)
		}
	}
}

func (f *finder) open(n int) {
	f.next++
	f.index[n], f.low[n], f.group[n] = f.next, f.next, -1
	f.stack = append(f.stack, n)
}

// close takes the component of n off the stack.
func (f *finder) close(n int) {
	var members []int
	for {
		last := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		f.group[last] = len(f.groups)
		members = append(members, last)
		if last == n {
			break
		}
	}
	f.groups = append(f.groups, members)
}

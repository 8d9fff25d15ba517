package branching

import "unknot/internal/kit/scc"

// stuck are the groups of states that lead nowhere but to each other, and in which not all ranks have ended, if MPI
// buffers no more sends from there on, and collectives wait for all (strict) or for no more than they must. That is
// every hang: of what a state leads to by progress alone, each thing happens in the end, and a poll that can find
// something does so in the end. They are the strongly connected components without a way out.
func (x *exploration) stuck(strict bool) (groups [][]int) {
	most := weakness
	if strict {
		most = nothing
	}
	nodes := make([]int, len(x.nodes))
	for n := range nodes {
		nodes[n] = n
	}
	f := scc.New[int](len(nodes))
	members := make([][]int, f.Split(nodes, func(n, place int) (int, int) {
		edges := x.nodes[n].edges
		for ; place < len(edges); place++ {
			if e := edges[place]; e.need <= most {
				return e.to, place + 1
			}
		}
		return 0, -1
	}))
	for _, n := range nodes {
		members[f.Of(n)] = append(members[f.Of(n)], n)
	}
	for g, members := range members {
		out := false
		for _, n := range members {
			for _, e := range x.nodes[n].edges {
				out = out || e.need <= most && f.Of(e.to) != g
			}
		}
		if first := x.nodes[members[0]]; !out && !first.done && first.state.wrong == "" {
			groups = append(groups, members)
		}
	}
	return groups
}

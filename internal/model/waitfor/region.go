package waitfor

import "unknot/internal/kit/scc"

// regions cuts the dead part of a graph into the pieces in which cores can lie.
type regions struct {
	g *Graph
	s *solution
	// doomed tells the auxiliary nodes that no process could make live.
	doomed []bool
	// of is the piece that a node belongs to; 0 is none: seen from any piece, such a node moves freely.
	of     []int32
	pieces int32
	count  []int32
	index  []int32
	parts  *scc.Finder[Node]
}

// newRegions also gives the processes that are a core each on its own, for they wait for what no process can bring.
// They are in no region: a core with more members would not be minimal with one of them in it.
func newRegions(g *Graph) (r *regions, alone []Node) {
	n := len(g.span)
	r = &regions{
		g: g, s: g.solve(), doomed: make([]bool, n),
		of: make([]int32, n), count: make([]int32, n), index: make([]int32, n), parts: scc.New[Node](n),
	}
	for a := g.processes; a < n; a++ {
		r.doomed[a] = r.hopeless(Node(a))
	}
	for _, p := range r.s.dead {
		if r.hopeless(p) {
			alone = append(alone, p)
		}
	}
	return r, alone
}

// hopeless says whether a node stays dead even if all processes move.
func (r *regions) hopeless(n Node) bool {
	any := r.g.any[n]
	for _, c := range r.g.children(n) {
		if r.doomed[c] != any {
			return !any
		}
	}
	return any
}

// start gives the nodes to split at first: all dead ones but those that need no process to be dead.
func (r *regions) start(alone []Node) []Node {
	var nodes []Node
	for n := range r.g.span {
		if len(alone) > 0 && alone[0] == Node(n) {
			alone = alone[1:]
			continue
		}
		if !r.s.live[n] && !r.doomed[n] {
			nodes = append(nodes, Node(n))
		}
	}
	return nodes
}

// split gives the parts of an ascending list of nodes that are closed and strongly connected. Every core among the
// nodes lies within one of them, and each of them holds at least one.
func (r *regions) split(nodes []Node) [][]Node {
	var done [][]Node
	work := [][]Node{r.claim(nodes)}
	for len(work) > 0 {
		nodes := work[len(work)-1]
		work = work[:len(work)-1]
		if nodes = r.prune(nodes); len(nodes) == 0 {
			continue
		}
		parts := r.components(nodes)
		if len(parts) == 1 && len(parts[0]) == len(nodes) {
			done = append(done, nodes)
			continue
		}
		for _, n := range nodes {
			r.of[n] = 0
		}
		for _, part := range parts {
			work = append(work, r.claim(part))
		}
	}
	return done
}

func (r *regions) claim(nodes []Node) []Node {
	r.pieces++
	for _, n := range nodes {
		r.of[n] = r.pieces
	}
	return nodes
}

// prune releases the nodes that get on if all but this piece moves, and gives the others: a greatest fixpoint.
func (r *regions) prune(nodes []Node) []Node {
	if len(nodes) == 0 {
		return nil
	}
	piece := r.of[nodes[0]]
	var queue []Node
	for _, n := range nodes {
		inside, free := int32(0), false
		for _, c := range r.g.children(n) {
			if r.of[c] == piece {
				inside++
			} else if !r.doomed[c] {
				free = true
			}
		}
		r.count[n] = inside
		if inside == 0 || r.g.any[n] && free {
			r.count[n] = 0
			queue = append(queue, n)
		}
	}
	if len(queue) == 0 {
		return nodes
	}
	for _, n := range queue {
		r.of[n] = 0
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range r.s.parents(n) {
			if r.of[p] != piece {
				continue
			}
			if r.count[p]--; r.count[p] == 0 || r.g.any[p] {
				r.of[p] = 0
				queue = append(queue, p)
			}
		}
	}
	var kept []Node
	for _, n := range nodes {
		if r.of[n] == piece {
			kept = append(kept, n)
		}
	}
	return kept
}

// components gives the strongly connected components of a piece that have a cycle, each ascending.
func (r *regions) components(nodes []Node) [][]Node {
	piece := r.of[nodes[0]]
	size := make([]int32, r.parts.Split(nodes, func(n Node, place int) (Node, int) {
		arcs := r.g.children(n)
		for ; place < len(arcs); place++ {
			if c := arcs[place]; r.of[c] == piece {
				return c, place + 1
			}
		}
		return 0, -1
	}))
	for _, n := range nodes {
		size[r.parts.Of(n)]++
	}
	for _, n := range nodes {
		if c := r.parts.Of(n); size[c] == 1 && !r.waitsForItself(n) {
			size[c] = 0
		}
	}
	return r.gather(nodes, size)
}

func (r *regions) waitsForItself(n Node) bool {
	for _, c := range r.g.children(n) {
		if c == n {
			return true
		}
	}
	return false
}

// gather sorts nodes into their components by counting, which keeps their order. A component of size 0 is left out.
func (r *regions) gather(nodes []Node, size []int32) [][]Node {
	place := make([]int32, len(size))
	total, parts := int32(0), 0
	for i, members := range size {
		place[i] = total
		total += members
		if members > 0 {
			parts++
		}
	}
	flat := make([]Node, total)
	for _, n := range nodes {
		if c := r.parts.Of(n); size[c] > 0 {
			flat[place[c]] = n
			place[c]++
		}
	}
	out := make([][]Node, 0, parts)
	for i, members := range size {
		if members > 0 {
			out = append(out, flat[place[i]-members:place[i]:place[i]])
		}
	}
	return out
}

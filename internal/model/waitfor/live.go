package waitfor

// solution is what follows from a graph as it stands.
type solution struct {
	// parents of node n are up[first[n]:first[n+1]], once per arc.
	first []int
	up    []Node
	live  []bool
	dead  []Node
}

func (s *solution) parents(n Node) []Node { return s.up[s.first[n]:s.first[n+1]] }

// Dead gives the processes that can never get on, whatever the others do, in ascending order: the complement of the
// least fixpoint of liveness, thus the greatest set that only waits for itself.
func (g *Graph) Dead() []Node {
	return append([]Node(nil), g.solve().dead...)
}

func (g *Graph) solve() *solution {
	if g.solved != nil {
		return g.solved
	}
	s := &solution{live: make([]bool, len(g.span))}
	s.reverse(g)
	// missing counts what a node still needs to be live: every child of an AND, one of an OR.
	missing := make([]int32, len(g.span))
	var queue []Node
	for n := range g.span {
		children := g.span[n].to - g.span[n].from
		switch {
		case g.any[n]:
			missing[n] = 1
		case children == 0:
			s.live[n] = true
			queue = append(queue, Node(n))
		default:
			missing[n] = int32(children)
		}
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, p := range s.parents(n) {
			if missing[p]--; missing[p] == 0 {
				s.live[p] = true
				queue = append(queue, p)
			}
		}
	}
	for n := range g.processes {
		if !s.live[n] {
			s.dead = append(s.dead, Node(n))
		}
	}
	g.solved = s
	return s
}

// reverse builds the parents of every node by counting.
func (s *solution) reverse(g *Graph) {
	s.first = make([]int, len(g.span)+2)
	total := 0
	for n := range g.span {
		for _, c := range g.children(Node(n)) {
			s.first[c+2]++
			total++
		}
	}
	for n := 2; n < len(s.first); n++ {
		s.first[n] += s.first[n-1]
	}
	s.up = make([]Node, total)
	for n := range g.span {
		for _, c := range g.children(Node(n)) {
			s.up[s.first[c+1]] = Node(n)
			s.first[c+1]++
		}
	}
	s.first = s.first[:len(g.span)+1]
}

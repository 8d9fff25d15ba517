package waitfor

import "slices"

// naiveLive is liveness by repeating the definition until nothing changes, with some processes held still and, if
// given, all others moving.
func naiveLive(g *Graph, still map[Node]bool, othersMove bool) []bool {
	live := make([]bool, len(g.span))
	if othersMove {
		for p := range g.processes {
			live[p] = !still[Node(p)]
		}
	}
	for changed := true; changed; {
		changed = false
		for n := range g.span {
			if live[n] || still[Node(n)] {
				continue
			}
			if naiveHolds(g, Node(n), live) {
				live[n], changed = true, true
			}
		}
	}
	return live
}

// naiveHolds evaluates a node's own condition.
func naiveHolds(g *Graph, n Node, live []bool) bool {
	for _, c := range g.children(n) {
		if live[c] == g.any[n] {
			return g.any[n]
		}
	}
	return !g.any[n]
}

func naiveDead(g *Graph) []Node {
	live := naiveLive(g, nil, false)
	var dead []Node
	for p := range g.processes {
		if !live[p] {
			dead = append(dead, Node(p))
		}
	}
	return dead
}

// naiveClosed says whether no member of c gets on while c stands still and everything else moves.
func naiveClosed(g *Graph, c []Node) bool {
	still := map[Node]bool{}
	for _, n := range c {
		still[n] = true
	}
	live := naiveLive(g, still, true)
	for _, n := range c {
		if naiveHolds(g, n, live) {
			return false
		}
	}
	return len(c) > 0
}

// naiveCore tries all sets of the dead.
func naiveCore(g *Graph, prefer func(Node) int) []Node {
	dead := naiveDead(g)
	var best []Node
	bestCost := 0
	for bits := 1; bits < 1<<len(dead); bits++ {
		var c []Node
		cost := 0
		for i, n := range dead {
			if bits>>i&1 == 1 {
				c = append(c, n)
				cost += prefer(n)
			}
		}
		if !naiveClosed(g, c) {
			continue
		}
		if best == nil || len(c) < len(best) || len(c) == len(best) &&
			(cost < bestCost || cost == bestCost && slices.Compare(c, best) < 0) {
			best, bestCost = c, cost
		}
	}
	return best
}

package waitfor

import "slices"

// Arc tells what processes of a core wait for, folded: every process in From waits for all of To, or for any of To.
// An empty To is something that never comes. A process with several conditions is in several arcs, and each of them
// alone keeps it where it is. To has members of the core only.
//
// Both lists ascend. To may be shared between arcs and must not be changed. Where From waits for a set that it is a
// member of, To has it too.
type Arc struct {
	From, To []Node
	Any      bool
}

// Arcs gives the waits within a closed set (of Core or Cores), by lowest From, then To.
//
// Conditions that are nested deeper than an AND of ORs are described by who holds them up: of an OR over ANDs, To has
// the members of the core in any of the ANDs.
func (g *Graph) Arcs(c []Node) []Arc {
	t := &teller{g: g, still: make([]bool, len(g.span)), at: make([]int32, len(g.span)),
		seen: make([]Node, len(g.span))}
	for _, n := range c {
		t.still[n] = true
	}
	for a := g.processes; a < len(g.span); a++ {
		t.still[a] = t.held(Node(a))
	}
	core := slices.Clone(c)
	slices.Sort(core)
	for _, p := range core {
		t.tell(p)
	}
	return fold(t.arcs)
}

// teller collects arcs.
type teller struct {
	g     *Graph
	still []bool // by node: not live while the core stands still
	at    []int32
	seen  []Node // by node: the last one whose members it was counted among, plus one
	arcs  []Arc
}

func (t *teller) held(n Node) bool {
	any := t.g.any[n]
	for _, c := range t.g.children(n) {
		if t.still[c] != any {
			return !any
		}
	}
	return any
}

// tell adds the arcs of one process of the core.
func (t *teller) tell(p Node) {
	if t.g.any[p] {
		if kids := t.g.children(p); len(kids) == 1 && !t.g.process(kids[0]) {
			t.conjunct(p, kids[0])
			return
		}
		t.arcs = append(t.arcs, Arc{[]Node{p}, t.members(p), true})
		return
	}
	t.conjuncts(p, p)
}

// conjuncts adds what p waits for by the AND n.
func (t *teller) conjuncts(p, n Node) {
	var direct []Node
	for _, c := range t.g.children(n) {
		if !t.still[c] {
			continue
		}
		if t.g.process(c) {
			direct = append(direct, c)
		} else {
			t.conjunct(p, c)
		}
	}
	if len(direct) > 0 {
		slices.Sort(direct)
		t.arcs = append(t.arcs, Arc{[]Node{p}, slices.Compact(direct), false})
	}
}

// conjunct adds one auxiliary condition; those that many share are worked out once.
func (t *teller) conjunct(p, n Node) {
	if !t.g.any[n] {
		t.conjuncts(p, n)
		return
	}
	if at := t.at[n]; at > 0 {
		from := &t.arcs[at-1].From
		if (*from)[len(*from)-1] != p {
			*from = append(*from, p)
		}
		return
	}
	t.arcs = append(t.arcs, Arc{[]Node{p}, t.members(n), true})
	t.at[n] = int32(len(t.arcs))
}

// members gives the processes of the core through which the OR n stands still.
func (t *teller) members(n Node) []Node {
	var out []Node
	stack := []Node{n}
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, c := range t.g.children(m) {
			if !t.still[c] || t.seen[c] == n+1 {
				continue
			}
			t.seen[c] = n + 1
			if t.g.process(c) {
				out = append(out, c)
			} else {
				stack = append(stack, c)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (a Arc) compare(b Arc) int {
	if c := slices.Compare(a.To, b.To); c != 0 {
		return c
	}
	if a.Any == b.Any {
		return 0
	}
	if b.Any {
		return -1
	}
	return 1
}

// fold joins the arcs with the same To. Whether all or any of a single one is needed is the same.
func fold(arcs []Arc) []Arc {
	for i := range arcs {
		arcs[i].Any = arcs[i].Any && len(arcs[i].To) > 1
	}
	slices.SortStableFunc(arcs, Arc.compare)
	var out []Arc
	for _, a := range arcs {
		if last := len(out) - 1; last >= 0 && out[last].compare(a) == 0 {
			out[last].From = append(out[last].From, a.From...)
			continue
		}
		out = append(out, a)
	}
	for i := range out {
		slices.Sort(out[i].From)
		out[i].From = slices.Compact(out[i].From)
	}
	slices.SortStableFunc(out, func(a, b Arc) int { return int(a.From[0]) - int(b.From[0]) })
	return out
}

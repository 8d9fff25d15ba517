package waitfor

import (
	"container/heap"
	"slices"
)

// Core gives a smallest explanation of why processes are dead: a set of which no member gets on while only the set
// stands still, and of which no part has that property. It is nil if nobody is dead.
//
// Among cores of the same size the one with the smallest sum of prefer is taken (nil counts as 0 for all), then the one
// with the lowest ranks. The smallest one is found for certain where the search ends within its budget, which it does
// on small graphs and wherever no AND has a choice; beyond that the core is still minimal, and always the same.
func (g *Graph) Core(prefer func(Node) int) []Node {
	h := newHarvest(g, prefer)
	if len(h.found) == 0 {
		return nil
	}
	return h.found[0].core
}

// Cores gives up to max disjoint cores, all if max is not positive, the smallest first. If all are given, every other
// dead process depends on them: it would get on if they did. Each further core costs a pass over the region it is from.
func (g *Graph) Cores(max int) [][]Node {
	h := newHarvest(g, nil)
	var taken []candidate
	for len(h.found) > 0 && (max <= 0 || len(taken) < max) {
		c := heap.Pop(h).(candidate)
		taken = append(taken, c)
		h.add(without(c.region, c.core))
	}
	slices.SortStableFunc(taken, candidate.compare)
	var cores [][]Node
	for _, c := range taken {
		cores = append(cores, c.core)
	}
	return cores
}

// without gives the nodes that are not in the core; both are ascending.
func without(nodes, core []Node) []Node {
	var rest []Node
	for _, n := range nodes {
		if len(core) > 0 && core[0] == n {
			core = core[1:]
			continue
		}
		rest = append(rest, n)
	}
	return rest
}

// candidate is the best core of a region.
type candidate struct {
	core   []Node
	cost   int
	region []Node
}

func (a candidate) compare(b candidate) int {
	if len(a.core) != len(b.core) {
		return len(a.core) - len(b.core)
	}
	if a.cost != b.cost {
		if a.cost < b.cost {
			return -1
		}
		return 1
	}
	return slices.Compare(a.core, b.core)
}

// harvest is a heap of the best cores of all regions.
type harvest struct {
	regions *regions
	prefer  func(Node) int
	found   []candidate
}

func newHarvest(g *Graph, prefer func(Node) int) *harvest {
	h := &harvest{prefer: prefer}
	if len(g.solve().dead) == 0 {
		return h
	}
	r, alone := newRegions(g)
	h.regions = r
	for _, p := range alone {
		h.offer([]Node{p}, nil)
	}
	h.add(r.start(alone))
	return h
}

// add searches the regions among these nodes.
func (h *harvest) add(nodes []Node) {
	if len(nodes) == 0 {
		return
	}
	for _, n := range nodes {
		h.regions.of[n] = 0
	}
	for _, region := range h.regions.split(nodes) {
		h.offer(h.core(region), region)
	}
}

func (h *harvest) offer(core, region []Node) {
	c := candidate{core: core, region: region}
	if h.prefer != nil {
		for _, n := range core {
			c.cost += h.prefer(n)
		}
	}
	heap.Push(h, c)
}

// Searching may take so many steps for each node and arc of a region, and so many in any case.
const (
	stepsPerArc = 8
	stepsAtHand = 1 << 20
)

// core gives the best core of a region.
func (h *harvest) core(region []Node) []Node {
	if h.regions.forced(region) {
		var core []Node
		for _, n := range region {
			if h.regions.g.process(n) {
				core = append(core, n)
			}
		}
		return core
	}
	p := h.regions.cut(region, h.prefer)
	members, exact := p.smallest(stepsAtHand + stepsPerArc*(len(p.nodes)+len(p.down)))
	if !exact {
		members = p.thin(members)
	}
	core := make([]Node, len(members))
	for i, m := range members {
		core[i] = p.nodes[m]
	}
	return core
}

func (h *harvest) Len() int           { return len(h.found) }
func (h *harvest) Less(i, j int) bool { return h.found[i].compare(h.found[j]) < 0 }
func (h *harvest) Swap(i, j int)      { h.found[i], h.found[j] = h.found[j], h.found[i] }
func (h *harvest) Push(c any)         { h.found = append(h.found, c.(candidate)) }

func (h *harvest) Pop() any {
	last := h.found[len(h.found)-1]
	h.found = h.found[:len(h.found)-1]
	return last
}

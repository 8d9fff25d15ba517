package waitfor

// piece is one region with numbers of its own, for searching: closed and strongly connected, ascending, processes
// first.
type piece struct {
	nodes     []Node
	processes int32
	// kids of i are down[first[i]:first[i+1]], folks (parents) up[above[i]:above[i+1]].
	first, above []int32
	down, up     []int32
	// choice tells the ANDs with more than one child in the region: one of them is enough to stand still. All other
	// nodes need all of their children here.
	choice []bool
	cost   []int
}

// forced says whether no AND of a region has a choice; then the region is a core as it is.
func (r *regions) forced(nodes []Node) bool {
	id := r.of[nodes[0]]
	for _, n := range nodes {
		if r.g.any[n] {
			continue
		}
		inside := 0
		for _, c := range r.g.children(n) {
			if r.of[c] == id {
				inside++
			}
		}
		if inside > 1 {
			return false
		}
	}
	return true
}

// cut copies a region out of the graph. The region's entries of index are overwritten.
func (r *regions) cut(nodes []Node, prefer func(Node) int) *piece {
	id := r.of[nodes[0]]
	p := &piece{
		nodes: nodes, first: make([]int32, len(nodes)+1), above: make([]int32, len(nodes)+2),
		choice: make([]bool, len(nodes)),
	}
	for i, n := range nodes {
		r.index[n] = int32(i)
		if r.g.process(n) {
			p.processes++
		}
	}
	for i, n := range nodes {
		for _, c := range r.g.children(n) {
			if r.of[c] == id {
				p.down = append(p.down, r.index[c])
				p.above[r.index[c]+2]++
			}
		}
		p.first[i+1] = int32(len(p.down))
		p.choice[i] = !r.g.any[n] && p.first[i+1]-p.first[i] > 1
	}
	for i := 2; i < len(p.above); i++ {
		p.above[i] += p.above[i-1]
	}
	p.up = make([]int32, len(p.down))
	for i := range nodes {
		for _, c := range p.kids(int32(i)) {
			p.up[p.above[c+1]] = int32(i)
			p.above[c+1]++
		}
	}
	p.above = p.above[:len(nodes)+1]
	if prefer != nil {
		p.cost = make([]int, p.processes)
		for i := range p.cost {
			p.cost[i] = prefer(nodes[i])
		}
	}
	return p
}

func (p *piece) kids(i int32) []int32  { return p.down[p.first[i]:p.first[i+1]] }
func (p *piece) folks(i int32) []int32 { return p.up[p.above[i]:p.above[i+1]] }

func (p *piece) price(i int32) int {
	if p.cost == nil || i >= p.processes {
		return 0
	}
	return p.cost[i]
}

package report

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

// box is the centre of something that has been placed, in pixels.
type box struct{ x, y float64 }

// Sizes of the picture in pixels, for the 13-pixel text that the style sheet sets.
const (
	nodeHeight  = 68
	charWidth   = 7.4
	layerGap    = 92 // between layers: room for an arrow and two lines of label
	siblingGap  = 56
	framePad    = 26
	labelGap    = 190 // between neighbours on a circle: room for a label
	loopRoom    = 60  // beside a node that waits for itself
	margin      = 16
	labelChar   = 6.9
	labelHeight = 15
)

// A block is a strongly connected component, placed as one: its nodes on an ellipse, or alone. A block without nodes
// holds the way free for an arc that crosses a layer.
type block struct {
	nodes   []int
	loops   float64 // room to the right for an arc of the node to itself
	w, h    float64
	layer   int
	box         // centre
	through int // the arc between blocks that passes, for a block without nodes
}

func (b *block) cyclic() bool { return len(b.nodes) > 1 }

// link is an arc between two blocks with the blocks that it passes through, ends included. Arcs of one node into one
// block of several nodes are one link to the block's frame.
type link struct {
	arc  int
	path []int
}

// picture is a graph with coordinates.
type picture struct {
	*graph
	blocks []block
	links  []link
	w, h   float64
}

// layOut places the nodes: components from top to bottom so that arrows between them point down, and the nodes of one
// component on an ellipse.
func layOut(g *graph) *picture {
	p := &picture{graph: g}
	for i := range g.nodes {
		n := &g.nodes[i]
		longest := max(runes(fit(n.label)), runes(fit(n.call)), runes(fit(n.at)))
		n.w, n.h = max(120, float64(longest)*charWidth+26), nodeHeight
		if n.at == "" {
			n.h -= 17
		}
	}
	of := p.makeBlocks()
	p.link(of)
	p.placeBlocks()
	return p
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// maxLabel is the length in characters of a line in a node.
const maxLabel = 32

// fit shortens a line to what a node holds; the full text is in the node's title.
func fit(s string) string {
	r := []rune(s)
	if len(r) <= maxLabel {
		return s
	}
	return string(r[:maxLabel-1]) + "…"
}

func (p *picture) makeBlocks() (of []int) {
	of, count := p.components()
	p.blocks = make([]block, count)
	for i := range p.nodes {
		p.blocks[of[i]].nodes = append(p.blocks[of[i]].nodes, i)
	}
	// Arcs go from higher components to lower ones, so that each block's targets are placed before it.
	depth := make([]int, count)
	for b := range count {
		for _, a := range p.arcs {
			if of[a.from] == b && of[a.to] != b {
				depth[b] = max(depth[b], depth[of[a.to]]+1)
			}
		}
	}
	deepest := slices.Max(append(depth, 0))
	for b := range p.blocks {
		p.blocks[b].layer = deepest - depth[b]
		p.shape(&p.blocks[b], of)
	}
	return of
}

// shape places the nodes of a block around its centre and gives it its size.
func (p *picture) shape(b *block, of []int) {
	loop := make(map[int]float64)
	tallest := float64(labelHeight)
	for _, a := range p.arcs {
		tallest = max(tallest, labelTall(a.label))
		if a.from == a.to {
			loop[a.from] = loopRoom + labelWidth(a.label)
		}
	}
	if !b.cyclic() {
		n := b.nodes[0]
		b.loops = loop[n]
		b.w, b.h = p.nodes[n].w+2*b.loops, p.nodes[n].h
		return
	}
	p.orderCycle(b, of)
	k := len(b.nodes)
	for ry := 0.0; ; ry += 8 {
		rx := max(1.5*ry, 120)
		for i, n := range b.nodes {
			turn := 2*math.Pi*float64(i)/float64(k) - math.Pi/2
			if k == 2 {
				turn = math.Pi * float64(1-i)
			}
			p.nodes[n].x, p.nodes[n].y = rx*math.Cos(turn), ry*math.Sin(turn)
		}
		if p.apart(b.nodes, loop) {
			break
		}
	}
	left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, n := range b.nodes {
		o := &p.nodes[n]
		left, right = min(left, o.x-o.w/2), max(right, o.x+o.w/2+loop[n])
		top, bottom = min(top, o.y-o.h/2), max(bottom, o.y+o.h/2)
	}
	for _, a := range p.arcs {
		if a.from == a.to || of[a.from] != of[a.to] || of[a.from] != of[b.nodes[0]] {
			continue
		}
		c, _ := bent(&p.nodes[a.from], &p.nodes[a.to])
		if at := c.at(0.5); at.x > besideAxis {
			right = max(right, at.x+8+labelWidth(a.label))
		} else if at.x < -besideAxis {
			left = min(left, at.x-8-labelWidth(a.label))
		}
	}
	if k == 2 { // the two arcs bulge above and below the line of the nodes
		top, bottom = top-4-tallest, bottom+4+tallest
	}
	for _, n := range b.nodes {
		p.nodes[n].x -= (left + right) / 2
		p.nodes[n].y -= (top + bottom) / 2
	}
	b.w, b.h = right-left+2*framePad, bottom-top+2*framePad
}

// orderCycle puts the nodes of a block in the order in which they wait for each other, as far as one walk leads.
func (p *picture) orderCycle(b *block, of []int) {
	left := slices.Clone(b.nodes)
	order := []int{left[0]}
	left = left[1:]
	for len(left) > 0 {
		at := 0
		for i, n := range left {
			if slices.ContainsFunc(p.arcs, func(a arc) bool { return a.from == order[len(order)-1] && a.to == n }) {
				at = i
				break
			}
		}
		order = append(order, left[at])
		left = slices.Delete(left, at, at+1)
	}
	// A node that waits for something below goes to the bottom, so that its arrow crosses no other node.
	for i, n := range order {
		if slices.ContainsFunc(p.arcs, func(a arc) bool { return a.from == n && of[a.to] != of[n] }) {
			turn := (i - len(order)/2 + len(order)) % len(order)
			order = slices.Concat(order[turn:], order[:turn])
			break
		}
	}
	b.nodes = order
}

// apart says whether all pairs of nodes have room for a label between them.
func (p *picture) apart(nodes []int, loop map[int]float64) bool {
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			m, n := &p.nodes[a], &p.nodes[b]
			dx, dy := math.Abs(m.x-n.x), math.Abs(m.y-n.y)
			side := max(loop[a], loop[b])
			if dx < (m.w+n.w)/2+labelGap+side && dy < (m.h+n.h)/2+layerGap/1.6 {
				if len(nodes) == 2 {
					// Two nodes stand side by side at any size: widen the pair instead of the ellipse.
					m.x, n.x = ((m.w+n.w)/2+labelGap+side)/2, -((m.w+n.w)/2+labelGap+side)/2
					return true
				}
				return false
			}
		}
	}
	return true
}

// link makes the arcs between blocks into links, with a free way through each layer between.
func (p *picture) link(of []int) {
	type ends struct{ node, block int }
	have := make(map[ends]bool)
	for i, a := range p.arcs {
		from, to := of[a.from], of[a.to]
		if from == to || have[ends{a.from, to}] {
			continue
		}
		have[ends{a.from, to}] = true
		path := []int{from}
		for l := p.blocks[from].layer + 1; l < p.blocks[to].layer; l++ {
			path = append(path, len(p.blocks))
			p.blocks = append(p.blocks, block{layer: l, w: 8, h: 8, through: i})
		}
		p.links = append(p.links, link{arc: i, path: append(path, to)})
	}
}

// placeBlocks orders the blocks of each layer by the places of their neighbours and gives all of them coordinates.
func (p *picture) placeBlocks() {
	var layers [][]int
	for b := range p.blocks {
		for len(layers) <= p.blocks[b].layer {
			layers = append(layers, nil)
		}
		layers[p.blocks[b].layer] = append(layers[p.blocks[b].layer], b)
	}
	near := make([][]int, len(p.blocks))
	for _, l := range p.links {
		for i := 1; i < len(l.path); i++ {
			a, b := l.path[i-1], l.path[i]
			near[a], near[b] = append(near[a], b), append(near[b], a)
		}
	}
	position := make([]float64, len(p.blocks))
	for _, layer := range layers {
		for i, b := range layer {
			position[b] = float64(i) - float64(len(layer)-1)/2
		}
	}
	for range 4 {
		for _, layer := range layers {
			slices.SortStableFunc(layer, func(a, b int) int {
				return cmp.Compare(mean(near[a], position), mean(near[b], position))
			})
			for i, b := range layer {
				position[b] = float64(i) - float64(len(layer)-1)/2
			}
		}
	}
	y := float64(margin)
	widths := make([]float64, len(layers))
	for i, layer := range layers {
		height := 0.0
		for j, b := range layer {
			if j > 0 {
				widths[i] += siblingGap
			}
			widths[i] += p.blocks[b].w
			height = max(height, p.blocks[b].h)
		}
		for _, b := range layer {
			p.blocks[b].y = y + p.blocks[b].h/2
		}
		p.w = max(p.w, widths[i])
		y += height + layerGap
	}
	p.h = y - layerGap + margin
	p.w += 2 * margin
	for i, layer := range layers {
		x := (p.w - widths[i]) / 2
		for _, b := range layer {
			bl := &p.blocks[b]
			bl.x = x + bl.w/2
			x += bl.w + siblingGap
			for _, n := range bl.nodes {
				p.nodes[n].x += bl.x
				p.nodes[n].y += bl.y
			}
		}
	}
}

// mean is the middle of the neighbours' positions; 0, the middle of the layer, without any.
func mean(of []int, position []float64) float64 {
	sum := 0.0
	for _, b := range of {
		sum += position[b]
	}
	return sum / max(1, float64(len(of)))
}

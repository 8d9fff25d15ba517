package report

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
)

// svg draws a picture. Colours come from the style sheet by class, so that they follow light and dark. id makes the ids
// inside unique on the page.
func (p *picture) svg(id, title string) template.HTML {
	d := &drawing{picture: p, id: id, said: make(map[string]bool)}
	for i := range p.nodes {
		n := &p.nodes[i]
		d.taken = append(d.taken, rect{n.x - n.w/2, n.y - n.h/2, n.w, n.h})
	}
	d.frames()
	d.within()
	d.between()
	d.names()
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-label="%s" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`,
		html.EscapeString(clean(title)), p.w, p.h, p.w, p.h)
	fmt.Fprintf(&b,
		`<defs><marker id="%s-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 1 9.5 5 0 9z"/></marker></defs>`, id)
	b.WriteString(d.back.String() + d.lines.String() + d.front.String())
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

type drawing struct {
	*picture
	id                 string
	back, lines, front strings.Builder
	taken              []rect // what a label must not cover
	said               map[string]bool
}

type rect struct{ x, y, w, h float64 }

func (a rect) overlap(b rect) float64 {
	w := min(a.x+a.w, b.x+b.w) - max(a.x, b.x)
	h := min(a.y+a.h, b.y+b.h) - max(a.y, b.y)
	return max(w, 0) * max(h, 0)
}

// frames draws what lies behind: a field around the nodes of each cycle.
func (d *drawing) frames() {
	for i := range d.blocks {
		if b := &d.blocks[i]; b.cyclic() {
			fmt.Fprintf(&d.back, `<rect class="knot" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="14"/>`, b.x-b.w/2,
				b.y-b.h/2, b.w, b.h)
		}
	}
}

func (d *drawing) names() {
	for i := range d.nodes {
		n := &d.nodes[i]
		fmt.Fprintf(&d.front,
			`<g class="node %s"><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="8"/>`,
			n.kind, html.EscapeString(clean(strings.Trim(n.label+"\u00a0· "+n.call+" · "+n.at, " ·"))), n.x-n.w/2,
			n.y-n.h/2, n.w, n.h)
		y := n.y - n.h/2 + 22
		for _, l := range []struct{ class, text string }{{"who", n.label}, {"call", n.call}, {"at", n.at}} {
			if l.text != "" {
				fmt.Fprintf(&d.front, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, l.class, n.x, y,
					html.EscapeString(fit(clean(l.text))))
			}
			y += 18
		}
		d.front.WriteString("</g>")
	}
}

// curve is a cubic Bézier curve.
type curve [4]box

func (c curve) at(t float64) box {
	u := 1 - t
	k := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
	var p box
	for i := range c {
		p.x += k[i] * c[i].x
		p.y += k[i] * c[i].y
	}
	return p
}

func (c curve) String() string {
	return fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", c[0].x, c[0].y, c[1].x, c[1].y, c[2].x, c[2].y,
		c[3].x, c[3].y)
}

func (d *drawing) line(a arc, path string, tip bool) {
	class, marker := "arc", ""
	if a.any {
		class += " any"
	}
	if tip {
		marker = fmt.Sprintf(` marker-end="url(#%s-tip)"`, d.id)
	}
	fmt.Fprintf(&d.lines, `<path class="%s" d="%s"%s/>`, class, path, marker)
}

// within draws the arcs between the nodes of one block, and those from a node to itself.
func (d *drawing) within() {
	of, _ := d.components()
	for _, a := range d.arcs {
		if of[a.from] != of[a.to] {
			continue
		}
		from, to := &d.nodes[a.from], &d.nodes[a.to]
		if a.from == a.to {
			x, y := from.x+from.w/2, from.y
			c := curve{{x, y - 15}, {x + 52, y - 34}, {x + 52, y + 34}, {x + 1, y + 15}}
			d.line(a, c.String(), true)
			d.label(a, []spot{{box{x + 46, y}, "start"}})
			continue
		}
		d.span(a, from, to, d.blocks[of[a.from]].box)
	}
}

// span draws an arc between two nodes of a cycle: bent outwards between neighbours, so that opposite arcs and labels
// stay apart.
func (d *drawing) span(a arc, from, to *node, centre box) {
	c, side := bent(from, to)
	dy := to.y - from.y
	d.line(a, c.String(), true)
	var spots []spot
	for _, t := range []float64{0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73} {
		at := c.at(t)
		switch out := at.x - centre.x; {
		case math.Abs(dy) < 30: // a flat arc has its label on its outer side
			spots = append(spots, spot{box{at.x, at.y + math.Copysign(4+labelTall(a.label)/2, side.y)}, "middle"})
		case out > besideAxis:
			spots = append(spots, spot{box{at.x + 8, at.y}, "start"})
		case out < -besideAxis:
			spots = append(spots, spot{box{at.x - 8, at.y}, "end"})
		default:
			spots = append(spots, spot{at, "middle"})
		}
	}
	d.label(a, spots)
}

// besideAxis is how far from the middle of a cycle an arc must run to have its label on the outer side.
const besideAxis = 20

// bent is the way of an arc from node to node, and the direction in which it is bent.
func bent(from, to *node) (c curve, side box) {
	dx, dy := to.x-from.x, to.y-from.y
	length := math.Hypot(dx, dy)
	bend := min(0.16*length, 46)
	side = box{dy / length * bend, -dx / length * bend}
	mid := box{(from.x+to.x)/2 + side.x, (from.y+to.y)/2 + side.y}
	start, end := from.border(mid), to.border(mid)
	return curve{start, toward(start, mid, 0.75), toward(end, mid, 0.75), end}, side
}

func toward(a, b box, t float64) box { return box{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }

// border is where the line from the node's centre to p leaves its box.
func (n *node) border(p box) box {
	dx, dy := p.x-n.x, p.y-n.y
	t := math.Inf(1)
	if dx != 0 {
		t = min(t, (n.w/2+2)/math.Abs(dx))
	}
	if dy != 0 {
		t = min(t, (n.h/2+2)/math.Abs(dy))
	}
	if t > 1 {
		return p
	}
	return box{n.x + dx*t, n.y + dy*t}
}

// between draws the links from block to block, downwards, each from and to a separate point on the boxes' edges.
func (d *drawing) between() {
	type end struct{ link, block int }
	port := make(map[end]float64)
	for b := range d.blocks {
		var in []int
		out := make(map[int][]int)
		for i, l := range d.links {
			if l.path[len(l.path)-1] == b {
				in = append(in, i)
			}
			if l.path[0] == b {
				out[d.arcs[l.arc].from] = append(out[d.arcs[l.arc].from], i)
			}
		}
		spread := func(links []int, x, w float64, beyond func(link) int) {
			slices.SortStableFunc(links, func(i, j int) int {
				return cmp.Compare(d.blocks[beyond(d.links[i])].x, d.blocks[beyond(d.links[j])].x)
			})
			for k, i := range links {
				port[end{i, b}] = x + w*(float64(k+1)/float64(len(links)+1)-0.5)
			}
		}
		spread(in, d.blocks[b].x, d.blocks[b].w-2*d.blocks[b].loops, func(l link) int { return l.path[len(l.path)-2] })
		for n, links := range out {
			spread(links, d.nodes[n].x, d.nodes[n].w, func(l link) int { return l.path[1] })
		}
	}
	for i, l := range d.links {
		a := d.arcs[l.arc]
		first, last := l.path[0], l.path[len(l.path)-1]
		points := []box{{port[end{i, first}], d.nodes[a.from].y + d.nodes[a.from].h/2}}
		for _, b := range l.path[1 : len(l.path)-1] {
			points = append(points, d.blocks[b].box)
		}
		points = append(points, box{port[end{i, last}], d.blocks[last].y - d.blocks[last].h/2 - 2})
		var path strings.Builder
		var spots []spot
		for j := 1; j < len(points); j++ {
			p, q := points[j-1], points[j]
			half := (q.y - p.y) / 2
			c := curve{p, {p.x, p.y + half}, {q.x, q.y - half}, q}
			path.WriteString(c.String())
			if j == 1 {
				for _, t := range []float64{0.5, 0.36, 0.64, 0.24, 0.76, 0.16, 0.84} {
					spots = append(spots, spot{c.at(t), "middle"})
				}
			}
		}
		d.line(a, path.String(), true)
		d.label(a, spots)
	}
}

// spot is a place for a label, and how the text lies to it: "start", "middle" or "end".
type spot struct {
	box
	anchor string
}

// label writes what an arc waits for at the first of the spots where it covers nothing, or where it covers least. The
// same words at the same node are said once.
func (d *drawing) label(a arc, spots []spot) {
	key := fmt.Sprint(a.from, a.label)
	if a.label == "" || d.said[key] {
		return
	}
	d.said[key] = true
	lines := labelLines(a.label)
	w, h := labelWidth(a.label), labelTall(a.label)
	place := func(s spot) rect {
		left := map[string]float64{"start": 0, "middle": w / 2, "end": w}[s.anchor]
		return rect{s.x - left - 3, s.y - h/2 - 2, w + 6, h + 4}
	}
	best, least := spots[0], math.Inf(1)
	for _, s := range spots {
		covered := 0.0
		for _, r := range d.taken {
			covered += place(s).overlap(r)
		}
		if covered < least {
			best, least = s, covered
		}
	}
	d.taken = append(d.taken, place(best))
	class := best.anchor
	if slices.ContainsFunc(d.blocks, func(b block) bool {
		return b.cyclic() && rect{b.x - b.w/2, b.y - b.h/2, b.w, b.h}.overlap(place(best)) > 0
	}) {
		class += " inside"
	}
	fmt.Fprintf(&d.front, `<g class="label %s"><title>%s</title>`, class, html.EscapeString(clean(a.label)))
	for i, l := range lines {
		y := best.y - h/2 + float64(i)*labelHeight + 11.5
		fmt.Fprintf(&d.front, `<text x="%.1f" y="%.1f">%s</text>`, best.x, y, html.EscapeString(l))
	}
	d.front.WriteString("</g>")
}

// labelLines breaks a label into at most two lines.
func labelLines(s string) []string {
	lines := wrap(clean(s), 26)
	for i, l := range lines {
		lines[i] = fit(l)
	}
	if len(lines) > 2 {
		lines = append(lines[:1:1], strings.TrimSuffix(lines[1], "…")+" …")
	}
	return lines
}

func labelTall(s string) float64 { return float64(len(labelLines(s))) * labelHeight }

func labelWidth(s string) float64 {
	n := 0
	for _, l := range labelLines(s) {
		n = max(n, runes(l))
	}
	return float64(n) * labelChar
}

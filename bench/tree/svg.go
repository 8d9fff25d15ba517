package main

import (
	"fmt"
	"math"
	"strings"
)

// curve is figures by numbers of ranks.
type curve struct {
	name string
	at   []int
	is   []float64
}

func (c *curve) add(at int, is float64) { c.at, c.is = append(c.at, at), append(c.is, is) }

// drawing shows curves on scales of which each step is a power: of two for ranks, of ten for figures.
type drawing struct {
	title  string
	curves []curve
}

// Size of a drawing, and of what is left free around the curves.
const (
	wide, high = 640, 320
	left, foot = 80, 50
	top, right = 40, 20
)

func (d *drawing) svg() string {
	most, least, ranks := 1.0, math.Inf(1), 2.0
	for _, c := range d.curves {
		for i := range c.at {
			most, least, ranks = max(most, c.is[i]), min(least, c.is[i]), max(ranks, float64(c.at[i]))
		}
	}
	from, to := math.Floor(math.Log10(max(least, 1e-3))), math.Ceil(math.Log10(most*1.01))
	x := func(n float64) float64 { return left + (wide-left-right)*(math.Log2(n)-4)/max(math.Log2(ranks)-4, 1) }
	y := func(v float64) float64 {
		return high - foot - (high-foot-top)*(math.Log10(max(v, 1e-3))-from)/(to-from)
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+
			"\n", wide, high)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/><text x="%d" y="20">%s</text>`+"\n", wide, high,
		left, d.title)
	for e := from; e <= to; e++ {
		at := y(math.Pow(10, e))
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n",
			left, at, wide-right, left-6, at+4, math.Pow(10, e))
	}
	for n := 16.0; n <= ranks; n *= 4 {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x(n), high-foot+16, count(int(n)))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">ranks</text>`+"\n", (wide+left-right)/2, high-12)
	for i, c := range d.curves {
		color := []string{"#1f6feb", "#c2410c"}[i%2]
		var points []string
		for k := range c.at {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(float64(c.at[k])), y(c.is[k])))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x(float64(c.at[k])), y(c.is[k]), color)
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n",
			strings.Join(points, " "), color)
		if len(d.curves) > 1 {
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+10, top+14+16*i, color, c.name)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

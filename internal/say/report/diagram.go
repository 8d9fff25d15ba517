package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"

	"unknot/internal/vocab/finding"
)

// Measures of a message diagram, in pixels.
const (
	laneWidth  = 150
	laneTop    = 44
	momentTall = 30
	laneEnd    = 26 // from the last moment to the end of the life lines
)

// diagram draws the messages of a story between the life lines of its ranks, time downwards; nothing if there are no
// lines.
func diagram(id string, s *finding.Story) template.HTML {
	if s == nil || len(s.Lines) == 0 {
		return ""
	}
	x := make(map[int]float64)
	moments := 0
	for i, l := range s.Lines {
		x[l.Rank] = laneWidth * (float64(i) + 0.5)
	}
	for _, m := range s.Messages {
		moments = max(moments, m.Sent+1, m.Matched+1)
	}
	y := func(moment int) float64 { return laneTop + momentTall*(float64(moment)+0.7) }
	foot := y(moments) + laneEnd
	ends, tall := endLines(s.Lines)
	width, height := laneWidth*float64(len(s.Lines)), foot+float64(tall)*15+12

	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="graph messages" role="img" aria-label="The messages that lead to it" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`,
		width, height, width, height)
	for _, tip := range []string{"tip", "tip decisive"} {
		fmt.Fprintf(&b,
			`<defs><marker id="%s-%s" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="%s" d="M0 1 9.5 5 0 9z"/></marker></defs>`,
			id, strings.ReplaceAll(tip, " ", "-"), tip)
	}
	for i, l := range s.Lines {
		class := "life"
		if l.Stuck {
			class += " stuck"
		}
		fmt.Fprintf(&b, `<line class="life" x1="%.1f" y1="%d" x2="%.1f" y2="%.1f"/>`, x[l.Rank], laneTop-8,
			x[l.Rank], foot)
		fmt.Fprintf(&b,
			`<g class="%s"><rect x="%.1f" y="8" width="84" height="26" rx="7"/><text class="who" x="%.1f" y="26">rank %d</text>`,
			class, x[l.Rank]-42, x[l.Rank], l.Rank)
		fmt.Fprintf(&b, `<line class="end" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x[l.Rank]-18, foot,
			x[l.Rank]+18, foot)
		for k, line := range ends[i] {
			fmt.Fprintf(&b, `<text class="at" x="%.1f" y="%.1f">%s</text>`, x[l.Rank], foot+17+float64(k)*15,
				html.EscapeString(line))
		}
		b.WriteString("</g>")
	}
	if s.Left > 0 {
		fmt.Fprintf(&b, `<text class="at" x="%.1f" y="%d">%s</text>`, width/2, laneTop+8,
			html.EscapeString("after "+plural(s.Left, "earlier message", "earlier messages")))
	}
	for _, m := range s.Messages {
		message(&b, id, m, x, y)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// message draws one arrow; one that nobody takes ends half-way, in a cross.
func message(b *strings.Builder, id string, m finding.Message, x map[int]float64, y func(int) float64) {
	from, known := x[m.From]
	to, also := x[m.To]
	if !known || !also {
		return
	}
	class, tip := "arc", "tip"
	if m.Decisive {
		class, tip = "arc decisive", "tip-decisive"
	}
	y1 := y(m.Sent)
	if m.Matched < 0 {
		middle := from + math.Copysign(laneWidth*0.36, to-from)
		fmt.Fprintf(b, `<path class="%s any" d="M%.1f %.1fL%.1f %.1f"/><path class="%s" d="M%.1f %.1fl8 8m0 -8l-8 8"/>`,
			class, from, y1, middle, y1,
			class, middle-4, y1-4)
		to = middle
	} else {
		gap := math.Copysign(2, to-from)
		fmt.Fprintf(b, `<path class="%s" d="M%.1f %.1fL%.1f %.1f" marker-end="url(#%s-%s)"/>`, class, from, y1, to-gap,
			y(m.Matched), id, tip)
		y1 = (y1 + y(m.Matched)) / 2
	}
	if m.Label != "" {
		fmt.Fprintf(b, `<g class="label"><text x="%.1f" y="%.1f">%s</text></g>`, (from+to)/2, y1-5,
			html.EscapeString(fit(clean(m.Label))))
	}
}

// endLines breaks what stands below each life line, and says how many lines the longest has.
func endLines(lines []finding.Line) (ends [][]string, tall int) {
	for _, l := range lines {
		text := wrap(clean(l.End), 21)
		if len(text) > 4 {
			text = append(text[:3:3], "…")
		}
		for i := range text {
			text[i] = fit(text[i])
		}
		ends = append(ends, text)
		tall = max(tall, len(text))
	}
	return ends, tall
}

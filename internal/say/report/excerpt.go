package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// excerpt is a piece of source around a call.
type excerpt struct {
	position
	Who   string
	Lines []excerptLine
}

type excerptLine struct {
	Number int
	Text   template.HTML // the line, coloured
	Marked bool
}

// Most excerpts of a finding, and lines shown on each side of a call.
const (
	maxExcerpts = 12
	around      = 4
)

// excerpts shows the source at the call sites, each once, with the ranks that are there, and at the places that notes
// of the finding name: where a buffer was accessed, where an object was made.
func excerpts(core, others []group, f *finding.Finding, names sources,
	source func(string, int, int) []SourceLine) []excerpt {
	if source == nil {
		return nil
	}
	type site struct {
		file string
		line int
	}
	var order []finding.Frame
	groups, named := make(map[site][]group), make(map[site][]string)
	meet := func(f finding.Frame) (s site, known bool) {
		s = site{f.File, f.Line}
		if f.File == "" || f.Line <= 0 {
			return s, false
		}
		if groups[s] == nil && named[s] == nil {
			order = append(order, f)
		}
		return s, true
	}
	for _, g := range slices.Concat(core, others) {
		if s, known := meet(g.first.Frame); known {
			groups[s] = append(groups[s], g)
		}
	}
	for _, r := range f.Related {
		what := noteOf(f, r)
		if what == "" {
			continue
		}
		if s, known := meet(r); known && !slices.Contains(named[s], what) {
			named[s] = append(named[s], what)
		}
	}
	var out []excerpt
	for _, f := range order {
		lines := source(f.File, f.Line, around)
		if len(lines) == 0 || len(out) == maxExcerpts {
			continue
		}
		s := site{f.File, f.Line}
		who := named[s]
		if len(groups[s]) > 0 {
			who = slices.Insert(who, 0, presence(groups[s]))
		}
		e := excerpt{position: names.lineOf(f), Who: strings.Join(who, "; ")}
		text := make([]string, len(lines))
		for i, l := range lines {
			text[i] = clean(strings.ReplaceAll(strings.TrimRight(l.Text, "\r\n"), "\t", "    "))
		}
		for i, l := range names.lexers.coloured(f.File, text) {
			e.Lines = append(e.Lines, excerptLine{lines[i].Number, l, lines[i].Number == f.Line})
		}
		out = append(out, e)
	}
	return out
}

// noteOf is what a note says of a place: "it is read"; "" if none does.
func noteOf(f *finding.Finding, at finding.Frame) string {
	for i := range f.Notes {
		if what, ok := strings.CutSuffix(f.Notes[i].Text, " at "+at.Where()); ok {
			return clean(what)
		}
	}
	return ""
}

// presence says who is at a line: "ranks 0-3 in MPI_Recv; rank 4 in MPI_Send".
func presence(groups []group) string {
	what := func(g *group) string { return spaced(stateVerb(g), clean(g.first.Call)) }
	var parts []string
	for _, g := range coarsen(groups, func(g *group) string { return fmt.Sprint(what(g), g.first.Thread) }) {
		parts = append(parts, spaced(g.who(), what(&g)))
	}
	return strings.Join(parts, "; ")
}

// diedIn says of a rank that died what its last call has to do with that.
func diedIn(p *finding.Place) string {
	if p.After {
		return "died after"
	}
	return "died in"
}

func stateVerb(g *group) string {
	switch g.first.State {
	case "finished":
		return g.in.FinishedAt
	case "running":
		return "at"
	case "died":
		return diedIn(&g.first)
	case "returned":
		return "got past"
	case "called":
		return "called"
	case "polling":
		return "polls with"
	}
	return "in"
}

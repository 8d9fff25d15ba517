package report

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
)

// excerpt is a piece of source around a call.
type excerpt struct {
	Title, Path, Who string
	Lines            []excerptLine
}

type excerptLine struct {
	Number int
	Text   string
	Marked bool
}

// Most excerpts of a finding, and lines shown on each side of a call.
const (
	maxExcerpts = 12
	around      = 4
)

// excerpts shows the source at the call sites, each once, with the ranks that are there.
func excerpts(core, others []group, names shortNames, source func(string, int, int) []SourceLine) []excerpt {
	if source == nil {
		return nil
	}
	type site struct {
		file string
		line int
	}
	var order []finding.Frame
	at := make(map[site][]group)
	for _, g := range slices.Concat(core, others) {
		f := g.first.Frame
		if f.File == "" || f.Line <= 0 {
			continue
		}
		s := site{f.File, f.Line}
		if at[s] == nil {
			order = append(order, f)
		}
		at[s] = append(at[s], g)
	}
	var out []excerpt
	for _, f := range order {
		lines := source(f.File, f.Line, around)
		if len(lines) == 0 || len(out) == maxExcerpts {
			continue
		}
		e := excerpt{Title: clean(names.line(f)), Path: clean(f.File), Who: presence(at[site{f.File, f.Line}])}
		for _, l := range lines {
			e.Lines = append(e.Lines, excerptLine{l.Number, clean(strings.ReplaceAll(strings.TrimRight(l.Text, "\r\n"), "\t", "    ")), l.Number == f.Line})
		}
		out = append(out, e)
	}
	return out
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

func stateVerb(g *group) string {
	switch g.first.State {
	case "finished":
		return g.in.FinishedAt
	case "running":
		return "at"
	case "died":
		return "died in"
	case "returned":
		return "got past"
	case "called":
		return "called"
	case "polling":
		return "polls with"
	}
	return "in"
}

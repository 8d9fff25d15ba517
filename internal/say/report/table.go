package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"unknot/internal/vocab/finding"
)

// argumentWords says what a finding has to say of an argument: "nbytes = 12 (`n`)".
func argumentWords(a *finding.Argument) string {
	if a == nil {
		return ""
	}
	var words []string
	switch {
	case a.Value != "" && a.Name != "":
		words = append(words, a.Name+" = "+a.Value)
	case a.Value != "":
		words = append(words, a.Value)
	}
	if a.Text != "" && a.Text != a.Value {
		text := "`" + a.Text + "`"
		if len(words) > 0 {
			text = "(" + text + ")"
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// stateIn says in the words of a language what somebody is doing.
func stateIn(l *finding.Terms, p *finding.Place) string {
	for _, w := range l.States {
		if w.State == p.State && (w.Call == "" || w.Call == p.Call) && (!w.Lock || p.Meaning.Lock) {
			return w.Words
		}
	}
	return p.State
}

// table writes the table of all of a finding, those at fault and the others, in the order of their numbers.
func (t *terminal) table(f *finding.Finding) {
	language := f.Language.Terms()
	places := slices.Concat(f.Places, f.Others)
	slices.SortStableFunc(places, comparePlaces)
	isAtIt := func(p finding.Place) bool { return p.State == "running" }
	allAtIt := len(f.Others) == 0 && !slices.ContainsFunc(places, func(p finding.Place) bool { return !isAtIt(p) })
	var rows [][]string
	ranks := map[string][]int{}
	for i := range places {
		p := &places[i]
		call := clean(p.Call + p.Args)
		if p.Args != "" && !p.Meaning.Written {
			call = clean(p.Call + " " + p.Args)
		}
		if isAtIt(*p) && !allAtIt {
			call = "after " + call
		}
		row := []string{"", stateIn(&language, p), call, t.names.at(p.Frame), clean(argumentWords(p.Argument))}
		key := strings.Join(row, "\x00")
		if ranks[key] == nil {
			rows = append(rows, row)
		}
		if at := ranks[key]; len(at) == 0 || at[len(at)-1] != p.Rank {
			ranks[key] = append(at, p.Rank)
		}
	}
	for i := range rows {
		rows[i][0] = ranges(ranks[strings.Join(rows[i], "\x00")])
	}
	t.columns(language.Columns, rows[:min(len(rows), maxRowsShown)])
	if n := len(rows) - maxRowsShown; n > 0 {
		t.line("    and ", plural(n, "other row", "other rows"), "; the HTML and JSON reports show all")
	}
	t.line()
	t.calls(f)
	t.moments(f)
}

// calls writes who was called from where, for those at fault of which that is known.
func (t *terminal) calls(f *finding.Finding) {
	groups := fold(f.Places, t.world, f.Language.Terms())
	for i := range groups {
		who := groups[i].who() + " "
		if len(f.Places) == 1 {
			who = ""
		}
		t.stack("  ", who, &groups[i])
	}
}

// maxRowsShown bounds the table on a terminal.
const maxRowsShown = 24

// maxCell bounds the width of a column of the table; what is longer moves the rest of its row.
const maxCell = 44

// columns writes a table, without columns that have nothing in any row.
func (t *terminal) columns(heads []string, rows [][]string) {
	width := make([]int, len(heads))
	for i := range heads {
		for _, row := range rows {
			if n := utf8.RuneCountInString(row[i]); n > 0 {
				width[i] = max(width[i], utf8.RuneCountInString(heads[i]), min(n, maxCell))
			}
		}
	}
	write := func(row []string, color string) {
		var b strings.Builder
		for i, cell := range row {
			if width[i] > 0 {
				b.WriteString("  " + t.paint(color, cell) + strings.Repeat(" ",
					max(0, width[i]-utf8.RuneCountInString(cell))))
			}
		}
		t.line(b.String())
	}
	write(heads, dim)
	for _, row := range rows {
		write(row, "")
	}
}

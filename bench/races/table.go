package main

import (
	"slices"
	"strings"

	"unknot/bench/quiet"
)

// table is a section of the page. What is measured of it now replaces rows; others stay.
type table struct {
	heading string
	about   string   // stands before the rows
	columns []string // their names, without that of the day
	rows    []row    // in their order
	lines   map[string]string
	order   []string              // keys of rows that were written before
	after   func(t *table) string // stands behind the rows; nil for nothing
}

// row is what may be measured: its first columns, which tell it from others, and how the others come about.
type row struct {
	key     []string
	measure func() ([]string, error)
}

const between = " | "

// keep takes the rows of a section that was written before.
func (t *table) keep(text string) {
	t.lines = make(map[string]string)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if cells := cellsOf(line); len(cells) == len(t.columns)+1 && cells[0] != t.columns[0] &&
			!strings.HasPrefix(line, "|--") {
			key := strings.Join(cells[:len(t.rows[0].key)], between)
			t.lines[key], t.order = line, append(t.order, key)
		}
	}
}

// cellsOf are those of a line of a table, nil of another line.
func cellsOf(line string) []string {
	inner, ok := strings.CutPrefix(line, "| ")
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(inner, " |"), between)
}

// put has a line in the table, with today's day, and returns it.
func (t *table) put(key, cells []string) string {
	line := "| " + strings.Join(slices.Concat(key, cells, []string{quiet.Day()}), between) + " |"
	t.lines[strings.Join(key, between)] = line
	return line
}

// cells are those of a row that was measured at some time, nil if it never was.
func (t *table) cells(key ...string) []string {
	line, ok := t.lines[strings.Join(key, between)]
	if !ok {
		return nil
	}
	return cellsOf(line)[:len(t.columns)]
}

// newFirst are the rows in the order in which they are measured: those that never were come first.
func (t *table) newFirst() []row {
	rows := slices.Clone(t.rows)
	slices.SortStableFunc(rows, func(a, b row) int {
		known := func(r row) int {
			if t.cells(r.key...) != nil {
				return 1
			}
			return 0
		}
		return known(a) - known(b)
	})
	return rows
}

// text is the section.
func (t *table) text(caption string) string {
	var d strings.Builder
	d.WriteString(t.heading + "\n\n" + caption + "\n\n" + t.about + "\n\n")
	d.WriteString("| " + strings.Join(t.columns, between) + " | measured |\n|" +
		strings.Repeat("---|", len(t.columns)+1) + "\n")
	order := t.order // also of rows that this command was not asked for
	for _, r := range t.rows {
		if key := strings.Join(r.key, between); !slices.Contains(order, key) {
			order = append(order, key)
		}
	}
	for _, key := range order {
		if line, ok := t.lines[key]; ok {
			d.WriteString(line + "\n")
		}
	}
	if t.after != nil {
		d.WriteString("\n" + t.after(t) + "\n")
	}
	return d.String()
}

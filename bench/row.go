package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	part "unknot/bench/section"
)

// row is one figure of the results.
type row struct {
	what   string
	budget string // "" if there is none
	figure string
	detail string
	met    bool // meaningful if there is a budget
	err    error
}

func (r row) verdict() string {
	switch {
	case r.err != nil:
		return "not measured: " + strings.ReplaceAll(r.err.Error(), "\n", " ")
	case r.budget == "":
		return ""
	case r.met:
		return "met"
	}
	return "**missed**"
}

// sample is what several runs gave.
type sample []float64

func (s sample) median() float64 {
	if len(s) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(s))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// over is the ratio of each run to the one that it was paired with, so that what changes slowly counts in neither.
func (s sample) over(plain sample) sample {
	var out sample
	for i := range s {
		out = append(out, s[i]/plain[i])
	}
	return out
}

// spread is the range of a sample, each end as format writes it.
func (s sample) spread(format string) string {
	if len(s) == 0 {
		return ""
	}
	return fmt.Sprintf(format+" to "+format, slices.Min(s), slices.Max(s))
}

// results is what a file of an earlier run holds.
type results struct {
	about []string // lines on the machine and the command
	rows  []string
}

// earlier reads a file that text has written; one that is not there holds nothing.
func earlier(path string) (*results, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var r results
	own, _ := part.Own(string(data))
	for l := range strings.Lines(own) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "- "), strings.HasPrefix(l, "  - "):
			r.about = append(r.about, l)
		case strings.HasPrefix(l, "| "):
			r.rows = append(r.rows, l)
		}
	}
	if len(r.rows) > 0 {
		r.rows = r.rows[1:] // the head of the table
	}
	return &r, nil
}

// keep returns the rows of an earlier run, with those that have been measured again in their places.
func (r *results) keep(rows []row) []string {
	var out []string
	again := make(map[string]string)
	for _, n := range rows {
		again[n.what] = n.line()
	}
	for _, l := range r.rows {
		what := strings.TrimSpace(strings.Split(l, "|")[1])
		if n, ok := again[what]; ok {
			l = n
			delete(again, what)
		}
		out = append(out, l)
	}
	for _, n := range rows {
		if _, ok := again[n.what]; ok {
			out = append(out, n.line())
		}
	}
	return out
}

func (r row) line() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.what, r.budget, r.figure, r.verdict(), r.detail)
}

// text is the file; before holds the rows of an earlier run to keep, nil if there are none.
func text(m *machine, rows []row, pairs int, before *results) string {
	var b strings.Builder
	b.WriteString("# What unknot costs\n\nWritten by `make bench`; do not edit. ")
	fmt.Fprintf(&b, "Medians, plain and watched runs in turns, %d of each unless a row says otherwise; a ratio is "+
		"the median of the pairs' ratios.\n"+
		"A range is that of the single runs. A budget that a figure does not keep is marked as missed.\n"+
		"What explorations take: [MSPOE](../docs/papers/mspoe.md).\n\n", pairs)
	for _, l := range m.lines() {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	if before == nil {
		before = new(results)
	} else {
		b.WriteString("- Rows that this command did not measure are those of an earlier one:\n")
		for _, l := range before.about {
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	b.WriteString("\n| what | budget | figure | | how |\n|---|---|---|---|---|\n")
	for _, l := range before.keep(rows) {
		b.WriteString(l + "\n")
	}
	return b.String()
}

func (s sample) least() float64 { return slices.Min(s) }
func (s sample) most() float64  { return slices.Max(s) }

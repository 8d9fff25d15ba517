package main

import (
	"fmt"
	"slices"
	"strings"
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

func text(m *machine, rows []row, pairs int) string {
	var b strings.Builder
	b.WriteString("# What unknot costs\n\nWritten by `make bench`; do not edit. ")
	fmt.Fprintf(&b, "Medians, plain and watched runs in turns, %d of each unless a row says otherwise; a ratio is the median of the pairs' ratios.\n"+
		"A range is that of the single runs. A budget that a figure does not keep is marked as missed.\n\n", pairs)
	for _, l := range m.lines() {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	b.WriteString("\n| what | budget | figure | | how |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.what, r.budget, r.figure, r.verdict(), r.detail)
	}
	return b.String()
}

func (s sample) least() float64 { return slices.Min(s) }
func (s sample) most() float64  { return slices.Max(s) }

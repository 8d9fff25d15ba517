package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
)

// samplings are the columns of the table of costs.
func samplings() []string {
	return []string{"none", "NL", "I", "F", "FA0", "H0.5", "IA", "HA0.5", "HA0", "all"}
}

// promised is what users get if they choose nothing.
const promised = "HA0.5"

const (
	usualThreads = 4
	tooLong      = 100 // times the plain run, or seconds: it does not end, so to speak
	far          = 2   // times: a ratio that one pair of runs has is looked at again, unless it takes long
	large        = 5   // seconds of the plain run: only what is promised is measured
)

const costHeading = "## Data races"

// cost is the table of what each sampling costs and finds, by program and class.
func cost(b *bench) *table {
	t := &table{heading: costHeading, columns: append([]string{"program", "class", "plain"}, samplings()...), after: kept}
	t.about = fmt.Sprintf("UPC programs of bench/upc/programs with %d threads, %s, compiled with -O3 and loops that "+
		"begin with a line of the cache. Each cell has "+
		"the time of the whole run with that sampling, start and end included, as a multiple of\nthe run without "+
		"--check=race before it, and in parentheses the same of processor time. With none and %s it is the median "+
		"of %d pairs of runs, with others that of one pair, or of three if the first is %d or more. Then follow the "+
		"races\nthat were found, by pairs of places, and after + those in the program with one of its barriers left "+
		"out: %s.\nThe other programs have races as they are, or none. Where the plain run takes more than %d "+
		"seconds only none and %s are measured. A run is ended after %d seconds or %d times the plain run.",
		b.threadsOr(usualThreads)[0], b.mpi, promised, b.pairs, far, leftOut(), large, promised, tooLong,
		tooLong)
	for _, class := range b.classesOr("S", "W", "A", "B") {
		for _, k := range kernels() {
			t.rows = append(t.rows, row{[]string{k.name, class}, func() ([]string, error) { return b.cost(k, class) }})
		}
	}
	return t
}

// leftOut are the barriers that are left out.
func leftOut() string {
	var left []string
	for _, k := range kernels() {
		if k.barrier > 0 {
			left = append(left, fmt.Sprintf("%s number %d", k.name, k.barrier))
		}
	}
	return strings.Join(left, ", ")
}

// cost measures a row.
func (b *bench) cost(k kernel, class string) (cells []string, err error) {
	threads := b.threadsOr(usualThreads)[0]
	var base []float64
	for _, s := range samplings() {
		if s != "none" && s != promised && quiet.Median(base) > large {
			cells = append(cells, "–")
			continue
		}
		h := how{form: watched, class: class, sampling: s, threads: threads}
		if len(base) > 0 {
			h.limit = time.Duration(min(tooLong, tooLong*quiet.Median(base)) * float64(time.Second))
		}
		first, err := b.pair(k, h)
		all := []pair{first}
		if err == nil {
			n := 1
			if s == "none" || s == promised || first.ratio() >= far {
				n = b.pairs
			}
			all, err = b.again(first, n, k, h)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) || b.ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
		races := make(map[string]bool)
		for _, p := range all {
			base = append(base, p.base.took)
			maps.Copy(races, p.with.races)
		}
		cell := fmt.Sprintf("%.2f (%.2f); %d", quiet.MedianOf(all, pair.ratio),
			quiet.MedianOf(all, pair.processor), len(races))
		if err != nil {
			cell = fmt.Sprintf("more than %.0f; %d", first.ratio(), len(races))
		}
		if k.barrier > 0 {
			h.form, h.limit = broken, tooLong*time.Second
			r, err := b.once(k, h)
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return nil, err
			}
			cell += fmt.Sprintf(" + %d", len(r.races))
		}
		cells = append(cells, cell)
	}
	return append([]string{fmt.Sprintf("%.2f s", quiet.Median(base))}, cells...), nil
}

// column is the place of a sampling in a row of costs.
func column(sampling string) int { return 3 + slices.Index(samplings(), sampling) }

// ratioOf is that of a cell of costs; false if there is none.
func ratioOf(cell string) (float64, bool) {
	number, _, _ := strings.Cut(cell, " (")
	n, err := strconv.ParseFloat(number, 64)
	return n, err == nil
}

// kept says whether what is promised is kept.
func kept(t *table) string {
	byClass := make(map[string][]float64)
	var all []float64
	for _, line := range t.lines {
		cells := cellsOf(line)
		if n, ok := ratioOf(cells[column(promised)]); ok {
			all = append(all, n)
			byClass[cells[1]] = append(byClass[cells[1]], n)
		}
	}
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf("With %s, which is usual, the median of the ratios is %.2f (at most 1.2 is promised) and "+
		"the largest %.2f (at most 1.5)", promised, quiet.Median(all), slices.Max(all))
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		text += fmt.Sprintf("; in class %s %.2f and %.2f", class, quiet.Median(byClass[class]), slices.Max(byClass[class]))
	}
	return text + "."
}

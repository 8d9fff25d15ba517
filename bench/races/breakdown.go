package main

import (
	"fmt"
	"slices"
	"strings"

	"unknot/bench/quiet"
)

// breakdown is the paper's figure 1: of what the overhead of each sampling consists.
func breakdown(b *bench) *table {
	t := &table{heading: "## Breakdown of the overhead", columns: []string{"program", "class", "sampling", "time",
		"threads", "comparing", "records", "elements", "of all"}}
	names := []string{"cg", "mg", "gups"}
	t.about = fmt.Sprintf("As figure 1 of the paper, which has CG. Time is that of the run as a multiple of the run "+
		"without --check=race before it. The others are processor time in seconds: threads is what the program\nand "+
		"its agents have used more than the plain program (to look at accesses and record them, and to wait for "+
		"each other and for unknot), comparing is what unknot itself has used.\nRecords are what the threads have "+
		"handed over; they stand for so many elements (one that a place accesses again before the next "+
		"synchronisation counts once), a part of those that sampling all has recorded. "+
		"%d threads, medians of %d pairs of runs.", b.threadsOr(usualThreads)[0], b.pairs)
	for _, class := range b.classesOr("S", "W", "A") {
		for _, k := range kernels() {
			if !slices.Contains(names, k.name) {
				continue
			}
			// All comes first, so that it is known of how many accesses the others are a part.
			for _, s := range append([]string{"all"}, samplings()[:len(samplings())-1]...) {
				t.rows = append(t.rows, row{[]string{k.name, class, s}, func() ([]string, error) {
					return b.breakDown(t, k, class, s)
				}})
			}
		}
	}
	return t
}

func (b *bench) breakDown(t *table, k kernel, class, sampling string) ([]string, error) {
	h := how{form: watched, class: class, sampling: sampling, threads: b.threadsOr(usualThreads)[0]}
	first, err := b.pair(k, h)
	if err != nil {
		return nil, err
	}
	all, err := b.again(first, b.pairs, k, h)
	if err != nil {
		return nil, err
	}
	accesses := quiet.MedianOf(all, func(p pair) float64 { return float64(p.with.accesses) })
	whole := accesses
	if cells := t.cells(k.name, class, "all"); sampling != "all" && cells != nil {
		_, _ = fmt.Sscanf(strings.ReplaceAll(cells[7], ",", ""), "%g", &whole)
	}
	threads := func(p pair) float64 { return p.with.processor - p.with.own - p.base.processor }
	return []string{fmt.Sprintf("%.2f", quiet.MedianOf(all, pair.ratio)),
		fmt.Sprintf("%.2f", quiet.MedianOf(all, threads)),
		fmt.Sprintf("%.2f", quiet.MedianOf(all, func(p pair) float64 { return p.with.own })),
		grouped(quiet.MedianOf(all, func(p pair) float64 { return float64(p.with.records) })), grouped(accesses),
		fmt.Sprintf("%.3g %%", 100*accesses/max(whole, 1))}, nil
}

// grouped is a number with a comma before each three digits.
func grouped(n float64) string {
	text := fmt.Sprintf("%.0f", n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

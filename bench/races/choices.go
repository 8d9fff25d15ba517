package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/bench/quiet"
)

// choice is a way to sample: a sampling, and a bound for the slow-down or "".
type choice struct{ sampling, slowdown string }

func (c choice) String() string {
	if c.slowdown == "" {
		return c.sampling
	}
	return c.sampling + " --slowdown " + c.slowdown
}

// chosenOf are what the paper does (the first ones), and what it has left to future work.
func chosenOf() []choice {
	return []choice{{"HA0", ""}, {"HA0.5", ""}, {"HA1", ""}, {"HA0k2", ""}, {"HA0k4", ""}, {"HA0.5k2", ""}, {"HA0.5k4", ""},
		{"PA0.01", ""}, {"PA0.1", ""}, {"PA0.01k4", ""}, {"HA1", "1.2"}, {"all", "1.2"}, {"all", "2"}}
}

// choices is the table of what the paper leaves to future work: how many of the races of programs without one of their
// barriers few runs find.
func choices(b *bench) *table {
	columns := []string{"choice", "cost"}
	var with []kernel
	classes := make(map[string]string)
	for i, class := range b.classesOr("A") {
		for _, k := range kernels() {
			if k.barrier > 0 && (i == 0 || classes[k.name] == "") {
				with = append(with, k)
				classes[k.name] = class
				columns = append(columns, k.name)
			}
		}
	}
	t := &table{heading: "## Choices of future work", columns: columns}
	t.about = fmt.Sprintf("Of the programs with a barrier left out (class %s, %d threads) the races that %d runs "+
		"with seeds from 0 on have found: the mean of a run, and after a slash those of all runs together. Cost is "+
		"the\nmedian, and after a slash the largest, over the programs as they are, of the time as a multiple of "+
		"the run without --check=race before it.", strings.Join(b.classesOr("A"), ", "),
		b.threadsOr(usualThreads)[0], b.seeds)
	for _, c := range chosenOf() {
		t.rows = append(t.rows, row{[]string{c.String()}, func() ([]string, error) { return b.choose(c, with, classes) }})
	}
	return t
}

func (b *bench) choose(c choice, with []kernel, classes map[string]string) (cells []string, err error) {
	var ratios []float64
	for _, k := range with {
		h := how{class: classes[k.name], sampling: c.sampling, slowdown: c.slowdown, threads: b.threadsOr(usualThreads)[0]}
		union, sum := make(map[string]bool), 0
		for seed := range b.seeds {
			h.form, h.seed = broken, seed
			r, err := b.once(k, h)
			if err != nil {
				return nil, err
			}
			maps.Copy(union, r.races)
			sum += len(r.races)
		}
		h.form, h.seed = watched, 0
		first, err := b.pair(k, h)
		if err != nil {
			return nil, err
		}
		all, err := b.again(first, b.pairs, k, h)
		if err != nil {
			return nil, err
		}
		ratios = append(ratios, quiet.MedianOf(all, pair.ratio))
		cells = append(cells, fmt.Sprintf("%.1f / %d", float64(sum)/float64(b.seeds), len(union)))
	}
	slices.Sort(ratios)
	middle := (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
	return append([]string{fmt.Sprintf("%.2f / %.2f", middle, ratios[len(ratios)-1])}, cells...), nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// oddities measures again and again what looked odd in the table of costs, which separates chance from the rest.
func oddities(b *bench) *table {
	t := &table{heading: "## Odd cells, repeated", columns: []string{"program", "class", "sampling", "races", "together",
		"time", "processor time", "records", "elements"}}
	t.about = fmt.Sprintf("%d runs of each, with seeds from 0 on and %d threads: the races that each has found in "+
		"the program without its barrier (gups as it is), and those of all runs together; then of the program as it "+
		"is\nthe time and the processor time of each run as multiples of the run without --check=race before it; "+
		"and what the last run has recorded. After 40 seconds there are no more runs of a row, and a run is ended after 120.",
		b.seeds, b.threadsOr(usualThreads)[0])
	odd := []struct{ program, class, sampling string }{
		{"mg", "S", "HA0"}, {"mg", "S", "HA0k4"}, {"mg", "S", "HA0.5"}, {"mg", "A", "none"}, {"mg", "A", "F"},
		{"mg", "A", "H0.5"}, {"mg", "A", "HA0.5"}, {"mg", "A", "all"}, {"is", "A", "none"}, {"is", "A", "F"},
		{"is", "A", "HA0.5"}, {"is", "A", "all"}, {"gups", "W", "I"}, {"gups", "W", "HA0.5"}, {"ft", "A", "HA0.5"},
		{"ft", "A", "all"},
	}
	for _, o := range odd {
		at := slices.IndexFunc(kernels(), func(k kernel) bool { return k.name == o.program })
		t.rows = append(t.rows, row{[]string{o.program, o.class, o.sampling}, func() ([]string, error) {
			return b.repeat(kernels()[at], o.class, o.sampling)
		}})
	}
	return t
}

// repeat makes a row: runs until there are enough of them, or they took long.
func (b *bench) repeat(k kernel, class, sampling string) ([]string, error) {
	const patient, most = 40 * time.Second, 120 * time.Second
	var races, times, processor []string
	union := make(map[string]bool)
	h := how{class: class, sampling: sampling, threads: b.threadsOr(usualThreads)[0], limit: most}
	var last result
	for start := time.Now(); h.seed < b.seeds && (h.seed == 0 || time.Since(start) < patient); h.seed++ {
		h.form = watched
		p, err := b.pair(k, h)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && b.ctx.Err() == nil:
			times = append(times, fmt.Sprintf("more than %.0f", p.ratio()))
		case err != nil:
			return nil, err
		default:
			times = append(times, fmt.Sprintf("%.2f", p.ratio()))
			processor = append(processor, fmt.Sprintf("%.2f", p.processor()))
		}
		last = p.with
		found := p.with.races
		if k.barrier > 0 {
			h.form = broken
			r, err := b.once(k, h)
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return nil, err
			}
			found = r.races
		}
		races = append(races, fmt.Sprint(len(found)))
		maps.Copy(union, found)
	}
	return []string{strings.Join(races, ", "), fmt.Sprint(len(union)), strings.Join(times, ", "),
		strings.Join(processor, ", "), grouped(float64(last.records)), grouped(float64(last.accesses))}, nil
}

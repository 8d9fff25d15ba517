package main

import (
	"fmt"
	"time"
)

// threads are programs of several threads: those that call MPI at the same time, or under a lock, and kernels with
// OpenMP, the order of whose threads is followed.
func (b *bench) threads() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			what   string
			args   []string
			budget float64
		}{
			{"4 threads that exchange, 200,000 times", []string{"50000"}, 3},
			{"4 threads that exchange, 1,200,000 times", []string{"300000"}, 3},
			{"4 threads that exchange under a lock, 200,000 times", []string{"50000", "locked"}, 3},
		} {
			rows = append(rows, b.times(b.plain(i, 1, "threads", c.args...), c.what+", "+i.name, c.budget))
		}
		for _, c := range []struct{ kernel, steps, what string }{
			{"triad", "600", "triad"}, {"stencil", "600", "stencil"}, {"sparse", "200", "sparse product"},
			{"tasks", "150", "tasks"},
		} {
			const budget = 1.1
			rows = append(rows, b.times(b.plain(i, 1, "openmp", c.kernel, c.steps), "OpenMP, 2 threads: "+c.what+", "+i.name,
				budget))
		}
	}
	return rows
}

// times compares a workload's time watched with that plain, of which it may be so many times as much.
func (b *bench) times(j job, what string, budget float64) row {
	p, w, err := b.pairsInTurns(b.pairs, time.Minute, j.seconds, j.watched().seconds)
	ratios := w.over(p)
	return row{what: what, budget: fmt.Sprintf("≤ %.3g × plain", budget), err: err, met: ratios.median() <= budget,
		figure: fmt.Sprintf("%.2f ×", ratios.median()),
		detail: fmt.Sprintf("median ratio of %d pairs (%s); plain %.3f s (%s), watched %.3f s (%s)%s", len(p),
			ratios.spread("%.2f"), p.median(), p.spread("%.3f"), w.median(), w.spread("%.3f"), b.fewer(len(p)))}
}

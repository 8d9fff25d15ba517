package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// record is what a rank pays for writing a record.
func (b *bench) record() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			arg     string
			records float64
			what    string
		}{
			{"send", 1, "record written by a rank, call of one record"},
			{"recv", 2, "record written by a rank, call of two records"},
		} {
			j := b.plain(i, 1, "record", c.arg)
			p, w, err := b.inTurns(60*time.Second, func() (float64, error) { return j.number("nanoseconds") },
				func() (float64, error) { return j.watched().number("nanoseconds") })
			cost := (w.median() - p.median()) / c.records
			rows = append(rows, row{what: c.what + ", " + i.name, budget: "≤ 60 ns", err: err, met: cost <= 60,
				figure: fmt.Sprintf("%.1f ns", cost),
				detail: fmt.Sprintf("call plain %.1f ns, watched %.1f ns (%s)%s", p.median(), w.median(),
					w.spread("%.1f"), b.fewer(len(p)))})
		}
	}
	return rows
}

// kernels are computations that communicate as applications do.
func (b *bench) kernels() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, k := range []struct {
			name, arg, what string
			ranks           int
		}{
			{"cg", "200", "CG-like kernel", 1}, {"ft", "4", "FT-like kernel", 1}, {"mg", "8", "MG-like kernel", 1},
			{"is", "10", "IS-like kernel", 1},
			{"cg", "400", "CG-like kernel", 2}, {"ft", "8", "FT-like kernel", 2}, {"mg", "16", "MG-like kernel", 2},
			{"is", "20", "IS-like kernel", 2},
		} {
			j := b.plain(i, k.ranks, k.name, k.arg)
			r := b.ratio(j, 3*b.pairs, 35*time.Second)
			r.what = fmt.Sprintf("%s, %s, %s", k.what, ranksName(k.ranks), i.name)
			rows = append(rows, r)
		}
	}
	return rows
}

// oneSided is what one-sided MPI is used for: two ranks without races, of which an agent compares all accesses to
// windows.
func (b *bench) oneSided() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct{ arg, times, what string }{
			{"fence", "6000", "stencil, halos by MPI_Win_fence"},
			{"post", "6000", "stencil, halos by MPI_Win_post and MPI_Win_start"},
			{"lock", "6000", "stencil, halos by MPI_Win_lock"},
			{"flush", "6000", "stencil, halos by MPI_Win_flush_all"},
			{"request", "6000", "stencil, halos by MPI_Rput"}, {"shared", "6000", "stencil in shared memory"},
			{"queue", "40000", "queue of tasks, MPI_Fetch_and_op"},
			{"swap", "20000", "lock made of MPI_Compare_and_swap"},
		} {
			j := b.plain(i, 2, "onesided", c.arg, c.times)
			r := b.ratio(j, 2*b.pairs, time.Minute)
			r.what = fmt.Sprintf("one-sided: %s, 2 ranks, %s", c.what, i.name)
			rows = append(rows, r)
		}
	}
	return rows
}

// ratio compares a workload's time watched with that plain, which it may exceed by 5 %.
func (b *bench) ratio(j job, pairs int, allowed time.Duration) row {
	return b.compare("plain", j, "watched", j.watched(), pairs, allowed)
}

// compare compares the times of a workload in two forms: the second may exceed the first by 5 %.
func (b *bench) compare(one string, first job, other string, second job, pairs int, allowed time.Duration) row {
	p, w, err := b.pairsInTurns(pairs, allowed, first.seconds, second.seconds)
	ratios := w.over(p)
	more := 100 * (ratios.median() - 1)
	return row{budget: "≤ 5 %", err: err, met: more <= 5, figure: fmt.Sprintf("%+.1f %%", more),
		detail: fmt.Sprintf("median ratio of %d pairs (%s); %s %.3f s (%s), %s %.3f s (%s)%s", len(p),
			ratios.spread("%.2f"),
			one, p.median(), p.spread("%.3f"), other, w.median(), w.spread("%.3f"), b.fewer(len(p)))}
}

func ranksName(n int) string {
	if n == 1 {
		return "1 rank and a free core for the agent"
	}
	return fmt.Sprintf("%d ranks", n)
}

// exchange is the ring exchange of the SC 2013 paper.
func (b *bench) exchange() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			form, what string
			ranks      int
		}{
			{"three", "MPI_Isend, MPI_Recv, MPI_Wait", 1}, {"one", "MPI_Sendrecv", 1},
			{"three", "MPI_Isend, MPI_Recv, MPI_Wait", 2}, {"one", "MPI_Sendrecv", 2},
			{"three", "MPI_Isend, MPI_Recv, MPI_Wait", 4}, {"one", "MPI_Sendrecv", 4},
			{"three", "MPI_Isend, MPI_Recv, MPI_Wait", 16}, {"three", "MPI_Isend, MPI_Recv, MPI_Wait", 64},
		} {
			rows = append(rows, b.exchangeOf(i, c.ranks, c.form, c.what))
		}
	}
	return rows
}

func (b *bench) exchangeOf(i mpi, ranks int, form, what string) row {
	r := row{what: fmt.Sprintf("ring exchange (%s), %s, %s", what, ranksName(ranks), i.name), budget: "≤ 2 ×"}
	if !b.stopwatch(0)(0) {
		r.err = errTime
		return r
	}
	const trial = 100
	first, err := b.plain(i, ranks, "exchange", strconv.Itoa(trial), form).seconds()
	if err != nil {
		r.err = err
		return r
	}
	// A plain run of a fifth of a second; long enough for what is watched to fill the rings many times over.
	n := int(0.2/first*trial)/10*10 + 10
	n = min(n, 500_000)
	j := b.plain(i, ranks, "exchange", strconv.Itoa(n), form)
	p, w, err := b.inTurns(45*time.Second, j.seconds, j.watched().seconds)
	if err != nil {
		r.err = err
		return r
	}
	ratio := w.over(p).median()
	r.met = ratio <= 2
	r.figure = fmt.Sprintf("%.2f ×", ratio)
	per := 1e6 / float64(n)
	r.detail = fmt.Sprintf("%d iterations: plain %.2f µs each (%.2f to %.2f), watched %.2f µs (%.2f to %.2f)%s", n,
		p.median()*per,
		p.least()*per, p.most()*per, w.median()*per, w.least()*per, w.most()*per, b.fewer(len(p)))
	return r
}

// history is what it costs to keep what threads called last, which a report as HTML or JSON needs, beside a watched run
// without a report. Calls that repeat are left out by the probe, and cost nothing there; those whose tags differ are
// all followed.
func (b *bench) history() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			what, workload string
			args           []string
		}{
			{"exchange whose calls repeat", "exchange", []string{"300000", "three"}},
			{"exchange whose calls differ for 1,000 of 2,000", "alternate", []string{"400000", "1000"}},
			{"MG-like kernel", "mg", []string{"16"}},
		} {
			j := b.plain(i, 2, c.workload, c.args...)
			r := b.compare("without", j.watched(), "with", j.watched("--report", filepath.Join(b.dir, "history.html")),
				2*b.pairs, 40*time.Second)
			r.what = fmt.Sprintf("keeping the last calls for a report: %s, 2 ranks, %s", c.what, i.name)
			rows = append(rows, r)
		}
	}
	return rows
}

// start is the first run, which builds a probe, and later ones.
func (b *bench) start() []row {
	var rows []row
	for _, i := range b.mpis {
		j := b.plain(i, 2, "start")
		fresh := func() (float64, error) {
			cache, err := os.MkdirTemp(b.dir, "cache-")
			if err != nil {
				return 0, err
			}
			w := j.watched()
			w.env = []string{"XDG_CACHE_HOME=" + cache}
			return w.wall()
		}
		p, w, err := b.inTurns(60*time.Second, j.wall, fresh)
		rows = append(rows, row{what: "first run, probe built, 2 ranks, " + i.name, budget: "< 5 s", err: err,
			met:    w.median() < 5,
			figure: fmt.Sprintf("%.2f s", w.median()),
			detail: fmt.Sprintf("plain mpirun %.2f s; first runs %s s%s", p.median(), w.spread("%.2f"),
				b.fewer(len(p)))})
		p, w, err = b.inTurns(60*time.Second, j.wall, j.watched().wall)
		more := w.median() - p.median()
		rows = append(rows, row{what: "later run, 2 ranks, " + i.name, budget: "< 0.3 s more than plain", err: err,
			met:    more < 0.3,
			figure: fmt.Sprintf("%+.2f s", more),
			detail: fmt.Sprintf("plain %.2f s (%s), watched %.2f s (%s)%s", p.median(), p.spread("%.2f"), w.median(),
				w.spread("%.2f"), b.fewer(len(p)))})
	}
	return rows
}

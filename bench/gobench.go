package main

import (
	"cmp"
	"fmt"

	"unknot/bench/quiet"
)

// goBench runs Go benchmarks of a package and returns their metric's samples by the benchmark's name.
func (b *bench) goBench(pkg, pattern, benchtime, metric string) (map[string]sample, error) {
	out, err := b.goBenchOutput(pkg, pattern, benchtime, b.pairs)
	if err != nil {
		return nil, err
	}
	return metricOf(out, metric)
}

// goBenchOutput is quiet.GoBench.
func (b *bench) goBenchOutput(pkg, pattern, benchtime string, count int, env ...string) (string, error) {
	return quiet.GoBench(b.ctx, pkg, pattern, benchtime, count, env...)
}

// metricOf is quiet.Metric with samples.
func metricOf(out, metric string) (map[string]sample, error) {
	got, err := quiet.Metric(out, metric)
	samples := make(map[string]sample)
	for name, list := range got {
		samples[name] = list
	}
	return samples, err
}

// agent is how many records an agent follows in a second of one core.
func (b *bench) agent() []row {
	got, err := b.goBench("./internal/agent", "^BenchmarkRecords$", "300ms", "records/s")
	var rows []row
	for _, form := range []string{"isend-recv-wait", "sendrecv", "wildcard", "algebra", "algebra-again"} {
		for _, ranks := range []int{2, 16, 64} {
			s := got[fmt.Sprintf("Records/%s/%d", form, ranks)]
			rows = append(rows, row{what: fmt.Sprintf("records followed by an agent, %s, %d ranks", form, ranks),
				budget: "≥ 5 million/s",
				figure: fmt.Sprintf("%.2f million/s", s.median()/1e6), met: s.median() >= 5e6, err: orEmpty(err, s),
				detail: fmt.Sprintf("reading, decoding, matching, wait state and collection of garbage, by processor "+
					"time of all cores (%s million/s)",
					s.times(1e-6).spread("%.2f"))})
		}
	}
	return append(rows, b.severalAgents()...)
}

// severalAgents is how many records one agent and two follow in a second, if each has a separate core.
func (b *bench) severalAgents() (rows []row) {
	got, err := b.goBench("./internal/agent", "^BenchmarkRecordsOfSeveral$", "300ms", "records/s")
	for _, ranks := range []int{2, 16, 64} {
		one, two := got[fmt.Sprintf("RecordsOfSeveral/1/%d", ranks)], got[fmt.Sprintf("RecordsOfSeveral/2/%d", ranks)]
		rows = append(rows,
			row{what: fmt.Sprintf("records followed by two agents on two cores, isend-recv-wait, %d ranks", ranks),
				err:    cmp.Or(orEmpty(err, one), orEmpty(err, two)),
				figure: fmt.Sprintf("%.2f million/s", two.median()/1e6),
				detail: fmt.Sprintf("by the time that passes; one agent %.2f million/s (%s and %s million/s)",
					one.median()/1e6, two.times(1e-6).spread("%.2f"), one.times(1e-6).spread("%.2f"))})
	}
	return rows
}

// check is the deadlock check at the root of ranks that exist only as the reports of their agents.
func (b *bench) check() []row {
	got, err := b.goBench("./internal/root/detect", "^BenchmarkWildcardCheck$", "3x", "ns/op")
	var rows []row
	for _, c := range []struct {
		ranks  int
		budget float64 // ms
	}{{4096, 10}, {65536, 0}, {1000000, 1000}} {
		s := got[fmt.Sprintf("WildcardCheck/%d", c.ranks)].times(1e-6)
		r := row{what: fmt.Sprintf("deadlock check, %d simulated ranks in wildcard receives", c.ranks),
			err:    orEmpty(err, s),
			figure: fmt.Sprintf("%.1f ms", s.median()), met: s.median() <= c.budget,
			detail: fmt.Sprintf("from the agents' reports to the deadlocked core, wall time (%s ms)", s.spread("%.1f"))}
		if c.budget > 0 {
			r.budget = fmt.Sprintf("≤ %.0f ms", c.budget)
		}
		rows = append(rows, r)
	}
	return rows
}

func orEmpty(err error, s sample) error {
	if err == nil && len(s) == 0 {
		return fmt.Errorf("the benchmark printed no such figure")
	}
	return err
}

func (s sample) times(f float64) sample {
	out := make(sample, len(s))
	for i, v := range s {
		out[i] = v * f
	}
	return out
}

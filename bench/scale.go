package main

import (
	"fmt"
)

// scale is how far recording, screening and prediction reach: logs that Go benchmarks make in memory and on disk.
func (b *bench) scale() []row {
	var rows []row
	rows = append(rows, b.recording()...)
	rows = append(rows, b.screening()...)
	return append(rows, b.prediction()...)
}

// recording is what a recorded call takes on disk, and the time of writing it.
func (b *bench) recording() []row {
	out, err := b.goBenchOutput("./internal/trace/file", "^BenchmarkWrite$", "2000000x", 3)
	size, err := metricsOr(out, "B/call", err)
	rate, err := metricsOr(out, "calls/s", err)
	var rows []row
	for _, l := range []string{"ring", "stencil"} {
		s, v := size["Write/"+l], rate["Write/"+l].times(1e-6)
		rows = append(rows, row{what: "trace of a call, " + l, budget: "≤ 12 bytes", err: orEmpty(err, s),
			met:    s.median() <= 12,
			figure: fmt.Sprintf("%.2f bytes", s.median()),
			detail: fmt.Sprintf("columns, compression and the file; %.1f million calls/s (%s)", v.median(),
				v.spread("%.1f"))})
	}
	return rows
}

// screening is the linear-time screening of logs in memory.
func (b *bench) screening() []row {
	out, err := b.goBenchOutput("./internal/predict/screen", "^BenchmarkScreen$", "1x", 3,
		"UNKNOT_SCREEN_RANKS=1000000")
	rate, err := metricsOr(out, "steps/cpu-s", err)
	peak, err := metricsOr(out, "peak-MiB", err)
	wall, err := metricsOr(out, "steps/s", err)
	var rows []row
	for _, c := range []struct{ name, what string }{
		{"stencil+master/1024", "stencil with masters, 1,024 ranks"},
		{"stencil+master/16384", "stencil with masters, 16,384 ranks"},
		{"exchange/1024", "exchange, 1,024 ranks"},
	} {
		s := rate["Screen/"+c.name].times(1e-6)
		w := wall["Screen/"+c.name].times(1e-6)
		rows = append(rows, row{what: "screening, " + c.what, budget: "≥ 10 million operations/s of one core",
			err: orEmpty(err, s), met: s.median() >= 10,
			figure: fmt.Sprintf("%.1f million/s", s.median()),
			detail: fmt.Sprintf("processor time of the thread (%s); by the clock %.1f million/s", s.spread("%.1f"),
				w.median())})
	}
	s := peak["Screen/stencil+master/big"]
	return append(rows, row{what: "screening, stencil with masters, 1,000,000 ranks", budget: "≤ 4 GiB",
		err: orEmpty(err, s), met: s.median() <= 4096,
		figure: fmt.Sprintf("%.0f MiB", s.median()),
		detail: fmt.Sprintf("most heap in use; %.1f million operations/s",
			rate["Screen/stencil+master/big"].median()/1e6)})
}

// prediction is the exact prediction of a trace of 64 ranks with about 2,000 wildcard receives.
func (b *bench) prediction() []row {
	out, err := b.goBenchOutput("./internal/predict/exact", "^BenchmarkPredict$/64", "1x", 3)
	times, err := metricsOr(out, "ns/op", err)
	var rows []row
	for _, c := range []struct{ name, what string }{
		{"static-64", "results to a master, 64 ranks, 1,953 wildcard receives: proven free"},
		{"dynamic-64/first", "tasks and results, 64 ranks, 1,937 wildcard receives: first deadlock"},
		{"dynamic-64/64cores", "tasks and results, 64 ranks, 1,937 wildcard receives: 64 deadlocks"},
		{"dynamic-64/buffered", "tasks and results, 64 ranks, 1,937 wildcard receives, all buffered: proven free"},
	} {
		s := times["Predict/"+c.name].times(1e-9)
		rows = append(rows, row{what: "exact prediction, " + c.what, budget: "≤ 60 s", err: orEmpty(err, s),
			met:    s.median() <= 60,
			figure: fmt.Sprintf("%.2f s", s.median()), detail: "from a log in memory, by the clock (" +
				s.spread("%.2f") + " s)"})
	}
	return rows
}

func metricsOr(out, metric string, err error) (map[string]sample, error) {
	if err != nil {
		return nil, err
	}
	return metricOf(out, metric)
}

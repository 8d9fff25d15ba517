package main

import (
	"fmt"
	"time"

	"unknot/bench/watched"
)

// latency is the time from the last progress of a job to the report of its deadlock, and the whole end.
func (b *bench) latency() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			shape string
			ranks int
			most  time.Duration
		}{
			{"ring", 2, 30 * time.Second}, {"ring", 64, 45 * time.Second},
			{"wildcard", 16, 30 * time.Second}, {"wildcard", 64, 45 * time.Second},
			{"wildcard", 256, 240 * time.Second},
		} {
			rows = append(rows, b.latencyOf(i, c.shape, c.ranks, c.most))
		}
	}
	return rows
}

func (b *bench) latencyOf(i mpi, shape string, ranks int, allowed time.Duration) row {
	r := row{what: fmt.Sprintf("from the last progress to the report, %s of %d ranks, %s", shapeName(shape),
		ranks, i.name)}
	if ranks <= 64 {
		r.budget = "≤ 2 s"
	}
	var told, ended sample
	for left := b.stopwatch(allowed); len(told) < b.pairs && left(len(told)); {
		j := b.plain(i, ranks, "hang", shape).watched()
		if ranks > 64 {
			j.limit = 200 * time.Second // to start so many takes a minute and more
		}
		h, err := j.hang()
		if err != nil {
			r.err = err
			return r
		}
		told, ended = append(told, h.Reported.Seconds()), append(ended, h.Ended.Seconds())
	}
	if len(told) == 0 {
		r.err = errTime
		return r
	}
	r.met = told.median() <= 2
	r.figure = fmt.Sprintf("%.2f s", told.median())
	r.detail = fmt.Sprintf("%d runs, %s s; to the end of all processes %.2f s", len(told), told.spread("%.2f"),
		ended.median())
	return r
}

func shapeName(shape string) string {
	if shape == "wildcard" {
		return "wildcard all-block"
	}
	return "recv-recv ring"
}

// hang runs a hanging job.
func (j job) hang() (watched.Hanging, error) {
	cmd, cancel := j.command()
	defer cancel()
	h, err := watched.Hang(cmd, "unknot: error: deadlock")
	if err != nil {
		return h, fmt.Errorf("%s: %w", j, err)
	}
	return h, nil
}

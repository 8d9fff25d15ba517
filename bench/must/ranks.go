package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/watched"
)

func ranksPart() part {
	return part{
		name: "ranks", heading: "## Real ranks",
		about: func(b *bench) string {
			return "All ranks are processes of this machine,\n" +
				"and give the processor to others while they wait (`mpi_yield_when_idle` of Open MPI; for both " +
				"libraries `internal/test/testkit/csrc/polite.c`). The exchange is that of the paper's\n" +
				"figure 9: an int to the right, one from the left, a barrier each tenth time; its time is that of " +
				"the slowest rank, between two barriers. Runs are in turns, and the slow-down is the median of the " +
				"pairs'.\nEach deadlock is reported by the same unknot run that a user would start. *Named* are the " +
				"ranks that the report names. Times run from the last call of any rank.\n" +
				"*Ring* is the shared memory of a rank, *agent* the resident memory of the agent process, in all and " +
				"for each rank."
		},
		tables: []table{
			{
				head: "| library | ranks | iterations | plain | watched | slow-down | ring | agent |", keys: 2,
				rows: func(b *bench) (rows []row, err error) {
					for _, n := range b.sizes {
						for _, l := range libraries() {
							rows = append(rows, row{fmt.Sprintf("exchange, %s | %d", l.name, n),
								func() (string, error) { return b.exchange(l, n) }})
						}
					}
					return rows, nil
				},
			},
			{
				head: "| library | ranks | deadlock | found | named | to the report | to the end of all processes | agent |",
				keys: 3,
				rows: func(b *bench) (rows []row, err error) {
					for _, n := range b.sizes {
						for _, l := range libraries() {
							for _, d := range deadlocks() {
								rows = append(rows, row{fmt.Sprintf("%s | %d | %s", l.name, n, d.what),
									func() (string, error) { return b.deadlock(l, n, d) }})
							}
						}
					}
					return rows, nil
				},
			},
		},
	}
}

// patience is for a job of so many ranks: to start each takes a while.
func patience(ranks int) time.Duration {
	return 90*time.Second + time.Duration(ranks)*300*time.Millisecond
}

// exchange is a row of figure 9.
func (b *bench) exchange(l library, n int) (string, error) {
	iterations, pairs := max(100, 100*1024/n/10*10), b.pairs
	if n > 256 {
		pairs = 1 // to start it takes longer than it runs
	}
	j := b.ranks(l, n, "exchange", strconv.Itoa(iterations))
	j.limit = patience(n)
	all, err := b.inTurns(pairs, func(watch bool) (once, error) {
		if watch {
			return b.once(b.watched(j))
		}
		return b.once(j)
	})
	if err != nil {
		return "", err
	}
	agent := quiet.MedianOf(all, func(p pair) float64 { return p.watched.Agent })
	return fmt.Sprintf("%d | %.2f s | %.2f s | %.2f | %.1f MiB | %.0f MiB, %.2f each", iterations,
		quiet.MedianOf(all, plainSeconds), quiet.MedianOf(all, watchedSeconds), quiet.MedianOf(all, ratio),
		quiet.MedianOf(all, func(p pair) float64 { return p.watched.Ring }), agent, agent/float64(n)), nil
}

// deadlock is one of bench/workloads/hang.c.
type deadlock struct{ what, shape, code, said string }

func deadlocks() []deadlock {
	return []deadlock{
		{"each receives from any source (figure 10)", "wildcard", "deadlock", "unknot: error: deadlock"},
		{"each sends to the next one, unbuffered (figure 11)", "ssend", "deadlock", "unknot: error: deadlock"},
		{"the same, buffered (126.lammps)", "send", "deadlock-unsafe", "unknot: warning: deadlock-unsafe"},
	}
}

func (b *bench) deadlock(l library, n int, d deadlock) (string, error) {
	report := filepath.Join(b.dir, "report.json")
	j := b.watched(b.ranks(l, n, "hang", d.shape), "--json="+report)
	j.limit = patience(n)
	cmd, cancel := b.start(j)
	defer cancel()
	h, err := watched.Hang(cmd, d.said)
	if err != nil {
		return "", fmt.Errorf("%s: %w", j, err)
	}
	return d.found(report, h, n, n)
}

// found is what a row says of a deadlock that was reported, of so many ranks, and of the memory of an agent of some.
func (d *deadlock) found(report string, h watched.Hanging, n, ofAgent int) (string, error) {
	ranks, err := named(report, d.code)
	if err != nil {
		return "", err
	}
	memory := fmt.Sprintf("%.0f MiB, %.2f each", h.Agent, h.Agent/float64(ofAgent))
	if h.Agent == 0 {
		memory = "not seen"
	}
	return fmt.Sprintf("`%s` | %d of %d%s | %.2f s | %.2f s | %s", d.code, ranks, n, missed(ranks < n),
		h.Reported.Seconds(), h.Ended.Seconds(), memory), nil
}

func missed(is bool) string {
	if is {
		return " **missed**"
	}
	return ""
}

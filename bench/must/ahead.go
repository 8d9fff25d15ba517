package main

import (
	"fmt"
	"strconv"
	"time"

	"unknot/bench/quiet"
)

func aheadPart() part {
	return part{
		name: "ahead", heading: "## Bursty programs",
		about: func(*bench) string {
			return "Rank 0 sends messages\n" +
				"of one number with varying tags as fast as it can (`bench/must/programs/ahead.c`). Rank 1 either " +
				"receives them in their order and computes after each, or first receives what is sent last,\n" +
				"so that MPI has to keep all others. *Ranks* is the largest resident memory of a rank, *agent* that " +
				"of the agent process."
		},
		tables: []table{{
			head: "| library | messages | rank 1 | plain | watched | ranks, plain | ranks, watched | agent | bytes a message |",
			keys: 3,
			rows: func(b *bench) (rows []row, err error) {
				for _, l := range libraries() {
					for _, n := range []int{10_000, 1_000_000, 10_000_000} {
						for _, how := range []struct{ what, arg string }{{"receives, and computes", "slow"},
							{"first receives the last one", "last"}} {
							rows = append(rows, row{fmt.Sprintf("%s | %d | %s", l.name, n, how.what),
								func() (string, error) { return b.ahead(l, n, how.arg) }})
						}
					}
				}
				return rows, nil
			},
		}},
	}
}

func (b *bench) ahead(l library, messages int, how string) (string, error) {
	j := b.ranks(l, 2, "ahead", strconv.Itoa(messages), how)
	j.limit = 4 * time.Minute
	all, err := b.inTurns(1, func(watch bool) (once, error) {
		if watch {
			return b.once(b.watched(j))
		}
		return b.once(j)
	})
	if err != nil {
		return "", err
	}
	agent := quiet.MedianOf(all, func(p pair) float64 { return p.watched.Agent })
	return fmt.Sprintf("%.2f s | %.2f s | %.0f MiB | %.0f MiB | %.0f MiB | %.0f", quiet.MedianOf(all, plainSeconds),
		quiet.MedianOf(all, watchedSeconds), quiet.MedianOf(all, func(p pair) float64 { return p.plain.mebi }),
		quiet.MedianOf(all, func(p pair) float64 { return p.watched.mebi }), agent,
		agent*(1<<20)/float64(messages)), nil
}

package main

import (
	"fmt"
	"strconv"
	"time"

	"unknot/bench/watched"
)

// memory is what a rank's ring takes, and the agent's peak with the length of the run.
func (b *bench) memory() []row {
	i := b.mpis[0]
	var rows []row
	short, rings, err := b.peaks(i, 100_000, 30*time.Second)
	rows = append(rows, row{what: "shared memory of a rank, " + i.name, budget: "≤ 2 MiB", err: orEmpty(err, rings),
		met:    rings.median() <= 2,
		figure: fmt.Sprintf("%.2f MiB", rings.median()), detail: "the ring's file: header and 64-byte slots"})
	long, _, err2 := b.peaks(i, 10_000_000, 120*time.Second)
	if err == nil {
		err = err2
	}
	const room = 64 // MiB: what the collector lets pile up before it looks
	rows = append(rows,
		row{what: "agent's peak memory, 10^5 operations, " + i.name, err: err,
			figure: fmt.Sprintf("%.0f MiB", short.median()),
			detail: fmt.Sprintf("%d runs, %s MiB", len(short), short.spread("%.0f"))},
		row{what: "agent's peak memory, 10^7 operations, " + i.name, budget: "flat", err: err,
			met:    long.median() <= short.median()+room,
			figure: fmt.Sprintf("%.0f MiB", long.median()),
			detail: fmt.Sprintf("%d runs, %s MiB; flat: within %d MiB of the short run, the collector's room",
				len(long), long.spread("%.0f"), room)})
	return rows
}

// peaks runs the ring exchange on 2 ranks with about so many operations, and returns the agent's peaks and the sizes of
// rings in MiB.
func (b *bench) peaks(i mpi, operations int, allowed time.Duration) (peak, rings sample, err error) {
	const perIteration = 2 * 3.1 // calls of both ranks
	j := b.plain(i, 2, "exchange", strconv.Itoa(int(float64(operations)/perIteration)), "three").watched()
	for left := b.stopwatch(allowed); len(peak) < b.pairs && left(len(peak)); {
		rss, ring, err := j.watchMemory()
		if err != nil {
			return nil, nil, err
		}
		peak, rings = append(peak, rss), append(rings, ring)
	}
	if len(peak) == 0 {
		return nil, nil, errTime
	}
	return peak, rings, nil
}

// watchMemory runs a watched job and looks at its agent process and its rings now and then.
func (j job) watchMemory() (peak, ring float64, err error) {
	cmd, cancel := j.command()
	defer cancel()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = cmd.Wait()
	}()
	p := watched.Look(cmd.Process.Pid, done)
	if err == nil && p.Agent == 0 {
		err = fmt.Errorf("the agent process was not seen")
	}
	return p.Agent, p.Ring, err
}

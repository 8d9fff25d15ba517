package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
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
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err == nil && peak == 0 {
				err = fmt.Errorf("the agent process was not seen")
			}
			return peak, ring, err
		case <-tick.C:
			pid, session := agentOf(cmd.Process.Pid)
			if pid == 0 {
				continue
			}
			if kib, err := strconv.ParseFloat(strings.TrimSuffix(field(fmt.Sprintf("/proc/%d/status", pid), "VmHWM"),
				" kB"), 64); err == nil {
				peak = max(peak, kib/1024)
			}
			files, _ := filepath.Glob(filepath.Join(session, "ring.*"))
			for _, f := range files {
				if fi, err := os.Stat(f); err == nil {
					ring = max(ring, float64(fi.Size())/(1<<20))
				}
			}
		}
	}
}

// agentOf finds the agent process among a process's children, and its session directory in its arguments.
func agentOf(pid int) (int, string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			args, _ := os.ReadFile("/proc/" + child + "/cmdline")
			v := strings.Split(string(args), "\x00")
			for k := 0; k+1 < len(v); k++ {
				if v[k] == "--session" {
					n, _ := strconv.Atoi(child)
					return n, v[k+1]
				}
			}
		}
	}
	return 0, ""
}

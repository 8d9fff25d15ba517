package agent

import "time"

// evidence is what shows that a thread is stuck in a call and not merely slow: it stayed there for a while, and in that
// time the MPI library had the processor to look for progress, or it sleeps.
type evidence struct {
	stamp uint32
	since time.Time
	cpu   time.Duration
	firm  bool
}

// How long a thread must have been in a call, and how much processor time it must have had there. A library that polls
// makes tens of thousands of rounds in that much.
const (
	stuckFor  = 300 * time.Millisecond
	pollTime  = 4 * time.Millisecond
	watchFrom = 100 * time.Millisecond
)

// watch looks at a thread that has been in a call for some time.
func (t *thread) watch(now time.Time) {
	e := &t.blocks
	if e.stamp != t.Stamp || e.since.IsZero() {
		*e = evidence{stamp: t.Stamp, since: now}
		e.cpu, _ = t.rank.processes.Time(t.rank.PID, t.tid)
		return
	}
	if e.firm || now.Sub(e.since) < stuckFor {
		return
	}
	cpu, asleep := t.rank.processes.Time(t.rank.PID, t.tid)
	e.firm = asleep || cpu-e.cpu >= pollTime
}

package agent

import (
	"slices"
	"time"

	"unknot/internal/model/objects"
)

// asleep says whether a thread has slept without a break, for some time until now, on what only another thread of its
// process can wake it from, or has been gone for that time. It is asked once in each round of detection, so what it
// finds was so already when the calls of all threads were looked at.
func (r *rank) asleep(tid int, now time.Time) bool {
	s, sleeps := r.processes.Sleep(r.PID, tid)
	if !sleeps {
		delete(r.slumbers, tid)
		return false
	}
	e := r.slumbers[tid]
	if e == nil || e.Slumber != s || s.Call != "" && s.Turns == "" {
		objects.Set(&r.slumbers, tid, &slumber{Slumber: s, since: now, seen: now})
		return false
	}
	e.seen = now
	return now.Sub(e.since) >= stuckFor
}

// forgetSleepers drops what was seen of threads that nobody has asked about in this round.
func (r *rank) forgetSleepers(now time.Time) {
	for tid, e := range r.slumbers {
		if !e.seen.Equal(now) {
			delete(r.slumbers, tid)
		}
	}
}

// roused says whether a thread of the rank that sleeps may be woken by something else than the threads that the program
// has started: by a timer; by a handler of a signal that the system sends when time is up or data has come (sem_post
// may be called there, POSIX.1, 2.4.3); by a thread that the C library or a run-time system has started in its own way,
// as for asynchronous I/O; or by a function of MPI's that calls one of the program's, of which nothing is known.
//
// It is asked before the threads that sleep are looked at: what still sleeps then was not woken by what has been idle
// before.
func (r *rank) roused(now time.Time) bool {
	if !r.rouse.at.Equal(now) {
		r.rouse.at, r.rouse.is = now, r.mayRouse()
	}
	return r.rouse.is
}

func (r *rank) mayRouse() bool {
	if len(r.Unknown) > 0 || r.first.Alarmed() {
		return true
	}
	known := make(map[int]bool)
	users, _ := r.first.Users()
	for _, tid := range users {
		known[tid] = true
	}
	for _, s := range r.sources {
		if !s.thread.Ended { // else it may still run what the program wants to have done at its end
			known[s.thread.tid] = true
		}
	}
	return r.processes.Roused(r.PID, known)
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
		e.cpu, _ = t.processorTime(now)
		return
	}
	if e.firm || now.Sub(e.since) < stuckFor {
		return
	}
	cpu, asleep := t.processorTime(now)
	e.firm = asleep || cpu-e.cpu >= pollTime
}

// processorTime is the processor time that a thread has had, and whether it sleeps. The kernel is asked once for all
// who want to know it at one time.
func (t *thread) processorTime(now time.Time) (cpu time.Duration, asleep bool) {
	if r := &t.used; !r.at.Equal(now) {
		r.at = now
		r.cpu, r.asleep = t.rank.processes.Time(t.rank.PID, t.tid)
	}
	return t.used.cpu, t.used.asleep
}

// stayed notes that a round of detection finds a thread blocked in its call. It says in which one it was first found
// so, and after which one at the latest it has had enough processor time, or sleeps now; 0 for none.
//
// What is kept is bounded by processor time and not by rounds: where a thousand ranks poll on few processors, it takes
// many rounds until each has had enough.
func (t *thread) stayed(round int, now time.Time) (since, shown int) {
	const step, most = pollTime / 8, 10 // marks span more than pollTime
	e := &t.blocks
	cpu, asleep := t.processorTime(now)
	if e.first == 0 {
		e.first = round
	}
	for _, m := range e.marks {
		if cpu-m.cpu >= pollTime {
			shown = m.round
		}
	}
	if asleep {
		shown = round
	}
	if n := len(e.marks); n > 0 && cpu-e.marks[n-1].cpu < step {
		e.marks[n-1].round = round
	} else {
		e.marks = append(e.marks[max(0, n+1-most):], mark{round, cpu})
	}
	return e.first, shown
}

// funneled is MPI_THREAD_FUNNELED: up to it only one thread calls MPI (MPI-4.0, 11.6.2).
const funneled = 1

// silent are the threads of the program that may call MPI and have not; false if there are others of which that is not
// known.
func (r *rank) silent() (tids []int, all bool) {
	known := make(map[int]bool)
	for _, s := range r.sources {
		if !s.thread.Ended {
			known[s.thread.tid] = true
		}
	}
	tids, all = r.first.Users()
	return slices.DeleteFunc(tids, func(tid int) bool { return known[tid] }), all
}

// usersFree says whether the rank has threads that have not called MPI yet, may call it, and are not known to be stuck.
// Threads of the MPI library itself do not count. All of them are asked about in each round, as it takes two to know.
func (r *rank) usersFree(now time.Time) bool {
	if r.Unmodelled && !r.gone {
		return true
	}
	if r.level <= funneled || r.gone {
		return false
	}
	if r.first == nil {
		return true
	}
	tids, all := r.silent()
	free := !all || len(tids) > 0 && r.roused(now)
	for _, tid := range tids {
		free = !r.asleep(tid, now) || free
	}
	if free {
		return true
	}
	// A thread that sleeps, or is gone, may have called MPI since its process's rings were looked for: it then sleeps
	// on a lock of the MPI library, and nothing is known yet of what it called. Asked last, so that none is missed.
	for _, s := range r.sources {
		if s.thread.Ended && s.ring.Pending() > 0 {
			return true
		}
	}
	return r.missesRing()
}

// sleeps says whether a thread that has called MPI before is outside of it and sleeps until another thread of its rank
// wakes it. Where nobody but the one thread calls MPI, the others are not known, so nobody can say who might wake it.
// One that polled last may be doing so again without a record, and sleep on a lock of the MPI library.
func (t *thread) sleeps(now time.Time) bool {
	r := t.rank
	if r.level <= funneled || t.Ended || t.Joins >= 0 || t.Polls.Active() {
		return false
	}
	for _, s := range r.sources {
		if s.thread == t && (s.at < len(s.records) || s.repeats.Ahead() > 0 || s.ring.Pending() > 0) {
			return false
		}
	}
	if t.Left != t.Stamp && t.ring.Returned() != t.Stamp {
		return false
	}
	roused := r.roused(now)
	return r.asleep(t.tid, now) && !roused
}

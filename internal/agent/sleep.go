package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/model/objects"
)

// slumber is what was seen of a thread that sleeps so.
type slumber struct {
	kernel.Slumber
	since time.Time
	seen  time.Time
}

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

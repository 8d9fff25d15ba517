package agent

import (
	"slices"
	"time"
)

// funneled is MPI_THREAD_FUNNELED: up to it only one thread calls MPI (MPI-4.0, 11.6.2).
const funneled = 1

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
	known := make(map[int]bool)
	for _, s := range r.sources {
		if !s.thread.Ended {
			known[s.thread.tid] = true
		}
	}
	tids, all := r.first.Users()
	tids = slices.DeleteFunc(tids, func(tid int) bool { return known[tid] })
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
	rings, err := r.rings()
	return err != nil || rings > len(r.sources)
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

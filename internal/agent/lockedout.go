package agent

import (
	"slices"
	"time"

	"unknot/internal/vocab/finding"
)

// mostLockedOut bounds the threads of a rank that are asked.
const mostLockedOut = 8

// lockedOut are the places where other threads of a rank, which have not called MPI, sleep for a lock that a thread
// holds which is blocked in MPI. They may be about to make the call that would release it.
func (a *describer) lockedOut(t *thread, end time.Time) (list []finding.Frame) {
	r := t.rank
	if r.level <= funneled || r.first == nil || !r.alive() {
		return nil
	}
	tids, _ := r.silent()
	for _, tid := range tids[:min(len(tids), mostLockedOut)] {
		pcs := r.processes.LockedOut(r.first, tid, t.tid, end)
		at := slices.IndexFunc(pcs, func(pc uint64) bool { return a.inProgram(r, pc) })
		if at < 0 {
			continue
		}
		if f := a.Named(&r.Process, pcs[at:])[0]; !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

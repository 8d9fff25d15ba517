package agent

import (
	"time"

	"unknot/internal/say/explain"
)

// leavingFor is how long a rank must have been in its last MPI_Session_finalize until it counts as leaving: a library
// may wait there for the other ranks, as that of MPI_Finalize does (MPI-4.0, 11.3.1), and the rank may begin another
// session after it.
const leavingFor = 3 * time.Second

// leaves says whether a thread is in the MPI_Session_finalize of its rank's only session, and does not return from it.
func (a *Agent) leaves(t *thread) bool {
	if !t.Rank.Objects.Sessions || t.Func == nil || t.Func.Name != explain.SessionFinalize || !a.inside(t) ||
		t.Rank.Objects.InSession() {
		return false
	}
	t.watch(a.now)
	e := &t.blocks
	if e.stamp != t.Stamp || a.now.Sub(e.since) < leavingFor {
		return false
	}
	cpu, asleep := t.rank.processes.Time(t.Rank.PID, t.tid)
	return asleep || cpu-e.cpu >= strandedTime
}

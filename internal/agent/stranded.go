package agent

import (
	"time"

	"unknot/internal/say/explain"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// After a wrong call a library may wait for what never comes, a part of a message or the end of a transfer that has
// failed, while by MPI's rules nothing is missing. A thread that is in such a call, and does not return from it for
// long, is stranded. If all threads of the job are, or wait for those that are, and an error concerns their calls, the
// error is the cause.

// How long threads must have been in such calls, beyond the time that all their data takes. And the processor time that
// each must have had there, unless it sleeps.
const (
	strandedFor   = 3 * time.Second
	strandedOnWin = 10 * time.Second
	strandedTime  = 500 * time.Millisecond
)

// stranded is the call of a stranded thread; nil if it is not stranded. w is what it waits for.
func (a *standings) stranded(t *thread, w *message.Wait) *message.Stranded {
	if !a.inside(t) || t.Func == nil || !returns(t.Func) {
		return nil
	}
	switch {
	case w.State == message.Running && t.Op != nil && t.Op.Blocking && !t.Op.Opaque:
		return nil // the model waits for something that it does not tell
	case w.State == message.Blocked && !met(&w.Real):
		return nil
	case w.State != message.Running && w.State != message.Blocked:
		return nil
	}
	t.watch(a.now)
	e := &t.blocks
	patience := strandedFor
	if t.Func.EnterAt[mpi.RWin] >= 0 {
		patience = strandedOnWin
	}
	spare := a.now.Sub(e.since) - patience
	if e.stamp != t.Stamp || spare < 0 {
		return nil
	}
	if cpu, asleep := t.processorTime(a.now); !asleep && cpu-e.cpu < strandedTime {
		return nil
	}
	if at := t.ScopeOfOp(); len(at.Contexts) > 0 {
		return &message.Stranded{Scope: at, Rank: t.rank.World, Moment: t.rank.Moment(t.Stamp), Spare: spare,
			Bytes: t.Volume()}
	}
	return nil
}

// inCall says whether the thread's last call has not returned.
func (t *thread) inCall() bool {
	return !t.Ended && !t.Gave && t.Joins < 0 && t.ring.Returned() != t.Stamp
}

// returns says whether a call has to return once what the model knows is there: not one that works on files, starts or
// meets other programs, or calls functions of the program.
func returns(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Init, mpi.Finalize, mpi.Abort, mpi.FileOpen, mpi.FileColl, mpi.FileReq, mpi.FileIcoll, mpi.BufferDetach,
		mpi.BufferFlush:
		return false
	case mpi.Opaque:
		return f.EnterAt[mpi.RWin] >= 0
	}
	return true
}

// met says whether all that a call needs is there, as far as the model knows.
func met(w *waitstate.Wait) bool {
	for i := range w.Needs {
		if w.Needs[i].Free == w.Any {
			return w.Any
		}
	}
	return !w.Any
}

// leavingFor is how long a rank must have been in its last MPI_Session_finalize until it counts as leaving: a library
// may wait there for the other ranks, as that of MPI_Finalize does (MPI-4.0, 11.3.1), and the rank may begin another
// session after it.
const leavingFor = 3 * time.Second

// leaves says whether a thread is in the MPI_Session_finalize of its rank's only session, and does not return from it.
func (a *standings) leaves(t *thread) bool {
	if !t.Rank.Objects.Sessions || t.Func == nil || t.Func.Name != explain.SessionFinalize || !a.inside(t) ||
		t.Rank.Objects.InSession() {
		return false
	}
	t.watch(a.now)
	e := &t.blocks
	if e.stamp != t.Stamp || a.now.Sub(e.since) < leavingFor {
		return false
	}
	cpu, asleep := t.processorTime(a.now)
	return asleep || cpu-e.cpu >= strandedTime
}

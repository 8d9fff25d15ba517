package agent

import (
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
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
func (a *Agent) stranded(t *thread, w *message.Wait) *message.Stranded {
	if !a.inside(t) || t.fn == nil || !returns(t.fn) {
		return nil
	}
	switch {
	case w.State == message.Running && t.op != nil && t.op.Blocking && !t.op.Opaque:
		return nil // the model waits for something that it does not tell
	case w.State == message.Blocked && !met(&w.Real):
		return nil
	case w.State != message.Running && w.State != message.Blocked:
		return nil
	}
	t.watch(a.now)
	e := &t.blocks
	patience := strandedFor
	if t.fn.EnterAt[mpi.RWin] >= 0 {
		patience = strandedOnWin
	}
	spare := a.now.Sub(e.since) - patience
	if e.stamp != t.stamp || spare < 0 {
		return nil
	}
	if cpu, asleep := t.rank.processes.Time(t.rank.PID, t.tid); !asleep && cpu-e.cpu < strandedTime {
		return nil
	}
	if at := t.scopeOfOp(); len(at.Contexts) > 0 {
		return &message.Stranded{Scope: at, Rank: t.rank.World, Moment: t.rank.Moment(t.stamp), Spare: spare,
			Bytes: t.volume()}
	}
	return nil
}

// inCall says whether the thread's last call has not returned.
func (t *thread) inCall() bool {
	return !t.ended && !t.gave && t.joins < 0 && t.ring.Returned() != t.stamp
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

// volume is how many bytes the call may have to move.
func (t *thread) volume() int64 {
	c := call{Call: decode.Call{Func: t.fn, Words: t.use.Words}, t: t, r: t.rank}
	sum := int64(0)
	for _, pair := range [][2]mpi.Role{{mpi.RCount, mpi.RType}, {mpi.RRecvCount, mpi.RRecvType}} {
		if content := c.content(pair[0], pair[1]); content.Type != nil {
			sum += content.Type.Size() * content.Count
		}
	}
	if t.use.Comm != nil && collective(t.fn) {
		sum *= int64(max(t.use.Comm.Size(), 1))
	}
	if w := t.window(); w != nil {
		sum += w.Moved
	}
	if t.op != nil {
		for _, p := range t.op.Waits {
			sum += max(p.Bytes, 0)
			if p.Content.Type != nil {
				sum += p.Content.Type.Size() * p.Content.Count
			}
		}
	}
	return sum
}

// window is that of the thread's last call, nil if it names none that is known.
func (t *thread) window() *objects.Window {
	if v, ok := t.fn.EnterWord(mpi.RWin, t.use.Words); ok && t.use.Func == t.fn {
		return t.rank.Objects.Windows[uint64(v)]
	}
	return nil
}

// moves counts the data that calls move into and out of windows.
func (c *call) moves() {
	w := c.r.Objects.Windows[c.Word(mpi.RWin)]
	switch {
	case w == nil:
	case c.Func.Class == mpi.WinColl:
		w.Fenced = true
	default:
		if w.Fenced {
			w.Moved, w.Fenced = 0, false
		}
		if content := c.content(mpi.RCount, mpi.RType); content.Type != nil {
			w.Moved += content.Type.Size() * content.Count
		}
	}
}

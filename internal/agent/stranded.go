package agent

import (
	"slices"
	"time"

	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// After a wrong call a library may wait for what never comes, a part of a message or the end of a transfer that has failed,
// while by MPI's rules nothing is missing. A thread that is in such a call, and does not return from it for long, is stranded.
// If all threads of the job are, or wait for those that are, and an error concerns their calls, the error is the cause.

// How long threads must have been in such calls, beyond the time that all their data takes. And the processor time that each must
// have had there, unless it sleeps.
const (
	strandedFor   = 3 * time.Second
	strandedOnWin = 10 * time.Second
	strandedTime  = 500 * time.Millisecond
)

// stranded is the call of a stranded thread; nil if it is not stranded. w is what it waits for.
func (a *Agent) stranded(t *thread, w *message.Wait) *message.Stranded {
	if t.fn == nil || !t.inCall() || !returns(t.fn) {
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
	if cpu, asleep := threadTime(t.rank.pid, t.tid); !asleep && cpu-e.cpu < strandedTime {
		return nil
	}
	if at := t.scopeOfOp(); len(at.Contexts) > 0 {
		return &message.Stranded{Scope: at, Rank: t.rank.world, Moment: t.rank.moment(t.stamp), Spare: spare, Bytes: t.volume()}
	}
	return nil
}

// inCall says whether the thread's last call has not returned.
func (t *thread) inCall() bool {
	return !t.ended && !t.gave && t.joins < 0 && t.ring.Returned() != t.stamp
}

// returns says whether a call has to return once what the model knows is there: not one that works on files, starts or meets
// other programs, or calls functions of the program.
func returns(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Init, mpi.Finalize, mpi.Abort, mpi.FileOpen, mpi.FileColl, mpi.FileReq, mpi.FileIcoll, mpi.BufferDetach:
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
	c := call{t: t, r: t.rank, f: t.fn, words: t.use.Words}
	sum := int64(0)
	for _, pair := range [][2]mpi.Role{{mpi.RCount, mpi.RType}, {mpi.RRecvCount, mpi.RRecvType}} {
		if content := c.content(pair[0], pair[1]); content.Type != nil {
			sum += content.Type.Size() * content.Count
		}
	}
	if t.use.Comm != nil && collective(t.fn) {
		sum *= int64(max(t.use.Comm.Size, 1))
	}
	if w := t.window(); w != nil {
		sum += w.moved
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
func (t *thread) window() *win {
	if v, ok := t.fn.EnterWord(mpi.RWin, t.use.Words); ok && t.use.Func == t.fn {
		return t.rank.wins[uint64(v)]
	}
	return nil
}

// moves counts the data that calls move into and out of windows.
func (c *call) moves() {
	w := c.r.wins[c.word(mpi.RWin)]
	switch {
	case w == nil:
	case c.f.Class == mpi.WinColl:
		w.fenced = true
	default:
		if w.fenced {
			w.moved, w.fenced = 0, false
		}
		if content := c.content(mpi.RCount, mpi.RType); content.Type != nil {
			w.moved += content.Type.Size() * content.Count
		}
	}
}

// askStranded looks for errors because of which nothing moves in the job any more; true if there are any.
func (r *root) askStranded(s *state) bool {
	b := s.graph(standing)
	never := b.g.Never()
	q := question{code: finding.Deadlock}
	open := make(map[nodeID]bool)
	for i, w := range s.threads {
		switch {
		case w.State == message.Finished || w.State == message.Dead:
		case w.Stranded != nil:
			b.g.Block(nodeID(i), []nodeID{never})
			q.core, q.stranded = append(q.core, w.Key(false)), append(q.stranded, w.Stranded)
		case w.State == message.Running || !w.Evidence:
			return false
		default:
			q.others, open[nodeID(i)] = append(q.others, w.Key(false)), true
		}
	}
	if len(q.core) == 0 || s.present < s.size || len(s.users) > 0 || !longEnough(q.stranded) || r.stranding(q.stranded) == nil {
		return false
	}
	for _, n := range b.g.Dead() {
		delete(open, n)
	}
	if len(open) > 0 {
		return false
	}
	r.asked = append(r.asked, q)
	return true
}

// longEnough says whether all calls last longer than all their data takes: one may have to wait for another's.
func longEnough(calls []*message.Stranded) bool {
	bytes := int64(0)
	for _, c := range calls {
		bytes += c.Bytes
	}
	need := carryingBytes(bytes)
	return !slices.ContainsFunc(calls, func(c *message.Stranded) bool { return c.Spare < need })
}

// stranding is the error that concerns the calls of stranded threads: one about such a call if there is one, else the first about
// what they belong to.
func (r *root) stranding(calls []*message.Stranded) *told {
	var first *told
	for _, t := range r.order {
		if t.Severity != finding.Error || t.Standing != finding.Manifest || !t.aboutCalls() {
			continue
		}
		for _, c := range calls {
			if t.names(c.Rank, c.Moment) {
				return t
			}
			if first == nil && t.scope.Meets(c.Scope) {
				first = t
			}
		}
	}
	return first
}

// strand adds to the error that concerns them the threads that do not get on because of it; false if some of them has.
func (r *root) strand(q *question, byKey map[message.Key]*message.Described) bool {
	t := r.stranding(q.stranded)
	if t == nil {
		return false
	}
	var places []finding.Place
	var ranks []op.Rank
	call := ""
	for _, k := range q.core {
		d := byKey[k]
		if d == nil || !d.Still {
			return false
		}
		places = append(places, d.Place)
		if len(ranks) == 0 || ranks[len(ranks)-1] != k.Rank {
			ranks = append(ranks, k.Rank)
		}
		if call == "" {
			call = d.Place.Call
		} else if call != d.Place.Call {
			call = "their calls"
		}
	}
	for _, k := range q.others {
		if d := byKey[k]; d != nil && d.Still {
			places = append(places, d.Place)
		}
	}
	t.stranded = explain.StuckBehind(ranks, call, r.opts.OnDeadlock == "leave")
	t.Others = places
	t.touch(r.now)
	r.end(string(t.Code))
	return true
}

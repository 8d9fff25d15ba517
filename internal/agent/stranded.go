package agent

import (
	"fmt"
	"time"

	"unknot/internal/finding"
	"unknot/internal/op"
	"unknot/internal/probe/mpiapi"
	"unknot/internal/waitstate"
)

// After a wrong call a library may wait for what never comes, a part of a message or the end of a transfer that has failed,
// while by MPI's rules nothing is missing. A thread that is in such a call, and does not return from it for long, is stranded.
// If all threads of the job are, or wait for those that are, and an error concerns their calls, the error is the cause.

// How long a thread must have been in such a call, beyond the time that its data takes: a transfer into a window is of a size
// that its synchronisation does not tell. And the processor time that it must have had there, unless it sleeps.
const (
	strandedFor   = 3 * time.Second
	strandedOnWin = 10 * time.Second
	strandedTime  = 500 * time.Millisecond
)

// strandedCall is the call of a stranded thread.
type strandedCall struct {
	scope  scope
	rank   op.Rank
	moment uint64
}

// stranded is the call of a stranded thread; nil if it is not stranded. w is what it waits for.
func (a *Agent) stranded(t *thread, w *waits) *strandedCall {
	if t.fn == nil || !t.inCall() || !returns(t.fn) {
		return nil
	}
	switch {
	case w.state == running && t.op != nil && t.op.Blocking && !t.op.Opaque:
		return nil // the model waits for something that it does not tell
	case w.state == blocked && !met(&w.real):
		return nil
	case w.state != running && w.state != blocked:
		return nil
	}
	t.watch(a.now)
	e := &t.blocks
	patience := strandedFor
	if t.fn.EnterAt[mpiapi.RWin] >= 0 {
		patience = strandedOnWin
	}
	if e.stamp != t.stamp || a.now.Sub(e.since) < patience+carryingBytes(t.volume()) {
		return nil
	}
	if cpu, asleep := threadTime(t.rank.pid, t.tid); !asleep && cpu-e.cpu < strandedTime {
		return nil
	}
	if at := t.scopeOfOp(); len(at.contexts) > 0 {
		return &strandedCall{at, t.rank.world, t.rank.moment(t.stamp)}
	}
	return nil
}

// inCall says whether the thread's last call has not returned.
func (t *thread) inCall() bool { return !t.ended && t.joins < 0 && t.ring.Returned() != t.stamp }

// returns says whether a call has to return once what the model knows is there: not one that works on files, starts or meets
// other programs, or calls functions of the program.
func returns(f *mpiapi.Func) bool {
	switch f.Class {
	case mpiapi.Init, mpiapi.Finalize, mpiapi.Abort, mpiapi.FileOpen, mpiapi.FileColl, mpiapi.FileReq, mpiapi.FileIcoll, mpiapi.BufferDetach:
		return false
	case mpiapi.Opaque:
		return f.EnterAt[mpiapi.RWin] >= 0
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
	for _, pair := range [][2]mpiapi.Role{{mpiapi.RCount, mpiapi.RType}, {mpiapi.RRecvCount, mpiapi.RRecvType}} {
		if content := c.content(pair[0], pair[1]); content.Type != nil {
			sum += content.Type.Size() * content.Count
		}
	}
	if t.use.Comm != nil && collective(t.fn) {
		sum *= int64(max(t.use.Comm.Size, 1))
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

// askStranded looks for errors because of which nothing moves in the job any more; true if there are any.
func (r *root) askStranded(s *state) bool {
	b := s.graph(standing)
	never := b.g.Never()
	q := question{code: finding.Deadlock}
	open := make(map[nodeID]bool)
	for i, w := range s.threads {
		switch {
		case w.state == finished || w.state == dead:
		case w.stranded != nil:
			b.g.Block(nodeID(i), []nodeID{never})
			q.core, q.stranded = append(q.core, w.key(false)), append(q.stranded, w.stranded)
		case w.state == running || !w.evidence:
			return false
		default:
			q.others, open[nodeID(i)] = append(q.others, w.key(false)), true
		}
	}
	if len(q.core) == 0 || s.present < s.size || len(s.users) > 0 || r.stranding(q.stranded) == nil {
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

// stranding is the error that concerns the calls of stranded threads: one about such a call if there is one, else the first about
// what they belong to.
func (r *root) stranding(calls []*strandedCall) *told {
	var first *told
	for _, t := range r.order {
		if t.Severity != finding.Error || t.Standing != finding.Manifest || !t.aboutCalls() {
			continue
		}
		for _, c := range calls {
			if t.names(c.rank, c.moment) {
				return t
			}
			if first == nil && t.scope.meets(c.scope) {
				first = t
			}
		}
	}
	return first
}

// strand adds to the error that concerns them the threads that do not get on because of it; false if some of them has.
func (r *root) strand(q *question, byKey map[key]*described) bool {
	t := r.stranding(q.stranded)
	if t == nil {
		return false
	}
	var places []finding.Place
	var ranks []op.Rank
	call := ""
	for _, k := range q.core {
		d := byKey[k]
		if d == nil || !d.still {
			return false
		}
		places = append(places, d.place)
		if len(ranks) == 0 || ranks[len(ranks)-1] != k.rank {
			ranks = append(ranks, k.rank)
		}
		if call == "" {
			call = d.place.Call
		} else if call != d.place.Call {
			call = "their calls"
		}
	}
	for _, k := range q.others {
		if d := byKey[k]; d != nil && d.still {
			places = append(places, d.place)
		}
	}
	verb := "does not return"
	if len(ranks) > 1 {
		verb = "do not return"
	}
	what := "unknot has ended the job"
	if r.opts.OnDeadlock == "leave" {
		what = "the job is left as it is"
	}
	t.stranded = fmt.Sprintf("because of this, %s %s from %s: %s", ranksOf(ranks), verb, call, what)
	t.Others = places
	t.touch(r.now)
	r.end(string(t.Code))
	return true
}

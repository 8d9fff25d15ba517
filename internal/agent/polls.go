package agent

import (
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// pollStreak is a run of unsuccessful polls of one thread without any other call that could change something.
type pollStreak struct {
	since time.Time
	parts []*waitstate.Part // what was polled, each once
	fn    *mpi.Func
	site  uint64
	words []uint64
	op    *waitstate.Op
	mute  bool // something was polled that the model does not follow

	count   uint64    // polls seen
	counted time.Time // when count last grew
}

// maxPolled bounds what is remembered of a streak; a thread that polls more than this is taken to be able to go on.
const maxPolled = 256

func (s *pollStreak) end(n *waitstate.Node) {
	if s == nil || s.op == nil && !s.mute {
		return
	}
	for _, p := range s.parts {
		n.Drop(p)
	}
	if s.op != nil {
		n.Discard(s.op)
	}
	*s = pollStreak{parts: s.parts[:0], words: s.words[:0]}
}

func (s *pollStreak) active() bool { return s != nil && s.op != nil }

// isPoll says whether a call is one that a program may repeat while it waits.
func isPoll(f *mpi.Func) bool {
	if f == nil { // a wait that is no call of MPI: pthread_join
		return false
	}
	switch f.Class {
	case mpi.Iprobe, mpi.Improbe, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome, mpi.Parrived, mpi.WinTest:
		return true
	}
	return false
}

// poll handles the entry of a poll: it counts as unsuccessful until its exit says otherwise.
func (c *call) poll() bool {
	if !isPoll(c.Func) {
		return false
	}
	if c.t.polls == nil {
		c.t.polls = new(pollStreak)
	}
	s := c.t.polls
	if s.op == nil {
		s.since = c.a.now
		s.op = c.op
	}
	s.fn, s.site = c.Func, c.op.Site
	s.words = append(s.words[:0], c.Words...)
	switch c.Func.Class {
	case mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome:
		for i, q := range c.t.reqs {
			c.polled(q, c.t.handles[i])
		}
	case mpi.Iprobe, mpi.Improbe:
		c.a.log.Asks(c.t.log, c.Func, c.op, c.t.reqs)
		c.probed()
		return true
	default:
		s.mute = true
		return true
	}
	c.a.log.Asks(c.t.log, c.Func, c.op, c.t.reqs)
	return true
}

func (c *call) polled(q *objects.Request, handle uint64) {
	s := c.t.polls
	switch {
	case handle == c.r.Objects.Limits.Nulls[mpi.ORequest]:
	case q != nil && q.Make != nil && !q.Active: // nothing is under way (MPI-4.0, 3.9)
	case q == nil || len(q.Parts) != 1 || q.Next != nil:
		s.mute = true
	default:
		for _, seen := range s.parts {
			if seen == q.Parts[0] {
				return
			}
		}
		if len(s.parts) >= maxPolled {
			s.mute = true
			return
		}
		q.Parts[0].Keep()
		s.parts = append(s.parts, q.Parts[0])
	}
}

// probed notes what an Iprobe looks for, as a part that is in no queue.
func (c *call) probed() {
	comm := c.r.Objects.Comm(c.Word(mpi.RComm))
	if comm == nil || comm.Foreign {
		c.t.polls.mute = true
		return
	}
	p := c.recvPart(comm, op.Probe, c.Num(mpi.RPeer), c.Num(mpi.RTag))
	c.a.log.AsksFor(c.t.log, p)
	for _, seen := range c.t.polls.parts {
		if seen.Kind == p.Kind && seen.Src == p.Src && seen.Tag == p.Tag && seen.Ctx == p.Ctx {
			return
		}
	}
	if len(c.t.polls.parts) >= maxPolled {
		c.t.polls.mute = true
		return
	}
	p.Keep()
	c.t.polls.parts = append(c.t.polls.parts, p)
}

// inVain is for how long a rank polls before it is asked whether anybody is left who could end that. A program may well
// poll for a while for what need not come, as it does when it looks for messages that are left.
const inVain = 5 * time.Second

// pollsLong says whether a thread has polled for so long that it is to be looked at.
func (a *Agent) pollsLong(t *thread) bool {
	return a.now.Sub(t.polls.since) >= min(inVain, a.opts.LivelockTimeout)
}

// pollsOn says whether the thread has polled in the last second: one unsuccessful poll before a long computation is no
// livelock. It is asked again and again while a streak lasts.
func (t *thread) pollsOn(now time.Time) bool {
	const lately = time.Second
	n := t.ring.Polls() + uint64(t.stamp)
	switch {
	case t.polls.counted.IsZero():
		t.polls.count, t.polls.counted = n, now.Add(-lately)
	case n != t.polls.count:
		t.polls.count, t.polls.counted = n, now
	}
	return now.Sub(t.polls.counted) < lately
}

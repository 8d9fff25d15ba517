package calls

import (
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// maxPolled bounds what is remembered of a streak; a thread that polls more than this is taken to be able to go on.
const maxPolled = 256

func (s *PollStreak) end(n *waitstate.Node) {
	if s == nil || s.Op == nil && !s.Mute {
		return
	}
	for _, p := range s.Parts {
		n.Drop(p)
	}
	if s.Op != nil {
		n.Discard(s.Op)
	}
	*s = PollStreak{Parts: s.Parts[:0], Words: s.Words[:0]}
}

// Active says that there is a streak.
func (s *PollStreak) Active() bool { return s != nil && s.Op != nil }

// IsPoll says whether a call is one that a program may repeat while it waits.
func IsPoll(f *mpi.Func) bool {
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
	if !IsPoll(c.Func) {
		return false
	}
	if c.t.Polls == nil {
		c.t.Polls = new(PollStreak)
	}
	s := c.t.Polls
	if s.Op == nil {
		s.Since = c.a.Now
		s.Op = c.op
	}
	s.Func, s.Site = c.Func, c.op.Site
	s.Words = append(s.Words[:0], c.Words...)
	switch c.Func.Class {
	case mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome:
		for i, q := range c.t.Requests {
			c.t.polled(q, c.t.Handles[i])
		}
	case mpi.Iprobe, mpi.Improbe:
		c.t.See.Asks(c.Func, c.op, c.t.Requests)
		c.probed()
		return true
	default:
		s.Mute = true
		return true
	}
	c.t.See.Asks(c.Func, c.op, c.t.Requests)
	return true
}

func (t *Thread) polled(q *objects.Request, handle uint64) {
	s := t.Polls
	switch {
	case handle == t.Rank.Objects.Limits.Nulls[mpi.ORequest]:
	case q != nil && q.Make != nil && !q.Active: // nothing is under way (MPI-4.0, 3.9)
	case q == nil || len(q.Parts) != 1 || q.Next != nil:
		s.Mute = true
	default:
		for _, seen := range s.Parts {
			if seen == q.Parts[0] {
				return
			}
		}
		if len(s.Parts) >= maxPolled {
			s.Mute = true
			return
		}
		q.Parts[0].Keep()
		s.Parts = append(s.Parts, q.Parts[0])
	}
}

// probed notes what an Iprobe looks for, as a part that is in no queue.
func (c *call) probed() {
	comm := c.r.Objects.Comm(c.Word(mpi.RComm))
	if comm == nil || comm.Foreign {
		c.t.Polls.Mute = true
		return
	}
	p := c.recvPart(comm, op.Probe, c.Num(mpi.RPeer), c.Num(mpi.RTag))
	c.t.See.AsksFor(p)
	for _, seen := range c.t.Polls.Parts {
		if seen.Kind == p.Kind && seen.Src == p.Src && seen.Tag == p.Tag && seen.Ctx == p.Ctx {
			return
		}
	}
	if len(c.t.Polls.Parts) >= maxPolled {
		c.t.Polls.Mute = true
		return
	}
	p.Keep()
	c.t.Polls.Parts = append(c.t.Polls.Parts, p)
}

// Lately says whether the thread has polled in the last second, as it has polled so often by now: one unsuccessful poll
// before a long computation is no livelock. It is asked again and again while a streak lasts, and adds up for how long
// the thread has polled: not while its process was stopped, or had no processor.
func (s *PollStreak) Lately(n uint64, now time.Time) bool {
	const lately = time.Second
	switch {
	case s.counted.IsZero():
		s.count, s.counted = n, now.Add(-lately)
	case n != s.count:
		s.Polling += min(now.Sub(s.asked), lately)
		s.count, s.counted = n, now
	}
	s.asked = now
	return now.Sub(s.counted) < lately
}

package agent

import (
	"math"
	"slices"

	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/trace"
	"unknot/internal/waitstate"
)

// polls is what is known of a thread's polls that are not in the trace yet.
type polls struct {
	asked poll // the last one that was entered, which may find something
	held  poll // polls that found nothing, if its count is not 0
	since int  // recorded since the last call
}

type poll struct {
	trace.Poll
	waits   []trace.Wait
	unknown bool // on a communicator that is not modelled: not recorded, as no probe there is
}

// asks notes what a poll asks for that a plan can give an outcome. What nothing is known of is left out.
func (r *recorder) asks(c *call) {
	if r == nil || !c.Func.Chooses() {
		return
	}
	q := &c.t.logged.polls.asked
	*q = poll{waits: q.waits[:0], Poll: trace.Poll{Fn: r.fn(c.op.Fn), Site: r.site(c.r, c.op.Site),
		Any: c.Func.Class.OfAny(), Probe: c.Func.Class == mpi.Iprobe || c.Func.Class == mpi.Improbe}}
	for i, req := range c.t.reqs {
		switch {
		case req == nil, req.Persistent && !req.Active, len(req.Parts) != 1 && q.Any:
			continue
		}
		for _, p := range req.Parts {
			if p.Traced.Part > 0 {
				q.waits = append(q.waits, trace.Wait{Thread: p.Traced.Thread, Part: p.Traced.Part - 1, At: int32(i)})
			}
		}
	}
	q.unknown = q.Probe
}

// asksFor says that it asks for a message.
func (r *recorder) asksFor(c *call, p *waitstate.Part) {
	if r == nil {
		return
	}
	q := &c.t.logged.polls.asked
	q.unknown = false
	q.Comm, q.Peer, q.Tag = r.comm(c.r, p.Ctx, p), p.Src, p.Tag
	if p.Wild {
		q.Peer = op.AnySource
	}
}

// missed says that the poll entered last has found nothing n times, the first time as the thread's choice nth.
func (r *recorder) missed(t *thread, nth, n uint32) {
	if r == nil {
		return
	}
	k := &t.logged.polls
	if k.asked.unknown {
		return
	}
	if k.held.Count > 0 && k.held.Nth+k.held.Count == nth && k.held.Count <= math.MaxUint32-n &&
		k.held.repeats(&k.asked) {
		k.held.Count += n
		return
	}
	r.flushPolls(t)
	waits := append(k.held.waits[:0], k.asked.waits...)
	k.held = k.asked
	k.held.waits, k.held.Nth, k.held.Count = waits, nth, n
}

// repeats says whether two polls ask for the same at the same place.
func (p *poll) repeats(q *poll) bool {
	a, b := p.Poll, q.Poll
	a.Nth, a.Count, b.Nth, b.Count = 0, 0, 0, 0
	return a == b && slices.Equal(p.waits, q.waits)
}

// flushPolls records what is held, before the thread's next call.
func (r *recorder) flushPolls(t *thread) {
	if k := &t.logged.polls; k.held.Count > 0 {
		t.lesson.bar()
		if k.since < trace.MostPolls {
			k.since++
			t.stream.Poll(k.held.Poll, k.held.waits)
		}
		k.held.Count = 0
	}
}

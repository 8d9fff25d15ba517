package log

import (
	"math"
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
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

// Asks notes what a poll asks for that a plan can give an outcome. What nothing is known of is left out.
func (l *Log) Asks(t *Thread, f *mpi.Func, o *waitstate.Op, reqs []*objects.Request) {
	if l == nil || !f.Chooses() {
		return
	}
	q := &t.polls.asked
	*q = poll{waits: q.waits[:0], Poll: trace.Poll{Fn: l.fn(o.Fn), Site: l.site(t.rank, o.Site),
		Any: f.Class.OfAny(), Probe: f.Class == mpi.Iprobe || f.Class == mpi.Improbe}}
	for i, req := range reqs {
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

// AsksFor says that it asks for a message.
func (l *Log) AsksFor(t *Thread, p *waitstate.Part) {
	if l == nil {
		return
	}
	q := &t.polls.asked
	q.unknown = false
	q.Comm, q.Peer, q.Tag = l.comm(t.rank, p.Ctx, p), p.Src, p.Tag
	if p.Wild {
		q.Peer = op.AnySource
	}
}

// Missed says that the poll entered last has found nothing n times, the first time as the thread's choice nth.
func (l *Log) Missed(t *Thread, nth, n uint32) {
	if l == nil {
		return
	}
	k := &t.polls
	if k.asked.unknown {
		return
	}
	if k.held.Count > 0 && k.held.Nth+k.held.Count == nth && k.held.Count <= math.MaxUint32-n &&
		k.held.repeats(&k.asked) {
		k.held.Count += n
		return
	}
	l.flushPolls(t)
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
func (l *Log) flushPolls(t *Thread) {
	if k := &t.polls; k.held.Count > 0 {
		t.period.bar()
		if k.since < trace.MostPolls {
			k.since++
			t.stream.Poll(k.held.Poll, k.held.waits)
		}
		k.held.Count = 0
	}
}

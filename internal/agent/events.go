package agent

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// What happens in a thread (calls.Observer) is handed on here, to each in this order: the checks, the trace, the time
// line, what is learned of a period that repeats.

// Began: the checks see every call before it is taken in.
func (t *thread) Began() { t.checked.Began() }

// Called: the time line has calls that may wait for others, and so have the exceptions that were caught before one.
func (t *thread) Called(f *mpi.Func, o *waitstate.Origin) {
	t.caught.call(t.Stamp)
	if t.track != nil {
		t.track.call(o, f)
	}
}

// Started: the trace and the time line have the operation as the program has called it.
func (t *thread) Started(o *waitstate.Op) {
	t.checked.Started(o)
	t.agent.log.Enter(t.log, o, t.Func, t.Choice())
	if t.track != nil {
		t.track.operation(o)
	}
}

// Entering: what repeats is learned of the operation as it is entered.
func (t *thread) Entering(o *waitstate.Op, f *mpi.Func) {
	t.source.repeats.Operation(o, f)
}

// Returned is for the trace.
func (t *thread) Returned(failed bool) {
	if failed {
		t.agent.log.Failed(t.log)
	}
	t.agent.log.Returned(t.log)
}

// CallEnded: the checks see a call once the rank's objects have followed what it gave back.
func (t *thread) CallEnded(stamp uint32) { t.checked.CallEnded(stamp) }

// ThreadEnded is for both.
func (t *thread) ThreadEnded(stamp uint32) {
	t.checked.ThreadEnded(stamp)
	t.agent.log.End(t.log)
}

// Joining is for the trace.
func (t *thread) Joining(o *waitstate.Op) { t.agent.log.Join(t.log, o) }

// Asks is for the trace.
func (t *thread) Asks(f *mpi.Func, o *waitstate.Op, requests []*objects.Request) {
	t.agent.log.Asks(t.log, f, o, requests)
}

// AsksFor is for the trace.
func (t *thread) AsksFor(p *waitstate.Part) { t.agent.log.AsksFor(t.log, p) }

// Missed is for the trace.
func (t *thread) Missed(nth, n uint32) { t.agent.log.Missed(t.log, nth, n) }

// Found is for the trace.
func (t *thread) Found(o *waitstate.Op) { t.agent.log.Found(t.log, o, t.Func, t.Choice()) }

// Matched is for the trace.
func (t *thread) Matched(p *waitstate.Part, from op.Rank, tag int32) {
	t.agent.log.Matched(p, from, tag)
}

// Gone is for the trace.
func (t *thread) Gone(p *waitstate.Part) { t.agent.log.Gone(p) }

// Done is for the trace.
func (t *thread) Done(index int32) { t.agent.log.Done(t.log, index) }

// Requested is for the checks.
func (t *thread) Requested(q *objects.Request) { t.checked.Requested(q) }

// Restarted is for the checks.
func (t *thread) Restarted(q *objects.Request) { t.checked.Restarted(q) }

// Filled is for the checks.
func (t *thread) Filled(q *objects.Request, bytes int64, by objects.Made) {
	t.checked.Filled(q, bytes, by)
}

// Completed is for the time line.
func (t *thread) Completed(parts []*waitstate.Part) {
	if t.track != nil {
		t.track.completed(parts)
	}
}

// Made: a communicator is called what package place calls it; the time line has its topology.
func (t *thread) Made(c *objects.Comm) {
	r := t.rank
	c.Describe = func() finding.Wording { return t.agent.CommWords(&r.Process, c) }
	t.agent.arranged(t, c)
}

// Named is for the trace.
func (t *thread) Named(c *objects.Comm) { t.agent.log.Named(t.rank.log, c) }

// Numbered is for the checks.
func (t *thread) Numbered(number, made, commits uint64) { t.checked.Numbered(number, made, commits) }

// Remade is for the checks.
func (t *thread) Remade(number uint64) { t.checked.Remade(number) }

// LostTrack is for the checks.
func (t *thread) LostTrack() { t.rank.checked.Use.LoseTrack() }

// Unordered: the root judges no order there.
func (t *thread) Unordered(id op.CommID) { t.agent.net.SendUp(message.Failed{Ctx: id}) }

// data takes in a Data record that says nothing of a call, nor of memory: where the program's calls are, and what
// reports and the trace say besides.
func (a *describer) data(t *thread, id ring.DataID, v []uint64) {
	r := t.rank
	switch id {
	case ring.DataSite:
		s := decode.ReadStack(v)
		objects.Set(&r.Python, s.Site, s.Frames)
	case ring.DataCallers:
		c := decode.ReadCallers(v)
		objects.Set(&r.Callers, c.Number, c.PCs)
	case ring.DataMaps:
		r.Maps = symbol.ParseMaps(r.PID, decode.Text(v))
		a.resolve.Hold(r.Maps)
	case ring.DataPlan:
		if why := decode.Text(v); why != "" {
			a.net.SendUp(message.Unforced{Why: why})
		}
	case ring.DataUnused:
		u := decode.ReadUnused(v)
		a.net.SendUp(message.Unused{Rank: r.World, Thread: t.WS.Index, Receives: u.Receives, Decide: u.Decided,
			Sends: u.Sends, Named: u.Named, Choices: u.Choices, Unmet: u.Unmet})
	case ring.DataInteraction:
		a.log.Interacted(r.log, decode.ReadInteraction(v))
	case ring.DataCaught:
		t.caught.add(decode.ReadCaught(v), r.except, &a.opts.Owners)
	case ring.DataExcept:
		e := decode.ReadException(v)
		r.except = &message.Exception{Kind: e.Kind, Text: e.Text, Line: e.Line, File: e.File}
	}
}

package log

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/op"
)

// Periods that are left out are in the trace as what is repeated. While the agent follows the period that it learns by,
// what is recorded of it is kept.

// Period is what is recorded of a period. A nil one keeps nothing.
type Period struct {
	events []kept
	// records so far
	records int
	barred  bool
}

// kept is a part of the period, and which of its records it comes from.
type kept struct {
	record int
	event  tracefile.Event
}

// Follow keeps what is recorded of a thread from here on.
func (l *Log) Follow(t *Thread) *Period {
	if l == nil {
		return nil
	}
	t.period = new(Period)
	return t.period
}

// Leave ends that.
func (l *Log) Leave(t *Thread) {
	if l != nil {
		t.period = nil
	}
}

// Next says that the period's next record begins.
func (p *Period) Next() {
	if p != nil {
		p.records++
	}
}

// Barred says whether the period has something that a trace must tell one by one.
func (p *Period) Barred() bool { return p != nil && p.barred }

// bar says that it has.
func (p *Period) bar() {
	if p != nil {
		p.barred = true
	}
}

// keepCall keeps a call of the period.
func (p *Period) keepCall(t *Thread, q trace.Op, posts []trace.Part, waits []trace.Wait) {
	if p == nil || p.barred {
		return
	}
	e := tracefile.Event{Op: &q, Posts: slices.Clone(posts)}
	end := t.stream.Parts() + uint32(len(posts))
	for _, w := range waits {
		if w.Thread != t.stream.Number {
			p.barred = true
			return
		}
		e.Back = append(e.Back, end-w.Part)
		if q.Choice {
			e.At = append(e.At, w.At)
		}
	}
	p.events = append(p.events, kept{p.records - 1, e})
}

// keepOutcome keeps an outcome of it.
func (p *Period) keepOutcome(e tracefile.Event) {
	if p != nil {
		p.events = append(p.events, kept{p.records - 1, e})
	}
}

// Counts are those of a thread's sends and choices that plans name.
type Counts struct{ Sends, Choices uint32 }

// Repetition is that a thread has gone through its period so often.
type Repetition struct {
	Period *Period
	Next   int // the record of the period that comes next
	Times  uint32
	// the thread's counts before the period that was kept, before these, and by how much they grow in each
	Start, Now, Grows Counts
}

// Repeat records a repetition, and gives by how much it moves the numbers of the thread's parts.
func (l *Log) Repeat(t *Thread, r *Repetition) (moved uint32) {
	if l == nil {
		return 0
	}
	again := tracefile.Repeated{Times: r.Times, Sends: r.Grows.Sends, Choices: r.Grows.Choices}
	seqs := make(map[uint32]uint64)
	var parts, waits uint32
	for _, k := range turned(r.Period.events, r.Next) {
		e := k.event
		e.Posts = slices.Clone(e.Posts)
		for i := range e.Posts {
			switch p := &e.Posts[i]; {
			case p.Kind == op.Coll:
				p.Seq = t.seqs[p.Comm].next + seqs[p.Comm]
				seqs[p.Comm]++
			case p.Kind == op.Send && p.Mode == op.Standard:
				p.Nth = ahead(p.Nth, r.Start.Sends, r.Now.Sends, r.Grows.Sends)
			}
		}
		if e.Op != nil {
			o := *e.Op
			if o.Choice {
				o.Nth = ahead(o.Nth, r.Start.Choices, r.Now.Choices, r.Grows.Choices)
			}
			e.Op = &o
		}
		again.Events = append(again.Events, e)
		again.Open = e.Op != nil
		parts, waits = parts+uint32(len(e.Posts)), waits+uint32(len(e.Back))
	}
	if len(again.Events) == 0 {
		return 0
	}
	t.stream.Repeat(&again)
	for comm, n := range seqs {
		q := t.seqs[comm]
		t.seqs[comm] = seq{q.next + uint64(r.Times)*n, q.leftOut + uint64(r.Times)*n}
	}
	t.wait += r.Times * waits
	return r.Times * parts
}

// turned are the events of a period that begins with another record.
func turned(events []kept, next int) []kept {
	i, _ := slices.BinarySearchFunc(events, next, func(k kept, next int) int { return k.record - next })
	return slices.Concat(events[i:], events[:i])
}

// ahead is the number that comes next of what had one in the period that was kept, whose numbers began with start and
// grow by so much in each.
func ahead(number, start, now, grows uint32) uint32 {
	if grows == 0 {
		return number
	}
	return now + (number-start+grows-(now-start)%grows)%grows
}

// seq counts a thread's collectives on a communicator: the number of the next one in the trace, and how many of those
// before were left out.
type seq struct{ next, leftOut uint64 }

// seqOf is the number of a collective that a thread begins.
func (t *Thread) seqOf(comm uint32, p *waitstate.Part) uint64 {
	if t.seqs == nil {
		t.seqs = make(map[uint32]seq)
	}
	q := t.seqs[comm]
	n := p.Member.Seq() + q.leftOut
	t.seqs[comm] = seq{n + 1, q.leftOut}
	return n
}

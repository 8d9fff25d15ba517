package agent

import (
	"slices"

	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/waitstate"
)

// Periods that are left out are in the trace as what is repeated. While the agent follows the period that it learns by,
// it keeps what it records.

// kept is a part of the period, and which of its records it comes from.
type kept struct {
	record int
	event  tracefile.Event
}

// keepCall keeps a call of the period.
func (l *lesson) keepCall(t *thread, q trace.Op, posts []trace.Part, waits []trace.Wait) {
	if l == nil || l.barred {
		return
	}
	e := tracefile.Event{Op: &q, Posts: slices.Clone(posts)}
	end := t.stream.Parts() + uint32(len(posts))
	for _, w := range waits {
		if w.Thread != t.stream.Number {
			l.barred = true
			return
		}
		e.Back = append(e.Back, end-w.Part)
		if q.Choice {
			e.At = append(e.At, w.At)
		}
	}
	l.events = append(l.events, kept{l.records - 1, e})
}

// keepOutcome keeps an outcome of it.
func (l *lesson) keepOutcome(e tracefile.Event) {
	if l != nil {
		l.events = append(l.events, kept{l.records - 1, e})
	}
}

// bar says that the period has something that a trace must tell one by one.
func (l *lesson) bar() {
	if l != nil {
		l.barred = true
	}
}

// repeat records that a thread has gone through its period so often. It is called before the counts of the thread are
// those afterwards; next is the record of the period that comes next.
func (r *recorder) repeat(s *source, next int, times uint32) {
	if r == nil {
		return
	}
	t, l := s.thread, s.repeats.lesson
	again := tracefile.Repeated{Times: times, Sends: l.grows.sends, Choices: l.grows.choices}
	now := t.counts()
	seqs := make(map[uint32]uint64)
	var parts, waits uint32
	for _, k := range turned(l.events, next) {
		e := k.event
		e.Posts = slices.Clone(e.Posts)
		for i := range e.Posts {
			switch p := &e.Posts[i]; {
			case p.Kind == op.Coll:
				p.Seq = t.logged.seqs[p.Comm].next + seqs[p.Comm]
				seqs[p.Comm]++
			case p.Kind == op.Send && p.Mode == op.Standard:
				p.Nth = ahead(p.Nth, l.start.sends, now.sends, l.grows.sends)
			}
		}
		if e.Op != nil {
			o := *e.Op
			if o.Choice {
				o.Nth = ahead(o.Nth, l.start.choices, now.choices, l.grows.choices)
			}
			e.Op = &o
		}
		again.Events = append(again.Events, e)
		again.Open = e.Op != nil
		parts, waits = parts+uint32(len(e.Posts)), waits+uint32(len(e.Back))
	}
	if len(again.Events) == 0 {
		return
	}
	t.stream.Repeat(&again)
	for comm, n := range seqs {
		q := t.logged.seqs[comm]
		t.logged.seqs[comm] = seq{q.next + uint64(times)*n, q.leftOut + uint64(times)*n}
	}
	t.logged.wait += times * waits
	s.renumber(times * parts)
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

// renumber gives parts of calls of the period that are still of interest the numbers of as many parts later.
func (s *source) renumber(by uint32) {
	done := make(map[*waitstate.Part]bool)
	move := func(p *waitstate.Part) {
		if p.Traced.Part > 0 && p.Origin != nil && int32(p.Origin.Stamp-s.repeats.since) >= 0 && !done[p] {
			done[p] = true
			p.Traced.Part += by
		}
	}
	s.thread.rank.objects.Pending(func(q *objects.Request) {
		for _, p := range q.Parts {
			move(p)
		}
	})
	if o := s.thread.op; o != nil {
		for _, p := range o.Waits {
			move(p)
		}
		for _, p := range o.Posts {
			move(p)
		}
	}
}

// seq counts a thread's collectives on a communicator: the number of the next one in the trace, and how many of those
// before were left out.
type seq struct{ next, leftOut uint64 }

// seqOf is the number of a collective that a thread begins.
func (g *logged) seqOf(comm uint32, p *waitstate.Part) uint64 {
	if g.seqs == nil {
		g.seqs = make(map[uint32]seq)
	}
	q := g.seqs[comm]
	n := p.Member.Seq() + q.leftOut
	g.seqs[comm] = seq{n + 1, q.leftOut}
	return n
}

// Package pairing finds out from a log which message each receive took: by the order of messages between two ranks
// (MPI-4.0, 3.5), and by what the run saw of receives from any source.
package pairing

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Ref names a part of a log: indexes into Log.Threads and that thread's Parts.
type Ref struct{ Thread, Part uint32 }

// In is the part.
func (r Ref) In(l *trace.Log) *trace.Part { return &l.Threads[r.Thread].Parts[r.Part] }

// Pairs are the sends and receives of a log that belong together.
type Pairs struct {
	Message map[Ref]Ref // by receive or probe: the send
	Taker   map[Ref]Ref // by send: the receive
}

// way is the way of messages from one rank to another in a communicator. In it, they do not overtake each other.
type way struct {
	from, to op.Rank
	comm     uint32
}

// queue has the messages of a way in order: all of them, and those of each tag. The heads before what is known to be
// taken are gone.
type queue struct {
	all   []Ref
	byTag map[int32][]Ref
}

// Of pairs the sends and receives of a log by what Envelope says of each.
func Of(l *trace.Log) *Pairs {
	return By(l, func(_ *trace.Thread, p *trace.Part) (op.Rank, int32) { return Envelope(p) })
}

// By pairs the sends and receives of a log, in time linear in their number. It asks of each receive and probe, in the
// order of each thread, for the source and tag of its message. What was cancelled has no partner, nor has a receive
// whose source is not known (op.AnySource).
func By(l *trace.Log, envelope func(*trace.Thread, *trace.Part) (from op.Rank, tag int32)) *Pairs {
	p := &Pairs{Message: make(map[Ref]Ref), Taker: make(map[Ref]Ref)}
	sent := sends(l)
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Parts {
			x := &t.Parts[k]
			if x.Kind != op.Recv && x.Kind != op.Probe || x.Gone {
				continue
			}
			from, tag := envelope(t, x)
			q := sent[way{from, t.Rank, x.Comm}]
			if q == nil {
				continue
			}
			if s, ok := p.next(q, tag); ok {
				me := Ref{uint32(i), uint32(k)}
				p.Message[me] = s
				if x.Kind == op.Recv {
					p.Taker[s] = me
				}
			}
		}
	}
	return p
}

// Envelope is the source and tag of the message that a receive or probe took, as far as the run saw them, else of those
// that it asks for: op.AnySource and op.AnyTag are possible.
func Envelope(p *trace.Part) (from op.Rank, tag int32) {
	from, tag = p.Peer, p.Tag
	if p.Matched >= 0 {
		from = p.Matched
		if p.MatchedTag >= 0 {
			tag = p.MatchedTag
		}
	}
	return from, tag
}

func sends(l *trace.Log) map[way]*queue {
	sent := make(map[way]*queue)
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Parts {
			x := &t.Parts[k]
			if x.Kind != op.Send || x.Gone {
				continue
			}
			key := way{t.Rank, x.Peer, x.Comm}
			q := sent[key]
			if q == nil {
				q = &queue{byTag: make(map[int32][]Ref)}
				sent[key] = q
			}
			me := Ref{uint32(i), uint32(k)}
			q.all = append(q.all, me)
			q.byTag[x.Tag] = append(q.byTag[x.Tag], me)
		}
	}
	return sent
}

// next is the first message of a queue with the tag that no receive has taken.
func (p *Pairs) next(q *queue, tag int32) (s Ref, ok bool) {
	if tag == op.AnyTag {
		q.all = p.left(q.all)
		return first(q.all)
	}
	list := p.left(q.byTag[tag])
	if len(list) < len(q.byTag[tag]) {
		q.byTag[tag] = list
	}
	return first(list)
}

// left leaves out what is taken at the head of a list.
func (p *Pairs) left(list []Ref) []Ref {
	for len(list) > 0 {
		if _, taken := p.Taker[list[0]]; !taken {
			break
		}
		list = list[1:]
	}
	return list
}

func first(list []Ref) (Ref, bool) {
	if len(list) == 0 {
		return Ref{}, false
	}
	return list[0], true
}

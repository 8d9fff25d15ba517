package file

import (
	"fmt"
	"math"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Event is a part of a period of a thread's calls: a call with what it starts and waits for, or an outcome of an
// earlier one.
type Event struct {
	Op    *trace.Op // as Stream.Op takes it, but that Nth counts as Repeated.Choices does; nil for an outcome
	Posts []trace.Part
	// Back says of each thing that the call waits for how many parts before the thread's next one, after Posts, it was
	// started; 1 is the last of Posts.
	Back []uint32
	At   []int32 // the place of each, if the call has a choice

	Kind OutcomeKind
	// Before says how many parts, or of Done waits, before the thread's next one that of the outcome is.
	Before uint32
	Rank   op.Rank // Matched
	Tag    int32   // Matched
}

// Repeated is a period of calls that a thread has made several times, and that was not recorded call by call.
type Repeated struct {
	Events []Event
	Times  uint32
	Open   bool // the last call may not have returned the last time; all others have
	// Sends and Choices are by how much the numbers of what a plan can name (trace.Part.Nth of sends, trace.Op.Nth)
	// grow in a period.
	Sends, Choices uint32
}

// Repeat takes calls that repeat, of which Op is not called. Seq and Nth of the posts are those of the first time.
func (s *Stream) Repeat(r *Repeated) {
	if r.Times == 0 {
		return
	}
	s.Returned()
	s.Flush()
	if s.w.dead.Load() {
		return
	}
	first := totals{s.ops, s.parts, s.waits}
	s.repeating = true
	for i := range r.Events {
		s.event(&r.Events[i])
	}
	s.repeating = false
	grown := totals{s.ops - first.ops, s.parts - first.parts, s.waits - first.waits}
	all := uint64(r.Times-1) * uint64(max(grown.ops, grown.parts, grown.waits))
	if uint64(max(s.ops, s.parts, s.waits))+all > nearlyAll {
		s.w.stop(fmt.Errorf("a thread has made more than %s calls and requests", trace.Thousands(nearlyAll)))
		s.drop()
		return
	}
	h := s.block
	h.kind, h.thread, h.returned = repeatBlock, s.Number, s.ops
	if r.Open {
		h.returned--
	}
	raw := put(put(put(nil, uint64(r.Times)), uint64(r.Sends)), uint64(r.Choices))
	raw = append(raw, s.columns()...)
	more := r.Times - 1
	s.ops, s.parts, s.waits = s.ops+more*grown.ops, s.parts+more*grown.parts, s.waits+more*grown.waits
	s.returned = h.returned + more*grown.ops
	s.w.addRepeated(s, h, s.w.pack(&h, raw), r.Times)
	s.drop()
}

// event encodes one.
func (s *Stream) event(e *Event) {
	if e.Op == nil {
		number := s.parts
		if e.Kind == Done {
			number = s.waits
		}
		s.outcome(e.Kind, number-e.Before)
		if e.Kind == Matched {
			s.cols[colMet] = putSigned(putSigned(s.cols[colMet], int64(e.Rank)), int64(e.Tag))
		}
		return
	}
	end := s.parts + uint32(len(e.Posts))
	waits := make([]trace.Wait, len(e.Back))
	for i, back := range e.Back {
		waits[i] = trace.Wait{Thread: s.Number, Part: end - back}
		if e.At != nil {
			waits[i].At = e.At[i]
		}
	}
	s.Op(*e.Op, e.Posts, waits)
}

// repetition is what a block of calls that were made several times says before them.
type repetition struct {
	times, sends, choices uint32
}

// repeatHead is how many numbers that are.
const repeatHead = 3

// readRepetition reads it, and gives what comes after it.
func readRepetition(raw []byte) (r repetition, rest []byte, err error) {
	c := cursor{b: raw}
	times, sends, choices := c.next(), c.next(), c.next()
	if c.bad || times == 0 || max(times, sends, choices) > math.MaxUint32 {
		return r, nil, fmt.Errorf("a number of repetitions that cannot be")
	}
	return repetition{uint32(times), uint32(sends), uint32(choices)}, c.b, nil
}

// period is a period that a block holds once.
type period struct {
	once           Block
	sends, choices uint32
	seqs           map[uint32]uint64 // collectives by communicator
	done, left     uint32            // copies so far, and those to come
	open           uint32            // calls of the last one that have not returned
}

func newPeriod(b *Block, h *header, r repetition) *period {
	p := &period{once: *b, sends: r.sends, choices: r.choices, seqs: make(map[uint32]uint64), left: r.times,
		open: h.firstOp + h.ops - h.returned}
	p.once.Ops, p.once.Parts = append([]trace.Op(nil), b.Ops...), append([]trace.Part(nil), b.Parts...)
	p.once.Waits, p.once.Outcomes = append([]trace.Wait(nil), b.Waits...), append([]Outcome(nil), b.Outcomes...)
	for i := range b.Parts {
		if b.Parts[i].Kind == op.Coll {
			p.seqs[b.Parts[i].Comm]++
		}
	}
	return p
}

// next fills b with some of the copies that are left; false if none are.
func (p *period) next(b *Block) bool {
	if p.left == 0 {
		return false
	}
	ops, parts, waits := uint32(len(p.once.Ops)), uint32(len(p.once.Parts)), uint32(len(p.once.Waits))
	n := min(p.left, max(1, maxOps/max(1, ops, parts, waits)))
	b.FirstOp, b.FirstPart, b.FirstWait = p.once.FirstOp+p.done*ops, p.once.FirstPart+p.done*parts,
		p.once.FirstWait+p.done*waits
	b.Ops, b.Parts, b.Waits, b.Outcomes, b.Polls, b.PollWaits = b.Ops[:0], b.Parts[:0], b.Waits[:0], b.Outcomes[:0],
		b.Polls[:0], b.PollWaits[:0]
	for k := p.done; k < p.done+n; k++ {
		for _, o := range p.once.Ops {
			o.First, o.WaitAt = o.First+k*parts, o.WaitAt+k*waits
			if o.Choice {
				o.Nth += k * p.choices
			}
			b.Ops = append(b.Ops, o)
		}
		for _, q := range p.once.Parts {
			switch {
			case q.Kind == op.Coll:
				q.Seq += uint64(k) * p.seqs[q.Comm]
			case q.Kind == op.Send && q.Mode == op.Standard:
				q.Nth += k * p.sends
			}
			b.Parts = append(b.Parts, q)
		}
		for _, w := range p.once.Waits {
			if w.Thread == p.once.Thread {
				w.Part += k * parts
			}
			b.Waits = append(b.Waits, w)
		}
		for _, o := range p.once.Outcomes {
			if o.Kind == Done {
				o.Number += k * waits
			} else {
				o.Number += k * parts
			}
			b.Outcomes = append(b.Outcomes, o)
		}
	}
	p.done, p.left = p.done+n, p.left-n
	if b.Returned = b.FirstOp + n*ops; p.left == 0 {
		b.Returned -= p.open
	}
	return true
}

package file

import (
	"fmt"
	"math"
	"time"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Stream takes the calls of one thread, in its order. Numbers of calls, parts and waits count from the thread's begin.
type Stream struct {
	Number uint32 // of the thread in the file: Wait.Thread

	w       *Writer
	ops     uint32 // so far
	parts   uint32
	waits   uint32
	written uint32 // calls that are in the file
	// returned is the number of calls that have returned.
	returned uint32
	block    header
	cols     [numColumns][]byte
	held     int // bytes in cols, more or less
	dirty    bool
	ended    bool
	// repeating says that what comes is encoded as one block.
	repeating bool
	since     time.Time // when a tick first saw what is held

	expected
}

// expected is what the next number of a column is expected to be.
type expected struct {
	// What the next number of a column is expected to be.
	seq     uint64
	what    uint64
	nthSend uint32
	nthWild uint32
	metNext uint32
	nthCall uint32
	// Of polls.
	pollAt  uint32
	nthPoll uint32
}

// nearlyAll bounds the calls, parts and waits of a thread, which are counted by 32 bits.
const nearlyAll = math.MaxUint32 - 1<<26

// Op takes the next call, the parts that it starts and what it waits for, and returns the numbers of the first of each.
// All earlier calls have returned. First, Started, WaitAt and Waiting of o are not looked at. Matched, MatchedTag,
// Gone, Done and Returned come later, by the methods below.

func (s *Stream) Op(o trace.Op, posts []trace.Part, waits []trace.Wait) (part, wait uint32) {
	if s.w.dead.Load() {
		s.drop()
		return 0, 0
	}
	if s.ops > 0 {
		s.returned = s.ops
	}
	part, wait = s.parts, s.waits
	c := &s.cols
	c[colFn] = put(c[colFn], uint64(o.Fn))
	c[colFlags] = append(c[colFlags], flags(&o))
	c[colSite] = put(c[colSite], uint64(o.Site))
	if o.Choice {
		c[colChoice] = putSigned(c[colChoice], int64(int32(o.Nth-s.nthCall)))
		s.nthCall = o.Nth + 1
	}
	c[colStarted] = put(c[colStarted], uint64(len(posts)))
	c[colWaiting] = put(c[colWaiting], uint64(len(waits)))
	for i := range posts {
		s.part(&posts[i])
	}
	end := s.parts + uint32(len(posts))
	at := places{}
	for _, wait := range waits {
		if o.Choice {
			c[colAt] = at.put(c[colAt], wait.At)
		}
		if wait.Thread == s.Number && wait.Part < end {
			c[colWait] = put(c[colWait], uint64(end-wait.Part))
			continue
		}
		c[colWait] = append(c[colWait], 0)
		c[colOther] = put(put(c[colOther], uint64(wait.Thread)), uint64(wait.Part))
	}
	s.ops++
	s.parts, s.waits = end, s.waits+uint32(len(waits))
	s.block.ops++
	s.block.parts += uint32(len(posts))
	s.block.waits += uint32(len(waits))
	s.held += 5 + 9*len(posts) + len(waits)
	s.dirty = true
	if !s.repeating && (s.held >= s.w.hold() || s.block.ops == maxOps) {
		s.Flush()
	}
	if max(s.ops, s.parts, s.waits) > nearlyAll {
		s.w.stop(fmt.Errorf("a thread has made more than %s calls and requests", trace.Thousands(nearlyAll)))
	}
	return part, wait
}

func flags(o *trace.Op) byte {
	b := byte(0)
	if o.Blocking {
		b |= flagBlocking
	}
	if o.Any {
		b |= flagAny
	}
	if o.Opaque {
		b |= flagOpaque
	}
	if o.Final {
		b |= flagFinal
	}
	if o.Choice {
		b |= flagChoice
	}
	return b
}

// places are those of requests in an array, one after the other: mostly each is next to the one before it.
type places struct{ next int32 }

func (p *places) put(b []byte, at int32) []byte {
	b = putSigned(b, int64(at)-int64(p.next))
	p.next = at + 1
	return b
}

func (p *places) read(c *cursor) int32 {
	at := p.next + int32(c.signed())
	p.next = at + 1
	return at
}

// Poll takes polls that found nothing, between the last call and the next one. Before, WaitAt and Waiting of p are not
// looked at. What they wait for was started before.
func (s *Stream) Poll(p trace.Poll, waits []trace.Wait) {
	if s.w.dead.Load() {
		return
	}
	flags := uint64(0)
	if p.Any {
		flags |= pollAny
	}
	if p.Probe {
		flags |= pollProbe
	}
	c := &s.cols[colPoll]
	if s.block.polls == 0 {
		s.pollAt = s.block.firstOp
	}
	before := len(*c)
	*c = put(put(*c, uint64(p.Fn)), flags)
	*c = put(put(*c, uint64(s.ops-s.pollAt)), uint64(p.Count))
	*c = putSigned(*c, int64(int32(p.Nth-s.nthPoll)))
	*c = put(*c, uint64(p.Site))
	if p.Probe {
		*c = putSigned(putSigned(put(*c, uint64(p.Comm)), int64(p.Peer)), int64(p.Tag))
	}
	s.pollAt, s.nthPoll = s.ops, p.Nth+p.Count
	*c = put(*c, uint64(len(waits)))
	at := places{}
	for _, w := range waits {
		*c = at.put(*c, w.At)
		if w.Thread == s.Number { // the difference repeats itself where the part does not
			*c = putSigned(put(*c, 0), int64(w.Part)-int64(s.parts))
			continue
		}
		*c = put(put(*c, uint64(w.Thread)+1), uint64(w.Part))
	}
	s.block.polls++
	s.held += len(*c) - before
	s.dirty = true
	if s.held >= s.w.hold() {
		s.Flush()
	}
}

func (s *Stream) part(p *trace.Part) {
	c := &s.cols
	kind := byte(p.Kind)
	switch p.Kind {
	case op.Send:
		kind |= byte(p.Mode) << 3
	case op.Coll:
		kind |= byte(p.Sync) << 3
	}
	if p.Wild {
		kind |= 1 << 6
	}
	c[colPart] = append(c[colPart], kind)
	c[colComm] = put(c[colComm], uint64(p.Comm))
	c[colPeer] = putSigned(c[colPeer], int64(p.Peer))
	switch p.Kind {
	case op.Send:
		c[colTag] = putSigned(c[colTag], int64(p.Tag))
		c[colBytes] = putSigned(c[colBytes], p.Bytes)
		if p.Mode == op.Standard {
			c[colNth] = putSigned(c[colNth], int64(int32(p.Nth-s.nthSend)))
			s.nthSend = p.Nth + 1
		}
	case op.Recv, op.Probe:
		c[colTag] = putSigned(c[colTag], int64(p.Tag))
		if p.Wild {
			c[colNth] = putSigned(c[colNth], int64(int32(p.Nth-s.nthWild)))
			s.nthWild = p.Nth + 1
		}
	case op.Coll:
		c[colSeq] = putSigned(c[colSeq], int64(p.Seq-s.seq))
		c[colWhat] = putSigned(c[colWhat], int64(p.What-s.what))
		s.seq, s.what = p.Seq+1, p.What
	}
}

// OutcomeKind says what became known of an earlier call.
type OutcomeKind uint8

// Kinds of outcomes.
const (
	Matched OutcomeKind = iota // part Number was given a message of Rank with Tag
	Gone                       // part Number was cancelled
	Done                       // wait Number of a call with Op.Any was reported as complete
	Failed                     // call Number came back with an error: its waits are not done
)

// Matched says whose message a receive or probe was given, and with which tag.
func (s *Stream) Matched(part uint32, from op.Rank, tag int32) {
	s.outcome(Matched, part)
	s.cols[colMet] = putSigned(putSigned(s.cols[colMet], int64(from)), int64(tag))
}

// Gone says that a part was cancelled.
func (s *Stream) Gone(part uint32) { s.outcome(Gone, part) }

// Done says that a call which waits for any of several reported this one as complete. The waits of other calls count as
// done when the call has returned.
func (s *Stream) Done(wait uint32) { s.outcome(Done, wait) }

// Failed says that the last call came back with an error.
func (s *Stream) Failed() {
	if s.ops > 0 {
		s.outcome(Failed, s.ops-1)
	}
}

// Returned says that the last call has returned.
func (s *Stream) Returned() {
	s.dirty = s.dirty || s.returned != s.ops
	s.returned = s.ops
}

func (s *Stream) outcome(k OutcomeKind, number uint32) {
	s.cols[colOutcome] = put(s.cols[colOutcome], zigzag(int64(int32(number-s.metNext)))<<2|uint64(k))
	s.metNext = number + 1
	s.block.outcomes++
	s.held += 4
	s.dirty = true
}

// Tick writes what has been held for a second or more: what a crash may lose.
func (s *Stream) Tick(now time.Time) {
	switch {
	case !s.dirty:
	case s.since.IsZero():
		s.since = now
	case now.Sub(s.since) >= s.w.age():
		s.Flush()
	}
}

// Flush writes what is held.
func (s *Stream) Flush() {
	if !s.dirty || s.w.dead.Load() {
		s.drop()
		return
	}
	h := s.block
	h.kind, h.thread, h.returned = callsBlock, s.Number, s.returned
	raw := s.columns()
	if len(raw) > maxRaw {
		s.w.stop(fmt.Errorf("a call has more requests than a trace can hold"))
		s.drop()
		return
	}
	packed := s.w.pack(&h, raw)
	s.w.add(s, h, packed)
	s.drop()
}

// columns are all of them, each after its length.
func (s *Stream) columns() []byte {
	size := 0
	for i := range s.cols {
		size += 5 + len(s.cols[i])
	}
	raw := make([]byte, 0, size)
	for i := range s.cols {
		raw = append(put(raw, uint64(len(s.cols[i]))), s.cols[i]...)
	}
	return raw
}

// drop begins a new block.
func (s *Stream) drop() {
	for i := range s.cols {
		if s.cols[i] = s.cols[i][:0]; cap(s.cols[i]) > 2*mostHeld { // one huge call
			s.cols[i] = nil
		}
	}
	s.block = header{firstOp: s.ops, firstPart: s.parts, firstWait: s.waits}
	s.held, s.dirty, s.since = 0, false, time.Time{}
	s.seq, s.what, s.nthSend, s.nthWild, s.metNext, s.nthCall, s.nthPoll = 0, 0, 0, 0, 0, 0, 0
}

// Parts is how many parts the thread has started: the number of the next one.
func (s *Stream) Parts() uint32 { return s.parts }

// Waits is how many things the thread's calls have waited for: the number of the next one.
func (s *Stream) Waits() uint32 { return s.waits }

// End writes what is held and lets go of the memory: the thread has ended. Outcomes may still come.
func (s *Stream) End() {
	s.Returned()
	s.Flush()
	s.cols = [numColumns][]byte{}
	if !s.ended {
		s.ended = true
		s.w.count.Add(-1)
	}
}

// Package match decides who met whom, point to point: sends and receives of one receiving rank, by MPI's rules of
// non-overtaking order (MPI-4.0, section 3.5) and by the observed choice for wildcard receives, which is never guessed.
//
// A Queue belongs to one receiving rank and one context (a communicator, or a channel of the tool's own). The caller
// owns all Sends and Recvs; a Queue only links them. Matches are appended to Out, which the caller drains.
package match

import (
	"slices"

	"unknot/internal/vocab/op"
)

// Send is a message on its way, as the receiver's side sees it. The caller fills Src, Tag and Owner.
type Send struct {
	Src   op.Rank
	Tag   int32
	Owner any   // the caller's object
	Recv  *Recv // set when matched
	// it was taken, but a probe that is still open may be the one that sees it: the Send has to stay as it is
	Passed bool

	seq        uint64
	next, prev *Send
	in         *channel
}

// Recv is a posted receive, or a probe (Peek). The caller fills Src, Tag, Peek and Owner.
type Recv struct {
	Src   op.Rank // op.AnySource for a wildcard that is not decided yet
	Tag   int32   // op.AnyTag for any
	Peek  bool    // a probe: sees a message and leaves it where it is
	Owner any
	Send  *Send // set when matched

	seq        uint64
	next, prev *Recv
	list       *recvList
	// passed are messages that later receives took while it was open which message this probe sees: it may be one of
	// them.
	passed []*Send
}

// Pair is a match.
type Pair struct {
	Send *Send
	Recv *Recv
}

// recvList is in posting order.
type recvList struct {
	head, tail *Recv
	probes     int // among them
}

// channel holds what is open between one source and the queue's rank.
type channel struct {
	src         op.Rank
	first, last *Send // unmatched sends, in order
	recvs       recvList
	isContended bool
	// settled: no receive here fits a message here. Then only what is new can match, and a queue of many messages that
	// nobody receives yet is not searched for each of them.
	settled bool
}

// Queue matches the messages to one rank in one context.
type Queue struct {
	Out []Pair

	seq      uint64
	wild     recvList // undecided wildcards, by posting order
	last     *channel // the channel used last
	channels channels
	// contended are the channels that hold both sends and receives: only a decision can move them.
	contended []*channel
}

func (q *Queue) channel(src op.Rank) *channel {
	if q.last != nil && q.last.src == src {
		return q.last
	}
	c := q.channels.of(src)
	if c == nil {
		c = &channel{src: src}
		q.channels.add(c)
	}
	q.last = c
	return c
}

func fits(r *Recv, s *Send) bool { return Fits(r.Src, r.Tag, s.Src, s.Tag) }

// Fits says whether a receive with a source and tag, wildcards or not, would take a message with these (MPI-4.0,
// 3.2.4).
func Fits(source op.Rank, tag int32, from op.Rank, sent int32) bool {
	return (tag == op.AnyTag || tag == sent) && (source == op.AnySource || source == from)
}

// Arrive adds a message. It is matched at once if the standard fixes its receive.
func (q *Queue) Arrive(s *Send) {
	q.seq++
	s.seq = q.seq
	c := q.channel(s.Src)
	q.showToProbes(c, s)
	if q.wild.head == nil && c.first == nil {
		if r := c.recvs.head; r != nil && fits(r, s) {
			q.pair(s, r)
			return
		}
	}
	if q.isSettled(c) {
		for r := c.recvs.head; r != nil; r = r.next {
			if fits(r, s) {
				q.pair(s, r)
				return
			}
		}
		c.insert(s)
		q.note(c)
		return
	}
	c.insert(s)
	if c.recvs.head != nil {
		q.resolve(c)
	}
}

// isSettled says whether nothing that is open in a channel can match.
func (q *Queue) isSettled(c *channel) bool {
	return c.settled && q.wild.head == nil && c.recvs.probes == 0
}

// Post adds a receive or a probe. A probe that finds its message is done at once and not kept.
func (q *Queue) Post(r *Recv) {
	q.seq++
	r.seq = q.seq
	if r.Src == op.AnySource {
		q.wild.insert(r)
		return
	}
	c := q.channel(r.Src)
	if c.first == nil {
		c.recvs.insert(r)
		return
	}
	if !r.Peek && q.isSettled(c) {
		c.recvs.insert(r)
		if s := c.firstFit(r); s != nil {
			q.pair(s, r)
		}
		q.note(c)
		return
	}
	c.recvs.insert(r)
	q.resolve(c)
}

// Decide tells whom a receive met, as the program's MPI reported it; true if it was undecided. The caller calls Resolve
// after the last decision of a batch.
func (q *Queue) Decide(r *Recv, src op.Rank, tag int32) bool {
	if r.list != &q.wild {
		return false
	}
	q.wild.remove(r)
	r.Src, r.Tag = src, tag
	c := q.channel(src)
	c.recvs.insert(r)
	c.settled = false
	q.note(c)
	return true
}

// Suspend makes a posted receive undecided, since MPI may now cancel it instead of completing it (MPI-4.0, 3.8.4). It
// is settled later by Decide or Drop.
func (q *Queue) Suspend(r *Recv) {
	if r.list != nil && r.list != &q.wild {
		r.list.remove(r)
		q.wild.insert(r)
	}
}

// Drop takes a receive out: it was cancelled, or a probe was given up. A message that it had been given goes back to
// its place in the order; the caller calls Resolve afterwards.
func (q *Queue) Drop(r *Recv) {
	if r.list != nil {
		r.list.remove(r)
	}
	if s := r.Send; s != nil && !r.Peek {
		r.Send, s.Recv = nil, nil
		c := q.channel(s.Src)
		c.insert(s)
		c.settled = false
		q.note(c)
	}
}

// Withdraw takes an unmatched send out: it was cancelled.
func (q *Queue) Withdraw(s *Send) {
	if s.in != nil {
		s.in.remove(s)
	}
}

// Resolve matches whatever decisions have freed.
func (q *Queue) Resolve() {
	kept := q.contended[:0]
	for _, c := range q.contended {
		q.match(c)
		if c.hasBoth() {
			kept = append(kept, c)
		} else {
			c.isContended = false
		}
	}
	q.contended = kept
}

// Candidate returns an unmatched message that r could take, or nil. With r undecided these are the messages among which
// MPI may choose; a definite r has one only while an earlier wildcard is undecided.
func (q *Queue) Candidate(r *Recv) *Send {
	if r.Src != op.AnySource {
		if c := q.channels.of(r.Src); c != nil {
			return c.firstFit(r)
		}
		return nil
	}
	var best *Send
	for c := range q.channels.all() {
		if s := c.firstFit(r); s != nil && (best == nil || s.Src < best.Src) {
			best = s
		}
	}
	return best
}

// Choices are the messages of which an undecided receive takes one, whichever comes first, by ascending source. There
// are none if a receive that was posted before it may take one of them.
func (q *Queue) Choices(r *Recv) []*Send {
	if r.list != &q.wild {
		return nil
	}
	var out []*Send
	for _, c := range q.channels.sources() {
		s := c.firstFit(r)
		if s == nil {
			continue
		}
		earlier := false
		q.Takers(s, func(other *Recv) bool {
			earlier = other.seq < r.seq
			return !earlier
		})
		if earlier {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// Takers calls visit for every posted receive that could still be given an unmatched message, until it returns false.
// There is one only while an earlier wildcard is undecided, or is undecided itself.
func (q *Queue) Takers(s *Send, visit func(*Recv) bool) {
	for _, l := range []*recvList{&q.wild, &q.channel(s.Src).recvs} {
		for r := l.head; r != nil; r = r.next {
			if !r.Peek && fits(r, s) && !visit(r) {
				return
			}
		}
	}
}

// Served says whether an unmatched receive has a message for certain, whatever MPI chooses: those that it fits are more
// than the other receives that may take one of them.
func (q *Queue) Served(r *Recv) bool {
	messages, others := 0, 0
	q.Unmatched(func(s *Send) bool {
		if fits(r, s) {
			messages++
		}
		return true
	})
	if messages == 0 {
		return false
	}
	q.Posted(func(other *Recv) bool {
		if other != r && !other.Peek && (r.Src == op.AnySource || other.Src == op.AnySource || other.Src == r.Src) {
			others++
		}
		return true
	})
	return messages > others
}

// Taken says whether an unmatched message has a receive for certain, whatever MPI chooses: those that fit it are at
// least as many as the messages that one of them fits.
func (q *Queue) Taken(s *Send) bool {
	var takers []*Recv
	q.Takers(s, func(r *Recv) bool {
		takers = append(takers, r)
		return true
	})
	if len(takers) == 0 {
		return false
	}
	messages := 0
	q.Unmatched(func(other *Send) bool {
		if slices.ContainsFunc(takers, func(r *Recv) bool { return fits(r, other) }) {
			messages++
		}
		return messages <= len(takers)
	})
	return messages <= len(takers)
}

// Open counts the messages of one source with a tag that have met no receive, and the receives for such messages alone
// that have met none. undecided says that some receive may take them of which that is not known.
func (q *Queue) Open(src op.Rank, tag int32) (sends, recvs int, undecided bool) {
	undecided = q.wild.head != nil
	c := q.channels.of(src)
	if c == nil {
		return 0, 0, undecided
	}
	for s := c.first; s != nil; s = s.next {
		if s.Tag == tag {
			sends++
		}
	}
	for r := c.recvs.head; r != nil; r = r.next {
		switch r.Tag {
		case tag:
			recvs++
		case op.AnyTag:
			undecided = true
		}
	}
	return sends, recvs, undecided
}

// Unmatched calls visit for every unmatched message, by ascending source, until it returns false.
func (q *Queue) Unmatched(visit func(*Send) bool) {
	for _, c := range q.channels.sources() {
		for s := c.first; s != nil; s = s.next {
			if !visit(s) {
				return
			}
		}
	}
}

// Posted calls visit for every unmatched receive, wildcards first, until it returns false.
func (q *Queue) Posted(visit func(*Recv) bool) {
	for r := q.wild.head; r != nil; r = r.next {
		if !visit(r) {
			return
		}
	}
	for _, c := range q.channels.sources() {
		for r := c.recvs.head; r != nil; r = r.next {
			if !visit(r) {
				return
			}
		}
	}
}

// note remembers a channel that holds both sides.
func (q *Queue) note(c *channel) {
	if !c.isContended && c.hasBoth() {
		c.isContended = true
		q.contended = append(q.contended, c)
	}
}

func (q *Queue) resolve(c *channel) {
	q.match(c)
	q.note(c)
}

// match pairs what is certain in a channel: a receive takes the first message that fits it, unless an earlier receive
// that is still open could take that message as well.
func (q *Queue) match(c *channel) {
	if q.isSettled(c) {
		return
	}
	for r := c.recvs.head; r != nil; {
		next := r.next
		if s := c.firstFit(r); s != nil && !q.claimedBefore(c, s, r) {
			q.pair(s, r)
		}
		r = next
	}
	c.settled = q.wild.head == nil && c.recvs.probes == 0
}

func (q *Queue) claimedBefore(c *channel, s *Send, r *Recv) bool {
	for e := c.recvs.head; e != r; e = e.next {
		if !e.Peek && fits(e, s) {
			return true
		}
	}
	for w := q.wild.head; w != nil && w.seq < r.seq; w = w.next {
		if !w.Peek && fits(w, s) {
			return true
		}
	}
	return false
}

// showToProbes completes the definite probes that wait for this message, if no earlier receive takes it.
func (q *Queue) showToProbes(c *channel, s *Send) {
	if c.recvs.probes == 0 {
		return
	}
	for r := c.recvs.head; r != nil; {
		next := r.next
		if r.Peek && fits(r, s) && c.firstFit(r) == nil && !q.claimedBefore(c, s, r) {
			q.pair(s, r)
		}
		r = next
	}
}

func (q *Queue) pair(s *Send, r *Recv) {
	r.list.remove(r)
	r.Send = s
	if !r.Peek {
		q.channel(s.Src).recvs.pass(s, r)
		q.wild.pass(s, r)
		if s.in != nil {
			s.in.remove(s)
		}
		s.Recv = r
	}
	q.Out = append(q.Out, Pair{s, r})
}

// hasBoth says whether there are receives that a decision may give something to.
func (c *channel) hasBoth() bool {
	if c.first != nil || c.recvs.probes == 0 {
		return c.first != nil && c.recvs.head != nil
	}
	for r := c.recvs.head; r != nil; r = r.next {
		if len(r.passed) > 0 {
			return true
		}
	}
	return false
}

func (c *channel) firstFit(r *Recv) *Send {
	first := c.first
	for first != nil && !fits(r, first) {
		first = first.next
	}
	for _, s := range r.passed {
		if fits(r, s) && (first == nil || s.seq < first.seq) {
			first = s
		}
	}
	return first
}

// pass tells the probes before a receive which message it takes.
func (l *recvList) pass(s *Send, taker *Recv) {
	if l.probes == 0 {
		return
	}
	for r := l.head; r != nil && r.seq < taker.seq; r = r.next {
		if r.Peek && fits(r, s) {
			r.passed, s.Passed = append(r.passed, s), true
		}
	}
}

// insert keeps the messages in the order of their arrival; nearly always the place is the end.
func (c *channel) insert(s *Send) {
	at := c.last
	for at != nil && at.seq > s.seq {
		at = at.prev
	}
	s.in, s.prev = c, at
	if at == nil {
		s.next = c.first
		c.first = s
	} else {
		s.next = at.next
		at.next = s
	}
	if s.next == nil {
		c.last = s
	} else {
		s.next.prev = s
	}
}

func (c *channel) remove(s *Send) {
	if s.prev == nil {
		c.first = s.next
	} else {
		s.prev.next = s.next
	}
	if s.next == nil {
		c.last = s.prev
	} else {
		s.next.prev = s.prev
	}
	s.in, s.next, s.prev = nil, nil, nil
}

// insert keeps a list in posting order; nearly always the place is the end.
func (l *recvList) insert(r *Recv) {
	at := l.tail
	for at != nil && at.seq > r.seq {
		at = at.prev
	}
	r.list, r.prev = l, at
	if r.Peek {
		l.probes++
	}
	if at == nil {
		r.next = l.head
		l.head = r
	} else {
		r.next = at.next
		at.next = r
	}
	if r.next == nil {
		l.tail = r
	} else {
		r.next.prev = r
	}
}

func (l *recvList) remove(r *Recv) {
	if r.Peek {
		l.probes--
	}
	if r.prev == nil {
		l.head = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		l.tail = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.list, r.next, r.prev = nil, nil, nil
}

// Empty says whether no message and no receive is open.
func (q *Queue) Empty() bool {
	if q.wild.head != nil {
		return false
	}
	for c := range q.channels.all() {
		if c.first != nil || c.recvs.head != nil {
			return false
		}
	}
	return true
}

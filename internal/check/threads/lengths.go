package threads

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Receives of two threads that nothing orders may exchange their messages. That matters if one of these is too long for
// the other one's buffer, which is known when the messages have met them.

// room is a receive that is asked how long its message is.
type room struct {
	bytes   int64 // that it has room for
	message int64 // -1 if it is not known
	pairs   []*swap
}

// swap is two receives that may exchange their messages, the later one's call first.
type swap struct {
	call         *check.Call
	data         int // the parameter with its datatype
	mine, theirs *room
	here, there  posted
	thread       op.Thread // of the other one
	said         bool
}

func newRoom(content datatype.Content) *room {
	return &room{bytes: content.Type.Size() * content.Count, message: -1}
}

// Received takes in how long the message is that a receive has met.
func (r *room) Received(bytes int64) {
	r.message = bytes
	for _, s := range r.pairs {
		s.judge()
	}
	r.pairs = nil
}

// measure has the agent say how long the message of a receive will be, unless the thread's last receive with that
// envelope was the same: then one answer is enough.
func (l *onComm) measure(c *check.Call, s side, p *posted) {
	if s.sends {
		return
	}
	if last := l.recent.latest(p.envelope); last != nil && last.content == p.content {
		return
	}
	p.room = newRoom(p.content)
	c.Lengths = append(c.Lengths, p.room)
}

// latest is the thread's last call with an envelope, nil if it is not remembered.
func (r *recentPosted) latest(e envelope) *posted {
	for i := range min(r.next, len(r.all)) {
		if p := &r.all[(r.next-1-i)%len(r.all)]; p.envelope == e {
			return p
		}
	}
	return nil
}

// exchange looks for a receive of another thread that may exchange its message with a call that begins: the last one
// before that, so that the two may come in the other order while all others stay.
func (l *onComm) exchange(c *check.Call, s side, p *posted) {
	if s.sends {
		return
	}
	var other *posted
	var thread op.Thread
	for t, r := range l.threads {
		for i := range r.all[:min(r.next, len(r.all))] {
			if q := &r.all[i]; p.competes(&c.Rank.Limits, q) && (other == nil || q.at.After(other.at)) {
				other, thread = q, t
			}
		}
	}
	if other == nil || thread == c.Thread || other.room == nil && p.room == nil || p.meets(&c.Rank.Limits, other) ||
		!c.Unordered(other.at) {
		return
	}
	pair := &swap{call: c.Watch().Earlier(c.Rank, c.Thread, c.Func, c.Site, slices.Clone(c.Words)), data: s.data,
		mine: p.roomOf(), theirs: other.roomOf(), here: *p, there: *other, thread: thread}
	if pair.mine.bytes == pair.theirs.bytes {
		return
	}
	for _, r := range []*room{pair.mine, pair.theirs} {
		r.pairs = append(r.pairs, pair)
	}
	pair.judge()
}

// roomOf is the room of a receive, also of one that was not asked.
func (p *posted) roomOf() *room {
	if p.room == nil {
		return newRoom(p.content)
	}
	return p.room
}

// judge reports a pair once it is known that a message is too long for the receive that did not meet it.
func (s *swap) judge() {
	longest := max(s.mine.message, s.theirs.message)
	if s.said || s.mine.message <= s.theirs.bytes && s.theirs.message <= s.mine.bytes {
		return
	}
	s.said = true
	c := s.call
	c.Say(threadMessage, s.data, func() check.Words {
		return check.ByChance(finding.Wordf("Rank %d receives by %s in thread %d with room for %v after its thread %d has "+
			"received by %s with room for %v, with the same communicator, rank and tag, and nothing orders the two: in "+
			"another run a message of %d bytes may meet the one that is too short for it.", c.Rank.World, c.Func.Name,
			c.Thread, s.here.content, s.thread, s.there.by.Func.Name, s.there.content, longest),
			"give each thread its own tag or its own communicator, or order the calls",
			check.MadeAt(s.there.by.Func, s.there.by.Site))
	})
}

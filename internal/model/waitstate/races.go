package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/vocab/datatype"

	"unknot/internal/vocab/op"
)

// Race is a wildcard receive of which nothing that is known decides which message it gets: those of several senders
// could meet it.
type Race struct {
	Recv  *Origin
	Sends []*Origin // by rank, a call site of each once
	// Differ is how two of the messages differ that could have met it at one time, as far as that matters to the
	// receiver: One and Other. With Unfit and TooLong, Other is the one that is not what Room is for.
	Differ     Difference
	One, Other Rival
	Room       Content
}

// races follows what threads know of each other, and finds such receives. A receive of a rank from any source is
// remembered when the strict view has passed it. A message that the same rank receives later, by a receive posted after
// it, could have been the one if it fits and was sent by somebody who could not know that the first was over. The
// strict view never runs ahead of what it knows, so that what a sender knows is complete when it sends.
type races struct {
	watched       bool             // the caller wants to know
	on            bool             // there has been a receive from any source, or may have been on another node
	multithreaded map[op.Rank]bool // ranks with several threads that call MPI
	open          []*passed        // those for which several messages were found
	tried         map[siteKey]int
	blind         *Clock
	deaf          *Clock // blind, except for what is done between calls
	imprecise     *Clock // the reverse
	isolated      bool   // nothing that others know is heard of any more
}

// siteKey is a call site of a rank.
type siteKey struct {
	rank op.Rank
	site uint64
}

// maxPassed bounds the receives of a thread that a message is compared with, maxSince the messages after which they are
// forgotten, maxTried the receives that are looked at of a call site, and maxCompeting the messages that are reported
// of one.
const (
	maxPassed    = 16
	maxTried     = 128
	maxSince     = 256
	maxCompeting = 64
)

func newRaces() races {
	return races{multithreaded: make(map[op.Rank]bool), tried: make(map[siteKey]int),
		blind: &Clock{Blind: true, Imprecise: true}, deaf: &Clock{Blind: true}, imprecise: &Clock{Imprecise: true}}
}

// WatchRaces has the node look for wildcard receives that several messages could meet. If it is one of several, what
// its threads know is followed from the beginning, as it is not seen when others have had such a receive.
func (k *races) WatchRaces(several bool) { k.watched, k.on = true, k.on || several }

// Races are those that were found, by rank and call site.
func (k *races) Races() []Race {
	found := make(map[siteKey]*Race)
	for _, w := range k.open {
		key := siteKey{w.recv.Rank, w.recv.Site}
		r := found[key]
		if r == nil {
			r = &Race{Recv: w.recv}
			found[key] = r
		}
		r.compete(w.sent.Origin)
		for _, s := range w.rivals {
			r.compete(s.Origin)
		}
		if d, one, other := w.differ(); d > r.Differ {
			r.Differ, r.One, r.Other, r.Room = d, one, other, w.room
		}
	}
	var out []Race
	for _, r := range found {
		slices.SortFunc(r.Sends, func(a, b *Origin) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Site, b.Site))
		})
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Race) int {
		return cmp.Or(cmp.Compare(a.Recv.Rank, b.Recv.Rank), cmp.Compare(a.Recv.Site, b.Recv.Site))
	})
	return out
}

// learn takes in what a thread learns by getting past an operation.
func (k *races) learn(t *Thread, o *Op) {
	if len(o.Waits) == 0 && !o.Opaque {
		return
	}
	c := k.clockOf(t)
	switch {
	case o.relaxed || t.relax[o.Site] || o.Opaque && !o.Silent:
		c = c.Join(k.blind)
	case o.Opaque:
		c = c.Join(k.deaf)
	}
	for _, p := range o.Waits {
		if k.watched && p.wildcard && p.sat && p.sender != nil && !p.noted {
			p.noted = true
			c = k.note(t, p, c)
		}
	}
	for _, p := range o.Waits {
		switch {
		case !p.telling():
		case p.Kind == op.Served:
			c = c.Join(k.imprecise)
		case p.sat:
			if k.watched && p.sender != nil && p.Kind == op.Recv {
				k.race(t, p)
				t.latest = max(t.latest, p.Origin.TS)
			}
			if o.Any && len(o.Waits) > 1 {
				c = c.Join(p.clock.perhaps())
			} else {
				c = c.Join(p.lore())
			}
			if p.Kind == op.Coll && p.Everybody && p.firm {
				c = c.settled()
			}
		case !o.Any || p.Kind == op.Observed:
			c = c.Join(k.blind)
		default: // the run may have completed it by this call, too
			c = c.Join(k.imprecise)
		}
	}
	t.clock = c
}

// telling says whether a thread that sees the part completed learns something of others by that.
func (p *Part) telling() bool {
	switch p.Kind {
	case op.Served:
		return p.Tells
	case op.Send:
		return !p.gone && p.Mode == op.Synchronous
	}
	return !p.gone
}

// note remembers a receive from any source; what is known after it is returned. If a send of synchronous mode met it,
// its sender may have informed others that it is over before the receiver could: then it is not judged.
func (k *races) note(t *Thread, p *Part, c *Clock) *Clock {
	if t.spent == p.Origin.Site && t.spent != 0 {
		return c
	}
	key := siteKey{t.Rank, p.Origin.Site}
	if !c.judges(t.Rank) || k.tried[key] >= maxTried {
		t.spent = p.Origin.Site
		return c
	}
	// Of what was received in the meantime by later receives, any could have been for this one.
	if p.pinned || t.latest > p.Origin.TS {
		return c
	}
	k.tried[key]++
	t.since = 0
	c, tick := c.tick(t.Rank)
	if len(t.passed) == maxPassed {
		copy(t.passed, t.passed[1:])
		t.passed = t.passed[:maxPassed-1]
	}
	t.passed = append(t.passed, &passed{tick: tick, ctx: p.Ctx, tag: p.Tag, recv: p.Origin, room: p.Content,
		ignored: p.status == statusIgnored,
		sent:    Rival{p.sender, p.metTag, p.carried}})
	return c
}

// race compares a message with the receives that the thread made earlier from any source.
func (k *races) race(t *Thread, p *Part) {
	if len(t.passed) == 0 {
		return
	}
	if t.since++; t.since > maxSince {
		t.passed = nil
		return
	}
	for _, w := range t.passed {
		if w.ctx != p.Ctx || w.sent.Rank == p.sender.Rank || !fitsTag(w.tag, p.metTag) || w.recv.TS >= p.Origin.TS ||
			p.clock.knows(t.Rank, w.tick) {
			continue
		}
		if w.challenge(Rival{p.sender, p.metTag, p.carried}) && len(w.rivals) == 1 {
			k.open = append(k.open, w)
		}
	}
}

func (r *Race) compete(s *Origin) {
	same := func(o *Origin) bool { return o.Rank == s.Rank && o.Site == s.Site }
	if len(r.Sends) < maxCompeting && !slices.ContainsFunc(r.Sends, same) {
		r.Sends = append(r.Sends, s)
	}
}

// Difference is how two messages that could meet a receive differ, as far as that matters to the receiver. A greater
// one is worse.
type Difference uint8

// Differences.
const (
	NoDifference Difference = iota
	SizesDiffer             // and the program ignores the status
	TagsDiffer              // and the program ignores the status
	TooLong                 // one fits, the other is longer than the receive has room for
	Unfit                   // one fits, the other has other datatypes
)

// Rival is a message that could meet a receive.
type Rival struct {
	*Origin
	Tag     int32
	Content Content
}

// passed is a receive or probe from any source that the strict view has passed.
type passed struct {
	tick    uint32
	ctx     op.CommID
	tag     int32
	recv    *Origin
	room    Content
	ignored bool    // the program did not take the status
	sent    Rival   // what it met
	rivals  []Rival // what it could have met instead: of each sender, the first that was not received before it
}

// challenge notes a message that a receive could have met. Of one sender's, it would have been the first (MPI-4.0,
// 3.5). It says whether the sender is new.
func (w *passed) challenge(s Rival) bool {
	for i, r := range w.rivals {
		if r.Rank == s.Rank {
			if s.TS < r.TS {
				w.rivals[i] = s
			}
			return false
		}
	}
	w.rivals = append(w.rivals, s)
	return true
}

// differ says how what could meet a receive differs: in whether it fits, and, if the program does not take the status
// which would say so, in tag or size.
func (w *passed) differ() (d Difference, one, other Rival) {
	for _, a := range append([]Rival{w.sent}, w.rivals...) {
		for _, b := range append([]Rival{w.sent}, w.rivals...) {
			if x := w.between(a, b); x > d {
				d, one, other = x, a, b
			}
		}
	}
	return d, one, other
}

func (w *passed) between(one, other Rival) Difference {
	fits, known := w.fits(one)
	if misfits, alsoKnown := w.fits(other); known && alsoKnown && fits == NoDifference && misfits != NoDifference {
		return misfits
	}
	switch {
	case !w.ignored:
	case one.Tag != other.Tag:
		return TagsDiffer
	case one.Content.Type != nil && other.Content.Type != nil && !same(one.Content, other.Content):
		return SizesDiffer
	}
	return NoDifference
}

// fits says whether a message is what the receive expects (MPI-4.0, 3.2.4 and 3.3.1), as far as that is known.
func (w *passed) fits(m Rival) (d Difference, known bool) {
	if m.Content.Type == nil || w.room.Type == nil {
		return NoDifference, false
	}
	if datatype.TooLong(m.Content.Type, m.Content.Count, w.room.Type, w.room.Count) {
		return TooLong, true
	}
	if _, ok := datatype.Compare(m.Content.Type, m.Content.Count, w.room.Type, w.room.Count); !ok {
		return Unfit, true
	}
	return NoDifference, true
}

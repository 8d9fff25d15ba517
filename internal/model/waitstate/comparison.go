package waitstate

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// comparison holds what was sent against what receives expect, and says what has met.
type comparison struct {
	Misfits []Misfit
	Matched []Matched
	Pairs   []Pair
	// Pairing has Pairs say which receives and sends have met.
	Pairing bool

	misfits map[misfitKey]bool // that were reported
}

func newComparison() comparison { return comparison{misfits: make(map[misfitKey]bool)} }

// fit compares a message with the receive that it has met.
func (c *comparison) fit(sent Content, from Calls, r *Part) {
	if r.Taking != nil {
		r.Taking.sent, r.Taking.from = sent, from
		c.taken(r)
		return
	}
	if r.Kind == op.Recv {
		c.compare(sent, from, r.Content, r.calls(), r)
	}
}

// met says what a receive has met, if its caller has asked.
func (c *comparison) met(r *Part, bytes int64) {
	if r.Asked {
		c.Matched = append(c.Matched, Matched{r.Origin, bytes})
	}
}

// pair says which calls a message goes between, if the caller wants to know it of all.
func (c *comparison) pair(r *Part, send *Origin) {
	if c.Pairing && r.Kind == op.Recv && r.Origin != nil && send != nil {
		c.Pairs = append(c.Pairs, Pair{r.Origin, send})
	}
}

// compare compares a message with the room of the call that receives it, where r is matched.
func (c *comparison) compare(sent Content, from Calls, room Content, to Calls, r *Part) {
	if r.Unordered || sent.Type == nil || room.Type == nil || sent.Type == room.Type && sent.Count <= room.Count {
		return
	}
	if !datatype.Truncated(sent.Type, sent.Count, room.Type, room.Count) {
		if _, ok := datatype.Compare(sent.Type, sent.Count, room.Type, room.Count); ok {
			return
		}
	}
	sender, receiver := from.About(), to.About()
	key := misfitKey{sender.Rank, receiver.Rank, sender.Site, receiver.Site, false}
	if c.misfits[key] || len(c.misfits) >= maxMisfits {
		return
	}
	c.misfits[key] = true
	c.Misfits = append(c.Misfits, Misfit{Ctx: r.Ctx, Tag: r.Tag, Send: from.AsSent(), Recv: to.AsSent(),
		Sent: sent, Room: room})
}

// maxMisfits bounds what is reported of a program that does nothing right.
const maxMisfits = 1000

// Take says with what the program receives the message that a matched probe has found.
func (c *comparison) Take(p *Part, room Content, by *Origin) {
	if t := p.Taking; t != nil && t.by == nil {
		t.room, t.by = room, by
		c.taken(p)
	}
}

// taken compares the two sides once both are known.
func (c *comparison) taken(p *Part) {
	if t := p.Taking; t.from.Here != nil && t.by != nil {
		c.compare(t.sent, t.from, t.room, Calls{Here: t.by}, p)
	}
}

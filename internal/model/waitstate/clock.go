package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/vocab/op"
)

// Clock is what a thread knows at its strict position: of some ranks, how many of their wildcard receives are certainly
// over, because messages and collectives lead from there to here. It is a vector clock (Mattern, 1989) that ticks for
// these and for moments, and for nothing else, so that a program without wildcard receives and windows has none. A
// clock never changes once it is made; nil knows of nothing.
type Clock struct {
	// Blind says that something may be known which the model does not see. Imprecise says so of what is done between
	// calls, see Moment, and ends when all ranks have waited for each other.
	Blind, Imprecise bool
	Ticks            []Tick  // by rank
	Limit            op.Rank // of this rank and higher ones anything may be known; 0 if of none
	// Ready are how many ready sends of each rank are certainly started, in every run with these matches: see early.go.
	Ready []Tick
}

// Tick is how many wildcard receives of a rank are over, and moments past.
type Tick struct {
	Rank  op.Rank
	Count uint32
}

// MaxTicks bounds the ranks whose wildcard receives a clock counts: the lowest. Call sites are mostly the same on all
// ranks, so that these stand for the others.
const MaxTicks = 16

// Join is what is known from a and b together.
func (a *Clock) Join(b *Clock) *Clock {
	switch {
	case b == nil || a == b:
		return a
	case a == nil:
		return b
	case a.covers(b):
		return a
	case b.covers(a):
		return b
	}
	both := &Clock{Blind: a.Blind || b.Blind, Imprecise: a.Imprecise || b.Imprecise, Limit: a.Limit,
		Ticks: joined(a.Ticks, b.Ticks)}
	if b.Limit > 0 && (both.Limit == 0 || b.Limit < both.Limit) {
		both.Limit = b.Limit
	}
	both.bound()
	if len(a.Ready)+len(b.Ready) > 0 {
		both.Ready = joined(a.Ready, b.Ready)
		both.Ready = both.Ready[:min(len(both.Ready), MaxTicks)]
	}
	return both
}

// joined are the higher counts of two lists.
func joined(a, b []Tick) []Tick {
	out := make([]Tick, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].Rank < b[j].Rank:
			out = append(out, a[i])
			i++
		case i == len(a) || b[j].Rank < a[i].Rank:
			out = append(out, b[j])
			j++
		default:
			out = append(out, Tick{a[i].Rank, max(a[i].Count, b[j].Count)})
			i++
			j++
		}
	}
	return out
}

// covers says whether a knows all that b does.
func (a *Clock) covers(b *Clock) bool {
	if b.Blind && !a.Blind || b.Imprecise && !a.Imprecise || b.Limit > 0 && (a.Limit == 0 || b.Limit < a.Limit) {
		return false
	}
	for _, t := range b.Ready {
		if a.started(t.Rank) < t.Count {
			return false
		}
	}
	i := 0
	for _, t := range b.Ticks {
		if a.Limit > 0 && t.Rank >= a.Limit {
			break
		}
		for i < len(a.Ticks) && a.Ticks[i].Rank < t.Rank {
			i++
		}
		if i == len(a.Ticks) || a.Ticks[i].Rank != t.Rank || a.Ticks[i].Count < t.Count {
			return false
		}
	}
	return true
}

// bound drops what there is too much of.
func (a *Clock) bound() {
	if len(a.Ticks) > MaxTicks && (a.Limit == 0 || a.Ticks[MaxTicks].Rank < a.Limit) {
		a.Limit = a.Ticks[MaxTicks].Rank
	}
	if a.Limit > 0 {
		n, _ := a.find(a.Limit)
		a.Ticks = a.Ticks[:n]
	}
}

// find is the place of a rank.
func (a *Clock) find(r op.Rank) (int, bool) { return search(a.Ticks, r) }

func search(ticks []Tick, r op.Rank) (int, bool) {
	return slices.BinarySearchFunc(ticks, r, func(t Tick, r op.Rank) int { return cmp.Compare(t.Rank, r) })
}

// judges says whether wildcard receives of a rank can be distinguished from others.
func (a *Clock) judges(r op.Rank) bool { return a == nil || a.Limit == 0 || r < a.Limit }

// tick is what is known after one more wildcard receive of a rank, and the number of that receive.
func (a *Clock) tick(r op.Rank) (*Clock, uint32) {
	c := &Clock{}
	if a != nil {
		*c = *a
		c.Ticks = slices.Clone(a.Ticks)
	}
	i, known := c.find(r)
	if !known {
		c.Ticks = slices.Insert(c.Ticks, i, Tick{Rank: r})
	}
	c.Ticks[i].Count++
	n := c.Ticks[i].Count
	c.bound()
	return c, n
}

// knows says whether a receive of a rank may be known to be over.
func (a *Clock) knows(r op.Rank, tick uint32) bool {
	if a == nil {
		return false
	}
	if a.Blind || !a.judges(r) {
		return true
	}
	i, known := a.find(r)
	return known && a.Ticks[i].Count >= tick
}

// settled is what is known after all ranks have waited for each other: whatever a rank may have learned before, of what
// others did before, all of them know now.
func (a *Clock) settled() *Clock {
	if a == nil || !a.Imprecise {
		return a
	}
	c := *a
	c.Imprecise = false
	return &c
}

// started is how many ready sends of a rank are known to be started.
func (a *Clock) started(r op.Rank) uint32 {
	if a == nil {
		return 0
	}
	if i, known := search(a.Ready, r); known {
		return a.Ready[i].Count
	}
	return 0
}

// starts is what is known after a rank has started one more ready send.
func (a *Clock) starts(r op.Rank) *Clock {
	c := &Clock{}
	if a != nil {
		*c = *a
		c.Ready = slices.Clone(a.Ready)
	}
	i, known := search(c.Ready, r)
	if !known {
		c.Ready = slices.Insert(c.Ready, i, Tick{Rank: r})
	}
	c.Ready[i].Count++
	c.Ready = c.Ready[:min(len(c.Ready), MaxTicks)]
	return c
}

// perhaps is what is known by what another run may do otherwise.
func (a *Clock) perhaps() *Clock {
	if a == nil || a.Ready == nil {
		return a
	}
	c := *a
	c.Ready = nil
	return &c
}

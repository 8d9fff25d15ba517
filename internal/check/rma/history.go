package rma

import (
	"unknot/internal/check"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// history is what is remembered of a rank's rounds until all ranks have come to their ends. Ranks are read one after
// the other, so that one of them may be many rounds ahead.
type history struct {
	rounds map[uint64]*round
	from   uint64 // the first round that is remembered
	last   uint64 // the last of which it is known when it began
}

// round is what is remembered of one.
type round struct {
	touched map[op.Rank]touch // what the rank has done to the memory of others by RMA calls
	began   *waitstate.Moment // nil if that is not known
	ended   *waitstate.Moment // the same

	// What the rank may have learned through windows, and when first, and what it may have let others know so, and when
	// last.
	takes, gives map[channel]passage
	accesses     int  // that were seen of its own, without a call
	looks        bool // of these, one may wait for what others write
	unmarked     bool // it has made calls of which no moments are known
}

// maxHistory bounds the rounds that are remembered of a rank; what is older than that is not known.
const maxHistory = 1 << 12

// touch is how a rank has written the memory of another one in a round. The rank that does so remembers it: nothing may
// have been read of the other one yet.
type touch uint8

const (
	written touch = 1 << iota // by any RMA call
	active                    // in an epoch of active target synchronisation
)

// wrote takes in that a rank writes to the memory of another one in a separate round.
func (m *remote) wrote(p *knowledge, target op.Rank, how touch) {
	n := m.round(&p.past, p.round)
	if n.touched == nil {
		n.touched = make(map[op.Rank]touch)
	}
	n.touched[target] |= how
}

// touched says whether other ranks have written the memory of this one in such a way in a round that is over, or may
// have.
func (m *remote) touched(r *check.Rank, n uint64, how touch) bool {
	for _, other := range m.ranks {
		past := &m.knowledge(other).past
		if n < past.from {
			return true
		}
		if at := past.rounds[n]; other != r && at != nil && at.touched[op.Rank(r.World)]&how != 0 {
			return true
		}
	}
	return false
}

// begun takes in that a rank makes a call, of which the first in a round says when that begins.
func (m *remote) begun(p *knowledge, r *check.Rank) {
	if p.round > 0 && p.round != p.past.last {
		m.round(&p.past, p.round).began, p.past.last = now(r), p.round
	}
}

// round is one that is remembered from now on.
func (m *remote) round(h *history, n uint64) *round {
	r := h.rounds[n]
	if r == nil {
		if h.rounds == nil {
			h.rounds = make(map[uint64]*round)
		}
		r = new(round)
		h.rounds[n] = r
		m.shorten(h, n)
	}
	return r
}

// shorten forgets the rounds that are over, or the old ones, when there are many; n is the one that has come.
func (m *remote) shorten(h *history, n uint64) {
	const usual = 64
	if len(h.rounds)%usual != 0 {
		return
	}
	first, world := n, 0
	for _, r := range m.ranks {
		p := m.knowledge(r)
		world = max(world, p.world)
		first = min(first, max(p.round, 1)-1) // one that has had no window yet is to come to the first round
	}
	if len(m.ranks) < world {
		first = 0 // nothing of a rank has been read
	}
	if len(h.rounds) >= maxHistory {
		first = max(first, n-maxHistory/2)
	}
	for at := range h.rounds {
		if at < first {
			delete(h.rounds, at)
		}
	}
	h.from = max(h.from, first)
}

// began is the first moment of a round, nil if it is not known.
func (p *knowledge) began(n uint64) *waitstate.Moment {
	if r := p.past.rounds[n]; r != nil {
		return r.began
	}
	return nil
}

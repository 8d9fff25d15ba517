package rma

import (
	"unknot/internal/check"
	"unknot/internal/waitstate"
)

// history is what is remembered of a rank's rounds until all ranks have come to their ends. Ranks are read one after the other, so that one of
// them may be many rounds ahead.
type history struct {
	written map[uint64]bool              // in which other ranks have written its memory by RMA calls
	begins  map[uint64]*waitstate.Moment // of each round
	from    uint64                       // the first round that is remembered
	last    uint64                       // the last of which it is known when it began
}

// maxHistory bounds the rounds that are remembered of a rank; what is older than that is not known.
const maxHistory = 1 << 12

// wrote takes in that another rank writes to the memory of this one in a round of its own.
func (m *remote) wrote(p *pulse, round uint64) {
	h := &p.past
	if h.written == nil {
		h.written = make(map[uint64]bool)
	}
	h.written[round] = true
	m.shorten(h, len(h.written), round)
}

// begun takes in that a rank makes a call, of which the first in a round says when that begins.
func (m *remote) begun(p *pulse, r *check.Rank) {
	h := &p.past
	if p.round == 0 || p.round == h.last {
		return
	}
	if h.begins == nil {
		h.begins = make(map[uint64]*waitstate.Moment)
	}
	h.begins[p.round], h.last = now(r), p.round
	m.shorten(h, len(h.begins), p.round)
}

// shorten forgets the rounds that are over, or the old ones, when there are many.
func (m *remote) shorten(h *history, held int, now uint64) {
	const usual = 64
	if held%usual != 0 {
		return
	}
	first := now
	for _, r := range m.ranks {
		if round := m.pulse(r).round; round > 0 {
			first = min(first, round-1)
		}
	}
	if held >= maxHistory {
		first = max(first, now-maxHistory/2)
	}
	for round := range h.written {
		if round < first {
			delete(h.written, round)
		}
	}
	for round := range h.begins {
		if round < first {
			delete(h.begins, round)
		}
	}
	h.from = max(h.from, first)
}

// untouched says that certainly no rank has written to the memory of this one in a round that is over.
func (p *pulse) untouched(round uint64) bool { return round >= p.past.from && !p.past.written[round] }

// began is the first moment of a round, nil if it is not known.
func (p *pulse) began(round uint64) *waitstate.Moment { return p.past.begins[round] }

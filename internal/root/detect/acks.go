package detect

import "unknot/internal/model/waitstate"

// acks are the last words that all members of a collective are active. A relay that is lost may have had some that it
// did not hand on. Who says after that that it is ready for one of these collectives is told again: the others are over
// it, and say no more of it.
type acks struct {
	by   map[waveKey]*waitstate.Message
	last []waveKey // in a ring
	next int
}

// maxAcks bounds them. An agent is without an acknowledgement of as many collectives as its threads are in, so a relay
// keeps few to itself.
const maxAcks = 1024

// keep notes one.
func (a *acks) keep(m *waitstate.Message) {
	k := waveKey{m.Ctx, m.Seq}
	switch {
	case a.by == nil:
		a.by = make(map[waveKey]*waitstate.Message)
	case a.by[k] != nil:
		return
	}
	a.by[k] = m
	if len(a.last) < maxAcks {
		a.last = append(a.last, k)
		return
	}
	delete(a.by, a.last[a.next])
	a.last[a.next] = k
	a.next = (a.next + 1) % maxAcks
}

// of is that of the collective that a message is about, or nil.
func (a *acks) of(m *waitstate.Message) *waitstate.Message { return a.by[waveKey{m.Ctx, m.Seq}] }

package detect

import (
	"slices"

	"unknot/internal/model/waitstate"
)

// tally is what has been heard of a collective whose members are not all active: who is, and what they have called.
type tally struct {
	voices []waitstate.Voice
	shares []*waitstate.Share // one of each kind
	uneven bool
	clock  *waitstate.Clock

	balance waitstate.Balance
}

// add takes in a message from below. Members that come a second time, as somebody on their way was lost, are counted
// once.
func (t *tally) add(m *waitstate.Message) {
	for _, v := range m.Voices {
		t.voices = waitstate.AddVoice(t.voices, v)
	}
	t.clock = t.clock.Join(m.Clock)
	t.balance.Add(m.Balance)
}

// count is how many members are active.
func (t *tally) count() (n int) {
	for i := range t.voices {
		n += t.voices[i].Ranks.Len()
	}
	return n
}

// keep keeps what a member has to do with the data, if none is known that has the same to do.
func (t *tally) keep(s *waitstate.Share) {
	for _, other := range t.shares {
		if other.Alike(s) {
			return
		}
	}
	if s.Blocks.Root { // what others have is compared with that first: the data goes between them
		t.shares = slices.Insert(t.shares, 0, s)
		return
	}
	t.shares = append(t.shares, s)
}

// tallies are the collectives that somebody has heard of.
type tallies map[waveKey]*tally

func (l tallies) of(m *waitstate.Message) *tally {
	k := waveKey{m.Ctx, m.Seq}
	t := l[k]
	if t == nil {
		t = &tally{}
		l[k] = t
	}
	return t
}

// acks are the last words that all members of a collective are active. A relay that is lost may have had some that it
// did not hand on. Who says after that that it is ready for one of these collectives is informed again: the others are
// over it, and say no more of it.
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

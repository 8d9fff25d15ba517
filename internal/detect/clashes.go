package detect

import (
	"unknot/internal/check/messages"
	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// collective adds members to a collective; when all are active every agent is told (paper, section 4.1).
func (r *Root) collective(m waitstate.Message) {
	k := waveKey{m.Ctx, m.Seq}
	t := r.waves.of(&m)
	t.add(&m)
	for _, s := range m.Shares {
		r.even(t, s)
	}
	if t.count() < m.Size {
		return
	}
	delete(r.waves, k)
	if len(t.voices) > 1 {
		r.hearClash(waitstate.Clash{Ctx: m.Ctx, Seq: m.Seq, Voices: t.voices})
	}
	ack := waitstate.Message{Kind: waitstate.CollectiveAck, Ctx: m.Ctx, Seq: m.Seq, Clash: len(t.voices) > 1, Clock: t.clock}
	r.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{ack}})
}

// even compares a member of a collective on one agent with those on others, by one of each kind.
func (r *Root) even(t *tally, s *waitstate.Share) {
	if t.uneven {
		return
	}
	for _, other := range t.shares {
		if u, uneven := waitstate.Differ(*other, *s); uneven {
			t.uneven = true
			if p := message.Uneven(&u, r.table); r.opts.Checks[messages.UnevenData] {
				p.Code, _ = explain.UnlikeWords(p)
				r.pairs = append(r.pairs, p)
			}
			return
		}
	}
	t.keep(s)
}

// hearClash takes in that members of a collective disagree. After a failed call that is kept for the case that they hang.
func (r *Root) hearClash(c waitstate.Clash) {
	if _, failed := r.failed[c.Ctx]; failed {
		if r.failed[c.Ctx] == nil {
			r.failed[c.Ctx] = &c
		}
		return
	}
	r.askClash(c)
}

// askClash asks for the calls of a collective whose members disagree. Only the first on a communicator is told: what comes
// after it is out of step because of it.
func (r *Root) askClash(c waitstate.Clash) {
	if r.clashes[c.Ctx] {
		return
	}
	r.clashes[c.Ctx] = true
	r.pending = append(r.pending, c)
}

// tellKept tells a clash that was kept, as the job hangs in it.
func (r *Root) tellKept(ctx op.CommID) {
	if c := r.failed[ctx]; c != nil {
		r.askClash(*c)
	}
}

// afterFailure says whether a story is about calls on a context on which a call has failed.
func afterFailure(s *explain.Story, failed map[op.CommID]*waitstate.Clash) bool {
	for _, m := range s.Members {
		for i := range m.Wait.Needs {
			if _, is := failed[m.Wait.Needs[i].Ctx]; is {
				return true
			}
		}
	}
	return false
}

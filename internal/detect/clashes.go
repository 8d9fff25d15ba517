package detect

import (
	"cmp"
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// collective adds members to a collective; when all are active every agent is told (paper, section 4.1).
func (r *Root) collective(m waitstate.Message) {
	k := waveKey{m.Ctx, m.Seq}
	if m.Kind == waitstate.CollectiveShares {
		r.uneven(k, &m)
		return
	}
	if ack := r.acks.of(&m); ack != nil {
		r.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{*ack}})
		return
	}
	t := r.waves.of(&m)
	t.add(&m)
	for _, s := range m.Shares {
		r.even(k, t, s)
	}
	if t.count() < m.Size {
		return
	}
	delete(r.waves, k)
	clash := waitstate.Disagree(t.voices)
	if clash {
		r.hearClash(waitstate.Clash{Ctx: m.Ctx, Seq: m.Seq, Voices: t.voices})
	}
	ack := waitstate.Message{Kind: waitstate.CollectiveAck, Ctx: m.Ctx, Seq: m.Seq, Clash: clash, Clock: t.clock}
	ack.Uneven = !clash && !t.uneven && r.unbalanced(k, t, m.Size)
	r.acks.keep(&ack)
	r.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{ack}})
}

// even compares a member of a collective on one agent with those on others, by one of each kind.
func (r *Root) even(k waveKey, t *tally, s *waitstate.Share) {
	if t.uneven {
		return
	}
	for _, other := range t.shares {
		if u, uneven := waitstate.Differ(*other, *s); uneven {
			t.uneven = true
			u.Ctx = k.ctx
			r.tellUneven(&u)
			return
		}
	}
	t.keep(s)
}

// Bounds of comparing members one by one: the collectives of a context, of which later ones rarely differ from these,
// and the members, as all lists together grow with their square.
const (
	maxUnbalanced = 16
	maxCompared   = 2048
)

// unbalanced says whether all lists of a collective are to be compared, as what is given is not what is expected.
func (r *Root) unbalanced(k waveKey, t *tally, size int) bool {
	if t.balance.Members < size || t.balance.Sum == 0 || !r.opts.Checks[messages.UnevenData] ||
		r.compared[k.ctx] == maxUnbalanced || size > maxCompared {
		return false
	}
	r.compared[k.ctx]++
	return true
}

// uneven takes in lists of such a collective. When all are there they are compared.
func (r *Root) uneven(k waveKey, m *waitstate.Message) {
	r.lists[k] = append(r.lists[k], m.Shares...)
	list := r.lists[k]
	if len(list) < m.Size {
		return
	}
	delete(r.lists, k)
	slices.SortFunc(list, func(a, b *waitstate.Share) int {
		return cmp.Or(cmp.Compare(a.Blocks.Side, b.Blocks.Side), cmp.Compare(a.Index, b.Index))
	})
	for i, s := range list {
		for _, other := range list[:i+1] {
			if u, uneven := waitstate.Differ(*other, *s); uneven {
				u.Ctx = k.ctx
				r.tellUneven(&u)
				return
			}
		}
	}
}

func (r *Root) tellUneven(u *waitstate.Uneven) {
	if p := message.Uneven(u, r.table); r.opts.Checks[messages.UnevenData] {
		p.Code, _ = explain.UnlikeWords(p)
		r.pairs = append(r.pairs, p)
	}
}

// hearClash takes in that members of a collective disagree. After a failed call that is kept for the case that they
// hang.
func (r *Root) hearClash(c waitstate.Clash) {
	if _, failed := r.failed[c.Ctx]; failed {
		if r.failed[c.Ctx] == nil {
			r.failed[c.Ctx] = &c
		}
		return
	}
	r.askClash(c)
}

// askClash asks for the calls of a collective whose members disagree. Only the first on a communicator is told: what
// comes after it is out of step because of it.
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

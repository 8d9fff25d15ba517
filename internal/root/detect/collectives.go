package detect

import (
	"cmp"
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// collectives are those that the agents have reported: who has called each, and those whose members disagree or do not
// give what others expect. They wait until the calls have been asked for.
type collectives struct {
	*job
	net      *tree.Member[message.Message]
	waves    tallies
	acks     acks
	compared map[op.CommID]int              // collectives whose members were compared one by one
	lists    map[waveKey][]*waitstate.Share // of those that are
	clashes  map[op.CommID]bool             // contexts with a mismatch that was reported
	failed   map[op.CommID]*waitstate.Clash // contexts on which a call failed, and the first mismatch since
	pending  []waitstate.Clash              // to be reported
	pairs    []*message.Pair                // to be reported
}

func newCollectives(j *job, net *tree.Member[message.Message]) collectives {
	return collectives{job: j, net: net, waves: make(tallies), compared: make(map[op.CommID]int),
		lists: make(map[waveKey][]*waitstate.Share), clashes: make(map[op.CommID]bool),
		failed: make(map[op.CommID]*waitstate.Clash)}
}

// fails notes that a call has failed on a context.
func (c *collectives) fails(ctx op.CommID) {
	if _, known := c.failed[ctx]; !known {
		c.failed[ctx] = nil
	}
}

// hear adds members to a collective; when all are active it says so to every agent (paper, section 4.1).
func (c *collectives) hear(m waitstate.Message) {
	k := waveKey{m.Ctx, m.Seq}
	if m.Kind == waitstate.CollectiveShares {
		c.uneven(k, &m)
		return
	}
	if ack := c.acks.of(&m); ack != nil {
		c.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{*ack}})
		return
	}
	t := c.waves.of(&m)
	t.add(&m)
	for _, s := range m.Shares {
		c.even(k, t, s)
	}
	if t.count() < m.Size {
		return
	}
	delete(c.waves, k)
	clash := waitstate.Disagree(t.voices)
	if clash {
		c.hearClash(waitstate.Clash{Ctx: m.Ctx, Seq: m.Seq, Voices: t.voices})
	}
	ack := waitstate.Message{Kind: waitstate.CollectiveAck, Ctx: m.Ctx,
		Gathered: waitstate.Gathered{Seq: m.Seq, Clash: clash}, Clock: t.clock}
	ack.Uneven = !clash && !t.uneven && c.unbalanced(k, t, m.Size)
	c.acks.keep(&ack)
	c.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{ack}})
}

// even compares a member of a collective on one agent with those on others, by one of each kind.
func (c *collectives) even(k waveKey, t *tally, s *waitstate.Share) {
	if t.uneven {
		return
	}
	for _, other := range t.shares {
		if u, uneven := waitstate.Differ(*other, *s); uneven {
			t.uneven = true
			u.Ctx = k.ctx
			c.reportUneven(&u)
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
func (c *collectives) unbalanced(k waveKey, t *tally, size int) bool {
	if t.balance.Members < size || t.balance.Sum == 0 || !c.opts.Checks[messages.UnevenData] ||
		c.compared[k.ctx] == maxUnbalanced || size > maxCompared {
		return false
	}
	c.compared[k.ctx]++
	return true
}

// uneven takes in lists of such a collective. When all are there they are compared.
func (c *collectives) uneven(k waveKey, m *waitstate.Message) {
	c.lists[k] = append(c.lists[k], m.Shares...)
	list := c.lists[k]
	if len(list) < m.Size {
		return
	}
	delete(c.lists, k)
	slices.SortFunc(list, func(a, b *waitstate.Share) int {
		return cmp.Or(cmp.Compare(a.Blocks.Side, b.Blocks.Side), cmp.Compare(a.Index, b.Index))
	})
	for i, s := range list {
		for _, other := range list[:i+1] {
			if u, uneven := waitstate.Differ(*other, *s); uneven {
				u.Ctx = k.ctx
				c.reportUneven(&u)
				return
			}
		}
	}
}

func (c *collectives) reportUneven(u *waitstate.Uneven) {
	if p := message.Uneven(u, c.table); c.opts.Checks[messages.UnevenData] {
		p.Code, _ = explain.UnlikeWords(p)
		c.pairs = append(c.pairs, p)
	}
}

// hearClash takes in that members of a collective disagree. After a failed call that is kept for the case that they
// hang.
func (c *collectives) hearClash(m waitstate.Clash) {
	if _, failed := c.failed[m.Ctx]; failed {
		if c.failed[m.Ctx] == nil {
			c.failed[m.Ctx] = &m
		}
		return
	}
	c.report(m)
}

// report has a collective reported whose members disagree. Only the first on a communicator is: what comes after it is
// out of step because of it.
func (c *collectives) report(m waitstate.Clash) {
	if c.clashes[m.Ctx] {
		return
	}
	c.clashes[m.Ctx] = true
	c.pending = append(c.pending, m)
}

// reportKept has a mismatch reported that was kept, as the job hangs in it.
func (c *collectives) reportKept(ctx op.CommID) {
	if m := c.failed[ctx]; m != nil {
		c.report(*m)
	}
}

// afterFailure says whether a story is about calls on a context on which a call has failed.
func (c *collectives) afterFailure(s *explain.Story) bool {
	for _, m := range s.Members {
		for i := range m.Wait.Needs {
			if _, is := c.failed[m.Wait.Needs[i].Ctx]; is {
				return true
			}
		}
	}
	return false
}

// questions takes away what is to be reported: for each collective whose members disagree, and for each pair of calls,
// a question. calls are what all of them are about.
func (c *collectives) questions() (asked []question, calls message.Locate) {
	var origins []waitstate.Origin
	var elements []message.Element
	var pairs []question
	for _, p := range c.pairs {
		pairs = append(pairs, question{code: p.Code, pair: p, nth: len(origins),
			core: []message.Key{message.CallKey(p.Give), message.CallKey(p.Take)}})
		origins = append(origins, *p.Give, *p.Take)
		elements = append(elements, unlike(p)...)
	}
	for i, p := range c.pairs { // behind those whose elements are asked for
		for _, start := range p.Starts {
			origins = append(origins, *start)
			pairs[i].aside = append(pairs[i].aside, message.CallKey(start))
		}
	}
	c.pairs = nil
	for i := range c.pending {
		q := question{code: finding.CollectiveMismatch, clash: &c.pending[i]}
		for k := range q.clash.Voices {
			about, other := q.clash.Calls(&q.clash.Voices[k])
			origins = append(origins, *about)
			q.core = append(q.core, message.CallKey(about))
			if other != nil {
				origins = append(origins, *other)
				q.aside = append(q.aside, message.CallKey(other))
			}
		}
		for _, end := range c.pending[i].Ends {
			origins = append(origins, *end)
			q.core = append(q.core, message.CallKey(end))
		}
		asked = append(asked, q)
	}
	c.pending = nil
	return append(asked, pairs...), message.Locate{Calls: origins, Elements: elements}
}

package parts

import (
	"slices"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// The states that parts hold are not one consistent state: after the loss nobody informed the receivers' agents of
// messages, and no moment of one host can be compared with one of another. What the agents have counted makes up for
// it. A receive may have its message if its sender counted one that fits and that the receiver's agent does not know
// of; a send may have its receive if one that fits is posted, or all of its like are known to have arrived; and a
// member has come to a collective if it has called as many. What a thread may have got, it does not wait for.

// atLeast is how long threads must have been in their calls when their agents looked last: what makes them enter a call
// as the job is being ended, such as an error because another rank is gone, comes later.
const atLeast = 2 * time.Second

// books are the ledgers of all parts.
type books struct {
	sent, known, waiting map[waitstate.Channel]int
	posted               map[waitstate.Channel][]int32 // tags, by channel of any tag
	counted              map[op.Rank]bool              // ranks of the agents that have counted
	lossy                map[op.Rank]bool              // of these, those of agents that could not count everything
	tagless              map[waitstate.Channel]bool    // channels whose tags were not counted one by one
	arrived              map[place]uint64
	spans                map[at]time.Duration
}

// place is a rank's in a group.
type place struct {
	rank op.Rank
	ctx  op.CommID
}

// at is a thread.
type at struct {
	rank   op.Rank
	thread op.Thread
}

func (c *books) add(l *message.Ledger, ranks op.Ranks) {
	count := func(to map[waitstate.Channel]int, list []waitstate.Tally) {
		for _, t := range list {
			to[t.Channel] += t.Count
			all := whole(t.Channel)
			if t.Tag == op.AnyTag {
				c.tagless[all] = true
			} else {
				to[all] += t.Count
			}
		}
	}
	count(c.sent, l.Counted.Sent)
	count(c.known, l.Counted.Known)
	count(c.waiting, l.Counted.Waiting)
	for _, p := range l.Counted.Posted {
		k := waitstate.Channel{Src: p.Src, Dst: p.Dst, Ctx: p.Ctx, Tag: op.AnyTag}
		c.posted[k] = append(c.posted[k], p.Tag)
	}
	for _, a := range l.Counted.Arrivals {
		c.arrived[place{a.Rank, a.Ctx}] = a.Seq
	}
	for _, s := range l.Spans {
		c.spans[at{s.Rank, s.Thread}] = s.For
	}
	for r := range ranks.All() {
		c.counted[r], c.lossy[r] = true, l.Counted.Lossy
	}
}

func newBooks(shares []*Share) *books {
	c := &books{sent: make(map[waitstate.Channel]int), known: make(map[waitstate.Channel]int),
		waiting: make(map[waitstate.Channel]int),
		posted:  make(map[waitstate.Channel][]int32), counted: make(map[op.Rank]bool), lossy: make(map[op.Rank]bool),
		tagless: make(map[waitstate.Channel]bool), arrived: make(map[place]uint64), spans: make(map[at]time.Duration)}
	for _, s := range shares {
		c.add(&s.Ledger, s.ranks())
	}
	return c
}

// whole is a channel with all its tags.
func whole(k waitstate.Channel) waitstate.Channel {
	k.Tag = op.AnyTag
	return k
}

// ranks are those of the threads that a share is about.
func (s *Share) ranks() (all op.Ranks) {
	for i := range s.State.Threads {
		all = all.Union(s.State.Threads[i].Ranks)
	}
	return all
}

// under is how many messages of a rank to another may be on their way that a receive with a tag would take.
func (c *books) under(src, dst op.Rank, ctx op.CommID, tag int32) int {
	k := waitstate.Channel{Src: src, Dst: dst, Ctx: ctx, Tag: tag}
	if all := whole(k); tag == op.AnyTag || c.tagless[all] {
		k = all
	}
	return c.sent[k] - c.known[k]
}

// amend makes of an agent's last state what can be said of it in the light of the other parts.
func (c *books) amend(s *message.Report, local func(a, b op.Rank) bool) message.Report {
	out := *s
	var folder message.Folder
	for i := range s.Threads {
		s.Threads[i].Each(func(w message.Wait) {
			w.HasStrict, w.Strict, w.Lag = false, waitstate.Wait{}, 0
			w.Evidence = w.Evidence && c.spans[at{w.Rank, w.Thread}] >= atLeast
			needs := make([]waitstate.Need, len(w.Real.Needs))
			for k, n := range w.Real.Needs {
				n.Free = n.Free || c.mayHave(w.Rank, &n, s.Groups, local)
				needs[k] = n
			}
			w.Real.Needs = needs
			folder.Add(w)
		})
	}
	out.Threads = folder.Folds
	out.Waves = make([]message.Wave, len(s.Waves))
	for i, v := range s.Waves {
		v.Arrived = c.come(&v, s.Groups[v.Ctx])
		out.Waves[i] = v
	}
	return out
}

// mayHave says whether a thread of a rank may have got what it needs, without its agent knowing.
func (c *books) mayHave(r op.Rank, n *waitstate.Need, groups map[op.CommID]op.Ranks,
	local func(a, b op.Rank) bool) bool {
	switch n.Kind {
	case waitstate.NeedMessage:
		if n.Rank != op.AnySource {
			return !local(n.Rank, r) && c.counted[n.Rank] && (c.lossy[r] || c.lossy[n.Rank] ||
				c.under(n.Rank, r, n.Ctx, n.Tag) != 0)
		}
		for m := range groups[n.Ctx].All() {
			if !local(m, r) && c.counted[m] && (c.lossy[r] || c.lossy[m] || c.under(m, r, n.Ctx, n.Tag) != 0) {
				return true
			}
		}
	case waitstate.NeedReceive:
		return !local(r, n.Rank) && c.counted[n.Rank] && c.mayBeReceived(r, n)
	}
	return false
}

// mayBeReceived says whether a rank's send to one of another agent may have met its receive.
func (c *books) mayBeReceived(r op.Rank, n *waitstate.Need) bool {
	if c.lossy[r] || c.lossy[n.Rank] {
		return true
	}
	for _, src := range []op.Rank{r, op.AnySource} {
		for _, tag := range c.posted[waitstate.Channel{Src: src, Dst: n.Rank, Ctx: n.Ctx, Tag: op.AnyTag}] {
			if tag == op.AnyTag || tag == n.Tag {
				return true
			}
		}
	}
	k := waitstate.Channel{Src: r, Dst: n.Rank, Ctx: n.Ctx, Tag: n.Tag}
	return c.under(r, n.Rank, n.Ctx, n.Tag) == 0 && c.waiting[k] == 0
}

// come are the members that have called a collective: those that were seen there, those that have called more of them,
// and those of whom it is not known, as they have freed what it is on or nobody has counted for them.
func (c *books) come(v *message.Wave, members op.Ranks) op.Ranks {
	var more []op.Rank
	for m := range members.All() {
		if !c.counted[m] {
			continue // it has no part, and may still come
		}
		if seq, known := c.arrived[place{m, v.Ctx}]; !known || seq > v.Seq {
			more = append(more, m)
		}
	}
	return v.Arrived.Union(op.RanksOf(more...))
}

// doubts say of which ranks that were in a call last it is not certain whether they would ever have returned, and why.
func (c *books) doubts(shares []*Share, local func(a, b op.Rank) bool) (list []string) {
	why := make(map[explain.Doubt][]op.Rank)
	for _, s := range shares {
		for i := range s.State.Threads {
			s.State.Threads[i].Each(func(w message.Wait) {
				if d := c.doubt(&w, s.State.Groups, local); d != explain.NoDoubt {
					why[d] = append(why[d], w.Rank)
				}
			})
		}
	}
	for d := explain.NoDoubt + 1; d <= explain.Brief; d++ {
		if ranks := why[d]; len(ranks) > 0 {
			slices.Sort(ranks)
			list = append(list, d.Text(slices.Compact(ranks)))
		}
	}
	return list
}

// doubt is what leaves open whether a thread would ever have returned.
func (c *books) doubt(w *message.Wait, groups map[op.CommID]op.Ranks, local func(a, b op.Rank) bool) explain.Doubt {
	if w.State != message.Blocked && w.State != message.Polling {
		return explain.NoDoubt
	}
	for i := range w.Real.Needs {
		n := &w.Real.Needs[i]
		switch {
		case c.mayHave(w.Rank, n, groups, local):
			return explain.UnderWay
		case n.Kind == waitstate.NeedMembers || n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource:
			for m := range groups[n.Ctx].All() {
				if !c.counted[m] {
					return explain.Unobserved
				}
			}
		case !c.counted[n.Rank]:
			return explain.Unobserved
		}
	}
	if !w.Evidence || c.spans[at{w.Rank, w.Thread}] < atLeast {
		return explain.Brief
	}
	return explain.NoDoubt
}

package threads

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
)

// taken is the last message of an envelope that a thread has probed for and received.
type taken struct {
	*found
	at check.Place // where it was received
}

// order is what is known of the threads of a rank that probe for messages and receive them. Threads that take turns,
// and never at the same time, may be kept apart by atomic operations, which are not seen.
type order struct {
	last    []*taken
	done    bool        // two have received at the same time, which is reported, or the threads have taken turns
	expects *check.Call // that receives what another thread may have found, and nothing has ordered the two
	pair    [2]*found
}

// mostTaken bounds what is remembered of a rank.
const mostTaken = 64

// watchOrder reports at the end of a rank that nothing has kept two of its threads apart.
func watchOrder(h *check.Hooks) check.Slot[order] {
	ranks := check.SlotOf[order](h)
	h.EndRank(func(c *check.Call) {
		if o := ranks.Had(c.Rank); o != nil && o.expects != nil && !o.done {
			o.predict()
		}
	})
	return ranks
}

// overlaps takes in that two have received at the same time.
func (o *order) overlaps() { o.done = true }

// begin gives what other threads have received of what a probe may find, though nothing has ordered that.
func (o *order) begin(c *check.Call, p *found) (earlier []*taken) {
	mine := -1
	for i, x := range o.last {
		switch {
		case !meets(c.Rank, x.found, p):
		case x.thread == p.thread:
			mine = i
		case mine >= 0: // this thread, then another one, and this one again
			o.done = true
		case c.Unordered(x.at):
			earlier = append(earlier, x)
		}
	}
	return earlier
}

// takes takes in that a thread receives what it has probed for.
func (o *order) takes(c *check.Call, p *found) {
	at, followed := c.Place()
	if o.done || len(o.last) == mostTaken || !followed {
		return
	}
	if o.expects == nil && len(p.earlier) > 0 {
		call := *c
		call.Words = slices.Clone(c.Words)
		o.expects, o.pair = &call, [2]*found{p, p.earlier[0].found}
	}
	p.earlier = nil
	o.last = slices.DeleteFunc(o.last, func(x *taken) bool {
		return x.thread == p.thread && x.comm == p.comm && x.source == p.source && x.tag == p.tag
	})
	o.last = append(o.last, &taken{p, at})
}

// predict reports that nothing has kept two threads apart.
func (o *order) predict() {
	c, other := o.expects, o.pair[1]
	c.Say(threadProbe, -1, func() check.Words {
		return check.Words{
			Standing: finding.Predicted,
			Sentence: finding.Wordf("Rank %d probes for the same source and tag in its threads %d and %d, and "+
				"nothing orders the two: each may receive by %s the message that the other one has found.",
				c.Rank.World, other.thread, c.Thread, c.Func.Name),
			Notes: []finding.Note{finding.Remark("this time one thread had received before the other one probed"),
				check.Unseen()},
			Hint: probeHint,
			Related: []check.Related{{Text: "this thread has probed", Func: o.pair[0].made.Func,
				Site: o.pair[0].made.Site}, {Text: "the other thread has", Func: other.made.Func,
				Site: other.made.Site},
				{Text: "and received", Func: other.by.Func, Site: other.by.Site}},
		}
	})
}

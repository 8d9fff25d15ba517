package threads

import (
	"maps"
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// taken is the last message of an envelope that a thread has probed for and received.
type taken struct {
	*found
	number int // of those of its thread
}

// order is what orders the threads of a rank that probe for messages and receive them: starting and joining threads,
// and calls of MPI. It is known of ranks only whose program has no locks or the like. Atomic operations are not seen:
// threads that take turns, and never at the same time, may be kept apart by them.
type order struct {
	counts map[op.Thread]int // messages that threads have probed for and received
	// how many of those of others certainly came before what a thread does now; nil of threads whose start was not seen
	knows   map[op.Thread]map[op.Thread]int
	learned map[op.Thread]bool // threads that have made other calls, by which they may know of all others
	last    []*taken
	done    bool        // two have received at the same time, which is reported, or the threads have taken turns
	expects *check.Call // that receives what another thread may have found, and nothing has ordered the two
	pair    [2]*found
}

// mostTaken bounds what is remembered of a rank.
const mostTaken = 64

// watchOrder follows the order of threads in ranks whose program has no locks, and reports at the end of a rank that
// nothing has kept two of them apart.
func watchOrder(h *check.Hooks) check.Slot[order] {
	ranks := check.SlotOf[order](h)
	of := func(r *check.Rank) *order {
		o := ranks.Had(r)
		if o == nil && r.Unlocked {
			o = ranks.Of(r)
			o.counts, o.learned = make(map[op.Thread]int), make(map[op.Thread]bool)
			o.knows = map[op.Thread]map[op.Thread]int{0: {}}
		}
		return o
	}
	h.Started(func(r *check.Rank, by, thread op.Thread) {
		if o := of(r); o != nil && o.knows[by] != nil && len(o.knows) < mostTaken {
			o.sees(by)
			o.knows[thread] = maps.Clone(o.knows[by])
			o.knows[thread][by] = o.counts[by]
		}
	})
	h.Joined(func(r *check.Rank, by, thread op.Thread) {
		if o := of(r); o != nil {
			o.joins(by, thread)
		}
	})
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.Local, mpi.Send, mpi.Isend, mpi.Probe, mpi.Iprobe, mpi.Recv, mpi.Irecv:
			return nil
		}
		return func(c *check.Call) {
			if o := ranks.Had(c.Rank); o != nil {
				o.learned[c.Thread] = true
			}
		}
	})
	h.EndRank(func(c *check.Call) {
		if o := ranks.Had(c.Rank); o != nil && o.expects != nil && !o.done {
			o.predict()
		}
	})
	return ranks
}

// joins takes in that a thread has waited for another one's end. One that is not known may have done the same with any
// other.
func (o *order) joins(by, thread op.Thread) {
	if o.knows[by] == nil {
		return
	}
	if o.knows[thread] == nil || o.counts[thread] == 0 {
		o.learned[by] = true
		return
	}
	o.sees(thread)
	for t, n := range o.knows[thread] {
		o.knows[by][t] = max(o.knows[by][t], n)
	}
	o.knows[by][thread] = o.counts[thread]
}

// learns takes in that a thread makes another call, which may tell it of what others have done before that ends.
func (o *order) learns(t op.Thread) {
	if o != nil {
		o.learned[t] = true
	}
}

// sees has a thread that may know of all others know of them.
func (o *order) sees(t op.Thread) {
	if o.learned[t] && o.knows[t] != nil {
		maps.Copy(o.knows[t], o.counts)
		delete(o.learned, t)
	}
}

// overlaps takes in that two have received at the same time.
func (o *order) overlaps() {
	if o != nil {
		o.done = true
	}
}

// begin gives what other threads have received of what a probe may find, though nothing has ordered that.
func (o *order) begin(r *check.Rank, p *found) (earlier []*taken) {
	o.sees(p.thread)
	mine := -1
	for i, x := range o.last {
		switch {
		case !meets(r, x.found, p):
		case x.thread == p.thread:
			mine = i
		case mine >= 0: // this thread, then another one, and this one again
			o.done = true
		case o.knows[p.thread] != nil && o.knows[x.thread] != nil && o.knows[p.thread][x.thread] < x.number:
			earlier = append(earlier, x)
		}
	}
	return earlier
}

// takes takes in that a thread receives what it has probed for.
func (o *order) takes(c *check.Call, p *found) {
	if o == nil || o.done || len(o.last) == mostTaken {
		return
	}
	if o.expects == nil && len(p.earlier) > 0 {
		call := *c
		call.Words = slices.Clone(c.Words)
		o.expects, o.pair = &call, [2]*found{p, p.earlier[0].found}
	}
	p.earlier = nil
	o.counts[p.thread]++
	o.last = slices.DeleteFunc(o.last, func(x *taken) bool {
		return x.thread == p.thread && x.comm == p.comm && x.source == p.source && x.tag == p.tag
	})
	o.last = append(o.last, &taken{p, o.counts[p.thread]})
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
			Notes: []finding.Note{finding.Remark("this time one thread had received before the other one probed; the " +
				"program uses no lock and no barrier of threads, unless it makes one of atomic operations")},
			Hint: probeHint,
			Related: []check.Related{{Text: "this thread has probed", Func: o.pair[0].made.Func,
				Site: o.pair[0].made.Site}, {Text: "the other thread has", Func: other.made.Func,
				Site: other.made.Site},
				{Text: "and received", Func: other.by.Func, Site: other.by.Site}},
		}
	})
}

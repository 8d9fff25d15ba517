package explore

import (
	"cmp"
	"maps"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// orders counts in which orders those came whose messages receives from any source met: each of them first, last,
// fastest and slowest, each two of them in both orders. It is read from what the runs were, not from what they were to
// be.
type orders struct {
	by map[op.Rank]*order
}

// order is what the receives from any source of one rank have seen in all runs.
type order struct {
	senders                       map[op.Rank]bool
	first, last, fastest, slowest map[op.Rank]bool
	before                        map[[2]op.Rank]bool // the first message of the one was met before that of the other
}

// manyGoals is how many places there are where MPI may choose otherwise from which on it matters in which order they
// are tried.
const manyGoals = 16

// take takes in a run.
func (o *orders) take(l *trace.Log) {
	met := make(map[op.Rank][]op.Rank)
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Parts {
			if p := &t.Parts[k]; p.Kind == op.Recv && p.Wild && p.Matched >= 0 {
				met[t.Rank] = append(met[t.Rank], p.Matched)
			}
		}
	}
	for r, list := range met {
		if o.by == nil {
			o.by = make(map[op.Rank]*order)
		}
		if o.by[r] == nil {
			o.by[r] = &order{make(map[op.Rank]bool), make(map[op.Rank]bool), make(map[op.Rank]bool),
				make(map[op.Rank]bool), make(map[op.Rank]bool),
				make(map[[2]op.Rank]bool)}
		}
		o.by[r].take(list)
	}
}

// take takes in whom the receives of a run met, in the order in which they were posted.
func (o *order) take(list []op.Rank) {
	o.first[list[0]], o.last[list[len(list)-1]] = true, true
	count, sum := make(map[op.Rank]int), make(map[op.Rank]int)
	var came []op.Rank // by their first messages
	for i, r := range list {
		if count[r] == 0 {
			came = append(came, r)
		}
		count[r]++
		sum[r] += i
		o.senders[r] = true
	}
	// The more of the messages are one's, the faster it is, and of as many, the sooner they came.
	speed := func(a, b op.Rank) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(sum[a], sum[b])) }
	byspeed := slices.SortedStableFunc(slices.Values(came), speed)
	o.fastest[byspeed[0]], o.slowest[byspeed[len(byspeed)-1]] = true, true
	for i, a := range came {
		for _, b := range came[i+1:] {
			o.before[[2]op.Rank{a, b}] = true
		}
	}
}

// missing are the delays under which a sender may come first and be the fastest, or last and be the slowest, of those
// that have not.
func (o *orders) missing() (slow [][]op.Rank) {
	for _, r := range slices.Sorted(maps.Keys(o.by)) {
		d := o.by[r]
		senders := slices.Sorted(maps.Keys(d.senders))
		if len(senders) < 2 {
			continue
		}
		for _, s := range senders {
			if !d.first[s] || !d.fastest[s] {
				slow = append(slow, slices.DeleteFunc(slices.Clone(senders), func(q op.Rank) bool { return q == s }))
			}
			if !d.last[s] || !d.slowest[s] {
				slow = append(slow, []op.Rank{s})
			}
		}
	}
	return slow
}

// seen is what was seen, as numbers; nil if no rank met several senders.
func (o *orders) seen() *finding.Orders {
	t := &finding.Orders{}
	for _, d := range o.by {
		n := len(d.senders)
		if n < 2 {
			continue
		}
		t.Senders += n
		t.First += len(d.first)
		t.Last += len(d.last)
		t.Fastest += len(d.fastest)
		t.Slowest += len(d.slowest)
		t.Pairs += n * (n - 1) / 2
		for p := range d.before {
			if p[0] < p[1] && d.before[[2]op.Rank{p[1], p[0]}] {
				t.Swapped++
			}
		}
	}
	if t.Senders == 0 {
		return nil
	}
	return t
}

// vary queues the runs in which senders are made slow, once; false if there are none. They decide nothing by force, so
// that they reach far where deciding one receive after the other would take a run for each.
func (x *explorer) vary() bool {
	if x.learned.varied {
		return false
	}
	x.learned.varied = true
	slow := x.learned.orders.missing()
	for i := len(slow) - 1; i >= 0; i-- { // the newest is made first
		p, delay := plan.Plan{Ranks: x.first.Ranks}, x.delay(slow[i])
		for _, r := range slow[i] {
			p.Delays = append(p.Delays, plan.Delay{Rank: r, Micros: delay})
		}
		x.state.hold(&item{Parent: 0, Purpose: vary, Finding: -1, whole: &p})
	}
	return len(slow) > 0
}

// delay is how long a slow rank waits before each message, in microseconds. If each of them waits for all others, it
// takes some times as long as the first run.
func (x *explorer) delay(slow []op.Rank) uint64 {
	const times, least = 2, 1000
	sends := 0
	for i := range x.courses.observed.log.Threads {
		if t := &x.courses.observed.log.Threads[i]; slices.Contains(slow, t.Rank) {
			for k := range t.Parts {
				if t.Parts[k].Kind == op.Send {
					sends++
				}
			}
		}
	}
	return uint64(min(max(times*1e6*x.first.Seconds/float64(max(1, sends)), least), plan.MaxDelay))
}

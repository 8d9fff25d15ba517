package screen

import (
	"unknot/internal/vocab/op"
)

// What a step is linked to: a partner (its number), nobody, or a family (below nobody).
const nobody int32 = -1

func familyLink(f int) int32   { return -2 - int32(f) }
func familyOf(link int32) int  { return int(-2 - link) }
func isFamily(link int32) bool { return link < nobody }

// linker decides, before anything is simulated, which send a receive must meet whatever happens, and which sends
// compete for which receives. It goes from receiver to receiver; each costs as much as it has receives and messages for
// it.
type linker struct {
	*Columns
	order  []int32 // sends by destination, sends of a family by threshold
	bound  []int32 // by rank: where the sends to it begin in order
	when   []int32 // ticks of the clock before each send to a rank with wildcards
	whenAt []int32 // by rank: where its begin in when; nil if the clock does not tick
	families
	taken []int32 // receives whose message an earlier one with another selector could take

	queues
	sends  []message
	spare  []message // scratch: sends in another order
	parted []receive // scratch: recvs in another order
	counts []int32   // scratch of counting sorts
	probed []probe
	seen   []int32
}

// queues are the receives of one receiver by their selectors.
type queues struct {
	table table
	heads []int32 // by selector: the first receive of its queue, as a place in recvs
	tails []int32
	next  []int32 // by place in recvs
	group []int32 // by selector: union of those that compete for messages
	recvs []receive
}

// families are the receives that compete for the same sends.
type families struct {
	fams      []family
	famRecvs  []int32
	competing int32   // sends of all families
	byRank    []int32 // scratch of families, zero between uses
}

// receive is one receive of the rank that is linked.
type receive struct {
	step  int32
	queue int32
	clock int32 // ticks before it was posted
	done  int32 // ticks before it was surely complete
}

// message is one send to the rank that is linked.
type message struct {
	step  int32
	fits  selector // its communicator, source and tag
	clock int32    // ticks before it was posted
	queue int32    // one that could take it
}

type probe struct{ step, serves int32 }

// family is a number of sends that compete for a number of receives, all with one selector, and its state in the
// simulation. Sends are ordered by threshold: how many of the receives must be posted before the send is sure to be
// taken. The n-th receive is sure to be served when n of the sends have been posted.
type family struct {
	rank           int32
	sendAt, recvAt int32
	sends, recvs   int32

	sent, received int32 // posted
	next           int32 // the first send whose threshold has not been reached
	served, gone   int32 // complete receives, complete sends
	arriveAt       int32 // where its sends are in arrivals, in the order in which they were posted
	arrived        int32 // how many are there; those that were sure at once are not
	looked         int32 // how many of them were looked at, to let one go
	late           int32 // of these, the last one passed over because its thread ends with it; the others follow
	plain          bool  // all sends block, so that a thread has one under way at most
}

// link links all steps.
func (c *Columns) link() *linker {
	if counts := c.countWaves(); counts != nil {
		c.numberFrom(sums(counts))
	}
	return c.linkOwn(func(int32) bool { return false })
}

// linkOwn links all steps except for what is sent to some ranks.
func (c *Columns) linkOwn(other func(q int32) bool) *linker {
	l := &linker{Columns: c}
	l.sortSends()
	if c.wild != nil {
		l.byRank, l.seen = make([]int32, c.ranks), make([]int32, c.ranks)
	}
	for q := range int32(c.ranks) {
		if !other(q) {
			l.rank(q)
			continue
		}
		for _, s := range l.order[l.bound[q]:l.bound[q+1]] {
			l.a[s] = q
		}
	}
	return l
}

// countWaves says how many collectives each communicator has; nil if there are none. A membership whose number is
// higher than there are memberships has been miscounted by whoever made the log; it is taken to end.
func (c *Columns) countWaves() []int32 {
	if c.colls == 0 {
		return nil
	}
	counts := make([]int32, len(c.sizes))
	for i, k := range c.kind {
		if k&kindMask != stepColl {
			continue
		}
		if int(c.b[i]) >= c.colls {
			c.kind[i] = stepServed
			c.limits |= miscounted
			continue
		}
		counts[c.c[i]] = max(counts[c.c[i]], c.b[i]+1)
	}
	return counts
}

// sums are those of the numbers before each, and of all.
func sums(counts []int32) []int32 {
	out := make([]int32, len(counts)+1)
	for i, n := range counts {
		out[i+1] = out[i] + n
	}
	return out
}

// numberFrom gives the collectives of all communicators one numbering, in which those of each begin at its base; the
// last number is how many there are.
func (c *Columns) numberFrom(base []int32) {
	for i, k := range c.kind {
		if k&kindMask == stepColl {
			c.b[i] += base[c.c[i]]
		}
	}
	c.colls = int(base[len(base)-1])
}

// isGate says whether no rank leaves a collective of the clock before a given one has entered it.
func (c *Columns) isGate(tick, rank int32) bool {
	g := &c.gates[tick]
	return !g.broken && (g.sync == op.SyncAll || g.sync == op.SyncFromRoot && g.root == rank)
}

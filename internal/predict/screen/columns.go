package screen

import (
	"math"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Columns is a run in the form that screening works on: one column for each property of a step, 13 bytes a step, and 4
// more for each send or contested receive while it is screened. A step is a send, a receive, a probe, a membership in a
// collective, or a wait for a row of those.
//
// It is filled thread by thread, in the order of ranks, and may be screened once.
type Columns struct {
	ranks   int
	rankOf  []int32 // by thread
	firstOf []int32 // by rank, and one more: its first thread
	startOf []int32 // by thread, and one more: its first step

	kind []uint8
	a    []int32 // peer; of a wait, the first step that it waits for; of a wait for any, their number
	// tag, then what the step is linked to; of a wait, how many steps; of a wait for any, how many must be complete
	b []int32
	c []int32 // communicator, then the step's threshold

	sizes []int32 // members by communicator, both sides
	clock int32   // the communicator whose blocking collectives divide the run into epochs, -1 if there is none
	ticks int32   // of the clock in the thread that is being filled
	gates []gate

	wild   []bool // by rank: some receive of it takes messages of any source; nil if none does
	probes bool
	colls  int
	anys   []anyWait // of the thread that is being filled
	limits limits
	unseen []int32 // probes that are not followed
}

// gate is what a blocking collective of the clock orders.
type gate struct {
	sync   op.Sync
	root   int32
	seq    int32
	what   uint64
	broken bool // members disagree
}

// anyWait is a wait for any of several steps.
type anyWait struct {
	step int32
	some bool // may complete several
}

// The kind of a step, in the lowest bits, and marks.
const (
	stepSend uint8 = iota
	stepRecv
	stepProbe
	stepColl
	stepWait
	stepAny
	stepMember // what the wait for any before it waits for
	stepServed

	kindMask  uint8 = 0x07
	buffered  uint8 = 0x08 // a send that never waits
	blocking  uint8 = 0x10 // the thread stays in the step until it is complete
	posted    uint8 = 0x20
	complete  uint8 = 0x40 // a contested send that needs no receive any more
	inAny     uint8 = 0x80 // a thread waits for this or others
	metOffset       = -10  // less the rank or tag that a wildcard met
)

// NewColumns makes an empty run of so many ranks. The first communicator is MPI_COMM_WORLD.
func NewColumns(ranks int, comms []trace.Comm) *Columns {
	c := &Columns{ranks: ranks, clock: -1, firstOf: make([]int32, 0, ranks+1), startOf: make([]int32, 0, ranks+1)}
	for i := range comms {
		c.sizes = append(c.sizes, int32(len(comms[i].Members)+len(comms[i].Remote)))
		if c.clock < 0 && len(comms[i].Members) == ranks && comms[i].Remote == nil {
			c.clock = int32(i)
		}
	}
	return c
}

// Steps is how many steps there are.
func (c *Columns) Steps() int { return len(c.kind) }

// Reserve makes room for so many steps in all, so that filling allocates once.
func (c *Columns) Reserve(steps int) {
	if steps <= cap(c.kind) {
		return
	}
	c.kind = append(make([]uint8, 0, steps), c.kind...)
	c.a = append(make([]int32, 0, steps), c.a...)
	c.b = append(make([]int32, 0, steps), c.b...)
	c.c = append(make([]int32, 0, steps), c.c...)
}

// Thread begins the next thread. Threads come in the order of their ranks; ranks without any are taken to have one that
// calls nothing.
func (c *Columns) Thread(rank op.Rank) {
	for len(c.firstOf) <= int(rank) {
		c.firstOf = append(c.firstOf, int32(len(c.rankOf)))
		if len(c.firstOf) <= int(rank) {
			c.startOf = append(c.startOf, int32(len(c.kind)))
			c.rankOf = append(c.rankOf, int32(len(c.firstOf)-1))
		}
	}
	c.startOf = append(c.startOf, int32(len(c.kind)))
	c.rankOf = append(c.rankOf, int32(rank))
	c.ticks, c.anys = 0, c.anys[:0]
}

func (c *Columns) add(kind uint8, a, b, comm int32) int32 {
	c.kind, c.a, c.b, c.c = append(c.kind, kind), append(c.a, a), append(c.b, b), append(c.c, comm)
	return int32(len(c.kind) - 1)
}

func blocks(is bool) uint8 {
	if is {
		return blocking
	}
	return 0
}

// Send adds a send. It returns the step's number, for waits.
func (c *Columns) Send(to op.Rank, tag int32, comm uint32, mode op.SendMode, isBlocking bool) int32 {
	if to < 0 || int(to) >= c.ranks {
		c.limits |= outside
		return c.Served()
	}
	kind := stepSend | blocks(isBlocking)
	if mode == op.Buffered {
		kind |= buffered
	}
	return c.add(kind, int32(to), tag, int32(comm))
}

// Recv adds a receive. From and tag may be wildcards; met and metTag are what a wildcard met in the run, op.Unknown if
// that is not known.
func (c *Columns) Recv(from op.Rank, tag int32, comm uint32, met op.Rank, metTag int32, isBlocking bool) int32 {
	return c.take(stepRecv|blocks(isBlocking), from, tag, comm, met, metTag)
}

// Probe adds a blocking probe.
func (c *Columns) Probe(from op.Rank, tag int32, comm uint32) int32 {
	c.probes = true
	return c.take(stepProbe|blocking, from, tag, comm, op.Unknown, int32(op.Unknown))
}

func (c *Columns) take(kind uint8, from op.Rank, tag int32, comm uint32, met op.Rank, metTag int32) int32 {
	source := int32(from)
	switch {
	case from == op.AnySource:
		if kind&kindMask == stepRecv {
			if c.wild == nil {
				c.wild = make([]bool, c.ranks)
			}
			c.wild[c.rankOf[len(c.rankOf)-1]] = true
		}
		if met >= 0 && int(met) < c.ranks {
			source = metOffset - int32(met)
		}
	case from < 0 || int(from) >= c.ranks:
		c.limits |= outside
		return c.Served()
	}
	if tag < 0 && metTag >= 0 {
		tag = metOffset - metTag
	}
	return c.add(kind, source, tag, int32(comm))
}

// Coll adds a membership in the seq-th collective on a communicator.
func (c *Columns) Coll(comm uint32, seq uint64, sync op.Sync, root op.Rank, what uint64, isBlocking bool) int32 {
	if seq > math.MaxInt32 {
		c.limits |= miscounted
		return c.Served()
	}
	c.colls++
	if isBlocking && int32(comm) == c.clock {
		g := gate{sync: sync, root: int32(root), seq: int32(seq), what: what}
		if int(c.ticks) == len(c.gates) {
			c.gates = append(c.gates, g)
		} else if have := &c.gates[c.ticks]; have.sync != sync || have.root != g.root || have.seq != g.seq ||
			have.what != what {
			have.broken = true
		}
		c.ticks++
	}
	return c.add(stepColl|blocks(isBlocking), int32(root), int32(seq), int32(comm))
}

// Served adds a step that is complete by itself.
func (c *Columns) Served() int32 { return c.add(stepServed, 0, 0, 0) }

// Wait adds a wait for all of some steps in a row that were added before.
func (c *Columns) Wait(first, count int32) { c.add(stepWait, first, count, 0) }

// WaitAny adds a wait for one of several steps; with some, it may report several. Steps that a wait for all of them has
// completed before must be left out.
func (c *Columns) WaitAny(steps []int32, some bool) {
	if len(steps) == 0 {
		return
	}
	// Each wait for any since the first of these was posted may have used up one of them, a wait for some all but one
	// that is needed. Only what is complete beyond that is sure to be left to report.
	first := steps[0]
	for _, s := range steps {
		first = min(first, s)
	}
	need := 1
	for i := len(c.anys) - 1; i >= 0 && c.anys[i].step > first && need < len(steps); i-- {
		need++
		if c.anys[i].some {
			need = len(steps)
		}
	}
	c.anys = append(c.anys, anyWait{c.add(stepAny, int32(len(steps)), int32(min(need, len(steps))), 0), some})
	for _, s := range steps {
		c.add(stepMember, s, 0, 0)
	}
}

// close fills in the ranks that have no thread.
func (c *Columns) close() {
	for len(c.firstOf) < c.ranks {
		c.Thread(op.Rank(len(c.firstOf)))
	}
	c.firstOf = append(c.firstOf, int32(len(c.rankOf)))
	c.startOf = append(c.startOf, int32(len(c.kind)))
	if len(c.rankOf) > c.ranks {
		c.limits |= threaded
	}
}

// threadsOf are the threads of a rank.
func (c *Columns) threadsOf(rank int32) (from, to int32) { return c.firstOf[rank], c.firstOf[rank+1] }

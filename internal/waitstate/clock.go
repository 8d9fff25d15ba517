package waitstate

import "unknot/internal/op"

// A clock is what a thread knows at its strict position: of some ranks, how many of their wildcard receives are certainly over,
// because messages and collectives lead from there to here. It is a vector clock (Mattern, 1989) that ticks for nothing else, so
// that a program without wildcard receives has none. A clock never changes once it is made; nil knows of nothing.
type clock struct {
	// blind says that something may be known which the model does not see.
	blind bool
	ticks [maxRacers]uint32
}

// maxRacers bounds the ranks whose wildcard receives are judged. Call sites are mostly the same on all ranks, so that the first
// ranks stand for the others.
const maxRacers = 16

// join is what is known from a and b together.
func (a *clock) join(b *clock) *clock {
	switch {
	case b == nil || a == b:
		return a
	case a == nil:
		return b
	}
	more, less := b.blind && !a.blind, a.blind && !b.blind
	for i := range a.ticks {
		more = more || b.ticks[i] > a.ticks[i]
		less = less || b.ticks[i] < a.ticks[i]
	}
	switch {
	case !more:
		return a
	case !less:
		return b
	}
	both := &clock{blind: a.blind || b.blind}
	for i := range both.ticks {
		both.ticks[i] = max(a.ticks[i], b.ticks[i])
	}
	return both
}

// tick is what is known after one more wildcard receive of a rank, and the number of that receive.
func (a *clock) tick(racer int) (*clock, uint32) {
	c := &clock{}
	if a != nil {
		*c = *a
	}
	c.ticks[racer]++
	return c, c.ticks[racer]
}

// knows says whether a receive of a rank may be known to be over.
func (a *clock) knows(racer int, tick uint32) bool {
	return a != nil && (a.blind || a.ticks[racer] >= tick)
}

// clockOf is what a thread knows at its strict position. What the threads of one process know of each other is not seen.
func (n *Node) clockOf(t *Thread) *clock {
	if t == nil || t.Index != 0 || len(n.races.crowded) > 0 && n.races.crowded[t.Rank] {
		return n.races.blind
	}
	return t.clock
}

// crowd takes in that a rank has a second thread that calls MPI.
func (n *Node) crowd(rank op.Rank, index op.Thread) {
	if index != 0 {
		n.races.crowded[rank] = true
	}
}

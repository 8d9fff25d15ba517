package check

import (
	"slices"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Order is in which order the threads of a rank certainly begin their calls: by what they do to each other, such as
// locks, barriers and joins, and by MPI. It is nil, or says nothing, of ranks of which that is not followed. Atomic
// operations and variables that threads wait for are not seen.
type Order struct {
	threads  map[op.Thread]*knowledge
	lost     bool
	ownOrder bool // the program may order its threads itself, by memory
	asked    bool // whether it may is known
}

// knowledge is what a thread knows.
type knowledge struct {
	turns   []uint64 // by thread, up to which of its turns; nil if that is not known
	learned []learned
	lost    bool // something of learned was dropped, and when that ended
	until   uint32
	vague   bool // it is not known when its calls return that have no Exit record
}

// learned is a call by which the thread may have learned by MPI of what others have done until it returned.
type learned struct {
	turn  uint64
	until uint32 // the stamp until which it may have lasted, at least that of its begin
	over  bool   // it has returned
}

// mostLearned bounds what is remembered of a thread.
const mostLearned = 8

// Place is the begin of a call in the order of its rank's threads.
type Place struct {
	thread op.Thread
	turn   uint64
	stamp  uint32
}

// After says whether a call came after another one in this run.
func (p Place) After(other Place) bool { return int32(p.stamp-other.stamp) > 0 }

// vague says, in place of a stamp, that it is not known when calls return.
const vague = 1<<64 - 1

// Know takes in what a thread knows from its next call on, and when its last one returned: 0 if no other thread had
// begun one in the meantime. No turn at all says that the order is not known any more.
func (o *Order) Know(t op.Thread, returned uint64, turns []uint64) {
	k := o.of(t)
	k.turns = turns
	o.lost = o.lost || !slices.ContainsFunc(turns, func(turn uint64) bool { return turn > 0 })
	switch returned {
	case 0:
	case vague:
		k.vague = true
	default:
		k.vague = false
		o.End(t, uint32(returned))
	}
}

func (o *Order) of(t op.Thread) *knowledge {
	if o.threads == nil {
		o.threads = make(map[op.Thread]*knowledge)
	}
	k := o.threads[t]
	if k == nil {
		k = new(knowledge)
		o.threads[t] = k
	}
	return k
}

// Begin takes in that a thread begins a call, and with that that its last one has returned.
func (o *Order) Begin(c *Call) {
	if o == nil {
		return
	}
	k := o.of(c.Thread)
	if n := len(k.learned); n > 0 && !k.vague {
		o.End(c.Thread, k.learned[n-1].until)
	}
	o.End(c.Thread, c.Stamp)
	if k.turns == nil || !learns(c.Func) {
		return
	}
	if len(k.learned) == mostLearned {
		k.lost, k.until = true, k.learned[0].until
		k.learned = append(k.learned[:0], k.learned[1:]...)
	}
	k.learned = append(k.learned, learned{turn: k.turn(c.Thread), until: c.Stamp})
}

// End takes in that a thread's call has returned before a stamp, if it was not known.
func (o *Order) End(t op.Thread, stamp uint32) {
	if o == nil {
		return
	}
	k := o.of(t)
	if n := len(k.learned); n > 0 && !k.learned[n-1].over {
		k.learned[n-1].until, k.learned[n-1].over = stamp, true
	}
}

// turn is up to which turn of a thread is known.
func (k *knowledge) turn(t op.Thread) uint64 {
	if int(t) >= len(k.turns) {
		return 0
	}
	return k.turns[t]
}

// learns says whether a thread may know more of others when a call returns than when it began: a send returns,
// perhaps, once it is received. What is local (MPI-4.0, 2.4.2) and completes nothing does not.
func learns(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Start, mpi.Startall, mpi.Pready, mpi.PreadyRange, mpi.PreadyList, mpi.Cancel, mpi.RequestFree, mpi.TypeMake,
		mpi.TypeFree, mpi.GreqStart:
		return false
	}
	return !f.Class.Quiet() && !f.Nonblocking && !f.Persistent && !AnyThread(f)
}

// Place is where a call begins; false if the order of its rank's threads is not followed.
func (c *Call) Place() (Place, bool) {
	o := c.Rank.Order
	if o == nil || o.lost {
		return Place{}, false
	}
	k := o.of(c.Thread)
	return Place{c.Thread, k.turn(c.Thread), c.Stamp}, k.turns != nil
}

// Unordered says that a call, which begins, came after another one's begin, and that nothing that is followed made it.
// Of a call that is repeated without success, its place is not known.
func (c *Call) Unordered(p Place) bool {
	o := c.Rank.Order
	if o == nil || o.lost || p.thread == c.Thread || c.Func.Poll || int32(c.Stamp-p.stamp) <= 0 {
		return false
	}
	k := o.of(c.Thread)
	if k.turns == nil || k.turn(p.thread) >= p.turn {
		return false
	}
	for t, other := range o.threads {
		if t != p.thread && other.mayHave(p.stamp, k.turn(t), t == c.Thread) {
			return false
		}
	}
	if !o.asked && c.Rank.OwnOrder != nil {
		_, o.ownOrder = c.Rank.OwnOrder()
	}
	o.asked = true
	return !o.ownOrder
}

// Unsaid says why the order of a rank's threads is not followed, or why nothing is said of calls that nothing orders.
// What was asked so far counts: it may be true later.
func (r *Rank) Unsaid() (why Unsaid, some bool) {
	o := r.Order
	switch {
	case r.Unfollowed != nil:
		return Unsaid{Unfollowed: true, By: *r.Unfollowed}, true
	case o == nil:
		return Unsaid{}, false
	case o.lost:
		return Unsaid{Lost: true}, true
	case o.ownOrder:
		at, _ := r.OwnOrder()
		return Unsaid{At: at}, true
	}
	return Unsaid{}, false
}

// Unsaid is why nothing is said of the order of a rank's threads.
type Unsaid struct {
	Unfollowed bool
	By         string        // a function or library by which the program may order threads, as ring.DataUnfollowed has it
	Lost       bool          // there were too many threads, or too many objects by which they were ordered
	At         finding.Frame // code by which the program may order threads itself, if that is known
}

// mayHave says whether a thread may have learned by MPI of what was done at a stamp, in a turn that another thread
// knows of, or in any if it is that thread.
func (k *knowledge) mayHave(stamp uint32, known uint64, itself bool) bool {
	after := func(until uint32) bool { return int32(until-stamp) > 0 }
	if k.lost && after(k.until) {
		return true
	}
	for i := range k.learned {
		l := &k.learned[i]
		if (itself || l.turn <= known) && (!l.over && !itself || l.over && after(l.until)) {
			return true
		}
	}
	return false
}

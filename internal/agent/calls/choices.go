package calls

import (
	"math"

	"unknot/internal/vocab/mpi"
)

// chooses takes the call of an Enter record into account.
func (t *Thread) chooses(f *mpi.Func) {
	switch {
	case !f.Chooses():
	case IsPoll(f) && !t.outcome.forced:
		t.choices.open = true
	default:
		t.choices.one()
	}
}

// one counts a call.
func (c *choices) one() {
	c.nth = c.next
	c.next++
}

// polled takes in how many calls of the last poll found nothing.
func (c *choices) polled(n uint64) {
	c.vain = uint32(min(n, math.MaxUint32))
}

// settle counts the last poll: no record says that it found something.
func (a *Follower) settle(t *Thread) {
	if c := &t.choices; c.open {
		a.missed(t, max(1, c.vain))
		c.open = false
	}
}

// missed counts and records polls that found nothing.
func (a *Follower) missed(t *Thread, n uint32) {
	c := &t.choices
	t.See.Missed(c.next, n)
	c.next += n
	c.vain = 0
}

// SettleLast does so at the end of the run, of a thread that has made no other call since. returned is the stamp of the
// last call that has returned, polls how many were left out after it.
func (a *Follower) SettleLast(t *Thread, returned uint32, polls uint64) {
	c := &t.choices
	if !c.open || t.Ended {
		return
	}
	switch {
	case c.vain > 0:
	case returned != t.Stamp: // it has not come back
		c.open = false
		return
	default:
		c.polled(1 + polls)
	}
	a.settle(t)
}

// settle counts a poll whose Exit record is there. It may repeat others that found nothing.
func (c *call) settle(code int32) {
	k := &c.t.choices
	if !k.open {
		return
	}
	n := k.vain
	missed := code == 0 && c.nothing()
	if missed {
		n++
	}
	if n > 0 {
		c.a.missed(c.t, n)
	}
	k.open = false
	if !missed {
		k.one()
	}
}

// nothing says whether a poll has reported that nothing is complete or there.
func (c *arguments) nothing() bool {
	role := mpi.RFlag
	if c.Func.Class == mpi.Testsome {
		role = mpi.ROutcount
	}
	v, ok := c.Out(role)
	return ok && v == 0
}

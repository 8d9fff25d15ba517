package waitstate

import "unknot/internal/vocab/op"

// What the threads of this node know of what others have done, by messages and collectives: their clocks move on with
// the strict view, and moments are read off them.

// clockOf is what a thread knows at its strict position. What the threads of one process know of each other is not
// seen.
func (k *races) clockOf(t *Thread) *Clock {
	if t == nil || t.Index != 0 || len(k.multithreaded) > 0 && k.multithreaded[t.Rank] {
		return k.blind
	}
	return t.clock
}

// noteThread takes in that a rank has a second thread that calls MPI.
func (k *races) noteThread(rank op.Rank, index op.Thread) {
	if index != 0 {
		k.multithreaded[rank] = true
	}
}

// WatchMoments has the node follow what its threads know. It must be called before a thread does something by which it
// may learn of a moment of another one: at the latest when it enters a call that waits for all ranks, if none has a
// moment before that.
func (k *races) WatchMoments() { k.on = true }

// Now is the moment after all calls that a thread has made.
func (k *races) Now(t *Thread) *Moment {
	if t.head < len(t.window) {
		last := t.window[len(t.window)-1]
		if last.then == nil {
			last.then = new(Moment)
		}
		return last.then
	}
	if t.here == nil {
		t.here = new(Moment)
		k.reach(t, t.here)
	}
	return t.here
}

// reach takes in that the strict view of a thread has come to a moment.
func (k *races) reach(t *Thread, m *Moment) {
	m.rank = t.Rank
	c, tick := k.clockOf(t).tick(t.Rank)
	if k.isolated {
		c = k.blind
	}
	t.clock, m.clock, m.tick = c, c, tick
}

// Learn says that a thread has seen a part completed by a call that is not entered.
func (k *races) Learn(t *Thread, p *Part) {
	switch {
	case !k.on || !p.telling():
	case p.sat && p.Kind != op.Served && t.head == len(t.window):
		t.clock, t.here = t.clock.Join(p.lore()), nil
	default:
		k.MakeImprecise(t)
	}
}

// MakeImprecise says that a thread may have learned, by what is not entered, something of what others have done.
func (k *races) MakeImprecise(t *Thread) {
	if !k.on {
		return
	}
	if t.head < len(t.window) {
		t.window[len(t.window)-1].Tells = true
		return
	}
	t.clock, t.here = t.clock.Join(k.imprecise), nil
}

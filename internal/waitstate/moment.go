package waitstate

import "unknot/internal/op"

// Moment is a point between two calls of a thread, at which it does something that others may have to know of before
// they do what conflicts with it, such as an access to a window. What is known then is known here once the strict view
// has come to it.
type Moment struct {
	rank  op.Rank
	tick  uint32
	clock *Clock // nil before the strict view is there
}

// Reached says whether the strict view has come to the moment.
func (m *Moment) Reached() bool { return m.clock != nil }

// Knows says of a moment that was reached whether all that was done before another one, of another rank, may be known
// there: messages or collectives lead from there to here, or may do so.
func (m *Moment) Knows(earlier *Moment) bool {
	c := m.clock
	if c.Hazy || !c.judges(earlier.rank) {
		return true
	}
	if !earlier.Reached() {
		return false
	}
	i, known := c.find(earlier.rank)
	return known && c.Ticks[i].Count >= earlier.tick
}

// Heard is Knows for a moment that may be of the same rank.
func (m *Moment) Heard(earlier *Moment) bool {
	return m == earlier || m.Knows(earlier)
}

// Gained says whether something may be known here that a rank has done and that is not known at another moment. Where
// that is not known, it is true.
func (m *Moment) Gained(than *Moment, of op.Rank) bool {
	if !m.Reached() || !than.Reached() {
		return true
	}
	c, d := m.clock, than.clock
	if c.Hazy || !c.judges(of) || !d.judges(of) {
		return true
	}
	i, known := c.find(of)
	if !known {
		return false
	}
	k, before := d.find(of)
	return !before || c.Ticks[i].Count > d.Ticks[k].Count
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
	if k.forsaken {
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
		k.Haze(t)
	}
}

// Haze says that a thread may have learned, by what is not entered, something of what others have done.
func (k *races) Haze(t *Thread) {
	if !k.on {
		return
	}
	if t.head < len(t.window) {
		t.window[len(t.window)-1].Tells = true
		return
	}
	t.clock, t.here = t.clock.Join(k.hazy), nil
}

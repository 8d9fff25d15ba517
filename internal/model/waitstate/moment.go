package waitstate

import "unknot/internal/vocab/op"

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
	if c.Imprecise || !c.judges(earlier.rank) {
		return true
	}
	if !earlier.Reached() {
		return false
	}
	i, known := c.find(earlier.rank)
	return known && c.Ticks[i].Count >= earlier.tick
}

// After is Knows for a moment that may be of the same rank.
func (m *Moment) After(earlier *Moment) bool {
	return m == earlier || m.Knows(earlier)
}

// Gained says whether something may be known here that a rank has done and that is not known at another moment. Where
// that is not known, it is true.
func (m *Moment) Gained(than *Moment, of op.Rank) bool {
	if !m.Reached() || !than.Reached() {
		return true
	}
	c, d := m.clock, than.clock
	if c.Imprecise || !c.judges(of) || !d.judges(of) {
		return true
	}
	i, known := c.find(of)
	if !known {
		return false
	}
	k, before := d.find(of)
	return !before || c.Ticks[i].Count > d.Ticks[k].Count
}

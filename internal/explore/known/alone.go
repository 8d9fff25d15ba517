package known

import (
	"slices"

	"unknot/internal/vocab/op"
)

// alone says whether the choices of a rank stay the same whatever all others do first, so that it is enough to try them
// now: a persistent set (Godefroid). Others can change them only if one of them can move without the rank, or waits for
// one that can, and could send to the rank or is what its call waits for.
func (x *search) alone(s *state, r op.Rank, moving []bool) bool {
	free := slices.Clone(moving)
	free[r] = false
	for again := true; again; {
		again = false
		for q := range s.at {
			if free[q] || op.Rank(q) == r || s.finished(q) {
				continue
			}
			if x.helped(s, op.Rank(q), free) {
				free[q], again = true, true
			}
		}
	}
	return !x.helped(s, r, free)
}

// helped says whether one of some ranks could let a rank's call return, or give it other choices.
func (x *search) helped(s *state, r op.Rank, by []bool) bool {
	any := func(list []op.Rank) bool {
		return slices.ContainsFunc(list, func(m op.Rank) bool { return m >= 0 && by[m] })
	}
	touches := func(p *part, open bool) bool {
		switch p.kind {
		case op.Send:
			return open && p.peer >= 0 && by[p.peer]
		case op.Recv, op.Probe:
			if p.peer >= 0 {
				return open && by[p.peer]
			}
			c := x.p.comms[p.comm]
			return open && c != nil && any(c.Peers(r))
		case op.Coll:
			c := x.p.comms[p.comm]
			return c != nil && (any(c.Members) || any(c.Remote))
		}
		return false
	}
	for i := range s.parts[r] {
		if l := &s.parts[r][i]; !l.done && touches(l.p, !l.matched) {
			return true
		}
	}
	c := s.at[r].call
	return c != nil && c.probe && touches(&c.posts[0], true)
}

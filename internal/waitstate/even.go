package waitstate

import "slices"

// even compares a member that has come to a collective with those that are there, if they call the same. The first
// difference tells the reader enough.
func (c *waves) even(w *Wave, p *Part) {
	if p.Blocks == nil || w.uneven || w.clash {
		return
	}
	switch p.Blocks.Shape {
	case Uniform:
		if w.first[p.Blocks.Side] == nil {
			w.first[p.Blocks.Side] = p
			if p.Blocks.Side != Whole { // those of the other group have been compared with nobody
				w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return c.exchange(w, p, q) })
				return
			}
		}
		if q := w.first[p.Blocks.Side.facing()]; q != nil && !q.Blocks.shares(p.Blocks) {
			w.uneven = c.exchange(w, p, q)
		}
		if p.Blocks.Root { // others are compared with it: the data goes between them
			w.first[p.Blocks.Side] = p
		}
	case ToRoot, FromRoot:
		if p.Blocks.Root {
			w.first[Whole] = p
			w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return c.exchange(w, p, q) })
		} else if q := w.first[Whole]; q != nil {
			w.uneven = c.exchange(w, p, q)
		}
	case Pairwise:
		w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return c.exchange(w, p, q) })
	case Adjacent:
		w.uneven = c.adjacent(w, p)
	}
}

// adjacent compares a member with those of its neighbours that are there.
func (c *waves) adjacent(w *Wave, p *Part) bool {
	if w.seats == nil {
		w.seats = make([]*Part, w.Group.Members.Len())
	}
	if p.Member.index < 0 || p.Member.index >= len(w.seats) {
		return false
	}
	w.seats[p.Member.index] = p
	for _, list := range [2][]int{p.Blocks.To, p.Blocks.From} {
		for _, i := range list {
			if i >= 0 && i < len(w.seats) && w.seats[i] != nil && c.exchange(w, p, w.seats[i]) {
				return true
			}
		}
	}
	return false
}

// exchange compares two members with each other; true if they differ.
func (c *waves) exchange(w *Wave, p, q *Part) bool {
	if q.Blocks == nil {
		return false
	}
	u, uneven := Differ(p.share(), q.share())
	if uneven {
		u.Ctx, u.Seq = w.Group.Ctx, w.Seq
		u.Give, u.Take = u.Give.Told(), u.Take.Told()
		c.Uneven = append(c.Uneven, u)
	}
	return uneven
}

package waitstate

import "slices"

// Whether the members of a collective on this node give each other what they expect.

// even compares a member that has come to a collective with those that are there, if they call the same. The first
// difference tells the reader enough.
func (w *Wave) even(p *Part, out *[]Uneven) {
	if p.Blocks == nil || w.uneven || w.clash {
		return
	}
	switch p.Blocks.Shape {
	case Uniform:
		if w.first[p.Blocks.Side] == nil {
			w.first[p.Blocks.Side] = p
			if p.Blocks.Side != Whole { // those of the other group have been compared with nobody
				w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return w.exchange(p, q, out) })
				return
			}
		}
		if q := w.first[p.Blocks.Side.facing()]; q != nil && !q.Blocks.shares(p.Blocks) {
			w.uneven = w.exchange(p, q, out)
		}
		if p.Blocks.Root { // others are compared with it: the data goes between them
			w.first[p.Blocks.Side] = p
		}
	case ToRoot, FromRoot:
		if p.Blocks.Root {
			w.first[Whole] = p
			w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return w.exchange(p, q, out) })
		} else if q := w.first[Whole]; q != nil {
			w.uneven = w.exchange(p, q, out)
		}
	case Pairwise:
		w.uneven = slices.ContainsFunc(w.Parts, func(q *Part) bool { return w.exchange(p, q, out) })
	case Adjacent:
		w.uneven = w.adjacent(p, out)
	}
}

// adjacent compares a member with those of its neighbours that are there.
func (w *Wave) adjacent(p *Part, out *[]Uneven) bool {
	if w.seats == nil {
		w.seats = make([]*Part, w.Group.Members.Len())
	}
	if p.Member.index < 0 || p.Member.index >= len(w.seats) {
		return false
	}
	w.seats[p.Member.index] = p
	for _, list := range [2][]int{p.Blocks.To, p.Blocks.From} {
		for _, i := range list {
			if i >= 0 && i < len(w.seats) && w.seats[i] != nil && w.exchange(p, w.seats[i], out) {
				return true
			}
		}
	}
	return false
}

// exchange compares two members with each other; true if they differ.
func (w *Wave) exchange(p, q *Part, out *[]Uneven) bool {
	if q.Blocks == nil {
		return false
	}
	u, uneven := Differ(p.share(), q.share())
	if uneven {
		u.Ctx, u.Seq = w.Group.Ctx, w.Seq
		u.Give, u.Take = u.Give.Told(), u.Take.Told()
		*out = append(*out, u)
	}
	return uneven
}

func (p *Part) share() Share {
	s := Share{Blocks: p.Blocks, Origin: p.Origin, Sig: p.Sig, Index: p.Member.index}
	if p.Member.Init != nil {
		s.Origin = p.Member.Init
	}
	return s
}

// standing are the members that stand for those on this node, for comparing them with those of other nodes. Where each
// two members have contents of their own, that shows only what is wrong with these; whether all is as it should be, the
// balance says.
func (w *Wave) standing() (list []*Share) {
	for _, p := range w.Parts {
		switch b := p.Blocks; {
		case b == nil || b.Idle || b.Shape == Pairwise || b.Shape == Adjacent:
		case b.Side == Whole && w.first[Whole] != nil && p != w.first[Whole]: // it has been compared with that one
		case b.Shape.rooted() && len(list) > 0:
		default:
			if s := p.share(); !slices.ContainsFunc(list, s.Alike) {
				list = append(list, &s)
			}
		}
	}
	return list
}

// balance is that of the members on this node. It is empty if the collective has no such contents, or if one differs
// from another here already.
func (w *Wave) balance() (b Balance) {
	if w.uneven || w.clash {
		return Balance{}
	}
	for _, p := range w.Parts {
		if sum, known := p.balance(); known {
			b.Add(Balance{sum, 1})
		}
	}
	return b
}

func (p *Part) balance() (sum uint64, known bool) {
	b := p.Blocks
	if b == nil || b.Shape == Uniform {
		return 0, false
	}
	me, each := seat(b.Side, p.Member.index), func(i int) int { return seat(b.Side.facing(), i) }
	give, take := flow{b.Give, b.Peers, each}, flow{b.Take, b.Peers, each}
	switch {
	case b.Idle:
		return 0, true
	case b.Shape == Adjacent:
		give, take = flow{b.Give, len(b.To), neighbour(b.To)}, flow{b.Take, len(b.From), neighbour(b.From)}
	case b.Shape.rooted():
		if b.Root {
			own := me
			others := func(i int) int { // what it gives itself is compared on its node
				if each(i) == own {
					return nobody
				}
				return each(i)
			}
			me, give.peer, take.peer = rootSeat, others, others
		} else {
			root := func(int) int { return rootSeat }
			give, take = flow{b.Give, 1, root}, flow{b.Take, 1, root}
		}
		if (b.Shape == ToRoot) == b.Root {
			give = flow{}
		} else {
			take = flow{}
		}
	}
	given, known := give.total(func(peer int) uint64 { return between(me, peer) })
	expected, alsoKnown := take.total(func(peer int) uint64 { return between(peer, me) })
	return given - expected, known && alsoKnown
}

// shares are those of the members on this node, each with all that it gives and expects.
func (w *Wave) shares() (list []*Share) {
	for _, p := range w.Parts {
		if p.Blocks != nil {
			s := p.share()
			list = append(list, &s)
		}
	}
	return list
}

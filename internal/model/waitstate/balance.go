package waitstate

import (
	"math"
	"slices"
)

// Balance is what members of a collective give each other, less what they expect of each other. In one where pairs of
// members have contents of their own, no node knows both sides of most pairs, and all lists together grow with the
// square of the members. So each pair's content becomes a number, which the giver adds and the taker subtracts: the sum
// over all members is 0 if all that is given is expected, and hardly ever else. Only then the lists are asked for.
type Balance struct {
	Sum     uint64
	Members int // that the sum is of
}

// Add puts the members of two sums together.
func (b *Balance) Add(o Balance) { b.Sum, b.Members = b.Sum+o.Sum, b.Members+o.Members }

// flow is what a member gives, or what it expects: n contents, each exchanged with a peer, or with nobody.
type flow struct {
	list []Content
	n    int
	peer func(i int) int
}

// Seats are numbers of members: one for each member of each side, and one for the root, whoever it is.
const (
	nobody   = -1
	rootSeat = math.MaxInt32
)

func seat(s Side, index int) int { return index*int(sides) + int(s) }

func neighbour(list []int) func(int) int {
	return func(i int) int {
		if list[i] < 0 {
			return nobody
		}
		return seat(Whole, list[i])
	}
}

// total is the sum of the numbers of the contents. way makes a number of the peer.
func (f flow) total(way func(peer int) uint64) (sum uint64, known bool) {
	var last Content
	var hash uint64
	for i := range f.n {
		other := f.peer(i)
		if other == nobody {
			continue
		}
		c, ok := pick(f.list, i)
		if !ok {
			return 0, false
		}
		if c != last {
			if hash, ok = c.Hash(); !ok {
				return 0, false
			}
			last = c
		}
		sum += spread(way(other) ^ hash)
	}
	return sum, true
}

// between is a number for what goes from one member to another.
func between(from, to int) uint64 { return spread(uint64(from)<<32 | uint64(uint32(to))) }

// spread makes of a number one in which each bit depends on all of its bits (the finalizer of splitmix64; Steele, Lea,
// Flood, 2014).
func spread(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

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
		u.Give, u.Take = u.Give.AsSent(), u.Take.AsSent()
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

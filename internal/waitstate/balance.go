package waitstate

// Balance is what members of a collective give each other, less what they expect of each other. In one where each pair of members has
// contents of its own, no node knows both sides of most pairs, and all lists together grow with the square of the members. So each pair's
// content becomes a number, which the giver adds and the taker subtracts: the sum over all members is 0 if all that is given is expected, and
// hardly ever else. Only then the lists are asked for.
type Balance struct {
	Sum     uint64
	Members int // that the sum is of
}

// Add puts the members of two sums together.
func (b *Balance) Add(o Balance) { b.Sum, b.Members = b.Sum+o.Sum, b.Members+o.Members }

// balance is that of the members on this node. It is empty if the collective has no such contents, or if one differs from another here already.
func (w *Wave) balance() (b Balance) {
	if w.uneven || w.clash {
		return Balance{}
	}
	for _, p := range w.Parts {
		if sum, known := p.balance(w.Group.Members.Len()); known {
			b.Add(Balance{sum, 1})
		}
	}
	return b
}

func (p *Part) balance(members int) (sum uint64, known bool) {
	b := p.Blocks
	if b == nil || b.Side != Whole {
		return 0, false
	}
	me, give, take := p.Member.index, members, members
	to, from := func(i int) int { return i }, func(i int) int { return i }
	switch b.Shape {
	case Pairwise:
	case Adjacent:
		give, take = len(b.To), len(b.From)
		to, from = func(i int) int { return b.To[i] }, func(i int) int { return b.From[i] }
	default:
		return 0, false
	}
	given, known := total(b.Give, give, to, func(peer int) uint64 { return between(me, peer) })
	expected, alsoKnown := total(b.Take, take, from, func(peer int) uint64 { return between(peer, me) })
	return given - expected, known && alsoKnown
}

// total is the sum of the numbers of n contents. peer is with whom each is exchanged, negative for nobody, and way makes a number of that.
func total(list []Content, n int, peer func(int) int, way func(peer int) uint64) (sum uint64, known bool) {
	var last Content
	var hash uint64
	for i := range n {
		other := peer(i)
		if other < 0 {
			continue
		}
		c, ok := pick(list, i)
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

// spread makes of a number one in which each bit depends on all of its bits (the finalizer of splitmix64; Steele, Lea, Flood, 2014).
func spread(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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

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
	me := p.Member.index
	switch b.Shape {
	case Pairwise:
		give, known := total(b.Give, members, func(i int) int { return i }, func(i int) (int, int) { return me, i })
		take, alsoKnown := total(b.Take, members, func(i int) int { return i }, func(i int) (int, int) { return i, me })
		return give - take, known && alsoKnown
	case Adjacent:
		give, known := total(b.Give, len(b.To), func(i int) int { return b.To[i] }, func(i int) (int, int) { return me, b.To[i] })
		take, alsoKnown := total(b.Take, len(b.From), func(i int) int { return b.From[i] }, func(i int) (int, int) { return b.From[i], me })
		return give - take, known && alsoKnown
	}
	return 0, false
}

// total is the sum of the numbers of n contents; peer is with whom each is exchanged, negative for nobody, and between from whom to whom it goes.
func total(list []Content, n int, peer func(int) int, between func(int) (from, to int)) (sum uint64, known bool) {
	var last Content
	var hash uint64
	for i := range n {
		if peer(i) < 0 {
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
		from, to := between(i)
		sum += spread(spread(uint64(from)<<32|uint64(uint32(to))) ^ hash)
	}
	return sum, true
}

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

package waitstate

import "math"

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

package waitstate

import (
	"slices"

	"unknot/internal/vocab/op"
)

// Shape says between which members of a collective data goes.
type Shape uint8

// Shapes.
const (
	Uniform  Shape = iota // every member gives and expects the same as every other
	ToRoot                // from each member to the root
	FromRoot              // from the root to each member
	Pairwise              // between every two members, each pair having its own
	Adjacent              // between neighbours, each edge having its own
)

// rooted says whether data goes between the root and each member.
func (s Shape) rooted() bool { return s == ToRoot || s == FromRoot }

// Side is a group of an intercommunicator, whose members exchange data with those of the other group only (MPI-4.0,
// 6.2.2).
type Side uint8

// Sides. There is only one in an intracommunicator.
const (
	Whole Side = iota
	Left
	Right
	sides
)

// facing is the side that s exchanges data with.
func (s Side) facing() Side { return [sides]Side{Whole, Right, Left}[s] }

// Blocks is what a member of a collective gives to the others and expects of them (MPI-4.0, 6.1: the amount of data
// sent must be equal to the amount that the receiver specifies, and so must the type signatures).
type Blocks struct {
	Shape Shape
	Side  Side
	Root  bool // this member is the root
	Up    bool // of a Uniform one with a root: it is the root that gets the data, as in MPI_Reduce
	Idle  bool // it is of the root's group on an intercommunicator, and has nothing to do
	// Give and Take have an entry for each member, by its place in its group, or one for all of them alike. They are
	// nil if nothing is known, or if the member gives or expects nothing. Of an Adjacent one they have an entry for
	// each neighbour.
	Give, Take []Content
	Peers      int // members of the group that it exchanges data with; of a Uniform one it may be 0
	// To and From are the neighbours' places in the group, in the order in which the member has them; -1 for none.
	To, From []int
}

// Uneven is a collective in which one member gives another something else than that expects.
type Uneven struct {
	Ctx             op.CommID
	Seq             uint64
	Give, Take      *Origin
	Given, Expected Content
	// Via says of two members that give each other nothing what they disagree about: what both expect from the root
	// (FromRoot), or what both give it (ToRoot). Give is the one with the lower rank.
	Via Shape
}

// shares says that two members of a Uniform collective have what they give and expect in common: one entry, in one
// place of memory.
func (b *Blocks) shares(o *Blocks) bool {
	return len(b.Give) == 1 && len(o.Give) == 1 && &b.Give[0] == &o.Give[0] && len(b.Take) == 1 && len(o.Take) == 1 &&
		&b.Give[0] == &b.Take[0] && &o.Give[0] == &o.Take[0]
}

// Share is what one member has to do with the data of a collective.
type Share struct {
	Blocks *Blocks
	Origin *Origin // the call with the arguments
	Sig    Signature
	Index  int // of the member in the group
}

// Alike says whether two members have the same to do with the data of the collective, whoever they are: what is
// compared with one need not be compared with the other.
func (s *Share) Alike(o *Share) bool {
	a, b := s.Blocks, o.Blocks
	switch {
	case s.Sig != o.Sig || a.Shape != b.Shape || a.Side != b.Side || a.Root != b.Root:
		return false
	case a.Idle != b.Idle || a.Shape == Pairwise || a.Shape == Adjacent:
		return false
	}
	one := func(list []Content) bool { return len(list) <= 1 }
	return one(a.Give) && one(b.Give) && one(a.Take) && one(b.Take) && slices.Equal(a.Give, b.Give) &&
		slices.Equal(a.Take, b.Take)
}

// Differ compares what two members of a collective give each other with what they expect of each other.
func Differ(a, b Share) (Uneven, bool) {
	if !a.Sig.fits(b.Sig) {
		return Uneven{}, false // another finding says so
	}
	if a.Blocks.Side.facing() != b.Blocks.Side {
		return Uneven{}, false
	}
	switch a.Blocks.Shape {
	case Pairwise, Adjacent: // what is wrong both ways is reported in one way, whoever comes first
		if b.Index < a.Index {
			a, b = b, a
		}
	default:
		if root := a.Sig.Root; !a.Blocks.Up && b.Origin.Rank == root || a.Blocks.Up && a.Origin.Rank == root {
			a, b = b, a // where all have the same, it is the root that gives it or gets it
		}
	}
	if a.apart(b) {
		return viaRoot(a, b)
	}
	for _, way := range [2][2]Share{{a, b}, {b, a}} {
		p, q := way[0], way[1]
		if p.Blocks.Shape == Adjacent {
			if u, uneven := alongEdges(p, q); uneven {
				return u, true
			}
			continue
		}
		given, ok := pick(p.Blocks.Give, q.Index)
		expected, known := pick(q.Blocks.Take, p.Index)
		if ok && known && !same(given, expected) {
			return Uneven{Give: p.Origin, Take: q.Origin, Given: given, Expected: expected}, true
		}
	}
	return Uneven{}, false
}

// apart says whether data goes between each of two members and a third one, the root, only: neither of those of a
// Uniform collective with a root is it.
func (s *Share) apart(o Share) bool {
	root := s.Sig.Root
	return s.Blocks.Shape == Uniform && root >= 0 && s.Origin.Rank != root && o.Origin.Rank != root
}

// viaRoot compares what two such members expect from the root, or give it.
func viaRoot(a, b Share) (Uneven, bool) {
	if b.Origin.Rank < a.Origin.Rank {
		a, b = b, a
	}
	ours, ok := pick(a.Blocks.Give, b.Index)
	theirs, known := pick(b.Blocks.Give, a.Index)
	if !ok || !known || same(ours, theirs) {
		return Uneven{}, false
	}
	via := FromRoot
	if a.Blocks.Up {
		via = ToRoot
	}
	return Uneven{Give: a.Origin, Take: b.Origin, Given: ours, Expected: theirs, Via: via}, true
}

// alongEdges compares what p gives its neighbour q with what that expects. With several edges from one to the other,
// which of them belong together is left open, so they only differ if something given is expected nowhere.
func alongEdges(p, q Share) (Uneven, bool) {
	given, ok := edges(p.Blocks.Give, p.Blocks.To, q.Index)
	expected, known := edges(q.Blocks.Take, q.Blocks.From, p.Index)
	if !ok || !known || len(given) != len(expected) {
		return Uneven{}, false
	}
	for _, g := range given {
		if !slices.ContainsFunc(expected, func(e Content) bool { return same(g, e) }) {
			return Uneven{Give: p.Origin, Take: q.Origin, Given: g, Expected: expected[0]}, true
		}
	}
	return Uneven{}, false
}

// edges are the entries of a list that belong to the neighbour at a place; false if one of them is not known.
func edges(list []Content, neighbours []int, place int) (out []Content, known bool) {
	for i, at := range neighbours {
		if at != place {
			continue
		}
		c, ok := pick(list, i)
		if !ok {
			return nil, false
		}
		out = append(out, c)
	}
	return out, len(out) > 0
}

func pick(list []Content, i int) (Content, bool) {
	switch {
	case len(list) == 1:
		i = 0
	case i < 0 || i >= len(list):
		return Content{}, false
	}
	return list[i], list[i].Type != nil
}

package waitstate

import "unknot/internal/vocab/op"

// Origin is the call that a part comes from, for reports and for comparing collectives.
type Origin struct {
	Rank   op.Rank
	Thread op.Thread
	Stamp  uint32
	Fn     uint16
	NWords uint8
	Site   uint64
	TS     uint64
	Words  [12]uint64 // the first words of the call's record: all of MPI_Sendrecv's
}

// AsSent is the call as others get it. Where calls are left out, the node's own origin is moved to an equal call that
// came later; a copy that others have stays as it is.
func (o *Origin) AsSent() *Origin {
	if o == nil {
		return nil
	}
	told := *o
	return &told
}

// Calls are the call that a send or receive comes from and, if that starts a persistent one (MPI-4.0, 3.9), the call
// that made its request.
type Calls struct{ Here, Init *Origin }

// About is the call with the arguments.
func (c Calls) About() *Origin {
	if c.Init != nil {
		return c.Init
	}
	return c.Here
}

// AsSent are the calls as others get them.
func (c Calls) AsSent() Calls { return Calls{c.Here.AsSent(), c.Init.AsSent()} }

// First are the first words of the call's record.
func (o *Origin) First() []uint64 { return o.Words[:o.NWords] }

// Valid says whether o has no more words than there is room for, of one that came from another host.
func (o Origin) Valid() bool { return int(o.NWords) <= len(o.Words) }

// Signature is what all members of a collective must agree on (MPI-4.0, 6.1).
type Signature struct {
	Op uint32 // which collective: the same for the blocking and the large-count form, not for the non-blocking one
	// world rank, or op.AnySource where there is no root, or, on an intercommunicator, at who leaves it to his group
	Root op.Rank
	// of a collective with a root on an intercommunicator, the lowest world rank of the group that has the root; else
	// op.AnySource
	Side op.Rank
	// Facing says that the root is named from the other group.
	Facing bool
	Fold   uint64 // the reduction operator's identity, or 0
}

// Ref names a part on another node.
type Ref struct {
	Rank op.Rank
	ID   uint32
}

// fits says whether two members can have called one collective. On an intercommunicator those of the root's group need
// not know who the root is.
func (s Signature) fits(o Signature) bool {
	if s.Root == op.AnySource || o.Root == op.AnySource {
		o.Root = s.Root
	}
	o.Facing = s.Facing
	return s == o
}

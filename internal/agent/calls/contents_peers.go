package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// amongNeighbours is what a member of a collective of neighbours gives and expects (MPI-4.0, 8.6): what goes along an
// edge must be the same at both ends. b has what its buffers say.
func (c *arguments) amongNeighbours(comm *objects.Comm, b *waitstate.Blocks) *waitstate.Blocks {
	to, from, known := c.r.Objects.Neighbours(comm)
	if !known || !fill(b.Give, to) || !fill(b.Take, from) {
		return nil
	}
	b.Shape, b.To, b.From = waitstate.Adjacent, to, from
	return b
}

// fill says whether a list has an entry for each neighbour, or one for all.
func fill(list []datatype.Content, neighbours []int) bool {
	return len(list) == len(neighbours) || len(list) == 1
}

// across is what a member of a collective on an intercommunicator gives to the members of the other group and expects
// of them (MPI-4.0, 6.2.3).
func (c *arguments) across(comm *objects.Comm, sent, received *mpi.Buffer) *waitstate.Blocks {
	if c.Func.EnterAt[mpi.RRoot] >= 0 {
		return c.withRoot(comm, sent, received)
	}
	b := &waitstate.Blocks{Side: side(comm), Give: c.contents(sent), Take: c.contents(received),
		Peers: comm.Remote.Len()}
	switch {
	case c.Func.Suits != mpi.SuitsAny:
		return nil
	case sent.Sum: // both groups get as many elements in all
		all := datatype.Content{Type: c.r.Objects.Type(c.At(sent.Type))}
		for _, block := range b.Give {
			all.Count += block.Count
		}
		b.Give = []datatype.Content{all}
		b.Take = b.Give
	case alike(sent, received):
		if sent.Each == mpi.ByMembers {
			b.Give[0].Count *= int64(comm.Size())
		}
		b.Take = b.Give
	case received.Counts:
		b.Shape = waitstate.Pairwise
	}
	return b
}

// withRoot is across for a collective with a root, which exchanges data with the members of the other group.
func (c *arguments) withRoot(comm *objects.Comm, sent, received *mpi.Buffer) *waitstate.Blocks {
	b := &waitstate.Blocks{Shape: waitstate.FromRoot, Side: side(comm), Peers: comm.Remote.Len()}
	if received.Used == mpi.AtRoot {
		b.Shape = waitstate.ToRoot
	}
	switch int64(int32(c.Num(mpi.RRoot))) {
	case c.r.Objects.Limits.ProcNull:
		b.Idle = true
		return b
	case c.r.Objects.Limits.Root:
		b.Root = true
	}
	if b.Root == (b.Shape == waitstate.ToRoot) {
		b.Take = c.contents(received)
	} else {
		b.Give = c.contents(sent)
	}
	return b
}

// side names the two groups of an intercommunicator alike at all members: Left is the one with the lowest rank.
func side(c *objects.Comm) waitstate.Side {
	if lowest(c.Members) < lowest(c.Remote) {
		return waitstate.Left
	}
	return waitstate.Right
}

// lowest is the lowest rank of a group, op.Unknown if its members are not known.
func lowest(group op.Ranks) op.Rank {
	if len(group.Runs) == 0 {
		return op.Unknown
	}
	return group.Lowest()
}

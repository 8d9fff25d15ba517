package agent

import (
	"unknot/internal/datatype"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// amongNeighbours is what a member of a collective of neighbours gives and expects (MPI-4.0, 8.6): what goes along an edge must be
// the same at both ends. b has what its scalar parameters say.
func (c *call) amongNeighbours(comm *comm, b *waitstate.Blocks) *waitstate.Blocks {
	switch c.f.Base {
	case "MPI_Neighbor_allgather", "MPI_Neighbor_alltoall":
	case "MPI_Neighbor_allgatherv":
		b.Take = c.each("recvcounts", mpi.RRecvType)
	case "MPI_Neighbor_alltoallv":
		b.Give, b.Take = c.each("sendcounts", mpi.RType), c.each("recvcounts", mpi.RRecvType)
	case "MPI_Neighbor_alltoallw":
		b.Give, b.Take = c.eachOfType("sendcounts", "sendtypes"), c.eachOfType("recvcounts", "recvtypes")
	default:
		return nil
	}
	to, from, known := c.r.use.Neighbours(comm.use)
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

// across is what a member of a collective on an intercommunicator gives to the members of the other group and expects of them
// (MPI-4.0, 6.2.3).
func (c *call) across(comm *comm) *waitstate.Blocks {
	b := &waitstate.Blocks{Side: comm.side()}
	b.Give = []datatype.Content{c.content(mpi.RCount, mpi.RType)}
	b.Take = []datatype.Content{c.content(mpi.RRecvCount, mpi.RRecvType)}
	if c.f.EnterAt[mpi.RRoot] >= 0 {
		switch int64(int32(c.num(mpi.RRoot))) {
		case c.r.use.Limits.ProcNull:
			return nil // it is of the root's group and has nothing to do
		case c.r.use.Limits.Root:
			b.Root = true
		}
		return c.acrossRooted(b)
	}
	switch c.f.Base {
	case "MPI_Allgather", "MPI_Alltoall":
	case "MPI_Allreduce":
		b.Take = b.Give
	case "MPI_Reduce_scatter_block": // both groups get as many elements in all
		all := c.content(mpi.RRecvCount, mpi.RType)
		all.Count *= int64(len(comm.members))
		b.Give = []datatype.Content{all}
		b.Take = b.Give
	case "MPI_Reduce_scatter":
		all := datatype.Content{Type: c.r.use.Type(c.word(mpi.RType))}
		for _, n := range c.f.Values("recvcounts", c.words, true) {
			all.Count += int64(n)
		}
		b.Give = []datatype.Content{all}
		b.Take = b.Give
	case "MPI_Allgatherv":
		b.Shape, b.Take = waitstate.Pairwise, c.each("recvcounts", mpi.RRecvType)
	case "MPI_Alltoallv":
		b.Shape, b.Give, b.Take = waitstate.Pairwise, c.each("sendcounts", mpi.RType), c.each("recvcounts", mpi.RRecvType)
	case "MPI_Alltoallw":
		b.Shape, b.Give, b.Take = waitstate.Pairwise, c.eachOfType("sendcounts", "sendtypes"), c.eachOfType("recvcounts", "recvtypes")
	default:
		return nil
	}
	return b
}

// acrossRooted completes what the root and the members of the other group have to do with each other.
func (c *call) acrossRooted(b *waitstate.Blocks) *waitstate.Blocks {
	b.Shape = waitstate.Rooted
	toRoot, each := true, b.Take
	switch c.f.Base {
	case "MPI_Bcast":
		toRoot, each = false, b.Give
	case "MPI_Reduce":
		each = b.Give
	case "MPI_Gather":
	case "MPI_Gatherv":
		each = c.each("recvcounts", mpi.RRecvType)
	case "MPI_Scatter":
		toRoot, each = false, b.Give
	case "MPI_Scatterv":
		toRoot, each = false, c.each("sendcounts", mpi.RType)
	default:
		return nil
	}
	expected := b.Take
	if c.f.Base == "MPI_Bcast" {
		expected = b.Give
	}
	switch {
	case b.Root && toRoot:
		b.Give, b.Take = nil, each
	case b.Root:
		b.Give, b.Take = each, nil
	case toRoot:
		b.Take = nil
	default:
		b.Give, b.Take = nil, expected
	}
	return b
}

// side names the two groups of an intercommunicator alike at all members: Left is the one with the lowest rank.
func (c *comm) side() waitstate.Side {
	lowest := func(group []op.Rank) op.Rank {
		least := op.Unknown
		for _, r := range group {
			if least == op.Unknown || r < least {
				least = r
			}
		}
		return least
	}
	if lowest(c.members) < lowest(c.remote) {
		return waitstate.Left
	}
	return waitstate.Right
}

package agent

import (
	"slices"

	"unknot/internal/datatype"
	"unknot/internal/mpi"
	"unknot/internal/waitstate"
)

// carried is what a send carries, and its size in bytes, -1 if that is not known.
func (c *call) carried() (datatype.Content, int64) {
	content := c.content(mpi.RCount, mpi.RType)
	if c.f.Class == mpi.PsendInit {
		content.Count *= c.num(mpi.RPartitions)
	}
	if content.Type == nil {
		return content, c.bytes()
	}
	return content, content.Type.Size() * content.Count
}

// room is what a receive has room for; of a matched probe another call tells it.
func (c *call) room() datatype.Content {
	switch c.f.Class {
	case mpi.Sendrecv, mpi.Isendrecv:
		if c.f.EnterAt[mpi.RRecvType] >= 0 {
			return c.content(mpi.RRecvCount, mpi.RRecvType)
		}
		return c.content(mpi.RCount, mpi.RType) // MPI_Sendrecv_replace
	case mpi.Recv, mpi.Irecv, mpi.RecvInit:
		return c.content(mpi.RCount, mpi.RType)
	case mpi.PrecvInit:
		content := c.content(mpi.RCount, mpi.RType)
		content.Count *= c.num(mpi.RPartitions)
		return content
	}
	return datatype.Content{}
}

// content is what a count and a datatype of the call say of a buffer.
func (c *call) content(count, kind mpi.Role) datatype.Content {
	if c.r.use == nil || c.f.EnterAt[count] < 0 || c.f.EnterAt[kind] < 0 {
		return datatype.Content{}
	}
	n := c.num(count)
	if n < 0 {
		return datatype.Content{}
	}
	return datatype.Content{Type: c.r.use.Type(c.word(kind)), Count: n}
}

// blocks is what a member of a collective gives and expects; nil if that cannot be told.
func (c *call) blocks(comm *comm) *waitstate.Blocks {
	if comm == nil || c.a.checks == nil || c.f.Class != mpi.Coll {
		return nil
	}
	carries := c.f.EnterAt[mpi.RType] >= 0 || c.f.EnterAt[mpi.RRecvType] >= 0 || len(c.f.Values("recvtypes", c.words, true)) > 0
	if !carries {
		return nil
	}
	if comm.inter {
		return c.across(comm)
	}
	given := []datatype.Content{c.content(mpi.RCount, mpi.RType)}
	taken := []datatype.Content{c.content(mpi.RRecvCount, mpi.RRecvType)}
	inPlace := c.r.use.Limits.InPlace
	if c.word(mpi.RBuf) == inPlace {
		given = nil // its parameters are not significant
	}
	if c.word(mpi.RRecvBuf) == inPlace {
		taken = nil
	}
	root := c.f.EnterAt[mpi.RRoot] >= 0 && comm.world(int64(int32(c.num(mpi.RRoot)))) == c.r.world
	b := &waitstate.Blocks{Root: root, Give: given, Take: taken}
	switch c.f.Base {
	case "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan":
		same := []datatype.Content{c.content(mpi.RCount, mpi.RType)}
		b.Give, b.Take = same, same
	case "MPI_Reduce_scatter_block":
		same := []datatype.Content{c.content(mpi.RRecvCount, mpi.RType)}
		b.Give, b.Take = same, same
	case "MPI_Allgather", "MPI_Alltoall":
	case "MPI_Gather":
		gather(b, taken)
	case "MPI_Scatter":
		scatter(b, given)
	case "MPI_Gatherv":
		gather(b, c.each("recvcounts", mpi.RRecvType))
	case "MPI_Scatterv":
		scatter(b, c.each("sendcounts", mpi.RType))
	case "MPI_Allgatherv":
		b.Shape, b.Take = waitstate.Pairwise, c.each("recvcounts", mpi.RRecvType)
	case "MPI_Alltoallv":
		b.Shape, b.Take = waitstate.Pairwise, c.each("recvcounts", mpi.RRecvType)
		if given != nil {
			b.Give = c.each("sendcounts", mpi.RType)
		}
	case "MPI_Alltoallw":
		b.Shape, b.Take = waitstate.Pairwise, c.eachOfType("recvcounts", "recvtypes")
		if given != nil {
			b.Give = c.eachOfType("sendcounts", "sendtypes")
		}
	case "MPI_Reduce_scatter":
		b.Shape, b.Give = waitstate.Pairwise, c.each("recvcounts", mpi.RType)
		if i := slices.Index(comm.members, c.r.world); i >= 0 && i < len(b.Give) {
			b.Take = b.Give[i : i+1]
		}
	default:
		return c.amongNeighbours(comm, b)
	}
	return b
}

// gather makes the root expect something of each member, which expects nothing itself.
func gather(b *waitstate.Blocks, taken []datatype.Content) {
	b.Shape, b.Take = waitstate.Rooted, nil
	if b.Root {
		b.Take = taken
	}
}

// scatter is the opposite. MPI_IN_PLACE stands for the receive buffer of the root then, so that what it gives is known.
func scatter(b *waitstate.Blocks, given []datatype.Content) {
	b.Shape, b.Give = waitstate.Rooted, nil
	if b.Root {
		b.Give = given
	}
}

func (c *call) each(counts string, kind mpi.Role) []datatype.Content {
	t := c.r.use.Type(c.word(kind))
	var out []datatype.Content
	for _, n := range c.f.Values(counts, c.words, true) {
		out = append(out, datatype.Content{Type: t, Count: int64(n)})
	}
	return out
}

func (c *call) eachOfType(counts, types string) []datatype.Content {
	handles := c.f.Values(types, c.words, true)
	var out []datatype.Content
	for i, n := range c.f.Values(counts, c.words, true) {
		if i < len(handles) {
			out = append(out, datatype.Content{Type: c.r.use.Type(handles[i]), Count: int64(n)})
		}
	}
	return out
}

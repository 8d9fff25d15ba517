package agent

import (
	"slices"

	"unknot/internal/probe/mpiapi"
	"unknot/internal/usage/typemap"
	"unknot/internal/waitstate"
)

// carried is what a send carries, and its size in bytes, -1 if that is not known.
func (c *call) carried() (typemap.Content, int64) {
	content := c.content(mpiapi.RCount, mpiapi.RType)
	if c.f.Class == mpiapi.PsendInit {
		content.Count *= c.num(mpiapi.RPartitions)
	}
	if content.Type == nil {
		return content, c.bytes()
	}
	return content, content.Type.Size() * content.Count
}

// room is what a receive has room for; of a matched probe another call tells it.
func (c *call) room() typemap.Content {
	switch c.f.Class {
	case mpiapi.Sendrecv, mpiapi.Isendrecv:
		if c.f.EnterAt[mpiapi.RRecvType] >= 0 {
			return c.content(mpiapi.RRecvCount, mpiapi.RRecvType)
		}
		return c.content(mpiapi.RCount, mpiapi.RType) // MPI_Sendrecv_replace
	case mpiapi.Recv, mpiapi.Irecv, mpiapi.RecvInit:
		return c.content(mpiapi.RCount, mpiapi.RType)
	case mpiapi.PrecvInit:
		content := c.content(mpiapi.RCount, mpiapi.RType)
		content.Count *= c.num(mpiapi.RPartitions)
		return content
	}
	return typemap.Content{}
}

// content is what a count and a datatype of the call say of a buffer.
func (c *call) content(count, datatype mpiapi.Role) typemap.Content {
	if c.r.use == nil || c.f.EnterAt[count] < 0 || c.f.EnterAt[datatype] < 0 {
		return typemap.Content{}
	}
	n := c.num(count)
	if n < 0 {
		return typemap.Content{}
	}
	return typemap.Content{Type: c.r.use.Type(c.word(datatype)), Count: n}
}

// blocks is what a member of a collective gives and expects; nil if that cannot be told.
func (c *call) blocks(comm *comm) *waitstate.Blocks {
	if comm == nil || c.a.checks == nil || c.f.Class != mpiapi.Coll {
		return nil
	}
	carries := c.f.EnterAt[mpiapi.RType] >= 0 || c.f.EnterAt[mpiapi.RRecvType] >= 0 || len(c.f.Values("recvtypes", c.words, true)) > 0
	if !carries {
		return nil
	}
	if comm.inter {
		return c.across(comm)
	}
	given := []typemap.Content{c.content(mpiapi.RCount, mpiapi.RType)}
	taken := []typemap.Content{c.content(mpiapi.RRecvCount, mpiapi.RRecvType)}
	inPlace := c.r.use.Limits.InPlace
	if c.word(mpiapi.RBuf) == inPlace {
		given = nil // its parameters are not significant
	}
	if c.word(mpiapi.RRecvBuf) == inPlace {
		taken = nil
	}
	root := c.f.EnterAt[mpiapi.RRoot] >= 0 && comm.world(int64(int32(c.num(mpiapi.RRoot)))) == c.r.world
	b := &waitstate.Blocks{Root: root, Give: given, Take: taken}
	switch c.f.Base {
	case "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan":
		same := []typemap.Content{c.content(mpiapi.RCount, mpiapi.RType)}
		b.Give, b.Take = same, same
	case "MPI_Reduce_scatter_block":
		same := []typemap.Content{c.content(mpiapi.RRecvCount, mpiapi.RType)}
		b.Give, b.Take = same, same
	case "MPI_Allgather", "MPI_Alltoall":
	case "MPI_Gather":
		gather(b, taken)
	case "MPI_Scatter":
		scatter(b, given)
	case "MPI_Gatherv":
		gather(b, c.each("recvcounts", mpiapi.RRecvType))
	case "MPI_Scatterv":
		scatter(b, c.each("sendcounts", mpiapi.RType))
	case "MPI_Allgatherv":
		b.Shape, b.Take = waitstate.Pairwise, c.each("recvcounts", mpiapi.RRecvType)
	case "MPI_Alltoallv":
		b.Shape, b.Take = waitstate.Pairwise, c.each("recvcounts", mpiapi.RRecvType)
		if given != nil {
			b.Give = c.each("sendcounts", mpiapi.RType)
		}
	case "MPI_Alltoallw":
		b.Shape, b.Take = waitstate.Pairwise, c.eachOfType("recvcounts", "recvtypes")
		if given != nil {
			b.Give = c.eachOfType("sendcounts", "sendtypes")
		}
	case "MPI_Reduce_scatter":
		b.Shape, b.Give = waitstate.Pairwise, c.each("recvcounts", mpiapi.RType)
		if i := slices.Index(comm.members, c.r.world); i >= 0 && i < len(b.Give) {
			b.Take = b.Give[i : i+1]
		}
	default:
		return c.amongNeighbours(comm, b)
	}
	return b
}

// gather makes the root expect something of each member, which expects nothing itself.
func gather(b *waitstate.Blocks, taken []typemap.Content) {
	b.Shape, b.Take = waitstate.Rooted, nil
	if b.Root {
		b.Take = taken
	}
}

// scatter is the opposite. MPI_IN_PLACE stands for the receive buffer of the root then, so that what it gives is known.
func scatter(b *waitstate.Blocks, given []typemap.Content) {
	b.Shape, b.Give = waitstate.Rooted, nil
	if b.Root {
		b.Give = given
	}
}

func (c *call) each(counts string, datatype mpiapi.Role) []typemap.Content {
	t := c.r.use.Type(c.word(datatype))
	var out []typemap.Content
	for _, n := range c.f.Values(counts, c.words, true) {
		out = append(out, typemap.Content{Type: t, Count: int64(n)})
	}
	return out
}

func (c *call) eachOfType(counts, types string) []typemap.Content {
	handles := c.f.Values(types, c.words, true)
	var out []typemap.Content
	for i, n := range c.f.Values(counts, c.words, true) {
		if i < len(handles) {
			out = append(out, typemap.Content{Type: c.r.use.Type(handles[i]), Count: int64(n)})
		}
	}
	return out
}

package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// carried is what a send carries, and its size in bytes, -1 if that is not known.
func (c *arguments) carried() (datatype.Content, int64) {
	content := c.content(mpi.RCount, mpi.RType)
	if c.Func.Class == mpi.PsendInit {
		content.Count *= c.Num(mpi.RPartitions)
	}
	if content.Type == nil {
		return content, c.bytes()
	}
	return content, content.Type.Size() * content.Count
}

// room is what a receive has room for; of a matched probe another call tells it.
func (c *arguments) room() datatype.Content {
	switch c.Func.Class {
	case mpi.Sendrecv, mpi.Isendrecv:
		if c.Func.EnterAt[mpi.RRecvType] >= 0 {
			return c.content(mpi.RRecvCount, mpi.RRecvType)
		}
		return c.content(mpi.RCount, mpi.RType) // MPI_Sendrecv_replace
	case mpi.Recv, mpi.Irecv, mpi.RecvInit:
		return c.content(mpi.RCount, mpi.RType)
	case mpi.PrecvInit:
		content := c.content(mpi.RCount, mpi.RType)
		content.Count *= c.Num(mpi.RPartitions)
		return content
	}
	return datatype.Content{}
}

// content is what a count and a datatype of the call say of a buffer.
func (c *arguments) content(count, kind mpi.Role) datatype.Content {
	if c.Func.EnterAt[count] < 0 || c.Func.EnterAt[kind] < 0 {
		return datatype.Content{}
	}
	n := c.Num(count)
	if n < 0 {
		return datatype.Content{}
	}
	return datatype.Content{Type: c.r.Objects.Type(c.Word(kind)), Count: n}
}

// blocks is what a member of a collective gives and expects; nil if that is not known.
func (c *call) blocks(comm *objects.Comm) *waitstate.Blocks {
	if comm == nil || !c.a.Contents || c.Func.Class != mpi.Coll {
		return nil
	}
	sent, received := c.sides()
	if sent == nil || received.Types && len(c.Values(received.Type)) == 0 {
		return nil
	}
	if comm.Inter {
		return c.across(comm, sent, received)
	}
	if alike(sent, received) && !sent.Counts && !sent.Types && !sent.Sum && c.Func.Suits != mpi.SuitsNeighbours {
		return c.a.uniform.of(c.block(sent), c.isRoot(comm), c.Func.Sync == op.SyncToRoot)
	}
	b := &waitstate.Blocks{Give: c.described(sent), Take: c.described(received), Root: c.isRoot(comm),
		Peers: comm.Size()}
	switch {
	case c.Func.Suits == mpi.SuitsNeighbours:
		return c.amongNeighbours(comm, b)
	case sent.Sum: // MPI_Reduce_scatter
		b.Shape, b.Give = waitstate.Pairwise, c.contents(sent)
		if i := comm.Members.Index(c.r.World); i >= 0 && i < len(b.Give) {
			b.Take = b.Give[i : i+1]
		}
	case alike(sent, received):
		b.Give = c.contents(sent)
		b.Take = b.Give
	case received.Used == mpi.AtRoot: // of which each member gives one
		b.Shape = waitstate.ToRoot
		if !b.Root {
			b.Take = nil
		}
	// MPI_IN_PLACE stands for the receive buffer of the root then, so that what it gives is known
	case sent.Used == mpi.AtRoot:
		b.Shape = waitstate.FromRoot
		if !b.Root {
			b.Give = nil
		}
	case received.Counts:
		b.Shape = waitstate.Pairwise
		if b.Give == nil { // MPI_IN_PLACE
			b.Give = c.inPlace(comm, sent, b.Take)
		}
	}
	return b
}

// inPlace is what a member gives that takes it from where it gets what others give (MPI-4.0, 6.7 and 6.8): to each
// other as much as it gets from that one, or to all of them its own block.
func (c *arguments) inPlace(comm *objects.Comm, sent *mpi.Buffer, take []datatype.Content) []datatype.Content {
	if sent.Counts {
		return take
	}
	if i := comm.Members.Index(c.r.World); i >= 0 && i < len(take) {
		return take[i : i+1]
	}
	return nil
}

// isRoot says whether the call names its own rank as the root.
func (c *arguments) isRoot(comm *objects.Comm) bool {
	return c.Func.EnterAt[mpi.RRoot] >= 0 && comm.World(int64(int32(c.Num(mpi.RRoot)))) == c.r.World
}

// sides are the buffers that a collective reads and writes, which are one for MPI_Bcast; nil if it has none.
func (c *arguments) sides() (sent, received *mpi.Buffer) {
	all := c.Func.Buffers()
	if len(all) != 2 {
		return nil, nil
	}
	return &all[0], &all[1]
}

// alike says that what members give and what they get is described by the same parameters.
func alike(sent, received *mpi.Buffer) bool {
	return sent.Count == received.Count && sent.Type == received.Type
}

// described is what the call says of a buffer; nil if MPI_IN_PLACE stands for it, so that its parameters are not
// significant.
func (c *arguments) described(b *mpi.Buffer) []datatype.Content {
	if !(b.Counts && b.InPlace == mpi.Nowhere) && c.At(b.At) == c.r.Objects.Limits.InPlace {
		return nil
	}
	return c.contents(b)
}

// block is what one count and one datatype say of a buffer; without a type if the call names several.
func (c *arguments) block(b *mpi.Buffer) datatype.Content {
	n := int64(c.At(b.Count))
	switch {
	case n < 0:
		return datatype.Content{}
	case b.Types:
		return datatype.Content{Count: n}
	}
	return datatype.Content{Type: c.r.Objects.Type(c.At(b.Type)), Count: n}
}

// contents are the blocks of a buffer, or one that stands for all.
func (c *arguments) contents(b *mpi.Buffer) []datatype.Content {
	if !b.Counts {
		return []datatype.Content{c.block(b)}
	}
	var types []uint64
	var kind *datatype.Type
	if b.Types {
		types = c.Values(b.Type)
	} else {
		kind = c.r.Objects.Type(c.At(b.Type))
	}
	var out []datatype.Content
	for i, n := range c.Values(b.Count) {
		switch {
		case !b.Types:
			out = append(out, datatype.Content{Type: kind, Count: int64(n)})
		case i < len(types):
			out = append(out, datatype.Content{Type: c.r.Objects.Type(types[i]), Count: int64(n)})
		}
	}
	return out
}

// uniforms are what members give and expect in collectives in which all have the same, of a root and of others:
// programs make few different ones, and what two members have in common needs no comparison.
type uniforms map[uniform]*[2]waitstate.Blocks

// uniform is what all members have, and whether it goes to the root.
type uniform struct {
	block datatype.Content
	up    bool
}

// mostUniforms bounds those that are kept; with one more, all are made anew.
const mostUniforms = 1 << 10

func (u uniforms) of(block datatype.Content, root, up bool) *waitstate.Blocks {
	key := uniform{block, up}
	b := u[key]
	if b == nil {
		if len(u) == mostUniforms {
			clear(u)
		}
		all := []datatype.Content{block}
		b = &[2]waitstate.Blocks{{Give: all, Take: all, Up: up}, {Give: all, Take: all, Root: true, Up: up}}
		u[key] = b
	}
	if root {
		return &b[1]
	}
	return &b[0]
}

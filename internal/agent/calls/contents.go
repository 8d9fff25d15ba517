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

// bytes is the size of a send, or -1 if the datatype's is not known.
func (c *arguments) bytes() int64 {
	size := c.r.Objects.Size(c.Word(mpi.RType))
	if size < 0 {
		return -1
	}
	return size * c.Num(mpi.RCount)
}

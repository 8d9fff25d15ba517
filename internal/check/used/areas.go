// Package used says which memory calls use, for the checks of several families.
package used

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// Of gives those of a function's buffers whose bytes follow from its arguments, those that it reads first. What RMA
// calls use is followed elsewhere, and partitions are given to MPI one by one. Where in a buffer of bytes a call begins
// is not known here.
func Of(f *mpi.Func) (out []mpi.Buffer) {
	switch f.Class {
	case mpi.PsendInit, mpi.PrecvInit, mpi.Rma, mpi.Rrma:
		return nil
	}
	for _, b := range f.Buffers() {
		switch {
		case b.Type < 0:
			return nil
		case b.Used != mpi.AtEdges:
			out = append(out, b)
		}
	}
	return out
}

// Area is memory that an operation uses, one block or several.
type Area struct {
	Write    bool
	Param    int // the buffer
	From, To int64
	Block    Block
	Blocks   []Block // if there are several
}

// Block is so many of a datatype at an address.
type Block struct {
	At, Count int64
	Type      *objects.Object // a datatype whose Type is known
	Member    int
}

// Bounds are where a block begins and where it ends.
func (b Block) Bounds() (from, to int64) {
	from, to = b.Type.Type.Bounds(b.Count)
	return b.At + from, b.At + to
}

// MaxBlocks bounds the blocks of a collective's buffer that are looked at.
const MaxBlocks = 1 << 14

// Read fills in what a call uses; false if that is nothing, or not known.
func (a *Area) Read(c *check.Call, u *mpi.Buffer) bool {
	if u.Peer >= 0 {
		if v, ok := c.Int(u.Peer); !ok || v == c.Rank.Limits.ProcNull {
			return false
		}
	}
	at, ok := c.Int(u.At)
	if !ok || uint64(at) == c.Rank.Limits.InPlace || c.Func.Class == mpi.Coll && !significant(c, u) {
		return false
	}
	a.Write, a.Param, a.Blocks = u.Access != mpi.Reads, u.At, a.Blocks[:0]
	if u.Counts {
		return a.readBlocks(c, u, at)
	}
	count, _ := c.Int(u.Count)
	handle, ok := c.Int(u.Type)
	if !ok || count <= 0 {
		return false
	}
	t := c.Rank.TypeOf(uint64(handle))
	if t == nil {
		return false
	}
	switch u.Each {
	case mpi.ByMembers:
		count *= int64(c.Comm.Size())
	case mpi.ByIn, mpi.ByOut:
		return a.readNeighbours(c, u, Block{At: at, Count: count, Type: t})
	}
	a.One(Block{At: at, Count: count, Type: t})
	return a.From < a.To
}

// readNeighbours fills in as many equal blocks as there are neighbours, except for those that are MPI_PROC_NULL
// (MPI-4.0, 8.6).
func (a *Area) readNeighbours(c *check.Call, u *mpi.Buffer, b Block) bool {
	to, from, known := c.Rank.Neighbours(c.Comm)
	if !known {
		return false
	}
	list := from
	if u.Each == mpi.ByOut {
		list = to
	}
	if len(list) > MaxBlocks {
		return false
	}
	if !slices.ContainsFunc(list, func(n int) bool { return n < 0 }) {
		b.Count *= int64(len(list))
		a.One(b)
		return a.From < a.To
	}
	step := b.Count * b.Type.Type.Extent()
	for i, n := range list {
		if n >= 0 {
			next := b
			next.At, next.Member = b.At+int64(i)*step, i
			a.Blocks = append(a.Blocks, next)
		}
	}
	return a.together()
}

// together takes the bounds of the blocks; false if they have no bytes.
func (a *Area) together() bool {
	switch len(a.Blocks) {
	case 0:
		a.From, a.To = 0, 0
		return false
	case 1:
		a.One(a.Blocks[0])
		a.Blocks = a.Blocks[:0]
		return a.From < a.To
	}
	a.From, a.To = a.Blocks[0].Bounds()
	for _, b := range a.Blocks[1:] {
		from, to := b.Bounds()
		a.From, a.To = min(a.From, from), max(a.To, to)
	}
	return a.From < a.To
}

// One makes the area that of a single block.
func (a *Area) One(b Block) {
	a.Block = b
	a.From, a.To = b.Bounds()
}

// significant says whether a collective uses a buffer at this rank: MPI-4.0 makes some significant at the root only, or
// not at the first. Of intercommunicators, and of communicators that are not known, nothing is said.
func significant(c *check.Call, u *mpi.Buffer) bool {
	if c.Comm == nil || c.Comm.Inter || c.Comm.Rank < 0 {
		return false
	}
	switch u.Used {
	case mpi.AtRoot, mpi.AtOthers:
	case mpi.AtLater:
		return c.Comm.Rank > 0
	default:
		return true
	}
	root, ok := c.Root()
	return ok && (root == int64(c.Comm.Rank)) == (u.Used == mpi.AtRoot)
}

// readBlocks fills in the blocks of a v or w collective.
func (a *Area) readBlocks(c *check.Call, u *mpi.Buffer, at int64) bool {
	counts := c.Array(u.Count)
	if len(counts) == 0 || len(counts) > MaxBlocks {
		return false
	}
	var t *objects.Object
	if !u.Types {
		handle, ok := c.Int(u.Type)
		if t = c.Rank.TypeOf(uint64(handle)); !ok || t == nil {
			return false
		}
	}
	if u.Sum || u.Own {
		total, least := int64(0), int64(counts[0])
		for _, n := range counts {
			total, least = total+int64(n), min(least, int64(n))
		}
		if u.Own {
			total = least
		}
		if least < 0 || total <= 0 {
			return false
		}
		a.One(Block{At: at, Count: total, Type: t})
		return a.From < a.To
	}
	displs, types := c.Array(u.Displs), []uint64(nil)
	if u.Types {
		if types = c.Array(u.Type); len(types) != len(counts) {
			return false
		}
	}
	if len(displs) != len(counts) {
		return false
	}
	for i, n := range counts {
		if int64(n) <= 0 {
			continue
		}
		b := Block{Count: int64(n), Type: t, Member: i}
		if types != nil {
			if b.Type = c.Rank.TypeOf(types[i]); b.Type == nil {
				return false
			}
		}
		step := int64(1)
		if !u.Types {
			step = b.Type.Type.Extent()
		}
		b.At = at + int64(displs[i])*step
		if from, to := b.Bounds(); from < to {
			a.Blocks = append(a.Blocks, b)
		}
	}
	return a.together()
}

// All gives the blocks of an area.
func (a *Area) All() []Block {
	if len(a.Blocks) > 0 {
		return a.Blocks
	}
	return []Block{a.Block}
}

// Bytes is how much data an area of one block has.
func (a *Area) Bytes() int64 { return a.Block.Count * a.Block.Type.Type.Size() }

// Run says whether an area is every byte from the first to the last.
func (a *Area) Run() bool {
	if len(a.Blocks) > 0 {
		return false
	}
	spans, whole := a.Block.Type.Type.Spans(a.Block.Count, 1)
	return whole && len(spans) == 1
}

// Span is how many bytes a block reaches over.
func Span(b Block) int64 {
	from, to := b.Bounds()
	return to - from
}

package usage

import (
	"unknot/internal/mpi"
	"unknot/internal/objects"
)

// usesOf gives those of a function's buffers whose bytes follow from its arguments, those that it reads first. What RMA calls use is
// followed elsewhere, and partitions are given to MPI one by one. How many neighbours there are is not known here, nor where in a
// buffer of bytes a call begins.
func usesOf(f *mpi.Func) (out []mpi.Buffer) {
	switch f.Class {
	case mpi.PsendInit, mpi.PrecvInit, mpi.Rma, mpi.Rrma:
		return nil
	}
	for _, b := range f.Buffers() {
		switch {
		case b.Type < 0:
			return nil
		case b.Used != mpi.AtEdges && b.Each != mpi.ByIn && b.Each != mpi.ByOut:
			out = append(out, b)
		}
	}
	return out
}

// area is memory that an operation uses, one block or several.
type area struct {
	write    bool
	param    int // the buffer
	from, to int64
	block    block
	blocks   []block // if there are several
}

// block is so many of a datatype at an address.
type block struct {
	at, count int64
	typ       *objects.Object // a datatype whose Type is known
	member    int
}

func (b block) bounds() (from, to int64) {
	from, to = b.typ.Type.Bounds(b.count)
	return b.at + from, b.at + to
}

// maxBlocks bounds the blocks of a collective's buffer that are looked at.
const maxBlocks = 1 << 14

// read fills in what a call uses; false if that is nothing, or not known.
func (a *area) read(c *Call, u *mpi.Buffer) bool {
	if u.Peer >= 0 {
		if v, ok := c.Int(u.Peer); !ok || v == c.Rank.Limits.ProcNull {
			return false
		}
	}
	at, ok := c.Int(u.At)
	if !ok || uint64(at) == c.Rank.Limits.InPlace || c.Func.Class == mpi.Coll && !significant(c, u) {
		return false
	}
	a.write, a.param, a.blocks = u.Access != mpi.Reads, u.At, a.blocks[:0]
	if u.Counts {
		return a.readBlocks(c, u, at)
	}
	count, _ := c.Int(u.Count)
	handle, ok := c.Int(u.Type)
	if !ok || count <= 0 {
		return false
	}
	if u.Each == mpi.ByMembers {
		count *= int64(c.Comm.Size())
	}
	t := c.Rank.typeOf(uint64(handle))
	if t == nil {
		return false
	}
	a.one(block{at: at, count: count, typ: t})
	return a.from < a.to
}

// one makes the area that of a single block.
func (a *area) one(b block) {
	a.block = b
	a.from, a.to = b.bounds()
}

// significant says whether a collective uses a buffer at this rank: MPI-4.0 makes some significant at the root only. Of
// intercommunicators, and of communicators that are not known, nothing is said.
func significant(c *Call, u *mpi.Buffer) bool {
	if c.Comm == nil || c.Comm.Inter || c.Comm.Rank < 0 {
		return false
	}
	if u.Used != mpi.AtRoot && u.Used != mpi.AtOthers {
		return true
	}
	root, ok := c.root()
	return ok && (root == int64(c.Comm.Rank)) == (u.Used == mpi.AtRoot)
}

// readBlocks fills in the blocks of a v or w collective.
func (a *area) readBlocks(c *Call, u *mpi.Buffer, at int64) bool {
	counts := c.Array(u.Count)
	if len(counts) == 0 || len(counts) > maxBlocks {
		return false
	}
	var t *objects.Object
	if !u.Types {
		handle, ok := c.Int(u.Type)
		if t = c.Rank.typeOf(uint64(handle)); !ok || t == nil {
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
		a.one(block{at: at, count: total, typ: t})
		return a.from < a.to
	}
	a.from, a.to = 0, 0
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
		b := block{count: int64(n), typ: t, member: i}
		if types != nil {
			if b.typ = c.Rank.typeOf(types[i]); b.typ == nil {
				return false
			}
		}
		step := int64(1)
		if !u.Types {
			step = b.typ.Type.Extent()
		}
		b.at = at + int64(displs[i])*step
		from, to := b.bounds()
		if from == to {
			continue
		}
		if len(a.blocks) == 0 {
			a.from, a.to = from, to
		}
		a.from, a.to = min(a.from, from), max(a.to, to)
		a.blocks = append(a.blocks, b)
	}
	if len(a.blocks) == 1 {
		a.one(a.blocks[0])
		a.blocks = a.blocks[:0]
	}
	return a.from < a.to
}

// all gives the blocks of an area.
func (a *area) all() []block {
	if len(a.blocks) > 0 {
		return a.blocks
	}
	return []block{a.block}
}

// bytes is how much data an area of one block has.
func (a *area) bytes() int64 { return a.block.count * a.block.typ.Type.Size() }

// run says whether an area is every byte from the first to the last.
func (a *area) run() bool {
	if len(a.blocks) > 0 {
		return false
	}
	spans, whole := a.block.typ.Type.Spans(a.block.count, 1)
	return whole && len(spans) == 1
}

// span is how many bytes a block reaches over.
func span(b block) int64 {
	from, to := b.bounds()
	return to - from
}

package usage

import (
	"unknot/internal/datatype"
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
	held     *Held

	// Of a node of intervals.
	left, right *area
	priority    uint32
	furthest    int64
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

// meet says whether two areas certainly share a byte.
func (m *memory) meet(a, b *area) bool {
	if a.to <= b.from || b.to <= a.from {
		return false
	}
	tries := maxBlocks // pairs of blocks that are looked at
	for _, x := range a.all() {
		from, to := x.bounds()
		if to <= b.from || b.to <= from {
			continue
		}
		for _, y := range b.all() {
			if m.meetBlocks(x, y) {
				return true
			}
			if tries--; tries == 0 {
				return false
			}
		}
	}
	return false
}

// pair is two blocks of derived datatypes and how far the second begins behind the first.
type pair struct {
	a, b                   *objects.Object
	count, other, distance int64
}

// maxPairs bounds the pairs of which the answer is remembered: programs exchange the same parts of their arrays again and
// again, and irregular types take long to compare.
const maxPairs = 1024

func (m *memory) meetBlocks(x, y block) bool {
	from, to := x.bounds()
	if f, t := y.bounds(); to <= f || t <= from {
		return false
	}
	p := pair{x.typ, y.typ, x.count, y.count, y.at - x.at}
	if yes, known := m.pairs[p]; known {
		return yes
	}
	yes, sure := x.typ.Type.Overlaps(x.count, x.at, y.typ.Type, y.count, y.at)
	if m.pairs == nil || len(m.pairs) == maxPairs {
		m.pairs = make(map[pair]bool)
	}
	m.pairs[p] = yes && sure
	return yes && sure
}

// memory is what is known of a rank's buffers.
type memory struct {
	reads, writes intervals // of pending operations
	spare         *Held     // for operations to come
	scratch       Held      // of the blocking call that is looked at
	derived       bool      // there are datatypes that are not predefined
	attached      attached
	pairs         map[pair]bool
	recent        [2]*objects.Object // datatypes
	judged        area               // of the call that is looked at
	byte          *datatype.Type
	mistrusted    map[objects.Made]bool // starts of operations whose memory others use, which has been told
	reaching      map[seenKey]*reaching // calls whose counts go on behind the ends of their buffers
}

// typeOf is a datatype whose model is known, else nil.
func (r *Rank) typeOf(handle uint64) *objects.Object {
	recent := &r.memory.recent
	for _, o := range recent {
		if o != nil && o.Handle == handle {
			return o
		}
	}
	o := r.Object(mpi.OType, handle)
	if o == nil || o.Type == nil {
		return nil
	}
	recent[0], recent[1] = o, recent[0]
	return o
}

// typesChanged takes in that handles may now stand for other datatypes.
func (m *memory) typesChanged() { m.recent, m.derived = [2]*objects.Object{}, true }

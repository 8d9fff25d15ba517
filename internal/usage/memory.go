package usage

import (
	"strings"

	"unknot/internal/datatype"
	"unknot/internal/mpi"
)

// use is how a function uses one of its buffers: which parameters say where it is and what is in it. -1 stands for none.
type use struct {
	buf, count, typ       int
	counts, displs, types int // of v and w collectives
	peer                  int // nothing is used if it is MPI_PROC_NULL
	root                  int
	write                 bool
	each                  bool // a block for each member
	atRoot, notAtRoot     bool
	sum, least            bool // of the counts: all of them in a row, or not less than the least of them
	bytes                 bool // displacements are in bytes (w collectives)
	collective            bool
}

// usesOf gives the buffers that a function uses, those that it reads first.
func usesOf(f *mpi.Func) []use {
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.SendInit:
		return []use{plain(f, "buf", "count", "datatype", "dest", false)}
	case mpi.Recv, mpi.Irecv, mpi.RecvInit:
		return []use{plain(f, "buf", "count", "datatype", "source", true)}
	case mpi.Mrecv, mpi.Imrecv:
		return []use{plain(f, "buf", "count", "datatype", "", true)}
	case mpi.Sendrecv, mpi.Isendrecv:
		if strings.Contains(f.Name, "replace") {
			return []use{plain(f, "buf", "count", "datatype", "dest", false), plain(f, "buf", "count", "datatype", "source", true)}
		}
		return []use{plain(f, "sendbuf", "sendcount", "sendtype", "dest", false), plain(f, "recvbuf", "recvcount", "recvtype", "source", true)}
	case mpi.FileReq, mpi.FileIcoll, mpi.FileColl, mpi.Opaque:
		if u := plain(f, "buf", "count", "datatype", "", strings.Contains(f.Name, "read")); u.buf >= 0 && u.count >= 0 {
			return []use{u}
		}
	case mpi.Coll:
		return collective(f)
	case mpi.Local:
		if in, inout := plain(f, "inbuf", "count", "datatype", "", false), plain(f, "inoutbuf", "count", "datatype", "", true); inout.buf >= 0 {
			return []use{in, inout} // MPI_Reduce_local
		}
	}
	return nil
}

func plain(f *mpi.Func, buf, count, typ, peer string, write bool) use {
	u := use{buf: place(f, buf), count: place(f, count), typ: place(f, typ), counts: -1, displs: -1, types: -1, peer: -1, root: place(f, "root"), write: write}
	if peer != "" {
		u.peer = place(f, peer)
	}
	return u
}

// place is the index of a parameter, -1 if the function has none of that name.
func place(f *mpi.Func, name string) int {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// collective gives the buffers of a collective (MPI-4.0, 6.4 to 6.11, 8.6).
func collective(f *mpi.Func) []use {
	name := strings.ToLower(strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(f.Name, "_c"), "_init"), "MPI_"))
	if f.Nonblocking {
		name = strings.TrimPrefix(name, "i")
	}
	side := func(side string, write bool) use {
		u := plain(f, side+"buf", side+"count", side+"type", "", write)
		if u.typ < 0 {
			u.count, u.typ = place(f, "count"), place(f, "datatype")
		}
		u.collective = true
		return u
	}
	blocks := func(s string, write bool) use {
		u := side(s, write)
		u.counts, u.types = place(f, s+"counts"), place(f, s+"types")
		u.displs = max(place(f, s[:1]+"displs"), place(f, "displs"))
		u.bytes = u.types >= 0
		return u
	}
	send, recv := side("send", false), side("recv", true)
	switch name {
	case "bcast":
		r, w := plain(f, "buffer", "count", "datatype", "", false), plain(f, "buffer", "count", "datatype", "", true)
		r.collective, w.collective, r.atRoot, w.notAtRoot = true, true, true, true
		return []use{r, w}
	case "reduce":
		recv.atRoot = true
	case "allreduce", "scan", "exscan":
	case "gather":
		recv.each, recv.atRoot = true, true
	case "gatherv":
		recv = blocks("recv", true)
		recv.atRoot = true
	case "scatter":
		send.each, send.atRoot = true, true
	case "scatterv":
		send = blocks("send", false)
		send.atRoot = true
	case "allgather":
		recv.each = true
	case "allgatherv":
		recv = blocks("recv", true)
	case "alltoall":
		send.each, recv.each = true, true
	case "alltoallv", "alltoallw", "neighbor_alltoallv", "neighbor_alltoallw":
		send, recv = blocks("send", false), blocks("recv", true)
	case "neighbor_allgatherv":
		return []use{blocks("recv", true)}
	case "reduce_scatter_block":
		send.count, send.each, recv.count = place(f, "recvcount"), true, place(f, "recvcount")
	case "reduce_scatter":
		send.counts, send.sum = place(f, "recvcounts"), true
		recv.counts, recv.least = place(f, "recvcounts"), true
	default:
		return nil
	}
	return []use{send, recv}
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
	typ       *Object // a datatype whose Type is known
	member    int
}

func (b block) bounds() (from, to int64) {
	from, to = b.typ.Type.Bounds(b.count)
	return b.at + from, b.at + to
}

// maxBlocks bounds the blocks of a collective's buffer that are looked at.
const maxBlocks = 1 << 14

// read fills in what a call uses; false if that is nothing, or not known.
func (a *area) read(c *Call, u *use) bool {
	if u.peer >= 0 {
		if v, ok := c.Int(u.peer); !ok || v == c.Rank.Limits.ProcNull {
			return false
		}
	}
	at, ok := c.Int(u.buf)
	if !ok || uint64(at) == c.Rank.Limits.InPlace || u.collective && !significant(c, u) {
		return false
	}
	a.write, a.param, a.blocks = u.write, u.buf, a.blocks[:0]
	if u.counts >= 0 {
		return a.readBlocks(c, u, at)
	}
	count, _ := c.Int(u.count)
	handle, ok := c.Int(u.typ)
	if !ok || count <= 0 {
		return false
	}
	if u.each {
		count *= int64(c.Comm.Size)
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
func significant(c *Call, u *use) bool {
	if c.Comm == nil || c.Comm.Inter || c.Comm.Rank < 0 {
		return false
	}
	if !u.atRoot && !u.notAtRoot {
		return true
	}
	root, ok := c.Int(u.root)
	return ok && (root == int64(c.Comm.Rank)) == u.atRoot
}

// readBlocks fills in the blocks of a v or w collective.
func (a *area) readBlocks(c *Call, u *use, at int64) bool {
	counts := c.Array(u.counts)
	if len(counts) == 0 || len(counts) > maxBlocks {
		return false
	}
	var t *Object
	if u.types < 0 {
		handle, ok := c.Int(u.typ)
		if t = c.Rank.typeOf(uint64(handle)); !ok || t == nil {
			return false
		}
	}
	if u.sum || u.least {
		total, least := int64(0), int64(counts[0])
		for _, n := range counts {
			total, least = total+int64(n), min(least, int64(n))
		}
		if u.least {
			total = least
		}
		if least < 0 || total <= 0 {
			return false
		}
		a.one(block{at: at, count: total, typ: t})
		return a.from < a.to
	}
	a.from, a.to = 0, 0
	displs, types := c.Array(u.displs), []uint64(nil)
	if u.types >= 0 {
		if types = c.Array(u.types); len(types) != len(counts) {
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
		if !u.bytes {
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
	a, b                   *Object
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
	recent        [2]*Object // datatypes
	judged        area       // of the call that is looked at
	byte          *datatype.Type
	mistrusted    map[Made]bool         // starts of operations whose memory others use, which has been told
	reaching      map[seenKey]*reaching // calls whose counts go on behind the ends of their buffers
}

// typeOf is a datatype whose model is known, else nil.
func (r *Rank) typeOf(handle uint64) *Object {
	recent := &r.memory.recent
	for _, o := range recent {
		if o != nil && o.Handle == handle {
			return o
		}
	}
	o := r.objects[TypeKind][handle]
	if o == nil || o.Type == nil {
		return nil
	}
	recent[0], recent[1] = o, recent[0]
	return o
}

// typesChanged takes in that handles may now stand for other datatypes.
func (m *memory) typesChanged() { m.recent, m.derived = [2]*Object{}, true }

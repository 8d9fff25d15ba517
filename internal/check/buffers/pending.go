package buffers

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// Held is the memory that the operation of a request uses from its start to its completion. It belongs to the request:
// whoever keeps that keeps it, tells when a persistent one is started (Watch.Start), and releases it.
type Held struct {
	areas      [2]node
	n          int
	by         objects.Made // the call that started the operation
	made       objects.Made // of a persistent one: the call that made the request
	persistent bool
	partitions int64 // of a partitioned one, which gives its memory back one by one; 0 for all others
	active     bool
	gone       bool         // its memory is, and that was reported
	freed      *check.Freed // how the memory of a persistent one was given back before it is started; nil if it was not
	words      [6]uint64    // the first of the call that made the request
	nwords     int
	buffered   int64   // what a persistent buffered send needs at least at each start, in bytes; 0 for all others
	reach      *Reach  // its buffer, if the count extends beyond the end of that
	next       *Held   // a spare one
	memory     *memory // of the rank
	touches    []touch // the program's own accesses to it
}

// maxHeld bounds the areas of a rank's pending operations that are remembered: 16,384 take some megabytes. What is
// started beyond those is not looked at.
const maxHeld = 1 << 14

// hold gives a new request the memory of the operation whose request a call has made, and takes it as used, unless the
// request is a persistent one, which is still to be started.
func (x *operations) hold(c *check.Call, q *objects.Request) {
	h, _ := c.Held.(*Held)
	c.Held = nil
	if h == nil {
		return
	}
	h.reach, _ = c.Filling.(*Reach)
	h.memory = x.memory.Of(c.Rank)
	if h.persistent {
		h.memory.keep(h)
	} else {
		h.memory.hold(h)
	}
	q.Held = h
}

// heldBy is the memory of a request's operation, nil if it is not known.
func heldBy(q *objects.Request) *Held {
	h, _ := q.Held.(*Held)
	return h
}

// start takes in that a call starts the operation of a persistent request.
func (x *operations) start(c *check.Call, q *objects.Request) {
	h := heldBy(q)
	if h == nil || h.active {
		return
	}
	h.by, h.gone = c.By(), false
	if h.freed != nil && c.Watch().Enabled(BufferFreed) {
		x.contested.Of(c.Rank).Add(h.by)
		sayStarted(c, h)
		return
	}
	if h.buffered > 0 {
		buffer(c, x.attached.Of(c.Rank), h.buffered)
	}
	if h.partitions == 0 {
		x.against(c, h)
		x.beside(c, h)
		x.byChance(c, h)
	}
	x.memory.Of(c.Rank).hold(h)
}

// Release takes in that an operation has completed, or that it is not known any more how far it is. With done, its
// request is gone too, and what was held may be used again for another one.
func (h *Held) Release(done bool) {
	m := h.memory
	h.sayTouched(objects.Made{})
	if h.active {
		h.active = false
		for i := range h.areas[:h.n] {
			m.pending(&h.areas[i]).remove(&h.areas[i])
		}
	}
	if done {
		delete(m.persistent, h)
		h.next, m.spare = m.spare, h
	}
}

// lose takes in that the memory of an operation is not what it was any more: others may use it.
func (h *Held) lose() {
	for i := range h.areas[:h.n] {
		h.memory.pending(&h.areas[i]).remove(&h.areas[i])
	}
	h.active, h.gone = false, true
}

// keep remembers the memory of a persistent request.
func (m *memory) keep(h *Held) {
	if m.persistent == nil {
		m.persistent = make(map[*Held]bool)
	}
	if len(m.persistent) < maxHeld {
		m.persistent[h] = true
	}
}

// LoseTrack takes in that it is not known any more which operations are pending.
func (m *memory) LoseTrack() {
	for _, s := range []*intervals{&m.reads, &m.writes, &m.partitioned} {
		s.root.forget()
		s.root, s.n = nil, 0
	}
}

// forget makes the operations of a tree inactive.
func (a *node) forget() {
	if a == nil {
		return
	}
	a.held.active = false
	a.left.forget()
	a.right.forget()
}

// pending is the set that an area belongs to: those of partitioned operations, those that are written, or those that
// are only read.
func (m *memory) pending(a *node) *intervals {
	switch {
	case a.held.partitions > 0:
		return &m.partitioned
	case a.Write:
		return &m.writes
	}
	return &m.reads
}

// hold takes the memory of an operation as used.
func (m *memory) hold(h *Held) {
	if m.reads.n+m.writes.n+m.partitioned.n+h.n > maxHeld {
		return
	}
	h.active = true
	for i := range h.areas[:h.n] {
		a := &h.areas[i]
		a.held = h
		m.pending(a).add(a)
	}
}

// newHeld gives room for what an operation uses.
func (m *memory) newHeld() *Held {
	h := m.spare
	if h == nil {
		return &Held{}
	}
	m.spare, h.next = h.next, nil
	return h
}

// read fills in what a call uses.
func (h *Held) read(c *check.Call, uses []mpi.Buffer) {
	h.n, h.by, h.active, h.buffered, h.gone, h.freed, h.partitions = 0, c.By(), false, 0, false, nil, 0
	h.nwords = copy(h.words[:], c.Words)
	for i := range uses {
		if h.areas[h.n].Read(c, &uses[i]) {
			h.n++
		}
	}
}

// requestKind says whether a function makes a request whose operation uses memory until it completes, and whether it is
// a persistent one.
func requestKind(f *mpi.Func) (makes, persistent bool) {
	switch f.Class {
	case mpi.Isend, mpi.Irecv, mpi.Isendrecv, mpi.Imrecv, mpi.FileReq, mpi.FileIcoll:
		return true, false
	case mpi.SendInit, mpi.RecvInit, mpi.PsendInit, mpi.PrecvInit:
		return true, true
	case mpi.Coll:
		return f.Nonblocking || f.Persistent, f.Persistent
	}
	return false, false
}

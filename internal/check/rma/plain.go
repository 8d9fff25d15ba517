package rma

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/datatype"
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// The owner of a window loads from its memory and stores to it, without any call, and so do others if it is shared memory. MPI-4.0, 12.7
// compares that with RMA calls. It is seen in programs that were compiled for it.

// access takes in accesses of the program's own to memory of windows.
func (m *windows) access(r *check.Rank, x *check.Access) {
	if x.Orders {
		// What it reads there may be what it waits for, and what follows comes after that. It is no error (MPI-4.0, 12.7: polling).
		m.far.pulse(r).learned++
		return
	}
	layout, ok := m.pieces(x)
	if !ok {
		return
	}
	place := func(at int64) *spot {
		a := &act{call: check.Past{Site: x.Site}, manner: mpi.Reads, layout: layout, known: true, param: -1, thread: x.Outside, vague: x.Vague, under: hold{from: m.far.pulse(r).round}}
		if x.Store {
			a.manner = mpi.Writes
		}
		m.turns++
		return &spot{turn: m.turns, act: a, at: at, lo: at, hi: at + layout.To, from: op.Rank(r.World), local: true}
	}
	for _, w := range m.of[r] {
		if w.unsure || w.id == 0 {
			continue
		}
		for _, part := range w.parts {
			if at := x.At - part.At; at+layout.To > 0 && at < part.Bytes {
				p := place(at)
				if x.N == 1 { // it may go on into the part of another
					p.lo, p.hi = max(at, 0), min(at+layout.To, part.Bytes)
				}
				m.accessShared(x.Watch, w, int64(part.Member), p)
			}
		}
		if at, inside := w.place(x.At, layout.To); inside && w.parts == nil {
			m.accessOwn(x.Watch, w, place(at))
		}
	}
}

// place is where memory from an address on, of so many bytes, is in a window: in bytes from its start, or in one of MPI_Win_create_dynamic
// the address.
func (w *window) place(at, bytes int64) (int64, bool) {
	if w.kind == "create_dynamic" {
		return at, slices.ContainsFunc(w.attached, func(r region) bool { return r.live && uint64(at) < r.hi && r.lo < uint64(at+bytes) })
	}
	at -= int64(w.memory)
	return at, w.memory != 0 && at+bytes > 0 && at < w.size
}

// pieces are the bytes of accesses.
func (m *windows) pieces(x *check.Access) (used.Covering, bool) {
	if x.N == 1 {
		return used.Covering{To: x.Bytes, Datatype: m.bytes, Count: x.Bytes}, x.Bytes > 0
	}
	t, err := datatype.Hvector(x.N, x.Bytes, x.Stride, m.bytes)
	if err != nil {
		return used.Covering{}, false
	}
	from, to := t.Bounds(1)
	return used.Covering{From: from, To: to, Datatype: t, Count: 1}, from == 0 && to > 0
}

// plain says that an act is an access of the program's own, without a call.
func (a *act) plain() bool { return a.call.Fn == nil }

// accessOwn compares an access of the owner.
func (m *windows) accessOwn(to *check.Watch, w *window, p *spot) {
	t := m.far.targets.of(w)
	if t == nil {
		return
	}
	if b := w.batches[int64(slices.Index(w.members, p.from))]; b != nil {
		p.batch, p.nth = b, uint64(len(b.acts))
	}
	m.compareOwn(to, w, t, p, true)
}

// accessShared compares an access to the part of a member in shared memory. With accesses of other ranks it is in order only if the
// ranks are, in any epoch.
func (m *windows) accessShared(to *check.Watch, w *window, member int64, p *spot) {
	key := epochKey{byFence, w.fences}
	if _, _, locked := w.aLock(); locked || w.fence != fenced {
		key = epochKey{}
	}
	known := m.amongLocks(w, member, p, true)
	m.far.targets.when(targetKey{w.id, w.world(member)}, func(t *target) {
		if key.kind == byFence {
			m.ownInEpoch(to, t.win, t, key, p)
		}
		if known {
			m.far.amongOthers(to, t, p)
		}
	})
}

// share takes in where a rank has a part of the shared memory of a window that it has made.
func (m *windows) share(r *check.Rank, x *check.Shared) {
	if w := m.of[r][x.Win]; w != nil {
		w.parts = append(w.parts, *x)
	}
}

package rma

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// The owner of a window loads from its memory and stores to it, without any call, and so do others if it is shared
// memory. MPI-4.0, 12.7 compares that with RMA calls. It is seen in programs that were compiled for it.

// access takes in accesses of the program's own to memory of windows.
func (m *windows) access(r *check.Rank, x *check.Access) {
	p := m.far.knowledge(r)
	p.opening = false
	if p.round > 0 {
		m.far.round(&p.past, p.round).accesses++
	}
	if x.Orders {
		// What it reads there may be what it waits for, and what follows comes after that. It is no error (MPI-4.0,
		// 12.7: polling).
		p.learned++
		if p.round > 0 && !x.Store {
			m.far.round(&p.past, p.round).looks = true
		}
		m.far.gives(p, r, channel{kind: shown, target: op.Rank(r.World)}, anywhere)
		return
	}
	layout, ok := m.pieces(x)
	if !ok {
		return
	}
	place := func(at int64) *spot {
		a := &act{call: check.Past{Site: x.Site}, manner: mpi.Reads, layout: layout, known: true, param: -1,
			thread: x.Outside, vague: x.Vague, under: m.far.knowledge(r).present()}
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
				m.far.accessShared(x.Watch, w, int64(part.Member), p)
			}
		}
		if at, inside := w.place(x.At, layout.To); inside && w.parts == nil {
			m.far.accessOwn(x.Watch, w, place(at))
		}
	}
}

// place is where memory from an address on, of so many bytes, is in a window: in bytes from its start, or in one of
// MPI_Win_create_dynamic the address.
func (w *window) place(at, bytes int64) (int64, bool) {
	if w.kind == "create_dynamic" {
		return at, slices.ContainsFunc(w.attached, func(r region) bool {
			return r.live && uint64(at) < r.hi &&
				r.lo < uint64(at+bytes)
		})
	}
	at -= int64(w.memory)
	return at, w.memory != 0 && at+bytes > 0 && at < w.size
}

// pieces are the bytes of accesses.
func (m *windows) pieces(x *check.Access) (used.Covering, bool) {
	if x.N == 1 {
		return used.Covering{To: x.Bytes, Datatype: m.origin.bytes, Count: x.Bytes}, x.Bytes > 0
	}
	t, err := datatype.Hvector(x.N, x.Bytes, x.Stride, m.origin.bytes)
	if err != nil {
		return used.Covering{}, false
	}
	from, to := t.Bounds(1)
	return used.Covering{From: from, To: to, Datatype: t, Count: 1}, from == 0 && to > 0
}

// plain says that an act is an access of the program's own, without a call.
func (a *act) plain() bool { return a.call.Fn == nil }

// accessOwn compares an access of the owner.
func (m *remote) accessOwn(to *check.Watch, w *window, p *spot) {
	t := m.targets.of(w)
	if t == nil {
		return
	}
	p.among(w.batches[int64(slices.Index(w.members, p.from))])
	m.compareOwn(to, w, t, p, true)
}

// among notes which calls an access of the program's own comes after that its rank has made on the same memory and that
// are not known to be complete.
func (p *spot) among(b *batch) {
	if b != nil {
		p.batch, p.nth = b, uint64(len(b.acts))
	}
}

// accessShared compares an access to the part of a member in shared memory. With accesses of other ranks it is in order
// only if the ranks are, in any epoch.
func (m *remote) accessShared(to *check.Watch, w *window, member int64, p *spot) {
	p.among(w.batches[member])
	key := epochKey{byFence, w.fences}
	if _, _, locked := w.aLock(); locked || w.fence != fenced {
		key = epochKey{}
	}
	if t := m.targets.of(w); t != nil && w.posted && w.world(member) == p.from {
		key, _ = w.exposed(t)
	}
	known := m.amongLocks(w, member, p, true)
	m.targets.when(targetKey{w.id, w.world(member)}, func(t *target) {
		if key.kind != noEpoch {
			m.ownInEpoch(to, t.win, t, key, p)
		} else {
			m.amongPending(to, t, p)
		}
		if known {
			m.amongOthers(to, t, p)
		}
	})
}

// amongPending compares an access of the program's own, to memory that is not exposed in an epoch of active target
// synchronisation, with the calls that its rank has made on the same memory and not completed.
func (m *remote) amongPending(to *check.Watch, t *target, p *spot) {
	if p.batch == nil || p.batch.key.kind != passive && p.batch.key.kind != byStart {
		return
	}
	var pending exposure
	for i := range p.batch.acts[:p.nth] {
		q := &spot{act: &p.batch.acts[i], from: p.from, batch: p.batch, nth: uint64(i)}
		if t.win.locate(q) {
			pending.insert(q)
		}
	}
	pending.against(p, t.win.sameOp, func(q *spot, why clash) { m.conflict(to, t.win, why, p, q) })
}

// share takes in where a rank has a part of the shared memory of a window that it has made.
func (m *windows) share(r *check.Rank, x *check.Shared) {
	if w := m.of[r][x.Win]; w != nil {
		w.parts = append(w.parts, *x)
	}
}

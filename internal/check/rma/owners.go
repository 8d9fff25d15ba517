package rma

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// The owner of a window uses its memory with MPI calls, too: it sends from there, receives, or puts from there to
// others. MPI-4.0, 12.7 compares that with RMA calls as it does loads and stores.

// watchOwners looks at what the owners of windows do with their memory in epochs in which others may access it.
func (m *windows) watchOwners(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Class == mpi.Rma || f.Class == mpi.Rrma {
			p, how := rmaParamsOf(f)
			return func(c *check.Call) {
				if t, ok := c.Int(p.target); m.bases == 0 || !ok || t < 0 {
					return
				}
				if p.op < 0 || !used.IgnoresOrigin(c) {
					m.ownStretch(c, p.win, p.origin, p.originCount, p.originType, how == mpi.Reads)
				}
				m.ownStretch(c, p.win, p.compare, -1, p.originType, false)
				m.ownStretch(c, p.win, p.result, p.resultCount, p.resultType, true)
			}
		}
		uses := used.Of(f)
		if len(uses) == 0 || f.Persistent || f.Class == mpi.SendInit || f.Class == mpi.RecvInit {
			return nil
		}
		return func(c *check.Call) {
			if m.bases == 0 || len(m.of[c.Rank]) == 0 {
				return
			}
			a := &m.judged
			for i := range uses {
				if a.Read(c, &uses[i]) && len(a.Blocks) == 0 {
					from, to := a.Block.Type.Type.Bounds(a.Block.Count)
					m.own(c, -1, stretch{a.Block.At, used.Covering{From: from, To: to, Datatype: a.Block.Type.Type,
						Count: a.Block.Count}, a.Write, a.Param})
				}
			}
		}
	})
}

func (m *windows) ownStretch(c *check.Call, win, addr, count, datatype int, written bool) {
	if s, ok := stretchOf(c, addr, count, datatype, written); ok {
		m.own(c, win, s)
	}
}

// own takes in that a rank uses memory by a call, which may be an RMA call on a window.
func (m *windows) own(c *check.Call, win int, s stretch) {
	for _, w := range m.of[c.Rank] {
		at := s.at - int64(w.memory)
		if w.memory == 0 || w.unsure || at+s.layout.To <= 0 || at+s.layout.From >= w.size {
			continue
		}
		t := m.far.targets.of(w)
		if t == nil {
			continue
		}
		a := &act{call: check.Remember(c), manner: mpi.Reads, layout: s.layout, known: true, param: s.param,
			under: m.far.knowledge(c.Rank).present()}
		if s.written {
			a.manner = mpi.Writes
		}
		p := &spot{act: a, at: at, lo: at + s.layout.From, hi: at + s.layout.To, from: op.Rank(c.Rank.World),
			local: true}
		p.open = win >= 0 && c.Handle(win) == w.handle
		m.far.compareOwn(c.Watch(), w, t, p, c.Func.Class == mpi.Rma || c.Func.Class == mpi.Rrma ||
			c.Func.Class == mpi.Local || a.looks())
	}
}

// compareOwn compares what the owner does with its memory with what others do there; before says that it may come
// before that. In an epoch of fences, its own RMA calls are complete at the end.
func (m *remote) compareOwn(to *check.Watch, w *window, t *target, p *spot, before bool) {
	key, active := w.exposed(t)
	p.open = p.open && key.kind == byFence
	if active {
		m.ownInEpoch(to, w, t, key, p)
		return
	}
	m.amongPending(to, t, p)
	if m.amongLocks(w, int64(slices.Index(w.members, p.from)), p, before) {
		m.amongOthers(to, t, p)
	}
}

// ownInEpoch compares what the owner does with its memory in an epoch of active target synchronisation with what others
// do there.
func (m *remote) ownInEpoch(to *check.Watch, w *window, t *target, key epochKey, p *spot) {
	e := t.exposure(key)
	if !e.against(p, w.sameOp, func(q *spot, why clash) { m.conflict(to, w, why, p, q) }) {
		t.placed += e.insert(p)
	}
}

// amongLocks notes when a rank, by itself, uses memory of a member of its window, outside of epochs of active target
// synchronisation, to be compared with what others do there under locks; false if that is not known. What it receives
// may bring word of what they have done, so that is taken to be ordered: it is not before them.
func (m *remote) amongLocks(w *window, member int64, p *spot, before bool) bool {
	r, h := w.rank, &p.act.under
	knowledge := m.knowledge(r)
	if knowledge.lost || r.Callbacks {
		return false
	}
	_, locked := w.locks[member]
	h.to, h.unlocked, h.shared = h.from, !locked && w.lockAll.Func == nil, !locked || w.shared[member]
	h.fresh, h.barely, h.private = before && knowledge.fresh(), knowledge.barely(), !knowledge.shared
	if before {
		h.made = now(r)
		h.done = h.made
	}
	return true
}

// exposed is the epoch of active target synchronisation in which others may access a window; false if there is none.
func (w *window) exposed(t *target) (epochKey, bool) {
	_, _, locked := w.aLock()
	switch {
	case locked:
	case w.posted:
		return epochKey{byPost, t.posts}, true
	case w.fence == fenced:
		return epochKey{byFence, w.fences}, true
	}
	return epochKey{}, false
}

// concurrent says that nothing orders what the owner does with its memory and an RMA call of the same epoch. That call
// is complete only at the end of the epoch, except for one that reads in an epoch of MPI_Win_start. So the two are in
// order only if the owner's is over first and the other rank knows.
//
// The owner's call comes after MPI_Win_fence, so all ranks have come to that, and what matters is what the other has
// learned since, and whether a barrier has come since. But MPI_Win_start may come long after MPI_Win_post, and a fence
// that ends no epoch may not wait: there it counts what the other has learned in the round.
func concurrent(owner, q *spot) bool {
	h, at := &q.act.under, owner.act.under.from
	switch {
	case owner.open:
		return true
	case q.from == owner.from:
		// its own call was made before
		return owner.act.plain() && q.batch != nil && q.batch == owner.batch && q.nth < owner.nth
	case q.batch != nil && q.batch.key.kind == passive:
		return true // unordered says
	}
	if q.batch != nil && q.batch.key.kind == byStart && q.act.looks() &&
		(at > h.to || at == h.to && !owner.act.under.fresh) {
		return false // it was over when its rank had returned from MPI_Win_complete, which the owner may know
	}
	return at > h.from || at == h.from && h.fresh
}

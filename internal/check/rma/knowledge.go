package rma

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// knowledge is what a rank may know of what the others do. Between two synchronisations of all ranks, which divide the
// run into rounds, a rank learns of the others by its MPI calls, and by reading memory that others write.
type knowledge struct {
	round    uint64 // from 1; 0 before the first window of all ranks
	counts   bool   // it has had a window
	learned  uint64 // the calls from which it may have learned something
	mark     uint64 // of learned: at the begin of the round
	got      uint64 // of learned: those that completed nothing but MPI_Get
	gotMark  uint64 // of got: at the begin of the round
	opening  bool   // it has made no call since then, and no access to windows that was seen
	opened   bool   // that was so before the call that it makes
	lost     bool   // several threads make calls, or one has failed: nothing more is concluded
	shared   bool   // it has had a window whose memory others can write by themselves
	unmarked uint64 // the last round in which it has made calls without moments
	world    int    // the number of ranks of MPI_COMM_WORLD
	past     history
}

// fresh says that since the begin of the round, the rank cannot have learned by its calls what others have done since
// then.
func (p *knowledge) fresh() bool { return !p.lost && p.learned == p.mark }

// barely says that all that it can have learned since then is what MPI_Get gave it.
func (p *knowledge) barely() bool { return !p.lost && p.learned-p.mark == p.got-p.gotMark }

// begin begins a round.
func (p *knowledge) begin(round uint64) {
	p.round, p.mark, p.gotMark, p.opening = round, p.learned, p.got, true
}

// present is when the rank does something now, and what it knows.
func (p *knowledge) present() hold { return hold{from: p.round, fresh: p.fresh()} }

// watchKnowledge follows what the ranks may know.
func (m *windows) watchKnowledge(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.TypeMake, mpi.TypeFree, mpi.CommSetName, mpi.QueryThread:
			return nil
		case mpi.Rma, mpi.Rrma:
			if !f.Fetches() {
				return m.far.learns(nil)
			}
			at, _ := rmaParamsOf(f)
			return m.far.learns(func(_ *knowledge, c *check.Call) {
				if t, ok := c.Int(at.target); ok {
					if w := m.of[c.Rank][c.Handle(at.win)]; w != nil {
						f := w.fetching[t]
						if f == nil {
							f = new(fetching)
							w.fetching[t] = f
						}
						f.calls++
						if c.Func.Class == mpi.Rrma {
							f.asked++
						}
					}
				}
			})
		case mpi.WinLock:
			kind, target, win := f.Named("lock_type"), f.Named("rank"), f.Named("win")
			return m.far.learns(func(p *knowledge, c *check.Call) {
				// Who waits for an exclusive lock may come after somebody else for that reason, and who locks its own
				// window reads it.
				v, ok := c.Rank.Constant("MPI_LOCK_SHARED")
				exclusive, itself := kind >= 0 && (!ok || c.Handle(kind) != uint64(v)), m.locksItself(c, target, win)
				if exclusive {
					m.far.takes(p, c.Rank, m.channelOf(c, byLock, win, target), anywhere)
				}
				if itself {
					m.far.takes(p, c.Rank, m.channelOf(c, byGet, win, target), anywhere)
					m.far.takes(p, c.Rank, m.channelOf(c, fromItself, win, target), anywhere)
				}
				if exclusive || itself {
					p.learned++
				}
			})
		case mpi.Send:
			if f.Mode != op.Synchronous { // it may be over before anybody receives
				return m.far.learns(nil)
			}
		// what they bring is known only when another call has completed it
		case mpi.Isend, mpi.Irecv, mpi.SendInit, mpi.RecvInit, mpi.WinPost:
			return m.far.learns(nil)
		case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome:
			return m.far.learns(m.answered(f))
		case mpi.WinUnlock:
			fetched, target, win := m.fetched(f), f.Named("rank"), f.Named("win")
			return m.far.learns(func(p *knowledge, c *check.Call) {
				fetched(p, c)
				m.far.gives(p, c.Rank, m.channelOf(c, m.released(c, win, target), win, target), anywhere)
			})
		case mpi.WinFlush:
			return m.far.learns(m.fetched(f))
		case mpi.WinComplete:
			fetched := m.fetched(f)
			return m.far.learns(func(p *knowledge, c *check.Call) {
				fetched(p, c)
				p.learned++
			})
		case mpi.WinColl:
			win, assert := f.Named("win"), f.Named("assert")
			if f.Fences() || f.Freed == mpi.OWin {
				return m.far.learns(func(p *knowledge, c *check.Call) {
					w := m.of[c.Rank][c.Handle(win)]
					if w != nil {
						clear(w.fetching)
					}
					if w == nil || len(w.members) != p.world || assert >= 0 && asserts(c, noPrecede) {
						p.learned++
						return
					}
					m.far.nextRound(p, c)
				})
			}
		case mpi.Coll:
			if separates(f) {
				count, datatype := receivedBy(f), f.Named("recvtype", "datatype")
				return m.far.learns(func(p *knowledge, c *check.Call) {
					none := f.Sync != op.SyncAll && !receives(c, count, datatype)
					if c.Comm == nil || c.Comm.Inter || c.Comm.Size() != p.world || none {
						p.learned++
						return
					}
					m.far.nextRound(p, c)
				})
			}
		case mpi.Finalize:
			return m.far.learns(m.far.nextRound)
		}
		switch {
		case f.Flushes():
			return m.far.learns(m.fetched(f))
		case f.Name == "MPI_Win_allocate_shared":
			return func(c *check.Call) {
				p := m.far.knowledge(c.Rank)
				p.learned++
				p.shared = true
			}
		case f.Name == "MPI_Win_shared_query":
			return func(c *check.Call) { m.far.knowledge(c.Rank).shared = true }
		case f.Name == "MPI_Win_sync": // who reads what others write calls it, and so does everybody after a barrier
			win := f.Named("win")
			return m.far.learns(func(p *knowledge, c *check.Call) {
				m.far.gives(p, c.Rank, channel{kind: shown, target: op.Rank(c.Rank.World)}, anywhere)
				if p.opening = p.opened; !p.opened {
					m.far.takes(p, c.Rank, m.channelOf(c, fromItself, win, -1), anywhere)
					p.learned++
				}
			})
		case f.Class.Quiet():
			return nil
		}
		return m.far.learns(func(p *knowledge, _ *check.Call) { p.learned++ })
	})
	h.Fail(func(c *check.Call) { m.far.knowledge(c.Rank).lost = true })
}

// separates says whether all that its members do before a collective is over before any of them does something after
// it: they wait for all, or get something from each of them if there are data (MPI-4.0, 6.1). That is known for the
// forms in which all of them send as much.
func separates(f *mpi.Func) bool {
	if f.Nonblocking || f.Persistent {
		return false
	}
	return f.Sync == op.SyncAll || f.Sync == op.SyncAllData && receivedBy(f) >= 0
}

// receivedBy is the argument that says how much a member gets, -1 if it is not one number.
func receivedBy(f *mpi.Func) int {
	if at := f.Named("recvcount"); at >= 0 {
		return at
	}
	return f.Named("count")
}

// receives says whether a member gets anything by a call.
func receives(c *check.Call, count, datatype int) bool {
	n, known := c.Int(count)
	return known && n > 0 && c.Rank.Size(c.Handle(datatype)) > 0
}

// locksItself says whether a call names the calling rank as the target in a window.
func (m *windows) locksItself(c *check.Call, target, win int) bool {
	if target < 0 || win < 0 {
		return false
	}
	w := m.of[c.Rank][c.Handle(win)]
	t, ok := c.Int(target)
	return w != nil && ok && w.world(t) == op.Rank(c.Rank.World)
}

// fetched takes in that calls on a window are complete, to one target or to all, so that what they have read is known.
func (m *windows) fetched(f *mpi.Func) func(*knowledge, *check.Call) {
	win, target := f.Named("win"), f.Named("rank")
	return func(p *knowledge, c *check.Call) {
		w := m.of[c.Rank][c.Handle(win)]
		if w == nil || len(w.fetching) == 0 {
			return
		}
		only, some := int64(0), true
		if target >= 0 {
			if only, some = c.Int(target); !some || w.fetching[only] == nil {
				return
			}
		}
		barely := true
		for t, f := range w.fetching {
			if target < 0 || t == only {
				m.far.fetched(p, c.Rank, w, t, f)
				barely = barely && f.atomic.none()
				delete(w.fetching, t)
			}
		}
		p.learned++
		if barely {
			p.got++
		}
	}
}

func (m *remote) nextRound(p *knowledge, c *check.Call) {
	if p.round == 0 {
		p.learned++
		return
	}
	m.round(&p.past, p.round).ended = now(c.Rank)
	p.begin(p.round + 1)
	if len(m.unjudged) > 0 {
		m.judgeOrders(c.Watch(), false)
	}
}

// learns is the handler of a call that does something to the knowledge of its rank.
func (m *remote) learns(do func(*knowledge, *check.Call)) func(*check.Call) {
	return func(c *check.Call) {
		if c.Thread == 0 && m.knowledges.Had(c.Rank) == nil {
			return // it has had no window
		}
		p := m.knowledge(c.Rank)
		p.lost = p.lost || c.Thread != 0
		if !p.counts {
			return
		}
		m.begun(p, c.Rank)
		m.mark(p, c)
		p.opened, p.opening = p.opening, false
		if do != nil {
			do(p, c)
		}
	}
}

// mark makes the moment of a call known once there are locks: what others hear of the rank later, it may have done
// after it has seen in its memory what was put there.
func (m *remote) mark(p *knowledge, c *check.Call) {
	m.locking = m.locking || c.Func.Class == mpi.WinLock
	switch {
	case p.round == 0:
	case m.locking:
		now(c.Rank)
	case p.unmarked != p.round:
		p.unmarked = p.round
		m.round(&p.past, p.round).unmarked = true
	}
}

// start begins with the first window; the rounds begin with the first one of all ranks, which they make together.
func (p *knowledge) start(c *check.Call) {
	p.counts = true
	if p.round > 0 || c.Comm == nil || c.Comm.Inter {
		return
	}
	for o := range c.Rank.All(mpi.OComm) {
		if o.Name == "MPI_COMM_WORLD" && o.Comm != nil && o.Comm.Size() == c.Comm.Size() {
			p.world = c.Comm.Size()
			p.begin(1)
			return
		}
	}
}

// together are the knowledges of all ranks, nil if some are at another agent or unknown.
func (m *remote) together(world int) []*knowledge {
	if world <= 0 || len(m.ranks) != world {
		return nil
	}
	list := make([]*knowledge, 0, world)
	for _, r := range m.ranks {
		list = append(list, m.knowledge(r))
	}
	return list
}

// over says that all ranks have come to the end of a round.
func over(all []*knowledge, round uint64) bool {
	return !slices.ContainsFunc(all, func(p *knowledge) bool { return p.round <= round })
}

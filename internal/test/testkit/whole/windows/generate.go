package windows

import "math/rand/v2"

// rounds is how many a program has.
const rounds = 40

// Generate is the program of a seed.
func Generate(seed uint64) *Program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0))}
	m.ranks, m.flavours = 2+m.IntN(2), 2+m.IntN(2)
	p := &Program{Ranks: m.ranks}
	for range rounds {
		p.Rounds = append(p.Rounds, m.make())
	}
	return p
}

// maker makes a round.
type maker struct {
	*rand.Rand
	ranks    int
	flavours int
	round    Round
	hot      int     // the rank whose memory most acts access
	cells    int     // that acts choose from; those behind them are lent to calls
	lent     [][]int // by rank: cells that are lent
	held     []bool  // by rank: it has a lock
	synced   bool    // ranks call MPI_Win_sync before and after what orders them
	locals   bool    // there are accesses without calls
}

// likely is true in so many percent of cases.
func (m *maker) likely(percent int) bool { return m.IntN(100) < percent }

func (m *maker) rank() int { return m.IntN(m.ranks) }

// other is a rank that is not this one.
func (m *maker) other(rank int) int { return (rank + 1 + m.IntN(m.ranks-1)) % m.ranks }

func (m *maker) add(s Step) {
	if s.Kind == Lock || s.Kind == Unlock {
		m.held[s.Rank] = s.Kind == Lock
	}
	m.round.Steps = append(m.round.Steps, s)
}

func (m *maker) make() Round {
	m.round = Round{Flavour: Flavour(m.IntN(m.flavours)), Style: Style(m.IntN(5))}
	m.hot, m.cells, m.lent, m.held = m.rank(), 2+m.IntN(6), make([][]int, m.ranks), make([]bool, m.ranks)
	m.locals = m.likely(80)
	m.synced = m.locals && (m.round.Flavour == Shared || m.likely(30))
	m.add(Step{Kind: Barrier, Rank: Everyone}) // that the window is created is word of the others, too
	switch m.round.Style {
	case Fences:
		m.fences()
	case Posts:
		m.posts()
	case Locks, Exclusives:
		m.locks()
	case LockAll:
		m.lockAll()
	}
	m.round.Cells = m.cells
	for _, list := range m.lent {
		m.round.Cells = max(m.round.Cells, m.cells+2*len(list))
	}
	return m.round
}

// plainly adds an access without a call.
func (m *maker) plainly(rank int) {
	if !m.locals {
		return
	}
	a := Act{Manner: Manner(m.IntN(4)), Target: rank, Lent: -1, Helper: m.likely(30)}
	if m.round.Flavour == Shared && m.likely(40) {
		a.Target = m.target(rank)
	}
	m.place(&a, rank)
	m.add(Step{Rank: rank, Act: a})
}

// target is a rank whose memory another one accesses.
func (m *maker) target(rank int) int {
	switch {
	case m.likely(60):
		return m.hot
	case m.likely(15):
		return rank
	}
	return m.other(rank)
}

// place chooses the cells of an act.
func (m *maker) place(a *Act, rank int) {
	a.N = 1
	if m.likely(25) {
		a.N = 2
	}
	a.At = m.IntN(m.cells - a.N + 1)
	if list := m.lent[a.Target]; a.Target != rank && len(list) > 0 && m.likely(40) {
		a.At = list[m.IntN(len(list))]
	}
}

// call adds a call that accesses the memory of a rank.
func (m *maker) call(rank, target int) {
	a := Act{Manner: Put + Manner(m.IntN(4)), Target: target, Lent: -1}
	if m.round.Style >= Locks && m.likely(20) {
		a.Manner = Rput + Manner(m.IntN(2))
	}
	switch {
	case !a.updates():
	case a.Manner == GetAccumulate && m.likely(25):
		a.Op = noOp
	default:
		a.Op = []string{"SUM", "SUM", "MAX", "REPLACE"}[m.IntN(4)]
	}
	m.place(&a, rank)
	if m.likely(15) {
		a.Lent = m.cells + 2*len(m.lent[rank])
		m.lent[rank] = append(m.lent[rank], a.Lent)
	}
	m.add(Step{Rank: rank, Act: a})
}

// word orders ranks: by a message or a barrier.
func (m *maker) word() {
	// It is for ranks with a lock (12.5.4).
	sync := func(rank int) {
		if m.synced && m.held[rank] {
			m.add(Step{Kind: Sync, Rank: rank})
		}
	}
	if m.likely(40) {
		for rank := range m.ranks {
			sync(rank)
		}
		m.add(Step{Kind: Barrier, Rank: Everyone})
		for rank := range m.ranks {
			sync(rank)
		}
		return
	}
	from := m.rank()
	to := m.other(from)
	sync(from)
	m.add(Step{Kind: Message, Rank: from, Peer: to})
	sync(to)
}

// between adds what may come outside of epochs: accesses without calls, and what orders the ranks.
func (m *maker) between() {
	for m.likely(40) {
		if m.likely(50) {
			m.word()
		} else {
			m.plainly(m.rank())
		}
	}
}

// fences is a round of MPI_Win_fence.
func (m *maker) fences() {
	m.between()
	first := Step{Kind: Fence, Rank: Everyone}
	if m.likely(40) {
		first.Assert = noPrecede
	}
	m.add(first)
	for epochs := 1 + m.IntN(3); epochs > 0; epochs-- {
		for n := 1 + m.IntN(5); n > 0; n-- {
			switch rank := m.rank(); {
			case m.likely(20):
				m.word()
			case m.likely(35):
				m.plainly(rank)
			default:
				m.call(rank, m.target(rank))
			}
		}
		last := Step{Kind: Fence, Rank: Everyone}
		if epochs == 1 && m.likely(50) {
			last.Assert = noSucceed
		}
		m.add(last)
	}
	m.between()
}

// posts is a round of MPI_Win_post and MPI_Win_start.
func (m *maker) posts() {
	m.between()
	for epoch := range 1 + m.IntN(2) {
		if epoch > 0 {
			// MPI_Win_start of MPICH 4.0 waits forever if it finds an MPI_Win_post for the next epoch.
			m.add(Step{Kind: Barrier, Rank: Everyone})
		}
		lets := make([][]int, m.ranks) // by target
		wants := make([][]int, m.ranks)
		for target := range m.ranks {
			for origin := range m.ranks {
				if origin != target && (target == m.hot && m.likely(80) || m.likely(30)) {
					lets[target] = append(lets[target], origin)
					wants[origin] = append(wants[origin], target)
				}
			}
		}
		each := func(do func(rank int)) {
			for _, rank := range m.Perm(m.ranks) {
				do(rank)
				m.between()
			}
		}
		each(func(rank int) {
			if len(lets[rank]) > 0 {
				m.add(Step{Kind: Post, Rank: rank, Group: lets[rank]})
			}
		})
		each(func(rank int) {
			if len(wants[rank]) > 0 {
				m.add(Step{Kind: Start, Rank: rank, Group: wants[rank]})
			}
		})
		for n := 2 + m.IntN(5); n > 0; n-- {
			switch rank := m.rank(); {
			case m.likely(15):
				m.word()
			case len(wants[rank]) == 0 || m.likely(25):
				m.plainly(rank)
			default:
				m.call(rank, wants[rank][m.IntN(len(wants[rank]))])
			}
		}
		each(func(rank int) {
			if len(wants[rank]) > 0 {
				m.add(Step{Kind: Complete, Rank: rank})
			}
		})
		each(func(rank int) {
			if len(lets[rank]) > 0 {
				m.add(Step{Kind: Wait, Rank: rank})
			}
		})
	}
}

// flush may complete what a rank has done to a target, or to all.
func (m *maker) flush(rank, target int) {
	s := Step{Kind: Flush, Rank: rank, Peer: target}
	if m.likely(40) {
		s.Kind = FlushLocal
	}
	if m.likely(25) && m.round.Style == LockAll {
		s.Peer = Everyone
	}
	m.add(s)
}

// locks is a round of MPI_Win_lock. If some are exclusive, nobody waits for another rank while it has a lock, as that
// one may wait for it.
func (m *maker) locks() {
	m.between()
	for n := 2 + m.IntN(3); n > 0; n-- {
		rank := m.rank()
		target := m.target(rank)
		s := Step{Kind: Lock, Rank: rank, Peer: target, Exclusive: m.round.Style == Exclusives && m.likely(60)}
		m.add(s)
		for k := 1 + m.IntN(3); k > 0; k-- {
			switch {
			case m.likely(20):
				m.plainly(rank)
			case m.likely(20) && m.round.Style == Locks:
				m.word()
			default:
				m.call(rank, target)
				if m.likely(40) {
					m.flush(rank, target)
				}
			}
		}
		m.add(Step{Kind: Unlock, Rank: rank, Peer: target})
		m.between()
	}
}

// lockAll is a round of MPI_Win_lock_all.
func (m *maker) lockAll() {
	m.between()
	for rank := range m.ranks {
		m.add(Step{Kind: Lock, Rank: rank, Peer: Everyone})
	}
	for n := 3 + m.IntN(7); n > 0; n-- {
		rank := m.rank()
		target := m.target(rank)
		switch {
		case m.likely(20):
			m.word()
		case m.likely(30):
			m.plainly(rank)
		default:
			m.call(rank, target)
			if m.likely(40) {
				m.flush(rank, target)
			}
		}
	}
	for rank := range m.ranks {
		m.add(Step{Kind: Unlock, Rank: rank, Peer: Everyone})
	}
	m.between()
}

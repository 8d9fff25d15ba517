package branching

import "slices"

// complete has a rank complete some of its requests in some way.
func (m *maker) complete(r int) {
	k := &m.ranks[r]
	if len(k.pending) == 0 {
		return
	}
	m.Shuffle(len(k.pending), func(i, j int) { k.pending[i], k.pending[j] = k.pending[j], k.pending[i] })
	n := 1 + m.IntN(min(len(k.pending), 3))
	some := slices.Clone(k.pending[:n])
	k.pending = slices.Clone(k.pending[n:])
	flag := get(Flag, 0)
	switch form := m.IntN(8); {
	case n == 1 && form < 3:
		m.add(r, m.poll(r, Call{Kind: Test, Slot: some[0]}, wait(some[0])))
	case n == 1 && form < 6 || form == 0:
		for _, s := range some {
			m.add(r, wait(s))
		}
	case form == 1:
		m.add(r, do(Call{Kind: Waitall, Slots: some}))
	case form == 2:
		m.add(r, m.poll(r, Call{Kind: Testall, Slots: some}, do(Call{Kind: Waitall, Slots: some})))
	case form == 3:
		m.add(r, do(Call{Kind: Waitany, Slots: some}))
		m.rest(r, some, of(Eq, get(Index, 0), N(m.IntN(n))))
	case form == 4:
		m.add(r, do(Call{Kind: Waitsome, Slots: some}))
		m.rest(r, some, []*Expr{of(Eq, get(Outcount, 0), N(1)), of(Eq, get(Done, 0), N(1))}[m.IntN(2)])
	case form == 5:
		total := m.variable(r)
		m.add(r, set(total, N(0)), while(less(V(total), N(n)), do(Call{Kind: Testsome, Slots: some}),
			set(total, plus(V(total), get(Outcount, 0)))))
	case form == 6:
		total := m.variable(r)
		m.add(r, set(total, N(0)), while(less(V(total), N(n)), do(Call{Kind: Testany, Slots: some}),
			when(flag, set(total, plus(V(total), N(1))))))
	default:
		m.add(r, m.poll(r, Call{Kind: Testany, Slots: some}))
		m.rest(r, some, flag)
	}
	for _, s := range some {
		if k.receive[s] {
			m.know(r, is(of(Mod, get(In, s), N(2)), N(m.IntN(2))))
			if m.IntN(2) == 0 {
				m.know(r, is(get(Source, s), N(m.IntN(2))))
			}
		}
	}
}

// rest completes what a call that reports some of its requests has left, after the rank has looked at what that was.
func (m *maker) rest(r int, some []int, what *Expr) {
	v := m.variable(r)
	m.add(r, set(v, what))
	m.know(r, V(v))
	if m.IntN(2) == 0 {
		m.fork(r)
	}
	m.add(r, do(Call{Kind: Waitall, Slots: some}))
}

package model

// Fields of the memory, by the thread whose they are.

func countOf(t int) func(*memory) *uint8   { return func(s *memory) *uint8 { return &s.count[t] } }
func blockedOf(t int) func(*memory) *uint8 { return func(s *memory) *uint8 { return &s.blocked[t] } }
func wantOf(t int) func(*memory) *uint8    { return func(s *memory) *uint8 { return &s.want[t] } }
func movesOf(t int) func(*memory) *uint8   { return func(s *memory) *uint8 { return &s.moves[t] } }
func aheadOf(t int) func(*memory) *uint8   { return func(s *memory) *uint8 { return &s.aheadOf[t] } }
func aheadTo(t int) func(*memory) *uint8   { return func(s *memory) *uint8 { return &s.aheadTo[t] } }
func heldOf(t, i int) func(*memory) *uint8 { return func(s *memory) *uint8 { return &s.held[t][i] } }
func ownerOf(l uint8) func(*memory) *uint8 { return func(s *memory) *uint8 { return &s.owner[l] } }
func arrivedOf(t int) func(*memory) *uint8 { return func(s *memory) *uint8 { return &s.arrived[t] } }

func (m *machine) slotOf(t int, n uint8) func(*memory) *uint8 {
	k := n % m.slots
	return func(s *memory) *uint8 { return &s.slot[t][k] }
}

func (m *machine) valuedOf(n uint8) func(*memory) *uint8 {
	k := n % m.slots
	return func(s *memory) *uint8 { return &s.valued[k] }
}

func (m *machine) right() int { return (m.me + 1) % m.threads }
func (m *machine) left() int  { return (m.me + m.threads - 1) % m.threads }

// phases is the number of parts of an action. Nothing but a thread's locals goes from one to the next.
const phases = 9

// act is a part of an action with all that the checker does around it (order.upc, locks.upc).
func (m *machine) act(a Action, phase int) {
	switch a.Kind {
	case Collective, Notify, Barrier:
		m.collective(a, phase)
	case Wait:
		m.wait(a, phase)
	case Lock:
		m.lock(a.Lock, phase)
	case Unlock:
		if phase == 0 {
			m.unlock(a.Lock)
		}
	case Attempt:
		if phase == 0 {
			m.attempt(a.Lock)
		}
	case end:
		m.end(a, phase)
	}
}

func (m *machine) collective(a Action, phase int) {
	late := m.has("publish before order")
	if m.own.open && (phase == 0 && !late || phase == 7) {
		m.report(Report{Kind: Order})
	}
	if phase < 7 {
		m.begin(a, phase)
		return
	}
	n := m.own.n - 1
	if phase == 7 {
		// who waits for it cannot go on before
		m.do(access{kind: write, field: arrivedOf(m.me), value: n + 1, pair: -1, quiet: true})
		m.own.open = a.Kind == Notify
		return
	}
	if a.Kind == Barrier || a.Sync {
		m.do(access{kind: awaitAll, number: n, pair: -1})
		m.block(0)
	}
}

// begin is upck_begin of ring.upc.
func (m *machine) begin(a Action, phase int) {
	sync := a.Kind == Barrier || a.Sync || (a.Kind == Collective && m.has("all collectives synchronise"))
	if m.threads == 1 {
		if phase == 0 {
			m.own.n++
		}
		return
	}
	n := m.own.n - 1
	switch phase {
	case 0:
		m.own.n++
		m.limit(m.right(), m.own.n-1)
	case 1:
		m.limit(m.left(), n)
	case 2:
		m.publish(a, n, sync)
	case 3:
		if !m.has("compare before count") && !(a.Kind == end && m.has("end does not compare")) {
			m.compareRight(n)
		}
	case 4:
		if !m.has("compare before count") && !(a.Kind == end && m.has("end does not compare")) {
			m.compareLeft(n)
		}
	case 5:
		if (a.Kind == Notify || a.Kind == Barrier) && (a.Has || m.isValued(n)) {
			m.compareValues(n)
		}
	case 6:
		if sync && m.holds() && !m.has("collective does not look") {
			m.lookAtWaiters(n)
		}
		if m.has("blocked after count") {
			m.blockIn(a, n, sync)
		}
	}
}

func (m *machine) limit(neighbour int, n uint8) {
	if n+2 <= m.slots || m.has("no limit") {
		return
	}
	to := n + 2 - m.slots
	if m.has("limit too far") {
		to--
	}
	m.waitFor(neighbour, to)
}

func (m *machine) publish(a Action, n uint8, sync bool) {
	early := m.has("count before record")
	record := access{kind: write, field: m.slotOf(m.me, n), value: n + 1, isRecord: true, number: n, pair: -1,
		quiet: n < m.slots && !early}
	if early {
		m.write(countOf(m.me), n+1)
	}
	m.do(record)
	if m.has("compare before count") {
		m.compareRight(n)
		m.compareLeft(n)
	}
	if !m.has("blocked after count") {
		m.blockIn(a, n, sync)
	}
	if a.Has && !m.has("values are not announced") {
		m.tellValued(n)
	}
	if !early {
		m.write(countOf(m.me), n+1)
	}
	if a.Kind == end {
		m.block(hasEnded)
	}
}

func (m *machine) blockIn(a Action, n uint8, sync bool) {
	if a.Kind != end && sync {
		m.block(n + 1)
	}
}

func (m *machine) block(value uint8) {
	if m.threads > 1 {
		m.do(access{kind: write, field: blockedOf(m.me), value: value, pair: -1, quiet: m.nobodyLooks &&
			!m.operations[m.me][m.own.n-1].waits})
	}
}

func (m *machine) isValued(n uint8) bool {
	return m.do(access{kind: is, field: m.valuedOf(n), value: n + 1, pair: -1, quiet: m.noValues, stays: true}) != 0
}

func (m *machine) tellValued(n uint8) {
	if !m.isValued(n) {
		m.write(m.valuedOf(n), n+1)
	}
}

// waitFor is wait_for of ring.upc.
func (m *machine) waitFor(neighbour int, count uint8) {
	if m.atLeast(countOf(neighbour), count) {
		return
	}
	shown := !m.has("being ahead is not shown")
	if shown {
		m.move()
		m.write(aheadTo(m.me), count)
		m.write(aheadOf(m.me), uint8(neighbour+1))
		if !m.atLeast(countOf(neighbour), count) {
			m.lookForDeadlock()
		}
	}
	m.do(access{kind: awaitCount, thread: neighbour, number: count, pair: -1})
	if shown {
		m.move()
		m.write(aheadOf(m.me), 0)
	}
}

func (m *machine) compareRight(n uint8) {
	if !m.has("right is not compared") {
		m.compare(m.right(), n)
	}
}

func (m *machine) compareLeft(n uint8) {
	if m.threads > 2 && !m.has("left is not compared") {
		m.compare(m.left(), n)
	}
}

func (m *machine) compare(neighbour int, n uint8) {
	if !m.atLeast(countOf(neighbour), n+1) {
		return
	}
	pair := m.me
	if neighbour == m.left() {
		pair = neighbour
	}
	if m.threads == 2 {
		pair = 0
	}
	quiet := int(n+m.slots) >= len(m.operations[neighbour]) && !m.has("count before record")
	if m.do(access{kind: is, field: m.slotOf(neighbour, n), value: n + 1, pair: pair, number: n, quiet: quiet}) == 0 {
		// the slot has another record: what is compared is not what it should be
		m.report(Report{Kind: Mismatch, Number: n})
	}
	if !same(m.operations[m.me][n], m.operations[neighbour][n]) {
		m.report(Report{Kind: Mismatch, Number: n})
	}
}

// wait is upck_wait of order.upc.
func (m *machine) wait(a Action, phase int) {
	n := m.own.n - 1
	switch phase {
	case 0:
		if !m.own.open {
			m.report(Report{Kind: Order})
			return
		}
		m.own.open = false
		if a.Has && m.operations[m.me][n].Has && m.operations[m.me][n].Value != a.Value {
			m.report(Report{Kind: Values, Number: n})
		}
		m.block(n + 1)
	case 1:
		if m.operations[m.me][n].waits && m.threads > 1 && !m.has("upc_wait's value is not compared") && m.isValued(n) {
			m.compareValues(n)
		}
	case 2:
		if m.holds() && m.threads > 1 && !m.has("collective does not look") {
			m.lookAtWaiters(n)
		}
	case 3:
		m.do(access{kind: awaitAll, number: n, pair: -1})
		m.block(0)
	}
}

// given is what a thread has given in the phase of operation n (values.upc).
func (m *machine) given(t int, n uint8) (o operation, come bool) {
	waits := int(n) < len(m.operations[t]) && m.operations[t][n].waits && m.is(blockedOf(t), n+1)
	if !m.atLeast(countOf(t), n+1) {
		return o, false
	}
	o = m.operations[t][n]
	o.waits = o.waits && waits
	return o, true
}

func (m *machine) nearest(n uint8, step int) int {
	for i, t := 1, m.me; i < m.threads; i++ {
		t = (t + step) % m.threads
		o, come := m.given(t, n)
		if !come || (m.has("only neighbours' values") && !o.Has) {
			return -1
		}
		if o.Has {
			return t
		}
	}
	return -1
}

func (m *machine) compareValues(n uint8) {
	mine, _ := m.given(m.me, n)
	left, right := m.nearest(n, m.threads-1), m.nearest(n, 1)
	var value uint8
	switch {
	case mine.Has:
		value = mine.Value
	case left >= 0:
		value = m.operations[left][n].Value
	case right >= 0:
		value = m.operations[right][n].Value
	default:
		return
	}
	if (left >= 0 && m.operations[left][n].Value != value) || (right >= 0 && m.operations[right][n].Value != value) ||
		(mine.waits && mine.value != value) {
		m.report(Report{Kind: Values, Number: n})
	}
	for _, step := range []int{m.threads - 1, 1} {
		for i, t := 1, m.me; i < m.threads; i++ {
			t = (t + step) % m.threads
			o, come := m.given(t, n)
			if !come || o.Has {
				break
			}
			if o.waits && o.value != value {
				m.report(Report{Kind: Values, Number: n})
			}
		}
	}
}

// end is upck_end.
func (m *machine) end(a Action, phase int) {
	if phase == 0 && m.own.open {
		m.report(Report{Kind: Order})
	}
	if phase < 7 {
		m.begin(a, phase)
	} else if phase == 7 && m.threads > 1 && m.holds() && !m.has("end does not look") {
		m.lookAtWaiters(hasEnded)
	}
}

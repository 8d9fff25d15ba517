package model

func (m *machine) holds() bool { return m.own.held != [maxHeld]uint8{} }

func (m *machine) holding(lock uint8) int {
	for i, l := range m.own.held {
		if l == lock {
			return i
		}
	}
	return -1
}

// move comes before each change of what others may see.
func (m *machine) move() {
	m.own.moves++
	m.write(movesOf(m.me), m.own.moves)
}

// lock is upck_locking, upc_lock and upck_locked of locks.upc.
func (m *machine) lock(lock uint8, phase int) {
	switch {
	case phase == 0:
		if m.holding(lock) >= 0 {
			m.report(Report{Kind: Relock})
		}
		m.own.waits = m.do(access{kind: try, lock: lock, pair: -1}) == 0
		if !m.own.waits {
			m.move()
			m.hold(lock)
		}
	case !m.own.waits:
	case phase == 1:
		if m.has("look before want") {
			m.lookForDeadlock()
		}
		m.move()
		m.write(wantOf(m.me), lock)
	case phase == 2:
		if !m.has("lock does not look") && !m.has("look before want") {
			m.lookForDeadlock()
		}
	case phase == 3:
		m.do(access{kind: acquire, lock: lock, pair: -1})
		m.move()
		if m.has("held before want is taken back") {
			m.hold(lock)
			m.write(wantOf(m.me), 0)
			return
		}
		m.write(wantOf(m.me), 0)
		m.hold(lock)
	case phase == 4:
		m.own.waits = false
	}
}

func (m *machine) hold(lock uint8) {
	i := m.holding(0)
	m.own.held[i] = lock
	m.write(heldOf(m.me, i), lock)
}

// unlock is upck_unlocking and upc_unlock.
func (m *machine) unlock(lock uint8) {
	i := m.holding(lock)
	if i < 0 {
		if !m.attempted(lock) {
			m.report(Report{Kind: NotHeld})
		}
		return
	}
	if m.has("unlocked before told") {
		m.write(ownerOf(lock), 0)
	}
	m.move()
	m.own.held[i] = 0
	m.write(heldOf(m.me, i), 0)
	if !m.has("unlocked before told") {
		m.write(ownerOf(lock), 0)
	}
}

// attempted says that the program tries the lock somewhere, so that it may not hold it.
func (m *machine) attempted(lock uint8) bool {
	for _, a := range m.program[m.me] {
		if a.Kind == Attempt && a.Lock == lock {
			return true
		}
	}
	return false
}

func (m *machine) attempt(lock uint8) {
	if m.holding(lock) >= 0 {
		m.report(Report{Kind: Relock})
	}
	if m.do(access{kind: try, lock: lock, pair: -1}) == 0 {
		if m.has("a failed attempt stays") {
			m.move()
			m.write(wantOf(m.me), lock)
		}
		return
	}
	m.move()
	m.hold(lock)
}

// link is one step of a chain: who waits for whom and why.
type link struct {
	thread, next, index int
	want, ahead         uint8
	moves, nextMoves    uint8
}

type ending uint8

const (
	running ending = iota
	free
	cycle
	inCollective
	ended
)

// chain is upck_chain of chain.upc.
type chain struct {
	links []link
	last  int
	end   ending
	from  int
	at    uint8
}

func (m *machine) findHolder(lock uint8) (t, index int) {
	for t := range m.threads {
		for i := range maxHeld {
			if i < m.mostHeld && m.is(heldOf(t, i), lock) {
				return t, i
			}
		}
	}
	return -1, -1
}

// linkFrom says what thread t waits for; free that the lock is held by nobody.
func (m *machine) linkFrom(t int) (l link, waits, isFree bool) {
	l = link{thread: t, moves: m.read(movesOf(t)), want: m.read(wantOf(t))}
	if l.want != 0 {
		l.next, l.index = m.findHolder(l.want)
		if l.next < 0 {
			return l, false, true
		}
		l.nextMoves = m.read(movesOf(l.next))
		stays := m.is(heldOf(l.next, l.index), l.want)
		return l, stays, !stays
	}
	if !m.limited {
		return l, false, false
	}
	ahead := m.read(aheadOf(t))
	if ahead == 0 {
		return l, false, false
	}
	l.next = int(ahead) - 1
	l.ahead = m.read(aheadTo(t))
	return l, !m.atLeast(countOf(l.next), l.ahead), false
}

func (m *machine) follow(from int) chain {
	var c chain
	var seen [maxThreads]bool
	t := from
	for {
		if seen[t] {
			c.end, c.last = cycle, t
			for c.links[c.from].thread != t {
				c.from++
			}
			return c
		}
		seen[t] = true
		c.last = t
		l, waits, isFree := m.linkFrom(t)
		if !waits {
			switch blocked := m.read(blockedOf(t)); {
			case isFree:
				c.end = free
			case blocked == hasEnded:
				c.end = ended
			case blocked != 0:
				c.end, c.at = inCollective, blocked-1
			}
			return c
		}
		c.links = append(c.links, l)
		t = l.next
	}
}

// stands says that nobody in the chain has moved since.
func (m *machine) stands(c chain) bool {
	if m.has("chains are not read again") {
		return true
	}
	for _, l := range c.links[c.from:] {
		if l.want != 0 {
			if !m.is(wantOf(l.thread), l.want) || !m.is(heldOf(l.next, l.index), l.want) ||
				!m.is(movesOf(l.next), l.nextMoves) {
				return false
			}
		} else if !m.is(aheadOf(l.thread), uint8(l.next+1)) || m.atLeast(countOf(l.next), l.ahead) {
			return false
		}
		if !m.is(movesOf(l.thread), l.moves) {
			return false
		}
	}
	return true
}

func (m *machine) tell(c chain) {
	var waiters uint8
	for _, l := range c.links[c.from:] {
		waiters |= 1 << l.thread
	}
	m.report(Report{Kind: Deadlock, Waiters: waiters})
}

// missingAt looks for a thread that has not come to operation n and waits for x, which is in it.
func (m *machine) missingAt(x int, n uint8, only []link) {
	for t := range m.threads {
		if only != nil && !m.inLinks(only, t) {
			continue
		}
		if t == x || m.atLeast(countOf(t), n+1) {
			continue
		}
		c := m.follow(t)
		if c.end == inCollective && c.last == x && c.at == n && len(c.links) > 0 && m.stands(c) &&
			!m.atLeast(countOf(t), n+1) {
			m.tell(c)
		}
	}
}

func (m *machine) inLinks(links []link, t int) bool {
	for _, l := range links {
		if l.thread == t {
			return true
		}
	}
	return false
}

// lookForDeadlock is upck_deadlock with what follows from it.
func (m *machine) lookForDeadlock() {
	c := m.follow(m.me)
	switch c.end {
	case cycle, ended:
		if m.stands(c) {
			m.tell(c)
		}
	case inCollective:
		if m.has("only the chain is looked at") {
			m.missingAt(c.last, c.at, c.links)
			return
		}
		m.missingAt(c.last, c.at, nil)
	}
}

// lookAtWaiters is upck_waited_for.
func (m *machine) lookAtWaiters(n uint8) {
	if n != hasEnded {
		m.missingAt(m.me, n, nil)
		return
	}
	for t := range m.threads {
		if t == m.me {
			continue
		}
		c := m.follow(t)
		if c.end == ended && c.last == m.me && len(c.links) > 0 && m.stands(c) {
			m.tell(c)
		}
	}
}

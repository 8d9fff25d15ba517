// Package ordered makes random programs whose threads do things in an order, or in none, and goes through all of their
// interleavings.
package ordered

import "math/rand/v2"

// Act is what a step does.
type Act uint8

// Acts. Receive and Send are calls of MPI that use a shared buffer, Load and Store the program's own accesses to it.
const (
	Lock Act = iota
	Unlock
	ReadLock
	WriteLock
	ReadUnlock
	WriteUnlock
	Post
	Wait
	Set
	Await
	Barrier
	Receive
	Send
	Load
	Store
)

// Bounds of what programs use.
const (
	locks, rwlocks, semaphores, events, buffers = 2, 1, 2, 2, 2
)

// Step is one act, with what.
type Step struct {
	Act Act
	On  int
}

// Call says whether it is a call of MPI.
func (s Step) Call() bool { return s.Act == Receive || s.Act == Send }

// uses says whether it uses a shared buffer, and whether it writes there.
func (s Step) uses() (yes, writes bool) { return s.Act >= Receive, s.Act == Receive || s.Act == Store }

// releases and acquires say what it may do to the order of threads.
func (s Step) releases() bool {
	switch s.Act {
	case Unlock, ReadUnlock, WriteUnlock, Post, Set, Barrier:
		return true
	}
	return false
}

func (s Step) acquires() bool {
	switch s.Act {
	case Lock, ReadLock, WriteLock, Wait, Await, Barrier:
		return true
	}
	return false
}

// Program is what each thread does.
type Program struct {
	Threads [][]Step
}

// Generate makes a program that ends in every interleaving.
func Generate(r *rand.Rand) *Program {
	for {
		p := generate(r)
		if _, ends := p.Meetings(); ends {
			return p
		}
	}
}

func generate(r *rand.Rand) *Program {
	m := &maker{Rand: r, Program: &Program{Threads: make([][]Step, 2+r.IntN(2))}, calls: 1 + r.IntN(2),
		buffers: 1 + r.IntN(buffers), kinds: 2 + r.IntN(7)}
	barriers := r.IntN(5) / 4
	for t := range m.Threads {
		for i := range 1 + barriers {
			if i > 0 {
				m.add(t, Barrier, 0)
			}
			for range 1 + r.IntN(2) {
				m.some(t)
			}
		}
	}
	return m.Program
}

// maker makes a program with at most so many calls a thread, so many buffers, and some kinds of steps.
type maker struct {
	*rand.Rand
	*Program
	calls, buffers, kinds int
}

// some adds a step, or several that belong together.
func (m *maker) some(t int) {
	switch m.IntN(m.kinds) {
	case 0, 1:
		m.use(t)
	case 2:
		m.around(t, Lock, Unlock, locks)
	case 3:
		m.around(t, WriteLock, WriteUnlock, rwlocks)
	case 4:
		m.around(t, ReadLock, ReadUnlock, rwlocks)
	case 5:
		m.add(t, Post+Act(m.IntN(2)), m.IntN(semaphores))
	default:
		m.add(t, Set+Act(m.IntN(2)), m.IntN(events))
	}
}

// use adds a use of a buffer, by a call as long as the thread may make one.
func (m *maker) use(t int) {
	act := Receive + Act(m.IntN(2))
	if m.Calls(t) == m.calls || m.IntN(4) == 0 {
		act += Load - Receive
	}
	m.add(t, act, m.IntN(m.buffers))
}

func (m *maker) around(t int, before, after Act, n int) {
	on := m.IntN(n)
	m.add(t, before, on)
	m.use(t)
	m.add(t, after, on)
}

func (p *Program) add(t int, act Act, on int) { p.Threads[t] = append(p.Threads[t], Step{act, on}) }

// Place is a step of a thread.
type Place struct{ Thread, Step int }

// Pair are two places of different threads, of which that of the lower thread is the first.
type Pair struct{ A, B Place }

func pairOf(a, b Place) Pair {
	if b.Thread < a.Thread {
		a, b = b, a
	}
	return Pair{a, b}
}

func (p *Program) at(x Place) Step { return p.Threads[x.Thread][x.Step] }

// Conflicts says whether two steps must not meet: one of them is a call, and one of them writes to what both use.
func (p *Program) Conflicts(x Pair) bool {
	a, b := p.at(x.A), p.at(x.B)
	uses, writes := a.uses()
	also, writesToo := b.uses()
	return uses && also && a.On == b.On && (writes || writesToo) && (a.Call() || b.Call())
}

// Apart says whether nothing ever orders two calls, whatever order they come in, so that each run shows it: no thread
// releases anything after its call, or the other one acquires nothing before its own.
func (p *Program) Apart(x Pair) bool {
	after := func(x Place) bool {
		for _, s := range p.Threads[x.Thread][x.Step+1:] {
			if s.releases() {
				return true
			}
		}
		return false
	}
	before := func(x Place) bool {
		for _, s := range p.Threads[x.Thread][:x.Step] {
			if s.acquires() {
				return true
			}
		}
		return false
	}
	return !(after(x.A) && before(x.B)) && !(after(x.B) && before(x.A))
}

// Calls is how many calls of MPI a thread makes.
func (p *Program) Calls(t int) (n int) {
	for _, s := range p.Threads[t] {
		if s.Call() {
			n++
		}
	}
	return n
}

package oracle

import (
	"math/rand/v2"
	"slices"

	"unknot/internal/vocab/op"
)

// maker builds a random program.
type maker struct {
	*rand.Rand
	p      *Program
	nextID []int
	open   [][]int // by rank: requests that nobody has waited for in the program's order
}

// Generate makes the program of a seed: mostly one in which everything fits together, with a few mistakes put in, and
// sometimes one whose ranks do what they like.
func Generate(seed uint64) *Program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), p: &Program{}}
	ranks := 2 + m.IntN(4)
	m.p.Ranks = make([][]Call, ranks)
	m.nextID, m.open = make([]int, ranks), make([][]int, ranks)
	m.comms(ranks)
	if m.IntN(4) == 0 {
		m.chaos()
		return m.p
	}
	for range 2 + m.IntN(8) {
		m.step()
	}
	for r := range ranks {
		if len(m.open[r]) > 0 && m.IntN(8) > 0 {
			m.wait(r, Waitall, slices.Clone(m.open[r]))
		}
	}
	if m.IntN(3) > 0 {
		for range 1 + m.IntN(3) {
			m.mistake()
		}
	}
	return m.p
}

func (m *maker) comms(ranks int) {
	all := make([]int, ranks)
	for r := range all {
		all[r] = r
	}
	m.p.Comms = [][]int{all}
	for range m.IntN(3) {
		some := m.Perm(ranks)[:2+m.IntN(ranks-1)]
		slices.Sort(some)
		m.p.Comms = append(m.p.Comms, some)
	}
	for _, members := range m.p.Comms {
		waves := make([]Wave, 6)
		for i := range waves {
			waves[i] = Wave{Gather(m.IntN(5)), members[m.IntN(len(members))], m.IntN(3) == 0}
		}
		m.p.Waves = append(m.p.Waves, waves)
	}
}

func (m *maker) call(r int, c Call) {
	c.ID = m.nextID[r]
	m.nextID[r]++
	m.p.Ranks[r] = append(m.p.Ranks[r], c)
	if c.Nonblocking || c.Kind == Collective {
		m.open[r] = append(m.open[r], c.ID)
	}
}

// talk adds a call for some parts, blocking or not; in the latter case it may wait for something after it.
func (m *maker) talk(r int, parts ...Part) {
	c := Call{Kind: Talk, Parts: parts, Nonblocking: m.IntN(2) == 0}
	c.Persistent = c.Nonblocking && (len(parts) > 1 || m.IntN(4) == 0)
	m.call(r, c)
	m.mayWait(r)
}

func (m *maker) mayWait(r int) {
	open := m.open[r]
	if len(open) == 0 || m.IntN(3) > 0 {
		return
	}
	some := slices.Clone(open)
	m.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:1+m.IntN(min(len(some), 3))]
	m.wait(r, Waitall+Kind(m.IntN(3)), some)
}

// wait adds a completion. The requests of an any-completion stay open, for only some of them are complete after it.
func (m *maker) wait(r int, kind Kind, requests []int) {
	m.call(r, Call{Kind: kind, Requests: requests})
	if kind == Waitall {
		m.open[r] = slices.DeleteFunc(m.open[r], func(id int) bool { return slices.Contains(requests, id) })
	}
}

func (m *maker) two(members []int) (int, int) {
	at := m.Perm(len(members))
	return members[at[0]], members[at[1]]
}

// step adds one communication to all that take part.
func (m *maker) step() {
	comm := m.IntN(len(m.p.Comms))
	members := m.p.Comms[comm]
	a, b := m.two(members)
	switch m.IntN(8) {
	case 0, 1:
		for _, r := range members {
			m.call(r, Call{Kind: Collective, Comm: comm})
			m.mayWait(r)
		}
	case 2:
		m.talk(a, m.send(comm, b, 0), m.recv(comm, b, 0))
		m.talk(b, m.send(comm, a, 0), m.recv(comm, a, 0))
	default:
		tag := m.IntN(2)
		m.talk(a, m.send(comm, b, tag))
		recv := m.recv(comm, a, tag)
		if m.IntN(6) == 0 {
			m.call(b, Call{Kind: Probe, Parts: []Part{recv}})
		}
		m.talk(b, recv)
	}
}

func (m *maker) send(comm, to, tag int) Part {
	return Part{Send: true, Mode: [...]op.SendMode{op.Standard, op.Standard, op.Standard, op.Synchronous,
		op.Buffered}[m.IntN(5)], Peer: to, Tag: tag, Comm: comm}
}

func (m *maker) recv(comm, from, tag int) Part {
	if m.IntN(3) == 0 {
		from = Any
	}
	if m.IntN(4) == 0 {
		tag = Any
	}
	return Part{Peer: from, Tag: tag, Comm: comm}
}

// chaos fills the ranks with calls that know nothing of each other.
func (m *maker) chaos() {
	for r := range m.p.Ranks {
		for range 1 + m.IntN(5) {
			comm := m.IntN(len(m.p.Comms))
			members := m.p.Comms[comm]
			if !slices.Contains(members, r) {
				continue
			}
			peer, tag := members[m.IntN(len(members))], m.IntN(2)
			switch m.IntN(8) {
			case 0:
				m.call(r, Call{Kind: Collective, Comm: comm})
			case 1:
				m.call(r, Call{Kind: Probe, Parts: []Part{m.recv(comm, peer, tag)}})
			case 2:
				m.talk(r, m.send(comm, peer, tag), m.recv(comm, peer, tag))
			case 3, 4, 5:
				m.talk(r, m.send(comm, peer, tag))
			default:
				m.talk(r, m.recv(comm, peer, tag))
			}
		}
	}
}

// mistake changes one call somewhere.
func (m *maker) mistake() {
	r := m.IntN(len(m.p.Ranks))
	calls := m.p.Ranks[r]
	if len(calls) < 2 {
		return
	}
	i := m.IntN(len(calls) - 1)
	switch m.IntN(4) {
	case 0:
		m.p.Ranks[r] = slices.Delete(calls, i, i+1)
	case 1, 2:
		calls[i], calls[i+1] = calls[i+1], calls[i]
	case 3:
		for k := range calls[i].Parts {
			calls[i].Parts[k].Tag = m.IntN(2)
		}
	}
}

package branching

import (
	"math/rand/v2"
	"slices"

	"unknot/internal/vocab/op"
)

// generated bounds the states of a generated program, so that All goes through it in no time.
const generated = 6000

// Generate makes the program of a seed: one that does nothing wrong, with few enough behaviours to go through all of
// them.
func Generate(seed uint64) *Program {
	for try := uint64(0); ; try++ {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, try))}
		p := m.program(max(2, 6-int(try)/4))
		x := newExploration(&machine{code: compile(p)}, generated)
		if x.run() && x.wrong == "" {
			return p
		}
	}
}

// maker builds a random program out of steps in which some ranks communicate. What a step adds to a rank is a chunk, or
// two if it leaves something open for later.
type maker struct {
	*rand.Rand
	p     *Program
	ranks []rankMaker
	tags  int // steps use tags below it, so that their messages may get in each other's way
	never int // a tag that nobody sends
	large int // of so many messages one is large; 0 for none
}

type rankMaker struct {
	chunks  [][]Stmt
	slots   int
	vars    int
	pending []int // slots of requests that are to be completed
	known   []*Expr
	receive map[int]bool // pending slots that are receives
}

func (m *maker) program(steps int) *Program {
	n := 2 + m.IntN(3)
	all := make([]int, n)
	for r := range all {
		all[r] = r
	}
	m.p = &Program{Comms: [][]int{all}}
	for n > 2 && len(m.p.Comms) < 3 && m.IntN(3) == 0 {
		some := m.Perm(n)[:2+m.IntN(n-1)]
		slices.Sort(some)
		m.p.Comms = append(m.p.Comms, some)
	}
	m.ranks = make([]rankMaker, n)
	for r := range m.ranks {
		m.ranks[r].receive = make(map[int]bool)
	}
	m.tags, m.never, m.large = 1+m.IntN(4), 90, []int{0, 0, 3, 1}[m.IntN(4)]
	for range 2 + m.IntN(steps-1) {
		m.step()
		for r := range m.ranks {
			if m.IntN(3) == 0 {
				m.complete(r)
			}
		}
	}
	for r := range m.ranks {
		for len(m.ranks[r].pending) > 0 {
			m.complete(r)
		}
		m.p.Ranks = append(m.p.Ranks, m.text(r))
	}
	m.p.mark()
	return m.p
}

// text puts the chunks of a rank together; some change places.
func (m *maker) text(r int) (out []Stmt) {
	k := &m.ranks[r]
	for _, c := range k.chunks {
		out = append(out, c...)
	}
	return out
}

func (m *maker) add(r int, list ...Stmt) { m.ranks[r].chunks = append(m.ranks[r].chunks, list) }

func (m *maker) slot(r int) int {
	m.ranks[r].slots++
	return m.ranks[r].slots - 1
}

func (m *maker) variable(r int) int {
	m.ranks[r].vars++
	return m.ranks[r].vars - 1
}

func (m *maker) know(r int, list ...*Expr) { m.ranks[r].known = append(m.ranks[r].known, list...) }

// condition is something that a rank has learnt and that may be one way or the other; nil if there is nothing.
func (m *maker) condition(r int) *Expr {
	known := m.ranks[r].known
	if len(known) == 0 {
		return nil
	}
	c := known[len(known)-1-m.IntN(min(len(known), 3))]
	if m.IntN(3) == 0 {
		c = is(c, N(0))
	}
	return c
}

// group chooses a communicator and some of its members, in any order.
func (m *maker) group(most int) (comm int, members []int) {
	comm = m.IntN(len(m.p.Comms))
	members = slices.Clone(m.p.Comms[comm])
	m.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return comm, members[:min(most, len(members))]
}

// in is a rank as it is called in a communicator.
func (m *maker) in(comm, r int) *Expr { return N(m.p.rankIn(comm, r)) }

// learnt is what a receive into a slot has returned.
func (m *maker) learnt(r, slot, comm int, from []int) {
	if len(from) > 1 {
		m.know(r, is(get(Source, slot), m.in(comm, from[m.IntN(len(from))])))
	}
	m.know(r, is(of(Mod, get(In, slot), N(2)), N(m.IntN(2))))
	if m.IntN(4) == 0 {
		m.know(r, less(N(1), get(Count, slot)))
	}
	if m.IntN(4) == 0 {
		m.know(r, is(get(Tag, slot), N(m.IntN(m.tags))))
	}
}

// value is what a rank sends: its own number, or one that depends on what it knows.
func (m *maker) value(r int) *Expr {
	if c := m.condition(r); c != nil && m.IntN(2) == 0 {
		return plus(c, N(2*m.IntN(3)))
	}
	return N(r*10 + m.IntN(4))
}

// count is how many ints a message has.
func (m *maker) count() int {
	if m.large > 0 && m.IntN(m.large) == 0 {
		return large
	}
	return 1 + m.IntN(2)*m.IntN(3)
}

// pend leaves a request open.
func (m *maker) pend(r, slot int, receive bool) {
	k := &m.ranks[r]
	k.pending = append(k.pending, slot)
	k.receive[slot] = receive
}

// send adds a send to a rank.
func (m *maker) send(r, comm int, to *Expr, tag int) {
	s := m.slot(r)
	c := Call{Kind: Send, Mode: []op.SendMode{op.Standard, op.Standard, op.Standard, op.Standard, op.Synchronous,
		op.Buffered}[m.IntN(6)], Comm: comm, Peer: to, Tag: N(tag), Value: m.value(r),
		Count: m.count(), Slot: s}
	switch m.IntN(6) {
	case 0:
		c.Kind = Isend
		m.add(r, do(c))
		m.pend(r, s, false)
	case 1:
		value := c.Value
		c.Kind, c.Value = SendInit, nil
		m.add(r, do(c), do(Call{Kind: Start, Slot: s, Value: value}))
		m.pend(r, s, false)
	default:
		m.add(r, do(c))
	}
}

// recv adds a receive to a rank in some form. From are those who may send; all of them stand for MPI_ANY_SOURCE. It
// returns the slot that has the status and the value, and false if the receive is still open.
func (m *maker) recv(r, comm int, from []int, tag int) (slot int, over bool) {
	s := m.slot(r)
	c := Call{Kind: Recv, Comm: comm, Tag: N(tag), Slot: s}
	if len(from) == 1 && m.IntN(4) > 0 {
		c.Peer = m.in(comm, from[0])
	}
	if m.IntN(5) == 0 {
		c.Tag = nil
	}
	if len(from) == 0 {
		panic("a receive from nobody")
	}
	switch m.IntN(8) {
	case 0, 1:
		c.Kind = Irecv
		m.add(r, do(c))
		m.pend(r, s, true)
		return s, false
	case 2:
		c.Kind = RecvInit
		m.add(r, do(c), do(Call{Kind: Start, Slot: s}))
		m.pend(r, s, true)
		return s, false
	case 3, 4:
		return m.probed(r, c, from), true
	}
	m.add(r, do(c))
	return s, true
}

// probed receives after a probe: what it saw, or whatever comes first.
func (m *maker) probed(r int, c Call, from []int) int {
	matched := m.IntN(3) == 0
	c.Kind = []Kind{Probe, Mprobe}[bit(matched)]
	probe := []Stmt{do(c)}
	if m.IntN(2) == 0 {
		poll := c
		poll.Kind = []Kind{Iprobe, Improbe}[bit(matched)]
		probe = []Stmt{m.poll(r, poll, do(c))}
	}
	if matched {
		m.add(r, append(probe, do(Call{Kind: Mrecv, Slot: c.Slot}))...)
		return c.Slot
	}
	second := m.slot(r)
	peer, tag := get(Source, c.Slot), get(Tag, c.Slot)
	if m.IntN(3) == 0 {
		peer, tag = c.Peer, c.Tag
		m.learnt(r, c.Slot, c.Comm, from[:1])
	}
	m.add(r, append(probe, do(Call{Kind: Recv, Comm: c.Comm, Peer: peer, Tag: tag, Slot: second}))...)
	return second
}

// poll repeats a poll until it finds something, or some times and then does otherwise. It is one statement.
func (m *maker) poll(r int, c Call, otherwise ...Stmt) Stmt {
	flag := get(Flag, 0)
	if m.IntN(4) == 0 {
		return until(flag, do(c))
	}
	i := m.variable(r)
	most := N(m.IntN(2))
	return Stmt{Kind: If, Cond: N(1), Body: []Stmt{
		set(i, N(0)), do(c),
		while(of(And, less(V(i), most), is(flag, N(0))), do(c), set(i, plus(V(i), N(1)))),
		when(is(flag, N(0)), otherwise...),
	}}
}

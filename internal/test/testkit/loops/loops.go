// Package loops makes tapes of random programs whose ranks repeat the same calls, at random paces, with something here
// and there that differs, and that end well or hang in the middle of an iteration. They hold the agent to make the same
// of a run whether it follows each call or leaves out what repeats.
package loops

import (
	"math/rand/v2"
	"slices"

	"unknot/internal/agent"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/vocab/mpi"
)

// Handles of the made-up MPI library, and addresses of its program.
const (
	world   = 0x44000000
	integer = 0x4c000405
	real    = 0x4c00040a
	sum     = 0x58000003
	either  = ^uint64(1) // sources and tags
	null    = ^uint64(2)
	buffers = 0x7f0000001000
	code    = 0x401000
)

// call is one call of a rank. What it gives back is known only when it returns.
type call struct {
	f     *mpi.Func
	site  uint64
	words []uint64
	// One of these decides when it returns, and what it does.
	sends, takes *message
	starts       int // a request, from 1
	waits        int
	meets        bool // it waits for all ranks
}

// message is what one rank sends another.
type message struct {
	from, to, tag int
	count, kind   uint64
}

// Program is what all ranks call.
type Program struct {
	Size  int
	Hangs bool // some rank is left in a call
	ranks [][]call
}

// maker makes a program.
type maker struct {
	*Program
	rng   *rand.Rand
	table *mpi.T
	next  []int // requests made by each rank in an iteration
}

// Make makes a random program. Its loops go on for some ten iterations.
func Make(table *mpi.T, seed uint64) *Program {
	m := &maker{Program: &Program{}, rng: rand.New(rand.NewPCG(seed, 7)), table: table}
	m.Size = 2 + m.rng.IntN(4)
	m.ranks, m.next = make([][]call, m.Size), make([]int, m.Size)
	for range 1 + m.rng.IntN(2) {
		m.loop()
	}
	switch m.rng.IntN(4) {
	case 0: // a message that nobody receives
		m.exchange(event{kind: message1, a: 0, b: 1, tag: 77, lost: true}, 900, nil, false)
	case 1:
		m.hang()
	}
	for r := range m.ranks {
		m.call(r, "MPI_Finalize", 990)
	}
	return m.Program
}

// event is something that ranks do in each iteration.
type event struct {
	kind       int
	a, b, tag  int
	send, recv int  // how
	lost       bool // nobody receives the message
}

const (
	message1 = iota
	barrier
	allreduce
)

// loop has all ranks go through some iterations of the same events. A rank may have written out several iterations in
// the body of its loop.
func (m *maker) loop() {
	var events []event
	for range 1 + m.rng.IntN(4) {
		e := event{kind: message1, a: m.rng.IntN(m.Size), b: m.rng.IntN(m.Size), tag: m.rng.IntN(3),
			send: m.rng.IntN(3), recv: m.rng.IntN(2)}
		if m.rng.IntN(4) == 0 {
			e.kind = barrier + m.rng.IntN(2)
		}
		if e.kind == message1 && e.a == e.b {
			e.b = (e.a + 1) % m.Size
		}
		events = append(events, e)
	}
	bodies := make([]int, m.Size)
	for r := range bodies {
		bodies[r] = 1 + m.rng.IntN(3)
	}
	base := 100 * (1 + m.rng.IntN(6))
	odd := -1 // an iteration that differs
	if m.rng.IntN(2) == 0 {
		odd = m.rng.IntN(60)
	}
	wrong := m.rng.IntN(3) == 0
	iterations := 20 + m.rng.IntN(60)
	if m.rng.IntN(4) == 0 {
		iterations += 200
	}
	for i := range iterations {
		for k, e := range events {
			m.exchange(e, base+10*k, func(r int) int { return 1000 * (i % bodies[r]) }, i == odd && k == 0 && wrong)
		}
		if i == odd && !wrong {
			m.exchange(event{kind: message1, a: 0, b: 1, tag: 9}, base+90, nil, false)
		}
		m.finish()
	}
}

// exchange has the ranks of an event make their calls. of is what a rank adds to a site. A wrong message is received as
// another type.
func (m *maker) exchange(e event, site int, of func(rank int) int, wrong bool) {
	at := func(r, more int) uint64 {
		if of != nil {
			more += of(r)
		}
		return uint64(code + site + more)
	}
	switch e.kind {
	case barrier:
		for r := range m.ranks {
			m.call(r, "MPI_Barrier", 0, world).site = at(r, 0)
			m.last(r).meets = true
		}
		return
	case allreduce:
		for r := range m.ranks {
			m.call(r, "MPI_Allreduce", 0, buffers, buffers+4096, 1, integer, sum, world).site = at(r, 0)
			m.last(r).meets = true
		}
		return
	}
	x := &message{from: e.a, to: e.b, tag: e.tag, count: uint64(1 + e.tag), kind: integer}
	got := x.kind
	if wrong {
		got = real
	}
	name := []string{"MPI_Send", "MPI_Isend", "MPI_Isend"}[e.send]
	c := m.call(e.a, name, 0, buffers+uint64(64*site), x.count, x.kind, uint64(e.b), uint64(e.tag), world)
	c.site, c.sends = at(e.a, 0), x
	if e.send > 0 {
		m.request(e.a)
		if e.send == 1 {
			m.wait(e.a, at(e.a, 1))
		}
	}
	if e.lost {
		return
	}
	name = []string{"MPI_Recv", "MPI_Irecv"}[e.recv]
	c = m.call(e.b, name, 0, buffers+uint64(1<<20+64*site), x.count, got, uint64(e.a), uint64(e.tag), world)
	c.site, c.takes = at(e.b, 2), x
	if e.recv > 0 {
		m.request(e.b)
		m.wait(e.b, at(e.b, 3))
	}
}

// hang leaves a rank in a receive of what nobody sends; others may wait for it.
func (m *maker) hang() {
	m.Hangs = true
	r := m.rng.IntN(m.Size)
	cut := len(m.ranks[r]) - m.rng.IntN(1+min(60, len(m.ranks[r])))
	m.ranks[r] = m.ranks[r][:cut]
	c := m.call(r, "MPI_Recv", 0, buffers, 1, integer, uint64((r+1)%m.Size), 55, world)
	c.site, c.takes = code+950, &message{}
}

func (m *maker) call(r int, name string, site int, words ...uint64) *call {
	m.ranks[r] = append(m.ranks[r], call{f: m.table.ByName(name), site: uint64(code + site), words: words})
	return m.last(r)
}

func (m *maker) last(r int) *call { return &m.ranks[r][len(m.ranks[r])-1] }

func (m *maker) request(r int) {
	m.next[r]++
	m.last(r).starts = m.next[r]
}

// wait waits for a rank's last request.
func (m *maker) wait(r int, site uint64) {
	n := m.next[r]
	m.call(r, "MPI_Wait", 0, handle(n)).site = site
	m.last(r).waits = n
	m.next[r]--
}

// finish waits for what is still under way at the end of an iteration.
func (m *maker) finish() {
	for r := range m.ranks {
		for m.next[r] > 0 {
			m.wait(r, uint64(code+95+m.next[r]))
		}
	}
}

func handle(n int) uint64 { return 0x98000000 + uint64(n) }

// runner has the ranks of a program make their calls, and writes what a probe would.
type runner struct {
	*Program
	rng    *rand.Rand
	state  []state
	sent   map[*message]bool
	events []tape.Event
	now    int64
	burst  int // the most that a rank does at a time
}

// state is where a rank is.
type state struct {
	next     int
	inside   bool
	meets    int // calls for all ranks that it has made
	stamp    uint32
	enter    uint32
	returned uint32
	requests map[int]*call
	slots    []uint64
}

// Tape is one run of the program, at a pace that the seed decides.
func (p *Program) Tape(table *mpi.T, seed uint64, o agent.Options) *tape.Tape {
	x := &runner{Program: p, rng: rand.New(rand.NewPCG(seed, 8)), state: make([]state, p.Size),
		sent: make(map[*message]bool)}
	x.burst = []int{10, 60, 400}[x.rng.IntN(3)]
	for r := range p.ranks {
		s := &x.state[r]
		s.requests = make(map[int]*call)
		x.events = append(x.events, tape.Event{Made: &tape.Made{PID: 100 + r, TID: 100 + r}})
		x.introduce(table, r)
		x.flush(r)
	}
	for x.step() {
	}
	for r := range p.ranks {
		x.flush(r)
	}
	x.now += 1000
	zero := 0
	if p.Hangs {
		x.events = append(x.events, tape.Event{At: x.now, Stop: true})
		zero = 143
	}
	for r := range p.ranks {
		if !p.Hangs {
			x.events = append(x.events,
				tape.Event{At: x.now, Ring: r, Header: &tape.Header{Returned: x.state[r].returned,
					Death: &ring.Death{Cause: ring.DeathExit, Final: 1}}})
		}
		x.events = append(x.events, tape.Event{At: x.now, Gone: 100 + r})
	}
	x.events = append(x.events, tape.Event{At: x.now, Ended: &zero})
	return &tape.Tape{Head: tape.Head{Tape: tape.Version, Ring: ring.Records, Options: o}, Events: x.events}
}

// step has one rank go on for a while; false if none can.
func (x *runner) step() bool {
	for _, r := range x.rng.Perm(x.Size) {
		n := 0
		for most := 1 + x.rng.IntN(x.burst); n < most && x.go1(r); n++ {
		}
		if n > 0 {
			if x.rng.IntN(3) > 0 {
				x.flush(r)
			}
			return true
		}
	}
	return false
}

// go1 has a rank begin a call, or return from one; false if it can do neither.
func (x *runner) go1(r int) bool {
	s := &x.state[r]
	if s.next == len(x.ranks[r]) {
		return false
	}
	c := &x.ranks[r][s.next]
	if !s.inside {
		s.inside = true
		x.record(r, c.f.ID, ring.Enter, c.site, c.words)
		s.enter = s.stamp
		if c.sends != nil {
			x.sent[c.sends] = true
		}
		if c.meets {
			s.meets++
		}
		if c.starts > 0 {
			s.requests[c.starts] = c
		}
		return true
	}
	done, gives := true, []uint64(nil)
	status := func(m *message) []uint64 { return []uint64{uint64(m.from), uint64(m.tag), 4 * m.count} }
	switch {
	case c.starts > 0:
		gives = []uint64{handle(c.starts)}
	case c.takes != nil:
		done, gives = x.sent[c.takes], status(c.takes)
	case c.waits > 0:
		q := s.requests[c.waits]
		gives = []uint64{uint64(r), 0, 0}
		if q.takes != nil {
			done, gives = x.sent[q.takes], status(q.takes)
		}
	case c.meets:
		for o := range x.state {
			done = done && x.state[o].meets >= s.meets
		}
	}
	if !done {
		return false
	}
	s.inside = false
	s.next++
	if gives == nil {
		s.returned = s.enter
		return true
	}
	x.record(r, c.f.ID, ring.Exit, 0, gives)
	return true
}

// record writes a record.
func (x *runner) record(r int, id uint16, kind ring.Kind, site uint64, words []uint64) {
	s := &x.state[r]
	s.stamp++
	slots := 1
	if len(words) > ring.WordsFirst {
		slots += (len(words) - ring.WordsFirst + ring.WordsNext - 1) / ring.WordsNext
	}
	at := len(s.slots)
	s.slots = append(s.slots, make([]uint64, slots*ring.WordsNext)...)
	s.slots[at] = uint64(id) | uint64(kind)<<16 | uint64(slots)<<24 | uint64(s.stamp)<<32
	s.slots[at+1] = site
	copy(s.slots[at+2:], words)
}

// flush publishes what a rank has written.
func (x *runner) flush(r int) {
	s := &x.state[r]
	x.now += int64(x.rng.IntN(3000))
	e := tape.Event{At: x.now, Ring: r, Slots: slices.Clone(s.slots), Header: &tape.Header{Returned: s.returned}}
	s.slots = s.slots[:0]
	x.events = append(x.events, e)
}

// introduce writes what a process says of itself first.
func (x *runner) introduce(table *mpi.T, r int) {
	data := func(id ring.DataID, words ...uint64) { x.record(r, uint16(id), ring.Data, 0, words) }
	data(ring.DataHello, uint64(r), uint64(x.Size), 0, 1<<20, 0, 0)
	consts := testkit.Constants(table, map[string]uint64{"MPI_COMM_WORLD": world, "MPI_ANY_SOURCE": either,
		"MPI_ANY_TAG": either, "MPI_PROC_NULL": null,
		"MPI_INT": integer, "MPI_FLOAT": real, "MPI_SUM": sum, "MPI_ERR_TRUNCATE": 15})
	data(ring.DataConst, consts...)
	data(ring.DataType, integer, 4, real, 4)
	data(ring.DataBasics, integer, 4, 4, 4, real, 4, 4, 4)
	members := []uint64{world, 0, uint64(x.Size)}
	for m := range x.Size {
		members = append(members, uint64(m))
	}
	data(ring.DataComm, append(members, 0)...)
}

package branching

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// enter has a rank make the call that comes next. Calls that only start something, or do nothing that others see, are
// left at once.
func (m *machine) enter(s *state, r int) {
	k := &s.ranks[r]
	c := m.at(s, r).call
	k.inside, k.now = true, current{part: k.count.parts}
	if !c.Kind.completes() && !c.Kind.polls() && c.Kind != Start && c.Kind != Cancel && c.Kind != Mrecv &&
		c.Kind != Probe && c.Slot < len(k.slots) && k.slots[c.Slot].active {
		s.wrong = fmt.Sprintf("%s uses a slot that is active", c.name())
		return
	}
	switch c.Kind {
	case Send, Isend:
		m.post(s, r, c, m.send(s, r, c, m.eval(s, r, c.Peer), m.eval(s, r, c.Tag), owner(c)), c.Kind == Send)
	case Recv, Irecv:
		p := m.receive(s, r, c, owner(c))
		m.post(s, r, c, m.recvPart(s, r, p, op.Recv), c.Kind == Recv)
	case SendInit, RecvInit:
		m.initialise(s, r, c)
	case Start:
		m.startKept(s, r, c)
	case Sendrecv:
		out := m.send(s, r, c, m.eval(s, r, c.To), m.eval(s, r, c.Out), byCall)
		p := m.receive(s, r, c, byCall)
		m.note(s, r, trace.Op{Blocking: true}, []trace.Part{out, m.recvPart(s, r, p, op.Recv)},
			own(r, k.now.part, k.now.part+1))
	case Probe, Mprobe:
		k.now.probe = m.wanted(s, r, c)
		kind := op.Probe
		if c.Kind == Mprobe {
			kind = op.Recv
		}
		m.post(s, r, c, m.recvPart(s, r, &k.now.probe, kind), true)
	case Iprobe, Improbe:
		m.choose(s, r)
		k.now.probe = m.wanted(s, r, c)
	case Mrecv:
		m.receiveMatched(s, r, c)
	case Cancel:
		m.cancel(s, r, c)
	case Barrier, Bcast, Reduce, Allreduce, Split, Ibarrier, Ibcast:
		m.post(s, r, c, m.join(s, r, c), c.Kind != Ibarrier && c.Kind != Ibcast)
	case Finalize:
		m.finalize(s, r)
	default:
		if c.Kind.chooses() {
			m.choose(s, r)
		}
		if !c.Kind.polls() {
			m.note(s, r, trace.Op{Blocking: true, Any: c.Kind.any(), Choice: c.Kind.chooses(),
				Nth: k.count.choices - 1}, nil, m.awaited(s, r, c))
		}
	}
}

func owner(c *Call) int {
	if c.Kind == Send || c.Kind == Recv {
		return byCall
	}
	return c.Slot
}

// post notes a call with one part, and leaves it if it does not block.
func (m *machine) post(s *state, r int, c *Call, part trace.Part, blocking bool) {
	k := &s.ranks[r]
	first := k.now.part
	if blocking {
		m.note(s, r, trace.Op{Blocking: true}, []trace.Part{part}, own(r, first))
		return
	}
	k.slots[c.Slot].active, k.slots[c.Slot].part = true, first
	m.note(s, r, trace.Op{}, []trace.Part{part}, nil)
	m.goOn(s, r)
}

// goOn leaves a call.
func (m *machine) goOn(s *state, r int) {
	k := &s.ranks[r]
	k.inside, k.now = false, current{}
	k.pc++
	m.walk(s, r)
}

// send puts a message out. A standard send is given its fate, if that is decided now.
func (m *machine) send(s *state, r int, c *Call, to, tag, owner int) trace.Part {
	return m.sendValue(s, r, c, to, tag, owner, m.eval(s, r, c.Value))
}

func (m *machine) sendValue(s *state, r int, c *Call, to, tag, owner, value int) trace.Part {
	k := &s.ranks[r]
	members := m.p.Comms[c.Comm]
	if to < 0 || to >= len(members) || tag < 0 {
		s.wrong = fmt.Sprintf("a message to rank %d with tag %d", to, tag)
		return trace.Part{}
	}
	mode, f := c.Mode, open
	part := trace.Part{Kind: op.Send, Mode: mode.Blocks(),
		Comm: uint32(c.Comm), Peer: op.Rank(members[to]), Tag: int32(tag), Bytes: 4 * int64(c.count()),
		Matched:    op.Unknown,
		MatchedTag: int32(op.Unknown)}
	if mode.Blocks() == op.Standard {
		part.Nth = k.count.standard
		f = m.sendFate(r, k.count.standard)
		k.count.standard++
	}
	x := message{content{r, tag, c.count(), value}, members[to], c.Comm, owner}
	if mode == op.Ready && !slices.ContainsFunc(s.ranks[x.to].recvs,
		func(p posted) bool { return m.takes(x.to, &p, r, &x) }) {
		s.wrong = "a ready send whose receive is not posted"
	}
	if owner == byCall {
		k.now.mode, k.now.fate = mode, f
	} else {
		k.slots[owner].mode, k.slots[owner].fate = mode, f
	}
	k.out = append(k.out, x)
	return part
}

// sendFate decides whether MPI buffers a standard send.
func (m *machine) sendFate(r int, nth uint32) fate {
	if f := m.forced.send(r, nth); f != open {
		return f
	}
	return m.toss(0)
}

func (m *machine) toss(coin int) fate {
	switch {
	case m.rng == nil:
		return open
	case m.rng.Float64() < m.coins[coin]:
		return free
	}
	return refused
}

// wanted is what a receive or probe asks for. A plan may decide its source.
func (m *machine) wanted(s *state, r int, c *Call) posted {
	from, tag := -1, -1
	if c.Peer != nil {
		from = m.eval(s, r, c.Peer)
		if from < 0 || from >= len(m.p.Comms[c.Comm]) {
			s.wrong = fmt.Sprintf("a receive from rank %d", from)
		}
	}
	if c.Tag != nil {
		tag = m.eval(s, r, c.Tag)
	}
	return m.ask(s, r, c.Comm, from, tag, byCall)
}

func (m *machine) ask(s *state, r, comm, from, tag, owner int) posted {
	p := posted{from: from, tag: tag, comm: comm, owner: owner, any: from < 0, wanted: tag}
	if d := m.forced.decision(r, s.ranks[r].count.wild); p.any && d != nil && int(d.Source) < len(m.p.Comms[comm]) {
		p.forced, p.from = true, int(d.Source)
		if d.Tag >= 0 {
			p.tag = int(d.Tag)
		}
	}
	return p
}

// receive posts a receive.
func (m *machine) receive(s *state, r int, c *Call, owner int) *posted {
	p := m.wanted(s, r, c)
	p.owner = owner
	return m.queue(s, r, p)
}

func (m *machine) queue(s *state, r int, p posted) *posted {
	k := &s.ranks[r]
	k.recvs = append(k.recvs, p)
	if p.owner >= 0 {
		k.slots[p.owner].comm = p.comm
	}
	return &k.recvs[len(k.recvs)-1]
}

// recvPart describes a receive or probe as it was called, and counts it.
func (m *machine) recvPart(s *state, r int, p *posted, kind op.PartKind) trace.Part {
	k := &s.ranks[r]
	part := trace.Part{Kind: kind, Wild: p.any, Comm: uint32(p.comm), Peer: op.AnySource, Tag: int32(p.wanted),
		Bytes: -1, Matched: op.Unknown, MatchedTag: int32(op.Unknown)}
	if p.any {
		part.Nth = k.count.wild
		k.count.wild++
	} else if p.from >= 0 && p.from < len(m.p.Comms[p.comm]) {
		part.Peer = op.Rank(m.p.Comms[p.comm][p.from])
	}
	return part
}

// initialise makes a persistent request (MPI-4.0, 3.9).
func (m *machine) initialise(s *state, r int, c *Call) {
	k := &s.ranks[r]
	if k.slots[c.Slot].kept != nil {
		s.wrong = "a persistent request is made in the place of another"
		return
	}
	q := &kept{call: c, peer: -1, tag: -1}
	if c.Peer != nil {
		q.peer = m.eval(s, r, c.Peer)
	}
	if c.Tag != nil {
		q.tag = m.eval(s, r, c.Tag)
	}
	k.slots[c.Slot] = slot{kept: q}
	m.goOn(s, r)
}

func (m *machine) startKept(s *state, r int, c *Call) {
	x := &s.ranks[r].slots[c.Slot]
	if x.kept == nil || x.active {
		s.wrong = "MPI_Start of a request that is not inactive"
		return
	}
	q := x.kept
	if q.call.Kind == SendInit {
		m.post(s, r, c, m.sendValue(s, r, q.call, q.peer, q.tag, c.Slot, m.eval(s, r, c.Value)), false)
		return
	}
	p := m.queue(s, r, m.ask(s, r, q.call.Comm, q.peer, q.tag, c.Slot))
	m.post(s, r, c, m.recvPart(s, r, p, op.Recv), false)
}

// receiveMatched receives what a matched probe has found. Only now is a synchronous send of it complete (MPI-4.0,
// 3.8.2).
func (m *machine) receiveMatched(s *state, r int, c *Call) {
	x := &s.ranks[r].slots[c.Slot]
	if !x.met {
		s.wrong = "MPI_Mrecv without a message"
		return
	}
	got, comm, owner := x.got, x.comm, x.owner
	*x = slot{}
	received(s, got.from, owner)
	m.learn(s, r, c.Slot, comm, got, true)
	m.unrecorded(r)
	m.goOn(s, r)
}

// cancel cancels a receive (MPI-4.0, 3.8.4): it has a message, or will never get one.
func (m *machine) cancel(s *state, r int, c *Call) {
	k := &s.ranks[r]
	x := &k.slots[c.Slot]
	if !x.active {
		s.wrong = "MPI_Cancel of a request that is not active"
		return
	}
	if !x.met {
		x.gone = true
		k.recvs = slices.DeleteFunc(k.recvs, func(p posted) bool { return p.owner == c.Slot })
		m.lost(s, r, x.part)
	}
	m.unrecorded(r)
	m.goOn(s, r)
}

// finalize ends a rank. What it has started must be over (MPI-4.0, 11.2.2).
func (m *machine) finalize(s *state, r int) {
	k := &s.ranks[r]
	if slices.ContainsFunc(k.slots, func(x slot) bool { return x.active || x.met }) {
		s.wrong = "a request is active in MPI_Finalize"
	}
	k.over = true
	m.note(s, r, trace.Op{Blocking: true, Final: true}, nil, nil)
}

// choose counts a call whose result MPI may choose, and looks whether a plan does.
func (m *machine) choose(s *state, r int) {
	k := &s.ranks[r]
	k.now.outcome = m.forced.outcome(r, k.count.choices)
	k.count.choices++
}

// awaited are the parts of the active requests of a completion, with their places if it chooses.
func (m *machine) awaited(s *state, r int, c *Call) (waits []trace.Wait) {
	for i, n := range c.slots() {
		if x := &s.ranks[r].slots[n]; x.active {
			w := trace.Wait{Thread: uint32(r), Part: x.part}
			if c.Kind.chooses() {
				w.At = int32(i)
			}
			waits = append(waits, w)
		}
	}
	return waits
}

// own are waits for parts that a call has started itself.
func own(r int, parts ...uint32) (waits []trace.Wait) {
	for _, p := range parts {
		waits = append(waits, trace.Wait{Thread: uint32(r), Part: p})
	}
	return waits
}

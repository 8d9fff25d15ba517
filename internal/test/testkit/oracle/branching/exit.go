package branching

import (
	"slices"

	"unknot/internal/vocab/op"
)

// exits are the ways in which a rank may leave its call now.
func (m *machine) exits(s *state, r int) []move {
	k := &s.ranks[r]
	c := m.at(s, r).call
	leave := move{action: leaves, rank: r}
	switch c.Kind {
	case Send:
		leave.need = sendNeed(k.now.mode, k.now.fate, k.now.sent)
	case Recv:
		leave.need = given(k.now.received)
	case Sendrecv:
		leave.need = max(sendNeed(k.now.mode, k.now.fate, k.now.sent), given(k.now.received))
	case Barrier, Bcast, Reduce, Allreduce, Split:
		leave.need = m.gathered(s, r, c.Comm, k.now.seq, k.now.fate)
	case Probe, Mprobe, Iprobe, Improbe:
		return m.probeExits(s, r, c)
	default:
		return m.completionExits(s, r, c)
	}
	if leave.need == never {
		return nil
	}
	leave.forced = leave.need == nothing
	return []move{leave}
}

func given(is bool) need {
	if is {
		return nothing
	}
	return never
}

// sendNeed says what a send needs to be complete (MPI-4.0, 3.4).
func sendNeed(mode op.SendMode, f fate, received bool) need {
	switch {
	case received || mode == op.Buffered || mode == op.Ready || mode == op.Standard && f == free:
		return nothing
	case mode == op.Standard && f == open:
		return room
	}
	return never
}

func (m *machine) probeExits(s *state, r int, c *Call) (out []move) {
	k := &s.ranks[r]
	p := &k.now.probe
	o := k.now.outcome
	if c.Kind.polls() && (o == nil || o.Nothing) {
		out = append(out, move{action: leaves, rank: r, poll: true})
	}
	if o != nil && o.Nothing {
		return out
	}
	for _, x := range m.candidates(s, r, p, len(k.recvs)) {
		out = append(out, move{action: leaves, rank: r, from: x.rank, msg: x.msg, forced: !c.Kind.polls() &&
			p.from >= 0})
	}
	return out
}

// ready says what the completion of an active request needs.
func (m *machine) ready(s *state, r, n int) need {
	x := &s.ranks[r].slots[n]
	switch m.ranks[r].slots[n] {
	case sends:
		return sendNeed(x.mode, x.fate, x.met)
	case receives:
		return given(x.met || x.gone)
	}
	return m.gathered(s, r, x.comm, x.seq, x.fate)
}

func (m *machine) completionExits(s *state, r int, c *Call) (out []move) {
	k := &s.ranks[r]
	var active, complete []int // places
	var needs []need
	for i, n := range c.slots() {
		if !k.slots[n].active {
			continue
		}
		active = append(active, i)
		if need := m.ready(s, r, n); need != never {
			complete, needs = append(complete, i), append(needs, need)
		}
	}
	o := k.now.outcome
	if len(active) == 0 {
		return []move{{action: leaves, rank: r, forced: true}}
	}
	if c.Kind.polls() && (o == nil || o.Nothing) {
		out = append(out, move{action: leaves, rank: r, poll: true})
		if o != nil {
			return out
		}
	}
	if o != nil && o.Nothing {
		o = nil // a call that cannot report nothing
	}
	if !c.Kind.any() {
		if len(complete) == len(active) {
			need := slices.Max(needs)
			out = append(out, move{action: leaves, rank: r, report: active, need: need, forced: need == nothing &&
				!c.Kind.polls()})
		}
		return out
	}
	one := c.Kind == Waitany || c.Kind == Testany
	for set := 1; set < 1<<len(complete); set++ {
		v := move{action: leaves, rank: r}
		for i, at := range complete {
			if set>>i&1 == 1 {
				v.report, v.need = append(v.report, at), max(v.need, needs[i])
			}
		}
		if (!one || len(v.report) == 1) && obeys(o, v.report, active, complete, one) {
			out = append(out, v)
		}
	}
	return out
}

// leave has a rank leave its call, with what it reports.
func (m *machine) leave(s *state, v move) {
	r := v.rank
	k := &s.ranks[r]
	c := m.at(s, r).call
	switch c.Kind {
	case Send, Recv, Sendrecv:
		if c.Kind != Recv && !k.now.sent {
			let(s, r, byCall)
		}
		if c.Kind != Send {
			m.learn(s, r, c.Slot, c.Comm, k.now.got, true)
			m.met(s, r, k.now.part+uint32(bit(c.Kind == Sendrecv)), k.now.got)
		}
	case Barrier, Bcast, Reduce, Allreduce, Split:
		m.scattered(s, r, c.Slot, c.Comm, k.now.seq)
	case Probe, Mprobe, Iprobe, Improbe:
		m.leaveProbe(s, v, c)
		return
	default:
		m.leaveCompletion(s, v, c)
		return
	}
	m.returned(s, r, nil)
	m.goOn(s, r)
}

func (m *machine) leaveProbe(s *state, v move, c *Call) {
	r := v.rank
	k := &s.ranks[r]
	if c.Kind.polls() {
		m.set(s, r, Reg{Area: Flag}, bit(!v.poll))
		if v.poll {
			m.polled(s, r, c)
			m.goOn(s, r)
			return
		}
		m.found(s, r, c)
	}
	x := s.ranks[v.from].out[v.msg]
	m.learn(s, r, c.Slot, c.Comm, x.content, false)
	m.met(s, r, k.now.part, x.content)
	if c.Kind == Mprobe || c.Kind == Improbe {
		m.take(s, v.from, v.msg)
		k.slots[c.Slot] = slot{met: true, got: x.content, owner: x.owner, comm: c.Comm}
	}
	m.returned(s, r, nil)
	m.goOn(s, r)
}

func (m *machine) leaveCompletion(s *state, v move, c *Call) {
	r := v.rank
	k := &s.ranks[r]
	slots := c.slots()
	null := len(v.report) == 0 && !v.poll // no request was active
	m.results(s, r, c, v, null)
	if v.poll {
		m.polled(s, r, c)
		m.goOn(s, r)
		return
	}
	if c.Kind.polls() && null {
		m.unrecorded(r)
		m.goOn(s, r)
		return
	}
	if c.Kind.polls() {
		m.testFound(s, r, c)
	}
	done := make(map[uint32]bool)
	for _, at := range v.report {
		n := slots[at]
		x := &k.slots[n]
		done[x.part] = true
		switch m.ranks[r].slots[n] {
		case sends:
			if !x.met {
				let(s, r, n)
			}
		case receives:
			m.set(s, r, Reg{Area: Cancelled}, bit(x.gone))
			if !x.gone {
				m.learn(s, r, n, x.comm, x.got, true)
				m.met(s, r, x.part, x.got)
			}
		case collects:
			m.scattered(s, r, n, x.comm, x.seq)
		}
		*x = slot{kept: x.kept}
	}
	m.returned(s, r, done)
	m.goOn(s, r)
}

// results sets what a completion says besides statuses.
func (m *machine) results(s *state, r int, c *Call, v move, null bool) {
	switch c.Kind {
	case Test, Testall, Testany:
		m.set(s, r, Reg{Area: Flag}, bit(!v.poll))
	}
	switch c.Kind {
	case Waitany, Testany:
		at := -1
		if len(v.report) > 0 {
			at = v.report[0]
		}
		m.set(s, r, Reg{Area: Index}, at)
	case Waitsome, Testsome:
		n, bits := len(v.report), 0
		if null {
			n = -1
		}
		for _, at := range v.report {
			bits |= 1 << at
		}
		m.set(s, r, Reg{Area: Outcount}, n)
		m.set(s, r, Reg{Area: Done}, bits)
	}
}

// learn sets what a status says, and the value that came if the message was received.
func (m *machine) learn(s *state, r, n, comm int, got content, value bool) {
	m.set(s, r, Reg{Source, n}, m.p.rankIn(comm, got.from))
	m.set(s, r, Reg{Tag, n}, got.tag)
	m.set(s, r, Reg{Count, n}, got.count)
	if value {
		m.set(s, r, Reg{In, n}, got.value)
	}
}

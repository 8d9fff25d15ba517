package branching

import "unknot/internal/vocab/op"

// step adds one communication.
func (m *maker) step() {
	switch m.IntN(12) {
	case 0, 1:
		m.message()
	case 2, 3, 4:
		m.gather()
	case 5:
		m.exchange()
	case 6, 7:
		m.collective()
	case 8:
		m.fork(m.IntN(len(m.ranks)))
	case 9:
		m.tell()
	case 10:
		m.handOver()
	case 11:
		m.called()
	}
}

// message has one rank send to another.
func (m *maker) message() {
	comm, pair := m.group(2)
	tag := m.IntN(m.tags)
	m.send(pair[0], comm, m.in(comm, pair[1]), tag)
	if s, over := m.recv(pair[1], comm, pair[:1], tag); over {
		m.learnt(pair[1], s, comm, pair[:1])
	}
}

// gather has one rank receive from several, from any source at first. Then it answers, or continues by whom it met.
func (m *maker) gather() {
	comm, all := m.group(len(m.ranks))
	to, from := all[0], all[1:]
	tag, answer := m.IntN(m.tags), m.IntN(m.tags)
	answers := m.IntN(3) == 0
	for _, r := range from {
		m.send(r, comm, m.in(comm, to), tag)
		if answers {
			if s, over := m.recv(r, comm, []int{to}, answer); over {
				m.learnt(r, s, comm, []int{to})
			}
		}
	}
	named := m.IntN(3) == 0
	for i := range from {
		who := from
		if named && i > 0 {
			who = from[i : i+1]
		}
		if answers {
			s := m.slot(to)
			c := Call{Kind: Recv, Comm: comm, Tag: N(tag), Slot: s}
			if len(who) == 1 {
				c.Peer = m.in(comm, who[0])
			}
			m.add(to, do(c))
			m.learnt(to, s, comm, who)
			m.send(to, comm, get(Source, s), answer)
			continue
		}
		if s, over := m.recv(to, comm, who, tag); over {
			m.learnt(to, s, comm, who)
		}
	}
	if m.IntN(3) == 0 {
		m.fork(to)
	}
}

// exchange has two ranks send to each other.
func (m *maker) exchange() {
	comm, pair := m.group(2)
	tag := m.IntN(m.tags)
	together := m.IntN(2) == 0
	for i, r := range pair {
		other := pair[1-i]
		if together {
			s := m.slot(r)
			c := Call{Kind: Sendrecv, Comm: comm, To: m.in(comm, other), Out: N(tag), Value: m.value(r),
				Count: m.count(), Peer: m.in(comm, other), Tag: N(tag), Slot: s}
			if m.IntN(4) == 0 {
				c.Peer = nil
			}
			m.add(r, do(c))
			m.learnt(r, s, comm, pair[1-i:2-i])
			continue
		}
		first := m.IntN(4) > 0
		if first {
			m.send(r, comm, m.in(comm, other), tag)
		}
		if s, over := m.recv(r, comm, pair[1-i:2-i], tag); over {
			m.learnt(r, s, comm, pair[1-i:2-i])
		}
		if !first {
			m.send(r, comm, m.in(comm, other), tag)
		}
	}
}

// collective has all members of a communicator make the same one.
func (m *maker) collective() {
	comm := m.IntN(len(m.p.Comms))
	members := m.p.Comms[comm]
	kind := []Kind{Barrier, Bcast, Bcast, Reduce, Allreduce, Ibarrier, Ibcast}[m.IntN(7)]
	root := m.IntN(len(members))
	// A message across it: sent after the collective, received before it. That hangs if the sender's part waits for the
	// receiver.
	across, other := m.IntN(3) == 0 && (kind == Bcast || kind == Reduce), (root+1)%len(members)
	sender, receiver := members[root], members[other]
	if kind == Reduce {
		sender, receiver = receiver, sender
	}
	if across {
		m.add(receiver, do(Call{Kind: Recv, Comm: comm, Peer: m.in(comm, sender), Tag: N(m.tags),
			Slot: m.slot(receiver)}))
		defer m.send(sender, comm, m.in(comm, receiver), m.tags)
	}
	for i, r := range members {
		c := Call{Kind: kind, Comm: comm, Slot: m.slot(r)}
		switch kind {
		case Bcast, Ibcast, Reduce:
			c.Root = root
		}
		if kind == Reduce || kind == Allreduce || (kind == Bcast || kind == Ibcast) && i == root {
			c.Value = m.value(r)
		}
		m.add(r, do(c))
		switch {
		case kind == Ibarrier || kind == Ibcast:
			m.pend(r, c.Slot, false)
		case kind == Bcast || kind == Allreduce || kind == Reduce && i == root:
			m.know(r, is(of(Mod, get(In, c.Slot), N(2)), N(1)))
		}
	}
}

// fork has a rank go on otherwise by what it knows: it waits for a message that nobody sends, or does two things in the
// other order.
func (m *maker) fork(r int) {
	c := m.condition(r)
	if c == nil {
		return
	}
	k := &m.ranks[r]
	if m.IntN(3) == 0 {
		m.add(r, when(c, do(Call{Kind: Recv, Tag: N(m.never), Slot: m.slot(r)})))
		return
	}
	// What comes next to this rank is in the branches.
	before := len(k.chunks)
	open := len(k.pending)
	m.message()
	m.message()
	added := k.chunks[before:]
	if len(added) != 2 || len(k.pending) != open {
		return
	}
	one := []Stmt{either(c, append(copyList(added[0]), copyList(added[1])...),
		append(copyList(added[1]), copyList(added[0])...))}
	k.chunks = append(k.chunks[:before:before], one)
}

// tell has a rank tell another what it knows, who acts by it: both know then.
func (m *maker) tell() {
	comm, pair := m.group(2)
	c := m.condition(pair[0])
	if c == nil {
		return
	}
	tag := m.IntN(m.tags)
	s, t := m.slot(pair[0]), m.slot(pair[1])
	m.add(pair[0], do(Call{Kind: Send, Comm: comm, Peer: m.in(comm, pair[1]), Tag: N(tag), Value: c, Slot: s,
		Count: m.count()}))
	m.add(pair[1], do(Call{Kind: Recv, Comm: comm, Peer: m.in(comm, pair[0]), Tag: N(tag), Slot: t}))
	heard := is(get(In, t), N(1))
	m.know(pair[1], heard)
	if m.IntN(2) == 0 {
		back := m.IntN(m.tags)
		u, v := m.slot(pair[0]), m.slot(pair[1])
		send := func(tag int) []Stmt {
			return []Stmt{do(Call{Kind: Send, Comm: comm, Peer: m.in(comm, pair[0]), Tag: N(tag),
				Value: N(tag), Slot: v})}
		}
		m.add(pair[1], either(heard, send(back), send(back+1)))
		m.add(pair[0], do(Call{Kind: Recv, Comm: comm, Peer: m.in(comm, pair[1]), Slot: u}))
		m.know(pair[0], is(get(Tag, u), N(back)))
	}
}

// handOver is a ready send: its receiver has said that the receive is posted (MPI-4.0, 3.4).
func (m *maker) handOver() {
	comm, pair := m.group(2)
	const token, ready = 80, 81
	a, b := pair[0], pair[1]
	s, t, u := m.slot(b), m.slot(b), m.slot(a)
	// Another of the kind may be under way: only a separate receive is certainly posted.
	extra := 2 * m.ranks[a].slots
	m.add(b, do(Call{Kind: Irecv, Comm: comm, Peer: m.in(comm, a), Tag: N(ready + extra), Slot: s}),
		do(Call{Kind: Send, Comm: comm, Peer: m.in(comm, a), Tag: N(token + extra), Value: N(1), Slot: t}))
	m.add(a, do(Call{Kind: Recv, Comm: comm, Peer: m.in(comm, b), Tag: N(token + extra), Slot: u}),
		do(Call{Kind: Send, Mode: op.Ready, Comm: comm, Peer: m.in(comm, b), Tag: N(ready + extra), Value: m.value(a),
			Count: m.count(), Slot: u}))
	m.pend(b, s, true)
}

// called has a rank cancel a receive, and receive the message anew if that has worked.
func (m *maker) called() {
	if m.IntN(2) == 0 {
		m.message()
		return
	}
	comm, pair := m.group(2)
	a, b := pair[0], pair[1]
	tag := m.IntN(m.tags)
	s := m.slot(b)
	from := m.in(comm, a)
	if m.IntN(3) == 0 {
		from = nil
	}
	m.send(a, comm, m.in(comm, b), tag)
	again := m.slot(b)
	m.add(b, do(Call{Kind: Irecv, Comm: comm, Peer: from, Tag: N(tag), Slot: s}), do(Call{Kind: Cancel, Slot: s}),
		wait(s),
		when(get(Cancelled, 0), do(Call{Kind: Recv, Comm: comm, Peer: m.in(comm, a), Tag: N(tag), Slot: again})))
	if m.IntN(3) == 0 {
		m.know(b, get(Cancelled, 0))
	}
}

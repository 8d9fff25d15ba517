package branching

import "slices"

// candidate is a message: a place among the unreceived ones of a rank.
type candidate struct{ rank, msg int }

// takes says whether a receive or probe of rank r could get a message of another rank, leaving order aside.
func (m *machine) takes(r int, p *posted, from int, x *message) bool {
	return x.to == r && x.comm == p.comm && (p.tag < 0 || p.tag == x.tag) &&
		(p.from < 0 || m.p.Comms[p.comm][p.from] == from)
}

// candidates are the messages that a receive or probe of a rank may get now, by the order of MPI-4.0, 3.5: no earlier
// message of the same sender would do for it, and no earlier receive of the rank, of which there are so many, would do
// for the message.
func (m *machine) candidates(s *state, r int, p *posted, earlier int) (out []candidate) {
	for _, from := range m.p.Comms[p.comm] {
		list := s.ranks[from].out
		i := slices.IndexFunc(list, func(x message) bool { return m.takes(r, p, from, &x) })
		if i < 0 {
			continue
		}
		taken := slices.ContainsFunc(s.ranks[r].recvs[:earlier],
			func(e posted) bool { return m.takes(r, &e, from, &list[i]) })
		if !taken {
			out = append(out, candidate{from, i})
		}
	}
	return out
}

// overtakes says whether a receive is about to get a message that an earlier one would have got, if a plan did not keep
// it from that.
func (m *machine) overtakes(s *state, v move) bool {
	k := &s.ranks[v.rank]
	return slices.ContainsFunc(k.recvs[:v.recv], func(e posted) bool {
		forced := e.forced
		e.lift()
		return forced && m.takes(v.rank, &e, v.from, &s.ranks[v.from].out[v.msg])
	})
}

// meet gives a receive its message.
func (m *machine) meet(s *state, v move) {
	k := &s.ranks[v.rank]
	p, x := k.recvs[v.recv], s.ranks[v.from].out[v.msg]
	k.recvs = slices.Delete(k.recvs, v.recv, v.recv+1)
	m.take(s, v.from, v.msg)
	received(s, v.from, x.owner)
	if p.owner == byCall {
		k.now.received, k.now.got = true, x.content
		return
	}
	k.slots[p.owner].met, k.slots[p.owner].got = true, x.content
}

// take removes a message from what can be received.
func (m *machine) take(s *state, from, msg int) {
	list := &s.ranks[from].out
	*list = slices.Delete(*list, msg, msg+1)
}

// received tells a sender that its message has begun to be received.
func received(s *state, from, owner int) {
	switch {
	case owner == byCall:
		s.ranks[from].now.sent = true
	case owner >= 0:
		s.ranks[from].slots[owner].met = true
	}
}

// let makes a message whose send is complete, but which nobody has received, independent of it. A matched probe may
// hold it.
func let(s *state, r, owner int) {
	for i := range s.ranks[r].out {
		if x := &s.ranks[r].out[i]; x.owner == owner {
			x.owner = nobody
		}
	}
	for q := range s.ranks {
		for i := range s.ranks[q].slots {
			if x := &s.ranks[q].slots[i]; x.met && x.got.from == r && x.owner == owner {
				x.owner = nobody
			}
		}
	}
}

package waitstate

import (
	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// pointToPoint brings sends and receives together: on this node in its queues, with other nodes by messages.
type pointToPoint struct {
	*network
	*pool
	*queues
	*comparison
	*races
	*work
	*waves
	parts   map[uint32]*Part     // sends that other nodes may refer to
	remotes map[Ref]*remote      // sends of other nodes that are not active
	lastID  uint32               // of parts
	chosen  []*Part              // wildcard receives whose choice is known, without most that are satisfied
	told    map[queueKey][]int32 // tags of unexpected receives on other nodes, since they froze
	counts  *counts              // nil if no ledger is kept
}

func (x *pointToPoint) export(p *Part) {
	if p.id == 0 {
		x.lastID++
		p.id = x.lastID
		x.parts[p.id] = p
	}
}

func (x *pointToPoint) settle(q *match.Queue) {
	q.Resolve()
	x.drain(q)
}

// drain tells both sides of each new match.
func (x *pointToPoint) drain(q *match.Queue) {
	for i := 0; i < len(q.Out); i++ {
		r := q.Out[i].Recv.Owner.(*Part)
		r.paired = true
		switch s := q.Out[i].Send.Owner.(type) {
		case *Part:
			r.partner = s
			if r.Kind == op.Probe {
				s.Keep() // for good: nobody follows whether the probe or the receive is the last to let go of it
			}
			if r.Kind == op.Recv {
				s.paired, s.partner = true, r
			} else if !s.active {
				s.watch = append(s.watch, r)
			}
			x.fit(s.carries(), s.calls(), r)
			x.met(r, s.Bytes)
			x.pair(r, s.Origin)
			x.meet(s, r)
		case *remote:
			x.fit(s.content, Calls{s.origin, s.init}, r)
			x.met(r, s.bytes)
			x.pair(r, s.origin)
			r.other = s.ref
			if !s.active {
				s.met = append(s.met, r)
			}
			if r.Kind == op.Recv {
				kind := SendMatched
				if r.active {
					kind = RecvActive
				}
				x.tellSend(kind, r)
			}
			x.meetRemote(s, r)
		}
	}
	q.Out = q.Out[:0]
}

// tellSend sends word of a receive to its remote send.
func (x *pointToPoint) tellSend(kind MsgKind, r *Part) {
	m := Message{Kind: kind, To: x.home(r.other.Rank), From: Ref{Rank: r.Dst}, Ref: r.other, Dst: r.Dst}
	if s := r.remote(); x.races.on && kind == RecvActive && s != nil && s.synchronous {
		m.Clock = x.clockOf(r.owner) // a send of synchronous mode tells how far the receiver is (MPI-4.0, 3.4)
	}
	x.send(m)
}

// remote is the send of another node that a receive or probe has met; nil if it has met none.
func (p *Part) remote() *remote {
	if p.recv == nil || p.recv.Send == nil {
		return nil
	}
	s, _ := p.recv.Send.Owner.(*remote)
	return s
}

// meetRemote is the receiver's side of rule 2 across nodes: a receive or probe may complete once it and the send are
// active.
func (x *pointToPoint) meetRemote(s *remote, r *Part) {
	if s.active && r.active && !r.gone {
		if s.ready {
			x.early(s.clock, Calls{Here: s.origin}, r)
		}
		r.clock, r.sender, r.carried, r.metTag, r.pinned = s.clock, s.origin, s.content, s.send.Tag, s.synchronous
		x.satisfy(r)
	}
}

// begin takes in that a send of another node is active, and what its thread knows.
func (x *pointToPoint) begin(s *remote, c *Clock) {
	s.active, s.clock = true, c
	delete(x.remotes, s.ref)
	for _, r := range s.met {
		x.meetRemote(s, r)
	}
	s.met = nil
}

// meet applies rule 2 to a pair on this node: each may complete once the other is active.
func (x *pointToPoint) meet(s, r *Part) {
	if s.active && r.active {
		if s.Presumes {
			x.early(s.clock, s.calls(), r)
		}
		if x.races.on {
			r.clock, r.sender, r.carried, r.metTag, r.pinned = s.clock, s.Origin, s.Content, s.Tag,
				s.Mode == op.Synchronous
			if r.pinned && r.Kind == op.Recv {
				s.clock = x.clockOf(r.owner) // a send of synchronous mode tells how far the receiver is (MPI-4.0, 3.4)
			}
		}
		x.satisfy(r)
		if r.Kind == op.Recv {
			x.satisfy(s)
		}
		x.part(r)
	}
}

// part lets a receive or a probe and its send go when nothing can come between them any more: both have been satisfied,
// and the receive cannot turn out to have been cancelled. Otherwise each would keep the other alive, and both all that
// share a slab with them.
func (x *pointToPoint) part(r *Part) {
	s := r.partner
	if s == nil || !r.sat || r.Kind == op.Send || r.Kind == op.Recv && !r.firm && !r.seen {
		return
	}
	x.recvs.Put(r.recv)
	r.partner, r.recv = nil, nil
	r.parted, r.metTag, r.other.Rank = true, s.Tag, s.Src
	if r.Kind == op.Recv {
		s.partner, s.send.Recv = nil, nil
		r.over, s.over = true, true
		x.free(r)
		x.free(s)
	}
}

// wakeProbes tells the probes that saw a send which has now become active.
func (x *pointToPoint) wakeProbes(s *Part) {
	if s.watch == nil {
		return
	}
	for _, r := range s.watch {
		x.meet(s, r)
	}
	s.watch = nil
}

// tellActive tells the receiver's node that a send is active: with the send itself, if that is still to go.
func (x *pointToPoint) tellActive(s *Part) {
	if s.gone {
		return
	}
	from := Ref{s.Src, s.id}
	for i := len(x.Out) - 1; i >= max(0, len(x.Out)-lately); i-- {
		if m := &x.Out[i]; m.Kind == PassSend && m.From == from {
			m.Active, m.Clock = true, s.clock
			return
		}
	}
	x.send(Message{Kind: SendActive, To: x.home(s.Dst), From: from, Clock: s.clock})
}

// lately is among how many messages that are to go a send is looked for. Of a call that starts more, the first are
// reported to be active by separate messages.
const lately = 8

// received is the sender's side of rule 2 across nodes: a send may complete once it and its receive are active.
func (x *pointToPoint) received(s *Part) {
	if !s.active || !s.ready {
		return
	}
	delete(x.parts, s.id)
	if s.Mode == op.Synchronous {
		s.clock = s.heard
	}
	x.satisfy(s)
}

// countSent counts a send to a rank of another node.
func (x *pointToPoint) countSent(p *Part, by int) {
	if x.counts != nil {
		x.counts.add(x.counts.sent, Channel{p.Src, p.Dst, p.Ctx, p.Tag}, by)
	}
}

// countKnown counts a message of another node's rank.
func (x *pointToPoint) countKnown(at Channel, by int) {
	if x.counts != nil {
		x.counts.add(x.counts.known, at, by)
	}
}

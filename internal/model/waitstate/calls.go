package waitstate

import (
	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// Enter takes the next call of a thread. The previous one, if it was not said to have returned, has.
func (n *Node) Enter(t *Thread, o *Op) {
	last := t.cur
	returns := last != nil && !last.returned
	if returns {
		last.returned = true
		n.past(last)
		n.leave(last)
	}
	if o.Origin == nil {
		o.Origin = new(Origin)
	}
	o.Rank, o.Thread = t.Rank, t.Index
	n.settleUnseen()
	o.TS = t.next
	t.next++
	t.cur = o
	n.reuse(last)
	t.push(o)
	for _, p := range o.Posts {
		p.owner, p.firm = t, o.Blocking
		n.start(p)
	}
	if returns || t.Strict() == o { // else nothing has changed for the call that the strict view is in
		n.enqueue(t)
	}
	n.run()
}

// Return says that the thread's last call has returned.
func (n *Node) Return(t *Thread) {
	o := t.cur
	if o == nil || o.returned {
		return
	}
	o.returned = true
	n.past(o)
	n.settleUnseen()
	if o.inWindow && t.Strict() == o {
		n.enqueue(t)
		n.run()
	}
	n.leave(o)
}

// Release lets a held send go: the program has given all of its data. The call o that did it must be entered afterwards
// with the part among its Posts.
func (n *Node) Release(p *Part) { p.Held = false }

// Decide says what a receive or probe met; true if that was not decided before. Call Settle then, after the last
// decision of a batch.
func (n *Node) Decide(p *Part, src op.Rank, tag int32) bool {
	p.seen = true
	if p.paired {
		n.part(p)
		return false
	}
	if n.away != nil && p.recv != nil {
		p.recv.Tag = tag
		n.ends(p)
	}
	if p.wildcard && p.Kind == op.Recv && !p.sat {
		n.choose(p)
	}
	return n.queue(p.Dst, p.Ctx).Decide(p.recv, src, tag)
}

// Settle matches what decisions for one rank have freed.
func (n *Node) Settle(rank op.Rank, ctx op.CommID) {
	n.settle(n.queue(rank, ctx))
	n.run()
}

// Suspend says that a send or receive may be cancelled instead of completed.
func (n *Node) Suspend(p *Part) {
	p.Marked = true
	if p.Kind == op.Recv && !p.paired {
		n.queue(p.Dst, p.Ctx).Suspend(p.recv)
	}
}

// Cancelled says that the run cancelled a part: nobody meets it.
func (n *Node) Cancelled(p *Part) {
	p.gone, p.seen = true, true
	switch p.Kind {
	case op.Recv:
		if p.recv == nil {
			break
		}
		q := n.queue(p.Dst, p.Ctx)
		if s, ok := p.recv.Send, p.paired; ok && s != nil {
			p.paired, p.partner = false, nil
			if sp, ok := s.Owner.(*Part); ok {
				sp.paired, sp.partner = false, nil
			}
		}
		q.Drop(p.recv)
		n.settle(q)
	case op.Send:
		if p.paired {
			break
		}
		if n.here(p.Dst) {
			n.queue(p.Dst, p.Ctx).Withdraw(&p.send)
		} else if p.id != 0 {
			n.countSent(p, -1)
			n.send(Message{Kind: CancelSend, To: n.home(p.Dst), From: Ref{p.Src, p.id},
				Dst: p.Dst, Ctx: p.Ctx})
		}
	}
	n.satisfy(p)
	n.run()
}

// Seen says that the run showed the completion of a part (a request that was waited or tested for).
func (n *Node) Seen(p *Part) {
	p.seen = true
	n.ends(p)
	n.part(p)
}

// Relax makes the operation at a thread's strict position, and later ones from the same call site, follow what was
// observed: the finding that it gives rise to has been reported.
func (n *Node) Relax(t *Thread) {
	o := t.Strict()
	if o == nil {
		return
	}
	o.relaxed = true
	if t.relax == nil {
		t.relax = make(map[uint64]bool)
	}
	t.relax[o.Site] = true
	n.enqueue(t)
	n.run()
}

// RelaxOnce is Relax for this operation only: an unexpected match (section 3.3) is followed without a word.
func (n *Node) RelaxOnce(t *Thread) {
	if o := t.Strict(); o != nil {
		o.relaxed = true
		n.enqueue(t)
		n.run()
	}
}

// Freeze stops all transitions until Thaw, for a consistent state (section 5). Until then the views of sends to other
// nodes do not know which undecided receives could take them.
func (n *Node) Freeze() {
	n.frozen = true
	n.tellOpen()
	n.tellUnexpected()
}

// Thaw lets transitions go on.
func (n *Node) Thaw() {
	n.frozen = false
	for _, p := range n.parts {
		p.open = shut
	}
	clear(n.told)
	n.run()
}

// start puts a part into matching, in the order of the run.
func (n *Node) start(p *Part) {
	switch p.Kind {
	case op.Send:
		if p.Held {
			return
		}
		if n.here(p.Dst) {
			p.send = match.Send{Src: p.Src, Tag: p.Tag, Owner: p}
			q := n.queue(p.Dst, p.Ctx)
			q.Arrive(&p.send)
			n.drain(q)
			return
		}
		n.countSent(p, 1)
		if n.away == nil {
			n.export(p)
		}
		n.send(Message{Kind: PassSend, To: n.home(p.Dst), From: Ref{p.Src, p.id}, Src: p.Src, Dst: p.Dst,
			Ctx: p.Ctx, Tag: p.Tag, Bytes: p.Bytes, Content: p.carries(), Origin: p.Origin, Init: p.Init,
			Synchronous: p.Mode == op.Synchronous, Ready: p.Presumes,
			Active: p.active || n.away != nil, Clock: p.clock}) // one that was held is active already
	case op.Recv, op.Probe:
		p.wildcard = p.Src == op.AnySource
		n.races.on = n.races.on || p.wildcard && n.races.watched
		p.recv = n.recvs.Get()
		p.recv.Src, p.recv.Tag, p.recv.Peek, p.recv.Owner = p.Src, p.Tag, p.Kind == op.Probe, p
		q := n.queue(p.Dst, p.Ctx)
		q.Post(p.recv)
		n.drain(q)
	case op.Coll:
		n.joinWave(p)
	}
}

// Handle takes a message from another node or from the root.
func (n *Node) Handle(m Message) {
	if m.Kind == CollectiveAck {
		n.acknowledged(&m)
	} else {
		n.take(&m)
	}
	n.run()
}

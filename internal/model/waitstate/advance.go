package waitstate

import (
	"unknot/internal/vocab/op"
)

func (t *Thread) push(o *Op) {
	if t.head > 64 && t.head*2 > len(t.window) {
		k := copy(t.window, t.window[t.head:])
		clear(t.window[k:])
		t.window = t.window[:k]
		t.head = 0
	}
	if t.head == len(t.window) {
		t.window, t.head = t.window[:0], 0
	}
	o.inWindow = true
	t.here = nil
	t.window = append(t.window, o)
}

func (n *Node) pop(t *Thread) {
	o := t.window[t.head]
	o.inWindow = false
	t.window[t.head] = nil
	t.head++
	if o.Tells {
		t.clock = t.clock.Join(n.races.imprecise)
	}
	if o.then != nil {
		n.reach(t, o.then)
		if t.head == len(t.window) {
			t.here = o.then
		}
	}
	n.leave(o)
	if o != t.cur {
		n.reuse(o)
	}
}

// run applies transitions until none is left.
func (n *Node) run() {
	if n.frozen {
		return
	}
	for i := 0; i < len(n.changed); i++ {
		t := n.changed[i]
		t.queued = false
		n.advance(t)
	}
	n.changed = n.changed[:0]
}

// advance moves one thread as far as the rules let it.
func (n *Node) advance(t *Thread) {
	for t.head < len(t.window) {
		o := t.window[t.head]
		for _, p := range o.Posts {
			n.activate(p)
		}
		if !n.canAdvance(t, o) {
			return
		}
		if n.races.on && n.away == nil {
			n.learn(t, o)
		}
		n.pop(t)
	}
}

// canAdvance is the premise of the rules: 1 for calls that do not block, 2 and 3 through the parts they started
// themselves, 4 for completions.
func (n *Node) canAdvance(t *Thread, o *Op) bool {
	if o.Terminal {
		return false
	}
	if !o.Blocking {
		return true
	}
	if o.returned && (n.away != nil || o.Opaque || o.relaxed || len(t.relax) > 0 && t.relax[o.Site]) {
		return true
	}
	if o.Opaque {
		return false
	}
	met := n.fulfilled(t, o)
	if !met {
		for _, p := range o.Waits {
			p.waiter = t
		}
	}
	return met
}

func (n *Node) fulfilled(t *Thread, o *Op) bool {
	if o.Any {
		for _, p := range o.Waits {
			if n.partDone(o, p) {
				return true
			}
		}
		return len(o.Waits) == 0
	}
	for _, p := range o.Waits {
		if !n.partDone(o, p) {
			return false
		}
	}
	return true
}

// partDone says whether a part no longer holds up a call. Parts whose condition is not modelled, or that the user asked
// to take as observed, are done when the run got past the call.
func (n *Node) partDone(o *Op, p *Part) bool {
	if p.sat {
		return true
	}
	if !o.returned {
		return false
	}
	return p.Kind == op.Observed || p.Unclear || p.Marked || n.Observed && (p.Kind == op.Coll || p.Kind == op.Send &&
		p.Mode == op.Standard)
}

func (n *Node) activate(p *Part) {
	if p.active {
		return
	}
	p.active = true
	if p.Kind == op.Send && p.Presumes {
		n.races.on = true
		p.owner.clock = p.owner.clock.starts(p.Src)
	}
	if n.races.on && p.Kind == op.Recv {
		p.heard = n.clockOf(p.owner)
	}
	if n.races.on && (p.Kind == op.Send || p.Kind == op.Coll) {
		p.clock = n.clockOf(p.owner)
	}
	switch p.Kind {
	case op.Send:
		if p.Mode == op.Buffered {
			n.satisfy(p)
		}
		if p.partner != nil {
			n.meet(p, p.partner)
		} else if p.id != 0 {
			n.tellActive(p)
			n.received(p)
		}
		n.wakeProbes(p)
	case op.Recv, op.Probe:
		if p.partner != nil {
			n.meet(p.partner, p)
		} else if s := p.remote(); s != nil && p.paired {
			if p.Kind == op.Recv {
				n.tellSend(RecvActive, p)
			}
			n.meetRemote(s, p)
		}
	case op.Coll:
		n.activateColl(p)
	case op.Served:
		n.satisfy(p)
	}
}

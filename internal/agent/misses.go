package agent

import (
	"slices"

	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// maxMisses bounds what is told of one thread.
const maxMisses = 3

// maxNear bounds the messages to a rank that are looked at.
const maxNear = 64

// misses finds messages that nearly fit what a thread waits for: from the rank that it waits for, but with another tag or
// on another communicator. What another open receive of the rank may have taken is not among them. more says that there may be others.
func (a *Agent) misses(t *thread, o *waitstate.Op) (out []message.Miss, more bool) {
	for _, p := range o.Waits {
		if !a.lacks(t, p) {
			continue
		}
		near := a.node.Near(t.rank.world, maxNear)
		more = more || len(near) == maxNear
		for _, m := range near {
			if m.IsRecv || slices.ContainsFunc(near, m.FitsReceive) || p.Src != op.AnySource && m.Src != p.Src || t.rank.objects.CommByID(m.Ctx) == nil {
				continue
			}
			if len(out) == maxMisses {
				return out, true
			}
			out = append(out, a.miss(t.rank, p, m))
		}
	}
	return out, more
}

// lacks says whether a part is a receive of the program's own that has got no message.
func (a *Agent) lacks(t *thread, p *waitstate.Part) bool {
	return (p.Kind == op.Recv || p.Kind == op.Probe) && !p.Matched() && t.rank.objects.CommByID(p.Ctx) != nil
}

// miss is a message, and what keeps it from fitting a receive of a rank.
func (a *Agent) miss(r *rank, p *waitstate.Part, m waitstate.Miss) message.Miss {
	out := message.Miss{Src: m.Src, Dst: r.world, Origin: m.Origin, Sent: m.Tag, Wanted: p.Tag, From: m.Src, To: r.world}
	if m.Ctx != p.Ctx {
		out.On, out.NotOn = a.ctxName(r, m.Ctx), a.ctxName(r, p.Ctx)
	}
	return out
}

// astray is the message that fits the only receive that a thread waits for, but was sent by another rank than that names, or by that rank to
// another one. It is nil if there is none, or several. Of messages to ranks of other agents nothing is known.
func (a *Agent) astray(t *thread, o *waitstate.Op) *message.Miss {
	if len(o.Waits) != 1 || !a.lacks(t, o.Waits[0]) || o.Waits[0].Src == op.AnySource {
		return nil
	}
	p := o.Waits[0]
	var found []waitstate.Miss
	near := a.node.Near(t.rank.world, maxNear)
	if len(near) == maxNear {
		return nil
	}
	for _, m := range near {
		if !m.IsRecv && m.Src != p.Src && m.Ctx == p.Ctx && (p.Tag == op.AnyTag || m.Tag == p.Tag) && !slices.ContainsFunc(near, m.FitsReceive) {
			m.Dst = t.rank.world
			found = append(found, m)
		}
	}
	found = append(found, a.node.Astray(p, t.rank.world, 2)...)
	if len(found) != 1 {
		return nil
	}
	m := found[0]
	return &message.Miss{Src: m.Src, Dst: m.Dst, Origin: m.Origin, Sent: m.Tag, Wanted: p.Tag, From: p.Src, To: t.rank.world}
}

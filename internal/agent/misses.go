package agent

import (
	"slices"

	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// maxMisses bounds what is told of one thread.
const maxMisses = 3

// misses finds messages that nearly fit what a thread waits for: from the rank that it waits for, but with another tag or
// on another communicator. What another open receive of the rank may have taken is not among them.
func (a *Agent) misses(t *thread, o *waitstate.Op) []message.Miss {
	var out []message.Miss
	for _, p := range o.Waits {
		if p.Kind != op.Recv && p.Kind != op.Probe || p.Matched() || t.rank.objects.CommByID(p.Ctx) == nil {
			continue // done, or not the program's own message
		}
		near := a.node.Near(t.rank.world, 64)
		for _, m := range near {
			if m.IsRecv || slices.ContainsFunc(near, m.FitsReceive) || p.Src != op.AnySource && m.Src != p.Src || t.rank.objects.CommByID(m.Ctx) == nil {
				continue
			}
			out = append(out, a.miss(t.rank, p, m))
			if len(out) == maxMisses {
				return out
			}
		}
	}
	return out
}

// miss is a message, and what keeps it from fitting a receive of a rank.
func (a *Agent) miss(r *rank, p *waitstate.Part, m waitstate.Miss) message.Miss {
	out := message.Miss{Src: m.Src, Dst: r.world, Origin: m.Origin, Sent: m.Tag, Wanted: p.Tag}
	if m.Ctx != p.Ctx {
		out.On, out.NotOn = a.ctxName(r, m.Ctx), a.ctxName(r, p.Ctx)
	}
	return out
}

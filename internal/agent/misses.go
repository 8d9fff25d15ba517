package agent

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// maxMisses bounds what is reported of one thread.
const maxMisses = 3

// maxNear bounds the messages to a rank that are looked at.
const maxNear = 64

// misses finds messages that nearly fit what a thread waits for: from the rank that it waits for, but with another tag
// or on another communicator. What another open receive of the rank may have taken is not among them. more says that
// there may be others.
func (a *describer) misses(t *thread, o *waitstate.Op) (out []message.Miss, more bool) {
	for _, p := range o.Waits {
		if !a.lacks(t, p) {
			continue
		}
		near := a.node.Near(t.rank.World, maxNear)
		more = more || len(near) == maxNear
		for _, m := range near {
			if m.IsRecv || slices.ContainsFunc(near, m.FitsReceive) || p.Src != op.AnySource && m.Src != p.Src ||
				t.rank.Objects.CommByID(m.Ctx) == nil {
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
func (a *describer) lacks(t *thread, p *waitstate.Part) bool {
	return (p.Kind == op.Recv || p.Kind == op.Probe) && !p.Matched() && t.rank.Objects.CommByID(p.Ctx) != nil
}

// miss is a message, and what keeps it from fitting a receive of a rank.
func (a *describer) miss(r *rank, p *waitstate.Part, m waitstate.Miss) message.Miss {
	out := message.Miss{Src: m.Src, Dst: r.World, Origin: m.Origin.AsSent(), Sent: m.Tag, Wanted: p.Tag,
		From: m.Src, To: r.World}
	if m.Ctx != p.Ctx {
		out.On, out.NotOn = a.CtxName(&r.Process, m.Ctx), a.CtxName(&r.Process, p.Ctx)
	}
	return out
}

// sought is the first message that a thread waits for, if it needs all that it waits for, and the program names the
// rank that it is from; nil if it does not.
func (a *describer) sought(t *thread, o *waitstate.Op) *waitstate.Sought {
	if o.Any && len(o.Waits) > 1 {
		return nil
	}
	for _, p := range o.Waits {
		switch {
		case !a.lacks(t, p):
		case p.Src == op.AnySource:
			return nil
		default:
			return &waitstate.Sought{To: t.rank.World, From: p.Src, Tag: p.Tag, Ctx: p.Ctx}
		}
	}
	return nil
}

// maxAstray bounds how many messages are looked for that would fit with another source or destination.
const maxAstray = 8

// astray are messages that fit what is sought, but were sent by another rank than that names, or by that rank to
// another one: those to ranks of this agent.
func (a *describer) astray(s *waitstate.Sought) (out []message.Miss) {
	for _, m := range a.node.Astray(*s, maxAstray) {
		out = append(out, message.Miss{Src: m.Src, Dst: m.Dst, Origin: m.Origin.AsSent(), Sent: m.Tag, Wanted: s.Tag,
			From: s.From, To: s.To})
	}
	return out
}

// strays are such messages for ranks of other agents.
func (a *describer) strays(list []message.Sought) (out []message.Stray) {
	for i := range list {
		if a.ranks[list[i].Key.Rank] != nil {
			continue // it has said so
		}
		for _, m := range a.astray(&list[i].Sought) {
			out = append(out, message.Stray{Key: list[i].Key, Miss: m})
		}
	}
	return out
}

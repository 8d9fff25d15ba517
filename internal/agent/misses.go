package agent

import (
	"fmt"
	"strings"

	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// maxMisses bounds what is told of one thread.
const maxMisses = 3

// misses finds messages that nearly fit what a thread waits for: from the rank that it waits for, but with another tag or
// on another communicator.
func (a *Agent) misses(t *thread, o *waitstate.Op) []message.Miss {
	var out []message.Miss
	for _, p := range o.Waits {
		if p.Kind != op.Recv && p.Kind != op.Probe || p.Matched() || t.rank.objects.CommByID(p.Ctx) == nil {
			continue // done, or not the program's own message
		}
		for _, m := range a.node.Near(t.rank.world, 64) {
			if m.IsRecv || p.Src != op.AnySource && m.Src != p.Src || t.rank.objects.CommByID(m.Ctx) == nil {
				continue
			}
			out = append(out, message.Miss{Src: m.Src, Dst: t.rank.world, Origin: m.Origin, But: a.difference(t.rank, p, m)})
			if len(out) == maxMisses {
				return out
			}
		}
	}
	return out
}

// difference says what keeps a message from fitting a receive.
func (a *Agent) difference(r *rank, p *waitstate.Part, m waitstate.Miss) string {
	var differs []string
	if p.Tag != op.AnyTag && p.Tag != m.Tag {
		differs = append(differs, fmt.Sprintf("with tag %d, not tag %d", m.Tag, p.Tag))
	}
	if m.Ctx != p.Ctx {
		differs = append(differs, fmt.Sprintf("on %s, not on %s", a.ctxName(r, m.Ctx), a.ctxName(r, p.Ctx)))
	}
	if len(differs) == 0 {
		return "an earlier receive may have taken it"
	}
	return strings.Join(differs, " and ")
}

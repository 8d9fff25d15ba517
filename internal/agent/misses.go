package agent

import (
	"fmt"
	"strings"

	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// miss is a message that nearly fits what a thread waits for.
type miss struct {
	src, dst op.Rank
	origin   *waitstate.Origin // the send; its place is known to the sender's agent
	but      string            // what does not fit, in words
}

// text tells of the miss; at is the send's position, or empty.
func (m *miss) text(at string) string {
	if at != "" {
		at = " at " + at
	}
	return fmt.Sprintf("nearest miss: rank %d sent rank %d a message%s, but %s", m.src, m.dst, at, m.but)
}

// maxMisses bounds what is told of one thread.
const maxMisses = 3

// misses finds messages that nearly fit what a thread waits for: from the rank that it waits for, but with another tag or
// on another communicator.
func (a *Agent) misses(t *thread, o *waitstate.Op) []miss {
	var out []miss
	for _, p := range o.Waits {
		if p.Kind != op.Recv && p.Kind != op.Probe || p.Matched() || commByID(t.rank, p.Ctx) == nil {
			continue // done, or not the program's own message
		}
		for _, m := range a.node.Near(t.rank.world, 64) {
			if m.IsRecv || p.Src != op.AnySource && m.Src != p.Src || commByID(t.rank, m.Ctx) == nil {
				continue
			}
			out = append(out, miss{src: m.Src, dst: t.rank.world, origin: m.Origin, but: a.difference(t.rank, p, m)})
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

package waitstate

import (
	"slices"

	"unknot/internal/vocab/op"
)

// A wildcard receive that met a message which the strict view has not reached is an unexpected match (paper, section
// 3.3). Its other side are the messages that it would have taken instead: their senders must not be taken for stuck.

// choose notes a wildcard receive whose choice has become known.
func (x *pointToPoint) choose(p *Part) {
	if len(x.chosen) == cap(x.chosen) {
		x.chosen = slices.DeleteFunc(x.chosen, x.discard)
	}
	p.Keep()
	x.chosen = append(x.chosen, p)
}

// discard drops a chosen receive that is satisfied.
func (x *pointToPoint) discard(p *Part) bool {
	if !p.sat {
		return false
	}
	x.Drop(p)
	return true
}

// isUnexpected says whether a wildcard receive waits, in the strict view, for a message that is not there.
func (p *Part) isUnexpected() bool { return p.active && !p.sat }

// missedReceive says whether an unexpected receive could have taken a message.
func (x *pointToPoint) missedReceive(s *Part) bool {
	if s.sat || s.Held {
		return false
	}
	if !x.here(s.Dst) {
		return slices.ContainsFunc(x.told[queueKey{s.Dst, s.Ctx}], func(tag int32) bool { return fitsTag(tag, s.Tag) })
	}
	return slices.ContainsFunc(x.chosen, func(r *Part) bool {
		return r.isUnexpected() && r.Dst == s.Dst && r.Ctx == s.Ctx && fitsTag(r.Tag, s.Tag)
	})
}

// tellUnexpected tells the nodes of those that could have sent to an unexpected receive.
func (x *pointToPoint) tellUnexpected() {
	for _, r := range x.chosen {
		g := x.groups[r.Ctx]
		if !r.isUnexpected() || g == nil {
			continue
		}
		var homes []int
		for m := range g.Members.All() {
			if m == op.Unknown {
				continue
			}
			if to := x.home(m); to != x.ID && !slices.Contains(homes, to) {
				homes = append(homes, to)
				x.send(Message{Kind: Unexpected, To: to, Dst: r.Dst, Ctx: r.Ctx, Tag: r.Tag})
			}
		}
	}
}

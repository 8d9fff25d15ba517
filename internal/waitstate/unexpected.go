package waitstate

import (
	"slices"

	"unknot/internal/op"
)

// A wildcard receive that met a message which the strict view has not reached is an unexpected match (paper, section
// 3.3). Its other side are the messages that it would have taken instead: their senders must not be taken for stuck.

// choose notes a wildcard receive whose choice has become known.
func (n *Node) choose(p *Part) {
	if len(n.chosen) == cap(n.chosen) {
		n.chosen = slices.DeleteFunc(n.chosen, n.discard)
	}
	p.Keep()
	n.chosen = append(n.chosen, p)
}

// discard drops a chosen receive that is satisfied.
func (n *Node) discard(p *Part) bool {
	if !p.sat {
		return false
	}
	n.Drop(p)
	return true
}

// isUnexpected says whether a wildcard receive waits, in the strict view, for a message that is not there.
func (p *Part) isUnexpected() bool { return p.active && !p.sat }

// missedReceive says whether an unexpected receive could have taken a message.
func (n *Node) missedReceive(s *Part) bool {
	if s.sat || s.Held {
		return false
	}
	if !n.here(s.Dst) {
		return slices.ContainsFunc(n.told[queueKey{s.Dst, s.Ctx}], func(tag int32) bool { return fitsTag(tag, s.Tag) })
	}
	return slices.ContainsFunc(n.chosen, func(r *Part) bool {
		return r.isUnexpected() && r.Dst == s.Dst && r.Ctx == s.Ctx && fitsTag(r.Tag, s.Tag)
	})
}

// tellUnexpected tells the nodes of those that could have sent to an unexpected receive.
func (n *Node) tellUnexpected() {
	for _, r := range n.chosen {
		g := n.groups[r.Ctx]
		if !r.isUnexpected() || g == nil {
			continue
		}
		var homes []int
		for m := range g.Members.All() {
			if m == op.Unknown {
				continue
			}
			if to := n.home(m); to != n.ID && !slices.Contains(homes, to) {
				homes = append(homes, to)
				n.send(Message{Kind: Unexpected, To: to, Dst: r.Dst, Ctx: r.Ctx, Tag: r.Tag})
			}
		}
	}
}

package waitstate

import (
	"unknot/internal/match"
	"unknot/internal/op"
)

// outlook says whether a send without a partner may already have found one that the run has not shown: a receive is
// there that could take it, but a wildcard whose choice is not known leaves that open.
type outlook uint8

const (
	shut    outlook = iota // no such receive
	posted                 // there is one in the run
	reached                // and in the strict view
)

// outlookOf is the outlook of a send of this node. For a receiver on another node it is what that node told since
// Freeze.
func (n *Node) outlookOf(p *Part) outlook {
	switch {
	case p.paired || p.Held || p.gone:
		return shut
	case !n.here(p.Dst):
		return p.open
	}
	return outlookIn(n.queue(p.Dst, p.Ctx), &p.send)
}

func outlookIn(q *match.Queue, s *match.Send) outlook {
	best := shut
	q.Takers(s, func(r *match.Recv) bool {
		best = max(best, posted)
		if r.Owner.(*Part).active {
			best = reached
		}
		return best < reached
	})
	return best
}

// tellOpen tells other nodes which of their unmatched sends have an outlook here.
func (n *Node) tellOpen() {
	for key, q := range n.byKey {
		q.Unmatched(func(s *match.Send) bool {
			if r, ok := s.Owner.(*remote); ok {
				n.tellIfOpen(r, q, key.rank)
			}
			return true
		})
	}
}

func (n *Node) tellIfOpen(s *remote, q *match.Queue, dst op.Rank) {
	if s.send.Recv != nil {
		return
	}
	if o := outlookIn(q, &s.send); o != shut {
		n.send(Message{Kind: SendOpen, To: n.home(s.ref.Rank), Ref: s.ref, Dst: dst,
			Active: o == reached})
	}
}

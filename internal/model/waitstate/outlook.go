package waitstate

import (
	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// The outlook of sends that have no partner, here and for those of other nodes.

// outlookOf is the outlook of a send of this node. For a receiver on another node it is what that node sent since
// Freeze.
func (x *pointToPoint) outlookOf(p *Part) outlook {
	switch {
	case p.paired || p.Held || p.gone:
		return shut
	case !x.here(p.Dst):
		return p.open
	}
	return outlookIn(x.queue(p.Dst, p.Ctx), &p.send)
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
func (x *pointToPoint) tellOpen() {
	for key, q := range x.byKey {
		q.Unmatched(func(s *match.Send) bool {
			if r, ok := s.Owner.(*remote); ok {
				x.tellIfOpen(r, q, key.rank)
			}
			return true
		})
	}
}

func (x *pointToPoint) tellIfOpen(s *remote, q *match.Queue, dst op.Rank) {
	if s.send.Recv != nil {
		return
	}
	if o := outlookIn(q, &s.send); o != shut {
		x.send(Message{Kind: SendOpen, To: x.home(s.ref.Rank), Ref: s.ref, Dst: dst,
			Active: o == reached})
	}
}

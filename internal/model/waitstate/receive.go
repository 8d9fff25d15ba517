package waitstate

import "unknot/internal/model/match"

// take takes in a message about sends and receives.
func (x *pointToPoint) take(m *Message) {
	switch m.Kind {
	case PassSend:
		x.countKnown(Channel{m.Src, m.Dst, m.Ctx, m.Tag}, 1)
		s := &remote{ref: m.From, bytes: m.Bytes, content: m.Content, origin: m.Origin, init: m.Init,
			synchronous: m.Synchronous, ready: m.Ready, active: m.Active, clock: m.Clock}
		if !s.active {
			x.remotes[s.ref] = s
		}
		s.send = match.Send{Src: m.Src, Tag: m.Tag, Owner: s}
		q := x.queue(m.Dst, m.Ctx)
		q.Arrive(&s.send)
		x.drain(q)
		if x.frozen {
			x.tellIfOpen(s, q, m.Dst)
		}
	case SendOpen:
		if p := x.parts[m.Ref.ID]; p != nil {
			p.open = posted
			if m.Active {
				p.open = reached
			}
		}
	case Unexpected:
		key := queueKey{m.Dst, m.Ctx}
		x.told[key] = append(x.told[key], m.Tag)
	case SendMatched:
		if p := x.parts[m.Ref.ID]; p != nil {
			p.paired, p.other = true, m.From
		}
	case RecvActive:
		// A send that is not kept any more was active and satisfied; another receive had it first and was cancelled.
		if p := x.parts[m.Ref.ID]; p != nil {
			p.paired, p.ready, p.other, p.heard = true, true, m.From, m.Clock
			x.received(p)
		}
	case SendActive:
		if s := x.remotes[m.From]; s != nil {
			x.begin(s, m.Clock)
		}
	case CancelSend:
		delete(x.remotes, m.From)
		q := x.queue(m.Dst, m.Ctx)
		q.Unmatched(func(s *match.Send) bool {
			if r, ok := s.Owner.(*remote); ok && r.ref == m.From {
				x.countKnown(Channel{s.Src, m.Dst, m.Ctx, s.Tag}, -1)
				q.Withdraw(s)
				return false
			}
			return true
		})
		x.settle(q)
	}
}

package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// Miss is a message or a receive that found no partner.
type Miss struct {
	IsRecv bool
	Src    op.Rank
	Dst    op.Rank
	Tag    int32
	Ctx    op.CommID
	Bytes  int64
	Origin *Origin // nil if the message came from another node
}

// FitsReceive says whether r is a receive that would take the message m. It may have: of a receive from any source that
// is not over it is not known which one it has.
func (m Miss) FitsReceive(r Miss) bool {
	return r.IsRecv && r.Ctx == m.Ctx && match.Fits(r.Src, r.Tag, m.Src, m.Tag)
}

func missesOf(ctx op.CommID, q *match.Queue, out *[]Miss) {
	q.Unmatched(func(s *match.Send) bool {
		m := Miss{Src: s.Src, Tag: s.Tag, Ctx: ctx, Bytes: -1}
		switch o := s.Owner.(type) {
		case *Part:
			m.Origin, m.Bytes, m.Dst = o.Origin, o.Bytes, o.Dst
		case *remote:
			m.Origin, m.Bytes = o.origin, o.bytes
		}
		*out = append(*out, m)
		return len(*out) < 4096
	})
	q.Posted(func(r *match.Recv) bool {
		if p, ok := r.Owner.(*Part); ok {
			*out = append(*out, Miss{IsRecv: true, Src: r.Src, Dst: p.Dst, Tag: r.Tag, Ctx: ctx, Bytes: -1,
				Origin: p.Origin})
		}
		return len(*out) < 4096
	})
}

// Sought is a message that a rank waits for.
type Sought struct {
	To, From op.Rank
	Tag      int32 // may be op.AnyTag
	Ctx      op.CommID
}

// fits says whether a message is one that is sought, except for who has sent it, or to whom it was sent.
func (s Sought) fits(m Miss) bool {
	return !m.IsRecv && m.Ctx == s.Ctx && (s.Tag == op.AnyTag || m.Tag == s.Tag)
}

// Astray are messages of the rank that one is sought from, which fit but were sent to other ranks of this node, and
// those that others sent to the rank that seeks it, if that is one of this node. The receivers have no receive for
// them. More than limit are not returned, nor looked for.
func (l *queues) Astray(s Sought, limit int) []Miss {
	var out []Miss
	for key, q := range l.byKey {
		if key.ctx != s.Ctx {
			continue
		}
		var list []Miss
		missesOf(key.ctx, q, &list)
		for _, m := range list {
			if s.fits(m) && (key.rank == s.To) != (m.Src == s.From) && !slices.ContainsFunc(list, m.FitsReceive) {
				m.Dst = key.rank
				out = append(out, m)
			}
		}
		if len(out) >= limit {
			return out[:limit]
		}
	}
	return out
}

// Open counts the messages on one way that have met no receive, and the receives for such messages alone that have met
// none. undecided says that some receive may take them of which that is not known. The receiver is a rank of this node.
func (l *queues) Open(src, dst op.Rank, ctx op.CommID, tag int32) (sends, recvs int, undecided bool) {
	q := l.byKey[queueKey{dst, ctx}]
	if q == nil {
		return 0, 0, false
	}
	return q.Open(src, tag)
}

// HeldOn calls visit for the calls of this node's ranks whose messages to a rank in a context have met no receive, and
// whose receives have met no message.
func (l *queues) HeldOn(dst op.Rank, ctx op.CommID, visit func(*Origin)) {
	q := l.byKey[queueKey{dst, ctx}]
	if q == nil {
		return
	}
	q.Unmatched(func(s *match.Send) bool {
		if p, ok := s.Owner.(*Part); ok {
			visit(p.Origin)
		}
		return true
	})
	q.Posted(func(r *match.Recv) bool {
		if p, ok := r.Owner.(*Part); ok {
			visit(p.Origin)
		}
		return true
	})
}

func sortMisses(list []Miss) {
	slices.SortFunc(list, func(a, b Miss) int {
		return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.Ctx, b.Ctx), cmp.Compare(a.Tag, b.Tag))
	})
}

// Unreceived are the messages that no receive has taken, to ranks of this node whose receives have all met one: by
// receiver, context and sender. It is for the end of a run.
func (l *queues) Unreceived() []Miss {
	var keys []queueKey
	for key, q := range l.byKey {
		open := false
		q.Posted(func(r *match.Recv) bool {
			open = true
			return false
		})
		if !open {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b queueKey) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.ctx, b.ctx))
	})
	var out []Miss
	for _, key := range keys {
		l.byKey[key].Unmatched(func(s *match.Send) bool {
			m := Miss{Src: s.Src, Dst: key.rank, Tag: s.Tag, Ctx: key.ctx}
			switch o := s.Owner.(type) {
			case *Part:
				if o.gone {
					return true
				}
				m.Bytes, m.Origin = o.Bytes, o.Origin
			case *remote:
				m.Bytes, m.Origin = o.bytes, o.origin
			}
			out = append(out, m)
			return true
		})
	}
	return out
}

// Near returns unmatched messages to a rank, in all contexts, for the nearest miss. At most limit are returned.
func (l *queues) Near(rank op.Rank, limit int) []Miss {
	var out []Miss
	for key, q := range l.byKey {
		if key.rank != rank {
			continue
		}
		missesOf(key.ctx, q, &out)
	}
	sortMisses(out)
	if len(out) > limit {
		out = out[:limit]
	}
	return out
}

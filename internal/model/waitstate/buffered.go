package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// HeldAway calls visit for the calls of a rank of this node whose messages to ranks of other nodes are not known to
// have been received, in any order.
func (x *pointToPoint) HeldAway(src op.Rank, visit func(*Origin)) {
	for _, p := range x.parts {
		if p.Kind == op.Send && p.Src == src {
			visit(p.Origin)
		}
	}
}

// Buffered are what a rank of this node waits for until its buffered messages have been received of which that is not
// known: by receiver, each once.
func (x *pointToPoint) Buffered(src op.Rank) (list []Need) {
	add := func(p *Part) {
		if p.Kind == op.Send && p.Mode == op.Buffered && p.Src == src && !p.paired && !slices.ContainsFunc(list,
			func(o Need) bool { return o.Rank == p.Dst }) {
			wait := need(p, -1)
			wait.Weak = true // MPI may bring them away before they are received
			list = append(list, wait)
		}
	}
	for _, q := range x.byKey {
		q.Unmatched(func(s *match.Send) bool {
			if p, ok := s.Owner.(*Part); ok {
				add(p)
			}
			return true
		})
	}
	for _, p := range x.parts {
		add(p)
	}
	slices.SortFunc(list, func(a, b Need) int { return cmp.Compare(a.Rank, b.Rank) })
	return list
}

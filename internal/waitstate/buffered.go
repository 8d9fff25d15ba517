package waitstate

import (
	"cmp"
	"slices"

	"unknot/internal/match"
	"unknot/internal/op"
)

// HeldAway calls visit for the calls of a rank of this node whose messages to ranks of other nodes are not known to
// have been received, in any order.
func (n *Node) HeldAway(src op.Rank, visit func(*Origin)) {
	for _, p := range n.parts {
		if p.Kind == op.Send && p.Src == src {
			visit(p.Origin)
		}
	}
}

// Buffered are what a rank of this node waits for until its buffered messages have been received of which that is not
// known: by receiver, each once.
func (n *Node) Buffered(src op.Rank) (list []Need) {
	add := func(p *Part) {
		if p.Kind == op.Send && p.Mode == op.Buffered && p.Src == src && !p.paired && !slices.ContainsFunc(list,
			func(o Need) bool { return o.Rank == p.Dst }) {
			need := n.need(p, -1)
			need.Weak = true // MPI may bring them away before they are received
			list = append(list, need)
		}
	}
	for _, q := range n.byKey {
		q.Unmatched(func(s *match.Send) bool {
			if p, ok := s.Owner.(*Part); ok {
				add(p)
			}
			return true
		})
	}
	for _, p := range n.parts {
		add(p)
	}
	slices.SortFunc(list, func(a, b Need) int { return cmp.Compare(a.Rank, b.Rank) })
	return list
}

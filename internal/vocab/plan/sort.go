package plan

import (
	"cmp"
	"slices"
)

// Sort puts the entries into the order that a plan has, and leaves out those that are there twice.
func (p *Plan) Sort() {
	p.Decisions = sorted(p.Decisions, func(d Decision) place { return place{d.Rank, d.Thread, d.Nth} })
	p.Sends = sorted(p.Sends, func(s Send) place { return place{s.Rank, s.Thread, s.Nth} })
	p.Delays = sorted(p.Delays, func(d Delay) place { return place{rank: d.Rank} })
	p.Outcomes = sorted(p.Outcomes, func(o Outcome) place { return place{o.Rank, o.Thread, o.Nth} })
}

func sorted[E any](list []E, at func(E) place) []E {
	compare := func(a, b E) int {
		p, q := at(a), at(b)
		return cmp.Or(cmp.Compare(p.rank, q.rank), cmp.Compare(p.thread, q.thread), cmp.Compare(p.nth, q.nth))
	}
	slices.SortStableFunc(list, compare)
	return slices.CompactFunc(list, func(a, b E) bool { return compare(a, b) == 0 })
}

package plan

import (
	"cmp"
	"slices"
)

// Sort puts the entries into the order that a plan has, and leaves out those that are there twice.
func (p *Plan) Sort() {
	order := func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.thread, b.thread), cmp.Compare(a.nth, b.nth))
	}
	slices.SortStableFunc(p.Decisions, func(a, b Decision) int {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth})
	})
	slices.SortStableFunc(p.Sends, func(a, b Send) int {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth})
	})
	slices.SortStableFunc(p.Outcomes, func(a, b Outcome) int {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth})
	})
	p.Decisions = slices.CompactFunc(p.Decisions, func(a, b Decision) bool {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth}) == 0
	})
	p.Sends = slices.CompactFunc(p.Sends, func(a, b Send) bool {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth}) == 0
	})
	p.Outcomes = slices.CompactFunc(p.Outcomes, func(a, b Outcome) bool {
		return order(place{a.Rank, a.Thread, a.Nth}, place{b.Rank, b.Thread, b.Nth}) == 0
	})
}

package parts

import (
	"time"

	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// maxStandings bounds the groups of threads whose last positions are reported.
const maxStandings = 16

// standings say where the threads were last that had not come to their ends: those in the same place together.
func (s *Set) standings() (list []string) {
	type group struct {
		last  explain.Last
		ranks []op.Rank
		least time.Duration
	}
	var groups []*group
	find := func(l explain.Last) *group {
		for _, g := range groups {
			if g.last == l {
				return g
			}
		}
		g := &group{last: l, least: -1}
		groups = append(groups, g)
		return g
	}
	for _, share := range s.shares() {
		spans := make(map[at]time.Duration)
		for _, x := range share.Ledger.Spans {
			spans[at{x.Rank, x.Thread}] = x.For
		}
		places := make(map[message.Key]*message.Described)
		for i := range share.Places.Places {
			places[share.Places.Places[i].Key] = &share.Places.Places[i]
		}
		for i := range share.State.Threads {
			share.State.Threads[i].Each(func(w message.Wait) {
				d := places[w.Key(false)]
				if d == nil || w.State == message.Finished {
					return
				}
				l, ok := explain.LastOf(w.State, &d.Place)
				if !ok {
					return
				}
				g := find(l)
				g.ranks = append(g.ranks, w.Rank)
				if span := spans[at{w.Rank, w.Thread}]; g.least < 0 || span < g.least {
					g.least = span
				}
			})
		}
	}
	for i, g := range groups {
		if i == maxStandings {
			return append(list, explain.MoreStandings(len(groups)-maxStandings))
		}
		list = append(list, g.last.Text(g.ranks, g.least))
	}
	return list
}

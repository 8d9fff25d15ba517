package detect

import (
	"slices"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A finding of very many threads has places of some only: of the first of each fold of what agents reported, which
// speak for the others. Whether these are still where they were is asked for, too.
const (
	largeFinding = MaxAlikePlaces // threads beyond which that is so
	// of a fold: more than a report needs to say that peers lie at a distance from their ranks
	speakers = 12
)

// thin has some of a question's threads speak for the others, if there are very many.
func (s *state) thin(q *question) {
	if q.build == nil || len(q.core)+len(q.others) <= largeFinding {
		return
	}
	if q.culprits == nil {
		q.culprits = q.build.culprits(q.nodes)
	}
	q.large, q.alike = true, make(map[message.Key]op.Ranks)
	strict := q.build.view == strict
	nodes := func(keys []message.Key) (nodes []nodeID) {
		for _, k := range keys {
			for _, i := range s.byRank[k.Rank] {
				if s.threads[i].Thread == k.Thread {
					nodes = append(nodes, nodeID(i))
				}
			}
		}
		return nodes
	}
	q.nodes = s.speakers(q, slices.Sorted(slices.Values(q.nodes)))
	q.core = s.keys(q.nodes, strict)
	for _, k := range q.core {
		if ranks, speaks := q.alike[k]; speaks {
			q.stay = append(q.stay, message.Keys{Key: k, Ranks: ranks})
		}
	}
	q.others = s.keys(s.speakers(q, nodes(q.others)), strict)
	q.witness = s.keys(s.speakers(q, nodes(q.witness)), false)
}

func (s *state) keys(nodes []nodeID, strict bool) (keys []message.Key) {
	for _, n := range nodes {
		keys = append(keys, s.threads[n].Key(strict))
	}
	return keys
}

// speakers are the first threads of each fold among some in ascending order. The question is given for whom the last of
// them speaks.
func (s *state) speakers(q *question, nodes []nodeID) (first []nodeID) {
	spoken := make(map[int32]int)
	last := make(map[int32]nodeID)
	rest := make(map[int32][]op.Rank)
	for _, n := range nodes {
		f := s.folds[n]
		if spoken[f]++; spoken[f] <= speakers {
			first, last[f] = append(first, n), n
		} else {
			rest[f] = append(rest[f], s.threads[n].Rank)
		}
	}
	for _, n := range first {
		f := s.folds[n]
		if last[f] != n || rest[f] == nil {
			continue
		}
		q.alike[s.threads[n].Key(q.build.view == strict)] = op.RanksOf(rest[f]...)
	}
	return first
}

package detect

import (
	"slices"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// stuck is a job whose ranks wait for others in one receive each, and what the root asks about it.
func stuck(t *testing.T, size int, whom func(op.Rank) op.Rank) (*Root, *question) {
	t.Helper()
	var threads message.Folder
	for r := range op.Rank(size) {
		w := message.Wait{Rank: r, State: message.Blocked, Evidence: true}
		w.Real = waitstate.Wait{Rank: r, TS: 3, Needs: []waitstate.Need{{Kind: waitstate.NeedMessage, Rank: whom(r),
			Ctx: world, Index: -1}}}
		threads.Add(w)
	}
	rep := &message.Report{Groups: map[op.CommID]op.Ranks{world: op.FirstRanks(size)}, Threads: threads.Folds}
	r := New(encoded(t, 1).Member(tree.Root), nil, size, Options{}, nil)
	r.search.state = merge(size, []*message.Report{rep})
	if !r.search.askReal(r.search.state, necessary) || len(r.search.asked) != 1 {
		t.Fatalf("%d questions are asked", len(r.search.asked))
	}
	r.search.state.thin(&r.search.asked[0])
	return r, &r.search.asked[0]
}

// answersTo describes the threads that a question names.
func answersTo(q *question) map[message.Key]*message.Described {
	byKey := make(map[message.Key]*message.Described)
	for _, k := range slices.Concat(q.core, q.others) {
		byKey[k] = &message.Described{Key: k, Still: true, Place: finding.Place{Rank: int(k.Rank), Call: "MPI_Recv",
			State: "blocked"},
			Shape: message.Shape{Class: mpi.Recv, Name: "MPI_Recv"}}
	}
	return byKey
}

// TestALargeFindingHasPlacesOfSome: how much is asked and reported of a deadlock does not depend on how many ranks are
// in it, and none is lost.
func TestALargeFindingHasPlacesOfSome(t *testing.T) {
	next := func(size int) func(op.Rank) op.Rank {
		return func(r op.Rank) op.Rank { return (r + 1) % op.Rank(size) }
	}
	anybody := func(op.Rank) op.Rank { return op.AnySource }
	for _, c := range []struct {
		name   string
		size   int
		whom   func(op.Rank) op.Rank
		places int
	}{
		{"few of any", 64, anybody, 64},
		{"many of any", 5000, anybody, 12},
		{"a few in a ring", 64, next(64), 64},
		{"many in a ring", 5000, next(5000), 13},
	} {
		r, q := stuck(t, c.size, c.whom)
		s := q.story(r.search.state, r.round.places.Moved, answersTo(q))
		if s == nil {
			t.Fatalf("%s: there is no story", c.name)
		}
		f := s.Finding()
		all, waits := op.Ranks{}, 0
		for _, p := range f.Places {
			all = all.Union(op.Between(op.Rank(p.Rank), op.Rank(p.Rank)))
			for _, a := range p.Alike {
				all = all.Union(op.Between(op.Rank(a), op.Rank(a)))
			}
			waits += len(p.WaitsFor)
		}
		if len(f.Places) != c.places || len(f.Ranks) != c.size || all.Len() != c.size || waits > 64*64 {
			t.Errorf("%s: %d places of %d ranks, %d in all, which wait for %d", c.name, len(f.Places), all.Len(),
				len(f.Ranks), waits)
		}
	}
}

// TestALargeDeadlockIsReportedOnlyIfAllStay: one rank that has no place of its own and moved on takes it back.
func TestALargeDeadlockIsReportedOnlyIfAllStay(t *testing.T) {
	r, q := stuck(t, 200, func(op.Rank) op.Rank { return op.AnySource })
	k := q.core[0]
	k.Rank = 150
	if r.round.places.Moved = []message.Key{k}; q.story(r.search.state, r.round.places.Moved, answersTo(q)) != nil {
		t.Errorf("rank 150 has moved, and there is a story")
	}
	k.TS++
	if r.round.places.Moved = []message.Key{k}; q.story(r.search.state, r.round.places.Moved, answersTo(q)) == nil {
		t.Errorf("nobody has moved, and there is no story")
	}
}

// TestWordsOfALargeFindingNameAllRanks: who has no place is in the words.
func TestWordsOfALargeFindingNameAllRanks(t *testing.T) {
	r, q := stuck(t, 5000, func(op.Rank) op.Rank { return op.AnySource })
	got := q.story(r.search.state, r.round.places.Moved, answersTo(q)).Finding().Sentence
	if want := "Ranks 0-4999 wait for each other: each waits for a message from any rank, and none of them " +
		"sends one."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

package message

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// waits are what threads of a few ranks wait for: some of them alike, or alike from where they are.
var waits = rapid.Custom(func(t *rapid.T) []Wait {
	var list []Wait
	for r := range op.Rank(rapid.IntRange(1, 12).Draw(t, "ranks")) {
		for i := range rapid.IntRange(1, 2).Draw(t, "threads") {
			w := Wait{Rank: r, Thread: op.Thread(i), State: Blocked, Evidence: rapid.Bool().Draw(t, "evidence")}
			w.Real = waitstate.Wait{Rank: r, Thread: w.Thread, TS: uint64(rapid.IntRange(1, 2).Draw(t, "ts"))}
			for range rapid.IntRange(0, 2).Draw(t, "needs") {
				n := waitstate.Need{Kind: waitstate.NeedMessage, Tag: int32(rapid.IntRange(0, 1).Draw(t, "tag"))}
				switch rapid.IntRange(0, 3).Draw(t, "whom") {
				case 0:
					n.Rank = op.AnySource
				case 1:
					n.Rank = 3
				case 2:
					n.Rank = r + 1
				case 3:
					n.Rank, n.Origin = max(r-2, 0), &waitstate.Origin{Rank: r, Thread: w.Thread, TS: 1}
				}
				w.Real.Needs = append(w.Real.Needs, n)
			}
			w.Strict.Rank = r
			if rapid.Bool().Draw(t, "strict") {
				w.HasStrict, w.Strict = true, w.Real
			}
			list = append(list, w)
		}
	}
	return list
})

// TestFoldingLosesNothing: threads that are folded by some agents, and again on the way up, are what they were.
func TestFoldingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := waits.Draw(t, "waits")
		agents := make([]Folder, rapid.IntRange(1, 4).Draw(t, "agents"))
		for _, w := range list {
			agents[rapid.IntRange(0, len(agents)-1).Draw(t, "agent")].Add(w)
		}
		var above Folder
		for _, i := range rapid.Permutation([]int{0, 1, 2, 3}[:len(agents)]).Draw(t, "order") {
			for _, f := range agents[i].Folds {
				above.Join(f)
			}
		}
		var got []Wait
		for _, f := range above.Folds {
			f.Each(func(w Wait) { got = append(got, w) })
		}
		slices.SortFunc(got,
			func(a, b Wait) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread)) })
		if !reflect.DeepEqual(got, list) {
			t.Fatalf("got  %+v\nwant %+v", got, list)
		}
	})
}

// TestALargeDeadlockFoldsToItsShape: what many wait for alike takes the room of one; a ring takes that of two, as it
// closes somewhere.
func TestALargeDeadlockFoldsToItsShape(t *testing.T) {
	const size = 1000
	for name, c := range map[string]struct {
		whom func(op.Rank) op.Rank
		want int
	}{
		"any":     {func(op.Rank) op.Rank { return op.AnySource }, 1},
		"one":     {func(op.Rank) op.Rank { return 7 }, 1},
		"a ring":  {func(r op.Rank) op.Rank { return (r + 1) % size }, 2},
		"in twos": {func(r op.Rank) op.Rank { return r ^ 1 }, 2},
	} {
		var x Folder
		for r := range op.Rank(size) {
			x.Add(Wait{Rank: r, State: Blocked, Real: waitstate.Wait{Rank: r, TS: 5,
				Needs: []waitstate.Need{{Rank: c.whom(r)}}}})
		}
		if len(x.Folds) != c.want {
			t.Errorf("%s: %d folds, want %d", name, len(x.Folds), c.want)
		}
	}
}

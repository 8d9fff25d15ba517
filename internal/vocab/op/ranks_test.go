package op

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// lists are ranks as communicators have them: pieces that ascend in steps, in any order, some of them outside of
// MPI_COMM_WORLD.
var lists = rapid.Custom(func(t *rapid.T) (list []Rank) {
	for range rapid.IntRange(0, 4).Draw(t, "pieces") {
		if rapid.IntRange(0, 9).Draw(t, "outside") == 0 {
			list = append(list, Unknown)
			continue
		}
		x, step := Rank(rapid.IntRange(0, 40).Draw(t, "first")), Rank(rapid.IntRange(-1, 4).Draw(t, "step"))
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			if x >= 0 {
				list = append(list, x)
			}
			x += step
		}
	}
	return list
})

// sets are sets of ranks.
var sets = rapid.Map(lists, func(list []Rank) []Rank {
	list = slices.DeleteFunc(list, func(r Rank) bool { return r < 0 })
	slices.Sort(list)
	return slices.Compact(list)
})

func TestRanksAreTheirList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := lists.Draw(t, "list")
		s := RanksOf(list...)
		if got := s.List(); !slices.Equal(got, list) || s.Len() != len(list) {
			t.Fatalf("%v are %v, %d of them", list, got, s.Len())
		}
		for i, x := range list {
			if s.At(i) != x {
				t.Fatalf("%v: at %d is %d", list, i, s.At(i))
			}
		}
		for x := Unknown; x < 70; x++ {
			if s.Index(x) != slices.Index(list, x) {
				t.Fatalf("%v: %d is at %d", list, x, s.Index(x))
			}
		}
		for _, r := range s.Runs {
			if !r.Valid() {
				t.Fatalf("%v has the run %v", list, r)
			}
		}
		if len(list) > 0 && s.Lowest() != slices.Min(list) {
			t.Fatalf("%v: lowest %d", list, s.Lowest())
		}
		other := lists.Draw(t, "other")
		if got := s.Then(RanksOf(other...)).List(); !slices.Equal(got, slices.Concat(list, other)) {
			t.Fatalf("%v and then %v are %v", list, other, got)
		}
	})
}

func TestSetsOfRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sets.Draw(t, "a"), sets.Draw(t, "b")
		both := append(slices.Clone(a), b...)
		slices.Sort(both)
		all := slices.Compact(slices.Clone(both))
		u := RanksOf(a...).Union(RanksOf(b...))
		if !slices.Equal(u.List(), all) {
			t.Fatalf("%v and %v together are %v", a, b, u.List())
		}
		if n := RanksOf(a...).Count(RanksOf(b...)); n != len(both)-len(all) {
			t.Fatalf("%v and %v have %d in common", a, b, n)
		}
		if c := RanksOf(b...).Union(u); !slices.Equal(c.List(), all) {
			t.Fatalf("%v added again gives %v", b, c.List())
		}
	})
}

// TestALargeJobIsOneRun: however the ranks of a job are spread over agents, all of them together take no more than a
// few.
func TestALargeJobIsOneRun(t *testing.T) {
	const size, agents = 4096, 16
	blocks, turns := Ranks{}, Ranks{}
	for a := range Rank(agents) {
		blocks = blocks.Union(Between(a*size/agents, (a+1)*size/agents-1))
		var list []Rank
		for r := a; r < size; r += agents {
			list = append(list, r)
		}
		if one := RanksOf(list...); len(one.Runs) != 1 {
			t.Errorf("each %dth rank is %v", agents, one)
		}
		turns = turns.Union(RanksOf(list...))
	}
	for _, s := range []Ranks{blocks, turns, FirstRanks(size)} {
		if len(s.Runs) != 1 || s.Len() != size {
			t.Errorf("%d ranks are %v", size, s)
		}
	}
}

func TestARankThatIsThereTwiceIsFound(t *testing.T) {
	for _, x := range []struct {
		list   []Rank
		repeat bool
	}{
		{nil, false}, {[]Rank{3}, false}, {[]Rank{0, 2, 4, 5, 9}, false}, {[]Rank{5, 4, 3, 0}, false},
		{[]Rank{0, 1, 1}, true}, {[]Rank{4, 0, 2, 4}, true}, {[]Rank{7, 8, 9, 1, 3, 5, 7}, true},
		{[]Rank{-1, -1}, false},
	} {
		if got := RanksOf(x.list...).Repeat(); got != x.repeat {
			t.Errorf("%v: %v", x.list, got)
		}
	}
}

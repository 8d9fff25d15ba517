package buffers

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/check/used"
)

func TestIntervalsFindWhatMeetsTheBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s intervals
		var all []*node
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(all) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				i := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				s.remove(all[i])
				all = slices.Delete(all, i, i+1)
				continue
			}
			from := rapid.Int64Range(0, 30).Draw(t, "from")
			a := &node{Area: used.Area{From: from, To: from + rapid.Int64Range(1, 10).Draw(t, "length")}}
			s.add(a)
			all = append(all, a)
		}
		from := rapid.Int64Range(0, 30).Draw(t, "from")
		to := from + rapid.Int64Range(1, 10).Draw(t, "length")
		var want []*node
		for _, a := range all {
			if a.From < to && from < a.To {
				want = append(want, a)
			}
		}
		var found [100]*node
		n := s.meeting(from, to, found[:])
		if n != len(want) || s.n != len(all) {
			t.Fatalf("found %d of %d in a set of %d, want %d", n, len(want), s.n, len(all))
		}
		for _, a := range found[:n] {
			if !slices.Contains(want, a) {
				t.Fatalf("found [%d,%d), which does not meet [%d,%d)", a.From, a.To, from, to)
			}
		}
		if few := s.meeting(from, to, found[:3]); few != min(n, 3) {
			t.Fatalf("found %d with room for three of %d", few, n)
		}
	})
}

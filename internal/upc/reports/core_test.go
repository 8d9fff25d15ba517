package reports

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/upc/layout"
)

// TestTheCoreIsACircleOfLocks: of several circles it is that with the lowest thread, also where another one is smaller;
// threads that wait for a member are not in it; where there is no circle, all threads are.
func TestTheCoreIsACircleOfLocks(t *testing.T) {
	const barrier, unknown = -2, -1
	for _, c := range []struct{ waited, want []int }{
		{[]int{1, 0}, []int{0, 1}},
		{[]int{1, 2, 1}, []int{1, 2}},
		{[]int{1, 2, 0, 4, 3}, []int{0, 1, 2}},
		{[]int{barrier, 2, 1, 3}, []int{1, 2}},
		{[]int{barrier, 1}, []int{1}},
		{[]int{1, unknown, barrier}, []int{0, 1, 2}},
		{[]int{1, 2, barrier}, []int{0, 1, 2}},
	} {
		if got := slices.Sorted(maps.Keys(core(atLocks(c.waited)))); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.waited, got, c.want)
		}
	}
}

// TestTheCoreIsThatOfFollowingEachLock compares cores of random threads with what following each lock gives.
func TestTheCoreIsThatOfFollowingEachLock(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		waited := make([]int, 1+random.IntN(9))
		for i := range waited {
			waited[i] = random.IntN(len(waited)+2) - 2
		}
		if got, want := slices.Sorted(maps.Keys(core(atLocks(waited)))), followed(waited); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", waited, got, want)
		}
	}
}

// atLocks are threads that wait for the holders of locks: -1 is one that is not known, -2 a thread at a barrier.
func atLocks(waited []int) []wait {
	now := make([]wait, len(waited))
	for i, w := range waited {
		now[i].thread, now[i].kind, now[i].waited = i, layout.AtLock, w
		if w < -1 {
			now[i].kind = layout.AtBarrier
		}
	}
	return now
}

// followed is the first circle found from each thread in turn, or all threads.
func followed(waited []int) []int {
	all := make([]int, len(waited))
	for i := range waited {
		all[i] = i
		circle := []int{i}
		for t := waited[i]; t >= 0 && len(circle) <= len(waited); t = waited[t] {
			if t == i {
				slices.Sort(circle)
				return circle
			}
			circle = append(circle, t)
		}
	}
	return all
}

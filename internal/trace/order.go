package trace

import (
	"cmp"
	"slices"

	"unknot/internal/vocab/op"
)

// Ordered are threads in the order of a log, and one for each of so many ranks that has none. Waits name threads by
// their places, so a thread is in one list only.
func Ordered(threads []Thread, ranks int) []Thread {
	seen := make([]bool, ranks)
	for i := range threads {
		seen[threads[i].Rank] = true
	}
	for r, ok := range seen {
		if !ok {
			threads = append(threads, Thread{Rank: op.Rank(r)})
		}
	}
	order := make([]uint32, len(threads)) // old places by new ones
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(x, y uint32) int {
		t, u := &threads[x], &threads[y]
		return cmp.Or(cmp.Compare(t.Rank, u.Rank), cmp.Compare(t.Index, u.Index))
	})
	place := make([]uint32, len(order)) // new places by old ones
	out := make([]Thread, len(order))
	for at, n := range order {
		place[n], out[at] = uint32(at), threads[n]
	}
	for i := range out {
		for j := range out[i].Waits {
			w := &out[i].Waits[j]
			w.Thread = place[w.Thread]
		}
	}
	return out
}

package explore

import "math/rand/v2"

// randomly chooses among runs, the same way for the same seed.
type randomly struct{ *rand.Rand }

func newRandomly(seed uint64) *randomly { return &randomly{rand.New(rand.NewPCG(seed, 0))} }

func (r *randomly) pick(queue []*item, working map[int]bool) *item {
	var free []*item
	for _, it := range queue {
		if !working[it.ID] {
			free = append(free, it)
		}
	}
	return free[r.IntN(len(free))]
}

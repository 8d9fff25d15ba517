package explore

import "math/rand/v2"

// pick is the run of the queue that is made before all others but those that are left out; nil if there is none.
func (x *explorer) pick(out func(*item) bool) *item {
	var best *item
	for _, it := range x.state.queue {
		if !out(it) && (best == nil || x.o.sooner(it, best)) {
			best = it
		}
	}
	return best
}

// sooner says whether a run is made before another one: confirmations first, then the newest, which is depth first.
func (o *Options) sooner(a, b *item) bool {
	if urgency(a) != urgency(b) {
		return urgency(a) > urgency(b)
	}
	if o.Strategy == Random && a.Purpose == alternative {
		return o.chance(a) > o.chance(b)
	}
	return a.ID > b.ID
}

// chance is a number for each run, the same for the same seed.
func (o *Options) chance(it *item) uint64 { return rand.NewPCG(o.Seed, uint64(it.ID)).Uint64() }

func urgency(it *item) int {
	switch it.Purpose {
	case observe:
		return 3
	case confirm, lead:
		return 2
	case vary:
		return 1
	}
	return 0
}

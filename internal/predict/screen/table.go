package screen

// selector is what a receive takes, or the communicator, source and tag of a message. -1 is a wildcard.
type selector struct{ comm, source, tag int32 }

// table numbers the selectors of one receiver. It is cleared in constant time, for there are as many receivers as
// ranks.
type table struct {
	keys []selector
	vals []int32
	gens []uint32
	gen  uint32
	n    int
}

// reset empties the table and makes room for n selectors.
func (t *table) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if size > len(t.keys) {
		t.keys, t.vals, t.gens, t.gen = make([]selector, size), make([]int32, size), make([]uint32, size), 0
	}
	t.gen++
	t.n = 0
	if t.gen == 0 {
		clear(t.gens)
		t.gen = 1
	}
}

func (t *table) slot(k selector) int {
	h := uint64(uint32(k.source))*0x9e3779b97f4a7c15 ^ uint64(uint32(k.tag))*0xc2b2ae3d27d4eb4f ^ uint64(
		uint32(k.comm))*0x165667b19e3779f9
	h ^= h >> 32
	mask := len(t.keys) - 1
	i := int(h) & mask
	for t.gens[i] == t.gen && t.keys[i] != k {
		i = (i + 1) & mask
	}
	return i
}

// find gives a selector's number, -1 if it has none.
func (t *table) find(k selector) int32 {
	if i := t.slot(k); t.gens[i] == t.gen {
		return t.vals[i]
	}
	return -1
}

// add gives a selector's number, and a new one if it has none.
func (t *table) add(k selector) (number int32, isNew bool) {
	i := t.slot(k)
	if t.gens[i] == t.gen {
		return t.vals[i], false
	}
	t.keys[i], t.vals[i], t.gens[i] = k, int32(t.n), t.gen
	t.n++
	return t.vals[i], true
}

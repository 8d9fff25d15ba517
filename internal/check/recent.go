package check

// Recent remembers what was judged of calls, by place, parameter and a value: programs repeat calls. What is in the way
// of something new is forgotten.
type Recent struct{ slots [64]uint64 }

func (r *Recent) slot(c *Call, param int, value uint64) (slot *uint64, key uint64) {
	key = c.Site*0x9e3779b97f4a7c15 ^ value*0xbf58476d1ce4e5b9 ^ uint64(param) | 1
	return &r.slots[key>>58], key
}

// Has says whether that of a call is remembered.
func (r *Recent) Has(c *Call, param int, value uint64) bool {
	slot, key := r.slot(c, param, value)
	return *slot == key
}

// Add remembers it.
func (r *Recent) Add(c *Call, param int, value uint64) {
	slot, key := r.slot(c, param, value)
	*slot = key
}

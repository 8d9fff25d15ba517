package objects

// Requests are a rank's requests by handle. MPI libraries hand out the same few handles again and again, so that nearly
// all requests stand in a separate slot, where they cost no search; the others are in a map.
type Requests struct {
	slots  *[requestSlots]requestAt // nil if there are none
	others map[uint64]*Request
}

// requestAt is what a handle stands for.
type requestAt struct {
	handle uint64
	q      *Request // nil if the slot is free
}

// requestSlots is a power of two, given by its logarithm.
const (
	requestBits  = 6
	requestSlots = 1 << requestBits
)

func requestSlot(handle uint64) uint64 { return spread(handle, requestBits) }

// Get is what a handle stands for, nil if nothing.
func (t *Requests) Get(handle uint64) *Request {
	if t.slots == nil {
		return nil
	}
	s := &t.slots[requestSlot(handle)]
	if s.q != nil && s.handle == handle {
		return s.q
	}
	return t.others[handle]
}

// Set makes a handle stand for a request.
func (t *Requests) Set(handle uint64, q *Request) {
	if t.slots == nil {
		t.slots = new([requestSlots]requestAt)
	}
	s := &t.slots[requestSlot(handle)]
	free := s.q == nil && t.others[handle] == nil
	if free || s.q != nil && s.handle == handle {
		s.handle, s.q = handle, q
		return
	}
	if t.others == nil {
		t.others = make(map[uint64]*Request)
	}
	t.others[handle] = q
}

// Drop forgets a handle.
func (t *Requests) Drop(handle uint64) {
	if t.slots == nil {
		return
	}
	s := &t.slots[requestSlot(handle)]
	if s.q != nil && s.handle == handle {
		s.q = nil
		return
	}
	delete(t.others, handle)
}

// Each calls visit for each handle.
func (t *Requests) Each(visit func(q *Request)) {
	if t.slots == nil {
		return
	}
	for i := range t.slots {
		if q := t.slots[i].q; q != nil {
			visit(q)
		}
	}
	for _, q := range t.others {
		visit(q)
	}
}

package agent

// requestTable are a rank's requests by handle. MPI libraries hand out the same few handles again and again, so that nearly all
// requests stand in a slot of their own, where they cost no search; the others are in a map.
type requestTable struct {
	slots [requestSlots]struct {
		handle uint64
		q      *request // nil if the slot is free
	}
	others map[uint64]*request
}

// requestSlots is a power of two, given by its logarithm.
const (
	requestBits  = 6
	requestSlots = 1 << requestBits
)

func requestSlot(handle uint64) uint64 { return handle * 0x9e3779b97f4a7c15 >> (64 - requestBits) }

// get is what a handle stands for, nil if nothing.
func (t *requestTable) get(handle uint64) *request {
	s := &t.slots[requestSlot(handle)]
	if s.q != nil && s.handle == handle {
		return s.q
	}
	return t.others[handle]
}

// set makes a handle stand for a request.
func (t *requestTable) set(handle uint64, q *request) {
	s := &t.slots[requestSlot(handle)]
	free := s.q == nil && t.others[handle] == nil
	if free || s.q != nil && s.handle == handle {
		s.handle, s.q = handle, q
		return
	}
	if t.others == nil {
		t.others = make(map[uint64]*request)
	}
	t.others[handle] = q
}

// drop forgets a handle.
func (t *requestTable) drop(handle uint64) {
	s := &t.slots[requestSlot(handle)]
	if s.q != nil && s.handle == handle {
		s.q = nil
		return
	}
	delete(t.others, handle)
}

// each calls visit for each handle.
func (t *requestTable) each(visit func(q *request)) {
	for i := range t.slots {
		if q := t.slots[i].q; q != nil {
			visit(q)
		}
	}
	for _, q := range t.others {
		visit(q)
	}
}

package agent

// slab hands out zeroed values from small arrays. An agent makes a few objects for every record; taken one by one from
// the allocator they would cost more than all else. A value keeps the others of its array alive, so arrays are short.
type slab[T any] struct{ free []T }

const slabSize = 16

func (s *slab[T]) get() *T {
	if len(s.free) == 0 {
		s.free = make([]T, slabSize)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

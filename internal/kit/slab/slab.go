// Package slab hands out zeroed values from small arrays. An agent makes a few objects for every record; taken one by
// one from the allocator they would cost more than all else. A value keeps the others of its array alive, so arrays are
// short.
package slab

// Slab makes values of a type. The zero Slab is ready.
type Slab[T any] struct {
	fresh []T
	spare []*T
}

// length is that of an array.
const length = 16

// Get returns a zeroed value.
func (s *Slab[T]) Get() *T {
	if n := len(s.spare); n > 0 {
		v := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return v
	}
	if len(s.fresh) == 0 {
		s.fresh = make([]T, length)
	}
	v := &s.fresh[0]
	s.fresh = s.fresh[1:]
	return v
}

// maxSpare bounds the values that are kept for use again.
const maxSpare = 1 << 14

// Put takes back a value that nobody refers to any more. It need not have come from the slab.
func (s *Slab[T]) Put(v *T) {
	if len(s.spare) < maxSpare {
		var zero T
		*v = zero
		s.spare = append(s.spare, v)
	}
}

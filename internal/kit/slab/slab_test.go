package slab

import "testing"

func TestWhatIsPutBackIsHandedOutAgainAsNew(t *testing.T) {
	var s Slab[[2]int]
	first := s.Get()
	for range 3 * length {
		if v := s.Get(); v == first || *v != [2]int{} {
			t.Fatalf("got %v at %p, want a new one", *v, v)
		}
	}
	*first = [2]int{1, 2}
	s.Put(first)
	if v := s.Get(); v != first || *v != [2]int{} {
		t.Errorf("got %v at %p, want zeroes at %p", *v, v, first)
	}
	for range maxSpare + 1 {
		s.Put(new([2]int))
	}
	if n := len(s.spare); n != maxSpare {
		t.Errorf("%d are kept, want %d", n, maxSpare)
	}
}

package objects

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

func TestAHandleThatWasGivenTwiceIsFreedTwice(t *testing.T) {
	r := NewRank(0)
	first, second := Made{Site: 1}, Made{Site: 2}
	r.give(&Object{Kind: mpi.OGroup, Handle: 7, Made: first})
	r.give(&Object{Kind: mpi.OGroup, Handle: 7, Made: second})
	r.free(mpi.OGroup, 7, Made{Site: 3}, 1)
	if !r.Usable(mpi.OGroup, 7) {
		t.Error("the group is gone after one of two has been freed")
	}
	r.free(mpi.OGroup, 7, Made{Site: 4}, 1)
	if r.Usable(mpi.OGroup, 7) {
		t.Error("the group is there after both have been freed")
	}
	if by := r.freed(mpi.OGroup)[7]; by.Site != 4 {
		t.Errorf("it was freed at %d, want 4", by.Site)
	}
	r.make(&Object{Kind: mpi.OGroup, Handle: 7})
	if _, gone := r.freed(mpi.OGroup)[7]; gone || !r.Usable(mpi.OGroup, 7) {
		t.Error("a handle that is used again names nothing")
	}
}

func TestWhatFailedToBeFreedIsThere(t *testing.T) {
	r := NewRank(0)
	comm := &Comm{Handle: 5}
	r.AddComm(comm, false)
	o := r.free(mpi.OComm, 5, Made{}, 1)
	if !comm.Freed || o == nil {
		t.Fatal("the communicator was not freed")
	}
	r.restore(o)
	if comm.Freed || !r.Usable(mpi.OComm, 5) {
		t.Error("the communicator is gone though freeing it failed")
	}
}

func TestFreedObjectsAreForgottenInTheEnd(t *testing.T) {
	r := NewRank(0)
	for h := uint64(1); h <= 10*maxGone; h++ {
		r.make(&Object{Kind: mpi.OType, Handle: h, Committed: true})
		r.Usable(mpi.OType, h)
		r.free(mpi.OType, h, Made{}, 1)
	}
	if n := len(r.freed(mpi.OType)); n > maxGone || len(r.objects[mpi.OType]) != 0 {
		t.Errorf("%d freed datatypes are remembered, %d are held", n, len(r.objects[mpi.OType]))
	}
}

package objects

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

// TestWhatIsMadeAgainIsAsItWasMade makes two datatypes in turns, which have the same handle, and looks at what is known
// of them and of the handle.
func TestWhatIsMadeAgainIsAsItWasMade(t *testing.T) {
	const handle = 7
	free := Made{Func: &mpi.Func{Name: "MPI_Type_free"}, Site: 9}
	r := NewRank(0)
	known := func(site, likeness uint64) *Again {
		r.make(&Object{Kind: mpi.OType, Handle: handle, Committed: true, Made: Made{Site: site}, Size: int64(site),
			likeness: likeness})
		x := r.Known(mpi.OType, handle)
		if x == nil {
			t.Fatal("nothing is known of what was made")
		}
		return x
	}
	first := known(1, 100)
	r.free(mpi.OType, handle, free, 1)
	second := known(2, 200)
	is := func(what string, site uint64) {
		t.Helper()
		o := r.Object(mpi.OType, handle)
		if o == nil || o.Made.Site != site || o.Size != int64(site) || !o.Committed || o.Refs != 1 ||
			!r.Usable(mpi.OType, handle) || r.typeOf(handle) != o {
			t.Errorf("%s: %+v, want the object made at %d", what, o, site)
		}
		if want := o.likeness; want != 100*site {
			t.Errorf("%s: it counts as the datatype of likeness %d", what, want)
		}
		if _, gone := r.FreedBy(mpi.OType, handle); gone {
			t.Errorf("%s: it is freed", what)
		}
	}
	second.Make(handle, free, 1)
	is("the same one", 2)
	changes := r.TypeChanges
	second.Make(handle, free, 1)
	if is("the same one again", 2); r.TypeChanges != changes {
		t.Error("nothing has changed, and it counts as a change")
	}
	first.Make(handle, free, 1)
	if is("the other one", 1); r.TypeChanges == changes {
		t.Error("another datatype does not count as a change")
	}
	r.free(mpi.OType, handle, free, 1)
	first.Make(0, Made{}, 1)
	is("after its end was told", 1)
	r.Object(mpi.OType, handle).Attributed = true
	second.Make(handle, free, 1)
	if is("after one with an attribute", 2); !r.Callbacks {
		t.Error("freeing a datatype with an attribute may call a function of the program")
	}
	first.Make(handle, free, 1)
	if is("the first one", 1); r.Object(mpi.OType, handle).Attributed {
		t.Error("what is made again has no attribute")
	}
	first.Make(0, Made{}, 1)
	is("whose end nobody saw", 1)
	const other = 8
	r.make(&Object{Kind: mpi.OType, Handle: other, Committed: true})
	first.Make(other, free, 1)
	if by, gone := r.FreedBy(mpi.OType, other); !gone || by != free || r.Usable(mpi.OType, other) {
		t.Error("the datatype of the other handle is not freed")
	}
	r.Object(mpi.OType, handle).Refs++
	if r.Known(mpi.OType, handle) != nil || r.Known(mpi.OType, other) != nil {
		t.Error("what has two references, or is gone, cannot be made again as it was")
	}
}

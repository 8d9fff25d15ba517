package usage

import (
	"testing"

	"unknot/internal/mpi"
)

func TestAHandleThatWasGivenTwiceIsFreedTwice(t *testing.T) {
	r := NewRank(0)
	first, second := Made{Site: 1}, Made{Site: 2}
	r.give(&Object{Kind: mpi.OGroup, Handle: 7, Made: first})
	r.give(&Object{Kind: mpi.OGroup, Handle: 7, Made: second})
	r.free(mpi.OGroup, 7, Made{Site: 3})
	if !r.usable(mpi.OGroup, 7) {
		t.Error("the group is gone after one of two has been freed")
	}
	r.free(mpi.OGroup, 7, Made{Site: 4})
	if r.usable(mpi.OGroup, 7) {
		t.Error("the group is there after both have been freed")
	}
	if by := r.gone[mpi.OGroup][7]; by.Site != 4 {
		t.Errorf("it was freed at %d, want 4", by.Site)
	}
	r.make(&Object{Kind: mpi.OGroup, Handle: 7})
	if _, gone := r.gone[mpi.OGroup][7]; gone || !r.usable(mpi.OGroup, 7) {
		t.Error("a handle that is used again names nothing")
	}
}

func TestWhatFailedToBeFreedIsThere(t *testing.T) {
	r := NewRank(0)
	comm := &Comm{Handle: 5}
	r.AddComm(comm, "")
	o := r.free(mpi.OComm, 5, Made{})
	if !comm.freed || o == nil {
		t.Fatal("the communicator was not freed")
	}
	r.restore(o)
	if comm.freed || !r.usable(mpi.OComm, 5) {
		t.Error("the communicator is gone though freeing it failed")
	}
}

func TestACommunicatorWhoseRequestMayHaveFailedIsNoLeak(t *testing.T) {
	f := feed(t)
	var on Selection
	if err := on.Add("leak-comm", true); err != nil {
		t.Fatal(err)
	}
	f.watch = New(f.table, on)
	f.rank.Certain = func() bool { return true }
	f.rank.AddComm(&Comm{Handle: 5, Made: Made{f.table.ByName("MPI_Comm_idup"), 1}}, "")
	for _, failed := range []bool{true, false} {
		f.rank.lost = failed
		leaks()[0].look(f.rank, &Call{Func: f.table.ByName("MPI_Finalize"), Rank: f.rank, watch: f.watch})
		if told := len(f.watch.Reports) > 0; told == failed {
			t.Errorf("a wait has failed: %v; the communicator is told: %v", failed, told)
		}
	}
}

func TestFreedObjectsAreForgottenInTheEnd(t *testing.T) {
	r := NewRank(0)
	for h := uint64(1); h <= 10*maxGone; h++ {
		r.make(&Object{Kind: mpi.OType, Handle: h, Committed: true})
		r.usable(mpi.OType, h)
		r.free(mpi.OType, h, Made{})
	}
	if n := len(r.gone[mpi.OType]); n > maxGone || len(r.objects[mpi.OType]) != 0 {
		t.Errorf("%d freed datatypes are remembered, %d are held", n, len(r.objects[mpi.OType]))
	}
}

func TestAPartitionIsHandedOverOnce(t *testing.T) {
	p := &Partitions{Count: 200}
	for _, n := range []int64{0, 63, 64, 199} {
		if p.give(n) {
			t.Errorf("partition %d was handed over before", n)
		}
	}
	if !p.give(64) {
		t.Error("partition 64 may be handed over twice")
	}
}

func TestOperatorsFitTheirDatatypes(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	op := func(name string) *Object { return &Object{Kind: mpi.OOp, Name: name, Predefined: name != ""} }
	typ := func(name string) *Object { return &Object{Kind: mpi.OType, Name: name, Predefined: name != ""} }
	for _, c := range []struct {
		op, typ string
		remote  bool
		fits    bool
	}{
		{"MPI_SUM", "MPI_INT", false, true},
		{"MPI_SUM", "MPI_CHAR", false, false},
		{"MPI_SUM", "MPI_DOUBLE_COMPLEX", false, true},
		{"MPI_MAX", "MPI_DOUBLE_COMPLEX", false, false},
		{"MPI_BAND", "MPI_BYTE", false, true},
		{"MPI_BAND", "MPI_DOUBLE", false, false},
		{"MPI_LAND", "MPI_C_BOOL", false, true},
		{"MPI_MAXLOC", "MPI_DOUBLE_INT", false, true},
		{"MPI_MAXLOC", "MPI_DOUBLE", false, false},
		{"MPI_SUM", "", false, false}, // a derived datatype
		{"MPI_SUM", "", true, true},
		{"", "", false, true}, // an operator of the program's own
		{"", "MPI_INT", true, false},
		{"MPI_REPLACE", "MPI_INT", true, true},
		{"MPI_REPLACE", "MPI_INT", false, false},
		{"MPI_SUM", "MPI_SOMETHING_NEW", false, true},
	} {
		if why := misfit(table, op(c.op), typ(c.typ), c.remote); (why == "") != c.fits {
			t.Errorf("%q on %q (one-sided %v): %q, want fitting %v", c.op, c.typ, c.remote, why, c.fits)
		}
	}
}

package handles

import (
	"testing"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

func TestOperatorsFitTheirDatatypes(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	op := func(name string) *objects.Object {
		return &objects.Object{Kind: mpi.OOp, Name: name, Predefined: name != ""}
	}
	typ := func(name string) *objects.Object {
		return &objects.Object{Kind: mpi.OType, Name: name, Predefined: name != ""}
	}
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

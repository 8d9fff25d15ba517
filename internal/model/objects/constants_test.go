package objects

import (
	"testing"

	"unknot/internal/vocab/mpi"
)

// TestConstantsHaveTheValuesOfTheLibrary sets the constants as a library's probe reports them.
func TestConstantsHaveTheValuesOfTheLibrary(t *testing.T) {
	x := newScript(t)
	l := &x.Limits
	for _, c := range []struct {
		name string
		got  int64
	}{
		{"MPI_ANY_SOURCE", l.AnySource}, {"MPI_ANY_TAG", l.AnyTag}, {"MPI_PROC_NULL", l.ProcNull}, {"MPI_ROOT", l.Root},
		{"MPI_UNDEFINED", l.Undefined}, {"MPI_BSEND_OVERHEAD", l.BsendOverhead},
		{"MPI_LOCK_EXCLUSIVE", l.LockExclusive}, {"MPI_THREAD_SINGLE", l.Single}, {"MPI_THREAD_FUNNELED", l.Funneled},
		{"MPI_THREAD_SERIALIZED", l.Serialized}, {"MPI_THREAD_MULTIPLE", l.Multiple},
		{"MPI_ORDER_FORTRAN", l.Arrays.Fortran}, {"MPI_DISTRIBUTE_NONE", l.Arrays.None},
		{"MPI_DISTRIBUTE_BLOCK", l.Arrays.Block}, {"MPI_DISTRIBUTE_CYCLIC", l.Arrays.Cyclic},
		{"MPI_DISTRIBUTE_DFLT_DARG", l.Arrays.Choose}, {"MPI_ERR_TRUNCATE", l.ErrTruncate},
		{"MPI_IN_PLACE", int64(l.InPlace)}, {"MPI_BOTTOM", int64(l.Bottom)}, {"MPI_COMM_WORLD", int64(l.World)},
		{"MPI_COMM_SELF", int64(l.Self)}, {"MPI_BUFFER_AUTOMATIC", int64(l.BufferAutomatic)},
	} {
		is(t, c.name, c.got, int64(x.names[c.name]))
	}
	for _, name := range []string{"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"} {
		name = "MPI_THREAD_" + name
		is(t, name, l.LevelName(int64(x.names[name])), name)
	}
	is(t, "an unknown level", l.LevelName(-1), "a lower thread level than that needs")
	is(t, "levels are known", l.LevelKnown, true)
	is(t, "before, they are not", NewRank(0).Limits.LevelKnown, false)
	v, known := x.Constant("MPI_MODE_NOPUT")
	is(t, "MPI_MODE_NOPUT", v, int64(x.names["MPI_MODE_NOPUT"]))
	is(t, "MPI_MODE_NOPUT is known", known, true)
	_, known = x.Constant("MPI_MODE_NOSUCH")
	is(t, "one that is no constant is known", known, false)
}

// TestPredefinedObjectsAreUsable looks up the objects that MPI has from the start.
func TestPredefinedObjectsAreUsable(t *testing.T) {
	x := newScript(t)
	for name, kind := range map[string]mpi.Object{"MPI_INT": mpi.OType, "MPI_SUM": mpi.OOp, "MPI_INFO_ENV": mpi.OInfo,
		"MPI_GROUP_EMPTY": mpi.OGroup, "MPI_ERRORS_RETURN": mpi.OErrhandler, "MPI_TAG_UB": mpi.OKeyval} {
		is(t, name, x.Usable(kind, x.names[name]), true)
		is(t, name+": name", x.Name(kind, x.names[name]), name)
		is(t, name+": null", x.Null(kind, x.names[name]), false)
	}
	for name, kind := range map[string]mpi.Object{"MPI_DATATYPE_NULL": mpi.OType, "MPI_OP_NULL": mpi.OOp,
		"MPI_COMM_NULL": mpi.OComm, "MPI_REQUEST_NULL": mpi.ORequest} {
		is(t, name, x.Usable(kind, x.names[name]), false)
		is(t, name+": name", x.Name(kind, x.names[name]), name)
		is(t, name+": null", x.Null(kind, x.names[name]), true)
	}
	is(t, "MPI_COMM_WORLD: name", x.Name(mpi.OComm, x.value("world")), "MPI_COMM_WORLD")
	x.addComm("named", &Comm{Name: "set by the program"}, false)
	is(t, "a communicator of the program: name", x.Name(mpi.OComm, x.value("named")), "")
	is(t, "a communicator is reported with its members", x.Usable(mpi.OComm, x.names["MPI_COMM_SELF"]), false)
	is(t, "a handle that nobody knows", x.Name(mpi.OComm, 1234), "")
	x.run("MPI_Type_contiguous 2 MPI_INT -> v/8")
	is(t, "a datatype that is not committed", x.Usable(mpi.OType, x.value("v")), false)
	x.run("MPI_Type_commit v ->")
	is(t, "once it is committed", x.Usable(mpi.OType, x.value("v")), true)
	is(t, "asked again", x.Usable(mpi.OType, x.value("v")), true)
	x.run("MPI_Type_free v ->")
	is(t, "once it is freed", x.Usable(mpi.OType, x.value("v")), false)
}

// TestALibraryMayLackConstants reports all-ones for some: that is the value -1 of a number, and no object.
func TestALibraryMayLackConstants(t *testing.T) {
	x := newScript(t)
	words := x.constants()
	for i, c := range x.table.Constants() {
		switch c.Name {
		case "MPI_INFO_ENV", "MPI_SUM", "MPI_ANY_SOURCE", "MPI_IN_PLACE", "MPI_ERR_TRUNCATE", "MPI_MODE_NOPUT",
			"MPI_TAG_UB":
			words[i] = ^uint64(0)
		case "MPI_PROC_NULL":
			words[i] = 0xfffffffe // an int of 32 bits
		}
	}
	r := NewRank(0)
	r.SetConstants(x.table, words)
	is(t, "MPI_ANY_SOURCE", r.Limits.AnySource, -1)
	is(t, "MPI_PROC_NULL", r.Limits.ProcNull, -2)
	is(t, "MPI_IN_PLACE", r.Limits.InPlace, ^uint64(0))
	is(t, "MPI_ERR_TRUNCATE", r.Limits.ErrTruncate, 0)
	_, known := r.Constant("MPI_MODE_NOPUT")
	is(t, "MPI_MODE_NOPUT is known", known, false)
	is(t, "info objects", r.Number(mpi.OInfo), 0)
	is(t, "an operator that the library lacks", r.Fold(^uint64(0)), 0)
	is(t, "an attribute key that it lacks", r.Usable(mpi.OKeyval, ^uint64(0)), false)
	short := NewRank(0)
	short.SetConstants(x.table, words[:3]) // of a probe that knows fewer
	is(t, "after a short record", short.Number(mpi.OType), 0)
	is(t, "levels after a short record", short.Limits.LevelKnown, false)
}

// TestOperatorsAreTheSameInAllRanks compares what stands for operators in two libraries.
func TestOperatorsAreTheSameInAllRanks(t *testing.T) {
	x := newScript(t)
	words := x.constants()
	for i := range words {
		words[i] += 5000
	}
	other := NewRank(1)
	other.SetConstants(x.table, words)
	sum, most := x.names["MPI_SUM"], x.names["MPI_MAX"]
	is(t, "MPI_SUM in two libraries", x.Fold(sum), other.Fold(sum+5000))
	is(t, "MPI_SUM and MPI_MAX", x.Fold(sum) == x.Fold(most), false)
	is(t, "MPI_SUM and a user-defined one", x.Fold(sum) == x.Fold(1234), false)
	is(t, "two user-defined ones", x.Fold(1234), x.Fold(1235))
}

// TestRanksOfOneLibraryShareItsConstants gives ranks the same values and others.
func TestRanksOfOneLibraryShareItsConstants(t *testing.T) {
	x := newScript(t)
	words := x.constants()
	var same Known
	rank := func(words []uint64) *Rank {
		r := NewRank(0)
		r.Same = &same
		r.SetConstants(x.table, words)
		return r
	}
	first, second := rank(words), rank(words)
	is(t, "equal values are kept once", first.Limits.Values == second.Limits.Values, true)
	is(t, "objects are of each rank", second.Usable(mpi.OType, x.names["MPI_INT"]), true)
	words[3]++
	third := rank(words)
	is(t, "other values", third.Limits.AnySource, first.Limits.AnySource+1)
}

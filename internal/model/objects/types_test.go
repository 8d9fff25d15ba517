package objects

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// TestADatatypeLiesInMemoryAsItsCallSays gives for the datatype v that a call makes where its elements are, and from
// where to where it extends. An empty answer stands for one of which something is not known.
func TestADatatypeLiesInMemoryAsItsCallSays(t *testing.T) {
	const unknown = ""
	for _, c := range []struct{ call, want string }{
		{"MPI_Type_contiguous 3 MPI_INT -> v/12", "at 0 4 8, from 0 to 12"},
		{"MPI_Type_contiguous 0 MPI_INT -> v/0", "at, from 0 to 0"},
		{"MPI_Type_contiguous -1 MPI_INT -> v/0", unknown},
		{"MPI_Type_contiguous 3 what -> v/12", unknown},
		{"MPI_Type_contiguous 3 MPI_INT -> v/8", unknown}, // the library says something else
		{"MPI_Type_vector 2 2 3 MPI_INT -> v/16", "at 0 4 12 16, from 0 to 20"},
		{"MPI_Type_vector 2 1 -3 MPI_INT -> v/8", "at 0 -12, from -12 to 4"},
		{"MPI_Type_create_hvector 2 1 6 MPI_CHAR -> v/2", "at 0 6, from 0 to 7"},
		{"MPI_Type_indexed 2 [2 1] [4 0] MPI_INT -> v/12", "at 16 20 0, from 0 to 24"},
		{"MPI_Type_indexed 2 [2] [4 0] MPI_INT -> v/12", unknown}, // an array that is cut off
		{"MPI_Type_create_hindexed 2 [1 1] [6 1] MPI_CHAR -> v/2", "at 6 1, from 1 to 7"},
		{"MPI_Type_create_indexed_block 2 2 [3 0] MPI_INT -> v/16", "at 12 16 0 4, from 0 to 20"},
		{"MPI_Type_create_hindexed_block 2 1 [3 0] MPI_CHAR -> v/2", "at 3 0, from 0 to 4"},
		{"MPI_Type_create_struct 2 [1 2] [0 8] [MPI_INT MPI_DOUBLE] -> v/20", "at 0 8 16, from 0 to 24"},
		{"MPI_Type_create_struct 2 [1 2] [0 8] [MPI_INT what] -> v/20", unknown},
		{"MPI_Type_create_struct 3 [1 2] [0 8] [MPI_INT MPI_DOUBLE] -> v/20", unknown},
		{"MPI_Type_create_subarray 2 [2 3] [2 1] [0 1] MPI_ORDER_C MPI_INT -> v/8", "at 4 16, from 0 to 24"},
		{"MPI_Type_create_subarray 2 [2 3] [2 1] [0 1] MPI_ORDER_FORTRAN MPI_INT -> v/8", "at 8 12, from 0 to 24"},
		{"MPI_Type_create_resized MPI_INT -4 16 -> v/4", "at 0, from -4 to 12"},
		{"MPI_Type_dup MPI_DOUBLE -> v/8", "at 0, from 0 to 8"},
		{"MPI_Type_create_darray 2 1 1 [5] [MPI_DISTRIBUTE_BLOCK] [MPI_DISTRIBUTE_DFLT_DARG] [2] MPI_ORDER_C " +
			"MPI_INT -> v/8", "at 12 16, from 0 to 20"},
		{"MPI_Type_create_darray 2 1 1 [5] [MPI_DISTRIBUTE_CYCLIC] [MPI_DISTRIBUTE_DFLT_DARG] [2] MPI_ORDER_C " +
			"MPI_INT -> v/8", "at 4 12, from 0 to 20"},
		{"MPI_Type_create_darray 2 0 1 [5] [MPI_DISTRIBUTE_CYCLIC] [2] [2] MPI_ORDER_C MPI_INT -> v/12",
			"at 0 4 16, from 0 to 20"},
		{"MPI_Type_create_darray 1 0 1 [2] [MPI_DISTRIBUTE_NONE] [MPI_DISTRIBUTE_DFLT_DARG] [1] MPI_ORDER_C " +
			"MPI_INT -> v/8", "at 0 4, from 0 to 8"},
		{"MPI_Type_create_darray 1 0 1 [2] [77] [MPI_DISTRIBUTE_DFLT_DARG] [1] MPI_ORDER_C MPI_INT -> v/8", unknown},
		{"MPI_Type_create_f90_real 6 30 -> v/4", "at 0, from 0 to 4"},
		{"MPI_Type_create_f90_complex 6 30 -> v/8", "at 0, from 0 to 8"},
		{"MPI_Type_create_f90_integer 4 -> v/2", "at 0, from 0 to 2"},
		{"MPI_Type_create_f90_integer 4 -> v/0", unknown},
		{"MPI_Type_match_size 1 4 -> v", unknown},
	} {
		x := newScript(t)
		x.call(c.call)
		is(t, c.call, layout(x.Type(x.value("v"))), c.want)
		x.Models = make(Models)
		x.call(c.call)
		is(t, c.call+", sharing models", layout(x.Type(x.value("v"))), c.want)
	}
}

// layout is where the elements of a datatype are.
func layout(t *datatype.Type) string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("at")
	for n := range t.Elements() {
		_, _, offset := t.Element(1, n)
		fmt.Fprint(&b, " ", offset)
	}
	return fmt.Sprintf("%s, from %d to %d", b.String(), t.LB(), t.UB())
}

// TestComplexTypesAreAlignedAsTheirParts compares the Fortran types that MPI chooses by their precision.
func TestComplexTypesAreAlignedAsTheirParts(t *testing.T) {
	x := newScript(t)
	x.run("MPI_Type_create_f90_real 15 300 -> r/8\nMPI_Type_create_f90_complex 15 300 -> c/16")
	is(t, "real", x.Type(x.value("r")).Align(), 8)
	is(t, "complex", x.Type(x.value("c")).Align(), 8)
	is(t, "real, by name", x.Type(x.value("r")).Name(), "MPI_REAL8")
}

// TestPredefinedDatatypesAreReportedByTheirSizes takes in what a process says of the datatypes of its library.
func TestPredefinedDatatypesAreReportedByTheirSizes(t *testing.T) {
	x := newScript(t)
	long := x.value("MPI_LONG")
	is(t, "size before", x.Size(long), -1)
	is(t, "model before", x.Type(long), nil)
	before := x.Rank.Changes
	x.Basic(long, 8, 8, 8)
	is(t, "counts as a change", x.Rank.Changes != before, true)
	is(t, "size", x.Size(long), 8)
	is(t, "model", layout(x.Type(long)), "at 0, from 0 to 8")
	other := newScript(t)
	other.Basics = x.Basics
	other.Basic(long, 8, 8, 8)
	is(t, "the model of another rank that shares basics", other.Type(long), x.Type(long))
	other.Basic(long, 4, 4, 4)
	is(t, "with another size", layout(other.Type(long)), "at 0, from 0 to 4")
	is(t, "size of what is unknown", x.Size(1234), -1)
	x.run("MPI_Type_contiguous 2 MPI_INT -> v/8")
	x.Basic(x.value("v"), 3, 3, 1)
	is(t, "a derived datatype is none of them", x.Size(x.value("v")), 8)
	x.SetSize(x.value("v"), 5)
	x.SetSize(1234, 5)
	is(t, "the size that a process reports", x.Size(x.value("v")), 5)
	is(t, "a datatype that a library lacks", x.Predefine(mpi.OType, x.value("MPI_DATATYPE_NULL"), "MPI_REAL16"), nil)
	is(t, "one that is added twice", x.Predefine(mpi.OType, long, "other").Name, "MPI_LONG")
}

// TestDatatypesWithManyArgumentsShareNoModel: the arguments of such calls are not compared.
func TestDatatypesWithManyArgumentsShareNoModel(t *testing.T) {
	for call, shared := range map[string]bool{
		"MPI_Type_create_indexed_block 10 1 [0 2 4 6 8 10 12 14 16 18] MPI_INT -> v/40":             true,
		"MPI_Type_create_indexed_block 11 1 [0 2 4 6 8 10 12 14 16 18 20] MPI_INT -> v/44":          false,
		"MPI_Type_create_struct 3 [1 1 1] [0 4 8] [MPI_INT MPI_INT MPI_INT] -> v/12":                true,
		"MPI_Type_create_struct 4 [1 1 1 1] [0 4 8 12] [MPI_INT MPI_INT MPI_INT MPI_INT] -> v/16":   false,
		"MPI_Type_create_darray 1 0 1 [2] [MPI_DISTRIBUTE_NONE] [1] [1] MPI_ORDER_C MPI_INT -> v/8": false,
		"MPI_Type_create_subarray 2 [2 3] [2 1] [0 1] MPI_ORDER_C MPI_INT -> v/8":                   true,
		"MPI_Type_dup MPI_INT -> v/4":                true,
		"MPI_Type_create_resized MPI_INT 0 8 -> v/4": true,
	} {
		x := newScript(t)
		x.Models = make(Models)
		x.run(call)
		first := x.Type(x.value("v"))
		x.run(call)
		is(t, call+": one model for both", x.Type(x.value("v")) == first, shared)
		is(t, call+": equal", x.Type(x.value("v")).Same(first), true)
	}
}

// TestModelsAreKeptWhileOthersAreMade makes three datatypes in turns.
func TestModelsAreKeptWhileOthersAreMade(t *testing.T) {
	x := newScript(t)
	x.Models = make(Models)
	calls := []string{"MPI_Type_contiguous 2 MPI_INT -> v/8", "MPI_Type_contiguous 3 MPI_INT -> v/12",
		"MPI_Type_vector 2 1 2 MPI_INT -> v/8"}
	first := make(map[string]*datatype.Type)
	for range 3 {
		for _, call := range calls {
			x.run(call)
			made := x.Type(x.value("v"))
			if first[call] == nil {
				first[call] = made
			}
			is(t, call, made, first[call])
		}
	}
}

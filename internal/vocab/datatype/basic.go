package datatype

import "slices"

// Basic is a predefined datatype as far as matching is concerned (MPI-4.0, 3.3.1). Two names that MPI defines as
// synonyms are one Basic. The zero Basic is none.
type Basic uint16

// None is the Basic of what has no element.
const None Basic = 0

// Byte is MPI_BYTE.
const Byte Basic = 2

// String gives the canonical name, such as "MPI_INT".
func (b Basic) String() string {
	if b == None || int(b) > len(basics) {
		return "none"
	}
	return basics[b-1]
}

// BasicOf gives the Basic of a predefined datatype's name, and whether there is one. Pairs such as MPI_DOUBLE_INT have
// none: their signature has two elements (MPI-4.0, 6.9.4).
func BasicOf(name string) (Basic, bool) {
	switch name {
	case "MPI_LONG_LONG":
		name = "MPI_LONG_LONG_INT"
	case "MPI_C_FLOAT_COMPLEX":
		name = "MPI_C_COMPLEX"
	case "MPI_CXX_COMPLEX":
		name = "MPI_CXX_FLOAT_COMPLEX"
	}
	i, ok := slices.BinarySearch(basics[:], name)
	return Basic(i + 1), ok
}

// basics are the predefined datatypes of MPI-4.0 (A.1.1) that stand for one element, and the further Fortran kinds that
// Open MPI and MPICH have, in alphabetical order. A Basic is a place in it, from 1.
var basics = [...]string{
	"MPI_AINT",
	"MPI_BYTE",
	"MPI_CHAR",
	"MPI_CHARACTER",
	"MPI_COMPLEX",
	"MPI_COMPLEX16",
	"MPI_COMPLEX32",
	"MPI_COMPLEX4",
	"MPI_COMPLEX8",
	"MPI_COUNT",
	"MPI_CXX_BOOL",
	"MPI_CXX_DOUBLE_COMPLEX",
	"MPI_CXX_FLOAT_COMPLEX",
	"MPI_CXX_LONG_DOUBLE_COMPLEX",
	"MPI_C_BOOL",
	"MPI_C_COMPLEX",
	"MPI_C_DOUBLE_COMPLEX",
	"MPI_C_LONG_DOUBLE_COMPLEX",
	"MPI_DOUBLE",
	"MPI_DOUBLE_COMPLEX",
	"MPI_DOUBLE_PRECISION",
	"MPI_FLOAT",
	"MPI_INT",
	"MPI_INT16_T",
	"MPI_INT32_T",
	"MPI_INT64_T",
	"MPI_INT8_T",
	"MPI_INTEGER",
	"MPI_INTEGER1",
	"MPI_INTEGER16",
	"MPI_INTEGER2",
	"MPI_INTEGER4",
	"MPI_INTEGER8",
	"MPI_LOGICAL",
	"MPI_LOGICAL1",
	"MPI_LOGICAL16",
	"MPI_LOGICAL2",
	"MPI_LOGICAL4",
	"MPI_LOGICAL8",
	"MPI_LONG",
	"MPI_LONG_DOUBLE",
	"MPI_LONG_LONG_INT",
	"MPI_OFFSET",
	"MPI_PACKED",
	"MPI_REAL",
	"MPI_REAL16",
	"MPI_REAL2",
	"MPI_REAL4",
	"MPI_REAL8",
	"MPI_SHORT",
	"MPI_SIGNED_CHAR",
	"MPI_UINT16_T",
	"MPI_UINT32_T",
	"MPI_UINT64_T",
	"MPI_UINT8_T",
	"MPI_UNSIGNED",
	"MPI_UNSIGNED_CHAR",
	"MPI_UNSIGNED_LONG",
	"MPI_UNSIGNED_LONG_LONG",
	"MPI_UNSIGNED_SHORT",
	"MPI_WCHAR",
}

// halves gives the two elements of a pair for MPI_MINLOC and MPI_MAXLOC (MPI-4.0, 6.9.4), or ok = false.
func halves(name string) (first, second string, ok bool) {
	switch name {
	case "MPI_FLOAT_INT":
		return "MPI_FLOAT", "MPI_INT", true
	case "MPI_DOUBLE_INT":
		return "MPI_DOUBLE", "MPI_INT", true
	case "MPI_LONG_INT":
		return "MPI_LONG", "MPI_INT", true
	case "MPI_SHORT_INT":
		return "MPI_SHORT", "MPI_INT", true
	case "MPI_LONG_DOUBLE_INT":
		return "MPI_LONG_DOUBLE", "MPI_INT", true
	case "MPI_2INT":
		return "MPI_INT", "MPI_INT", true
	case "MPI_2REAL":
		return "MPI_REAL", "MPI_REAL", true
	case "MPI_2DOUBLE_PRECISION":
		return "MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION", true
	case "MPI_2INTEGER":
		return "MPI_INTEGER", "MPI_INTEGER", true
	case "MPI_2COMPLEX":
		return "MPI_COMPLEX", "MPI_COMPLEX", true
	case "MPI_2DOUBLE_COMPLEX":
		return "MPI_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", true
	}
	return "", "", false
}

// Like says whether two basics differ in name only on the usual machines of today: integers, or floating-point numbers,
// of the same size.
func (b Basic) Like(o Basic) bool {
	own := b.nature()
	return own != "" && own == o.nature()
}

// nature is the kind and size of a basic where it is the same in all environments that unknot runs in.
func (b Basic) nature() string {
	switch b.String() {
	case "MPI_INT", "MPI_INT32_T", "MPI_INTEGER", "MPI_INTEGER4":
		return "int32"
	case "MPI_LONG", "MPI_LONG_LONG_INT", "MPI_INT64_T", "MPI_INTEGER8", "MPI_AINT", "MPI_COUNT", "MPI_OFFSET":
		return "int64"
	case "MPI_UNSIGNED", "MPI_UINT32_T":
		return "uint32"
	case "MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG", "MPI_UINT64_T":
		return "uint64"
	case "MPI_SHORT", "MPI_INT16_T", "MPI_INTEGER2":
		return "int16"
	case "MPI_CHAR", "MPI_SIGNED_CHAR", "MPI_INT8_T", "MPI_CHARACTER", "MPI_INTEGER1":
		return "int8"
	case "MPI_FLOAT", "MPI_REAL", "MPI_REAL4":
		return "float"
	case "MPI_DOUBLE", "MPI_DOUBLE_PRECISION", "MPI_REAL8":
		return "double"
	}
	return ""
}

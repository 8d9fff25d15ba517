package datatype

import "strings"

// Class is what the values of a basic datatype are.
type Class uint8

// Classes of basic datatypes.
const (
	Bytes   Class = iota // bytes or characters, of which programs make anything
	Whole                // integers, and truth values
	Real                 // floating-point numbers
	Complex              // two of these
)

// Class is that of a basic.
func (b Basic) Class() Class {
	switch name := b.String(); {
	case b == None, b == Byte:
		return Bytes
	case strings.HasSuffix(name, "CHAR") && name != "MPI_WCHAR", name == "MPI_CHARACTER", name == "MPI_PACKED",
		name == "MPI_INT8_T", name == "MPI_UINT8_T", name == "MPI_INTEGER1":
		return Bytes
	case strings.Contains(name, "COMPLEX"):
		return Complex
	case strings.HasPrefix(name, "MPI_REAL"), strings.HasPrefix(name, "MPI_DOUBLE"), name == "MPI_FLOAT",
		name == "MPI_LONG_DOUBLE":
		return Real
	}
	return Whole
}

// Element gives the nth element, from 0, of a buffer of count t: what it is, its size, and how many bytes from the
// buffer's address it lies. The result is None for any other n.
func (t *Type) Element(count, n int64) (b Basic, size, offset int64) {
	if n < 0 || n >= total(count, t.elements) {
		return None, 0, 0
	}
	var p Path
	offset = n / t.elements * t.Extent()
	n %= t.elements
	for t.form != leaf {
		var at int64
		t, at, n = t.descend(n, &p)
		offset += at
	}
	return t.basic, t.size, offset
}

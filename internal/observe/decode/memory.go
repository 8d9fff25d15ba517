package decode

// Range is a piece of memory: its first address, and the one behind it.
type Range struct{ From, To uint64 }

// ReadRange reads a DataStack or DataBelow record.
func ReadRange(v []uint64) Range {
	w := words(v)
	return w.span()
}

// Site is a function and where it was called.
type Site struct {
	Func uint16
	At   uint64
}

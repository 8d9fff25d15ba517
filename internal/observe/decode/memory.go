package decode

import "unknot/internal/observe/ring"

// Range is a piece of memory: its first address, and the one behind it.
type Range struct{ From, To uint64 }

// ReadRange reads a DataStack or DataBelow record.
func ReadRange(v []uint64) Range {
	w := words(v)
	return Range{w.next(), w.next()}
}

// Memory is what a buffer of the next call lies in.
type Memory struct {
	Param int
	State ring.MemoryState
	Range
	Freed uint64 // return address of who freed it, or 0
}

// ReadMemory reads a DataMemory record.
func ReadMemory(v []uint64) Memory {
	w := words(v)
	return Memory{int(w.next()), ring.MemoryState(w.next()), Range{w.next(), w.next()}, w.next()}
}

// Freed is memory that was freed.
type Freed struct {
	Range
	How  ring.FreedHow
	Site uint64 // return address of who did it
	// Stack are the return addresses of the call stack there, the innermost first, if they are known.
	Stack []uint64
}

// ReadFreed reads a DataFreed record.
func ReadFreed(v []uint64) Freed {
	w := words(v)
	f := Freed{Range: Range{w.next(), w.next()}, How: ring.FreedHow(w.next()), Site: w.next()}
	if len(w) > 0 {
		f.Stack = w
	}
	return f
}

// Changed is a send whose data is not what it was at its start.
type Changed struct {
	Sent, Started         Site     // Started is zero unless another call started it
	Offset, Length, Bytes int64    // of the first difference, the piece that it is in, and all
	Gaps                  bool     // the data was looked at as if packed
	Words                 []uint64 // the first of the Enter record
}

// Site is a function and where it was called.
type Site struct {
	Func uint16
	At   uint64
}

// ReadChanged reads a DataChanged record. Its words stay those of the record.
func ReadChanged(v []uint64) Changed {
	w := words(v)
	c := Changed{Sent: Site{uint16(w.next()), w.next()}, Started: Site{uint16(w.next()), w.next()},
		Offset: w.number(), Length: w.number(), Bytes: w.number(), Gaps: w.next() != 0}
	n := min(w.next(), uint64(len(w)))
	c.Words = w[:n]
	return c
}

// Touched is an access of the program's own to memory of a pending operation.
type Touched struct {
	At     uint64
	Bytes  int64
	Store  bool
	Site   uint64
	Thread int64 // its index, -1 if it has not called MPI
}

// ReadTouched reads a DataTouched record.
func ReadTouched(v []uint64) Touched {
	w := words(v)
	return Touched{At: w.next(), Bytes: w.number(), Store: w.next() != 0, Site: w.next(), Thread: w.number()}
}

// Accessed are accesses of the program's own to memory of a window: N runs of Bytes, Stride apart.
type Accessed struct {
	At               uint64
	Bytes, N, Stride int64
	How              ring.AccessHow
	Site             uint64
	Thread           int64 // its index, -1 if it has not called MPI
}

// ReadAccessed reads a DataAccessed record.
func ReadAccessed(v []uint64) Accessed {
	w := words(v)
	return Accessed{At: w.next(), Bytes: w.number(), N: w.number(), Stride: w.number(), How: ring.AccessHow(w.next()),
		Site: w.next(), Thread: w.number()}
}

// Shared is where a part of the shared memory of a window is.
type Shared struct {
	Win    uint64
	Member int // rank in the window's group, whose part it is
	At     uint64
	Bytes  int64
}

// ReadShared reads a DataShared record.
func ReadShared(v []uint64) Shared {
	w := words(v)
	return Shared{Win: w.next(), Member: int(w.number()), At: w.next(), Bytes: w.number()}
}

// Array is an array of an interpreter that the next call is given.
type Array struct {
	Param int
	Kind  ring.ArrayKind
	Range
	Whole  Range // what it is a part of, zero if that is not known
	Format string
}

// ReadArray reads a DataArray record.
func ReadArray(v []uint64) Array {
	w := words(v)
	return Array{int(w.next()), ring.ArrayKind(w.next()), Range{w.next(), w.next()},
		Range{w.next(), w.next()}, w.text()}
}

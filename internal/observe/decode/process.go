package decode

import (
	"math"

	"unknot/internal/vocab/op"
)

// Hello is a process's first record: who it is.
type Hello struct {
	Rank    op.Rank
	Size    int
	Level   int64 // thread level provided
	TagUB   int64
	Python  bool
	Library string // what MPI_Get_library_version says
}

// ReadHello reads a DataHello record.
func ReadHello(v []uint64) Hello {
	w := words(v)
	return Hello{Rank: op.Rank(int32(w.next())), Size: int(int32(w.next())), Level: w.number(), TagUB: w.number(),
		Python: w.next() == 1, Library: w.text()}
}

// Limits are what MPI said when it had been initialised.
type Limits struct {
	TagUB      int64
	Required   int64 // thread level that the program asked for; MPI_THREAD_SINGLE for MPI_Init
	Provided   int64
	Predefined bool   // the error handler of MPI_COMM_WORLD was a predefined one
	Init       uint16 // the function that initialised MPI, 0 if that is not known
}

// ReadLimits reads a DataLimits record.
func ReadLimits(v []uint64) Limits {
	w := words(v)
	return Limits{w.number(), w.number(), w.number(), w.next() != 0, uint16(w.next())}
}

// Thread is a thread that begins on the ring of one that has ended.
type Thread struct {
	Index op.Thread
	TID   int
}

// ReadThread reads a DataThreadBegin record.
func ReadThread(v []uint64) Thread {
	w := words(v)
	return Thread{op.Thread(w.next()), int(w.next())}
}

// Comm is a communicator as MPI describes it.
type Comm struct {
	Handle          uint64
	Inter           bool
	Members, Remote op.Ranks // world ranks
}

// ReadComm reads a DataComm record.
func ReadComm(v []uint64) Comm {
	w := words(v)
	c := Comm{Handle: w.next()}
	kind := w.next()
	c.Inter = kind&1 != 0
	if kind&2 != 0 {
		c.Members = op.FirstRanks(int(min(w.next(), math.MaxInt32)))
	} else {
		c.Members = w.ranks()
	}
	c.Remote = w.ranks()
	return c
}

// Neighbours are those of a process in a distributed graph: ranks in the communicator.
type Neighbours struct {
	Handle                uint64
	Sources, Destinations []int64
}

// ReadNeighbours reads a DataNeighbours record.
func ReadNeighbours(v []uint64) Neighbours {
	w := words(v)
	return Neighbours{Handle: w.next(), Sources: w.list(), Destinations: w.list()}
}

// Sizes calls f with each predefined datatype of a DataType record that there is.
func Sizes(v []uint64, f func(handle uint64, size int64)) {
	for w := words(v); len(w) >= 2; {
		if h, size := w.next(), w.number(); h != 0 {
			f(h, size)
		}
	}
}

// Basics calls f with each predefined datatype of a DataBasics record; all but the handle are bytes.
func Basics(v []uint64, f func(handle uint64, size, extent, alignment int64)) {
	for w := words(v); len(w) >= 4; {
		f(w.next(), w.number(), w.number(), w.number())
	}
}

// Unknown is a function of MPI that has no row in the table.
type Unknown struct {
	ID   uint16
	Name string
}

// ReadUnknown reads a DataName record.
func ReadUnknown(v []uint64) Unknown {
	w := words(v)
	return Unknown{uint16(w.next()), w.text()}
}

// Frame is a frame of a Python stack.
type Frame struct {
	Line           int
	File, Function string
}

// Stack is a site in a Python program.
type Stack struct {
	Site   uint64
	Frames []Frame // innermost first
}

// mostFrames bounds a stack.
const mostFrames = 1000

// ReadStack reads a DataSite record.
func ReadStack(v []uint64) Stack {
	w := words(v)
	s := Stack{Site: w.next()}
	for n := min(w.next(), mostFrames); n > 0; n-- {
		s.Frames = append(s.Frames, Frame{int(w.next()), w.text(), w.text()})
	}
	return s
}

// Callers are return addresses that led to calls.
type Callers struct {
	Number uint64
	PCs    []uint64 // innermost first
}

// ReadCallers reads a DataCallers record.
func ReadCallers(v []uint64) Callers {
	w := words(v)
	c := Callers{Number: w.next()}
	for n := min(w.next(), mostFrames); n > 0; n-- {
		c.PCs = append(c.PCs, w.next())
	}
	return c
}

// Exception is one of Python that nobody caught.
type Exception struct {
	Kind, Text string
	Line       int
	File       string
}

// ReadException reads a DataExcept record.
func ReadException(v []uint64) Exception {
	w := words(v)
	return Exception{w.text(), w.text(), int(w.next()), w.text()}
}

// Caught is an exception of Python that the process has caught, or is handling.
type Caught struct {
	Kind, Text string
	Frames     []Frame // without functions, innermost first
}

// ReadCaught reads a DataCaught record.
func ReadCaught(v []uint64) Caught {
	w := words(v)
	c := Caught{Kind: w.text(), Text: w.text()}
	for n := min(w.next(), mostFrames); n > 0; n-- {
		c.Frames = append(c.Frames, Frame{Line: int(w.next()), File: w.text()})
	}
	return c
}

// Null is a null pointer that the next call passes where MPI reads or writes through it.
type Null struct {
	Func  uint16
	Param int // index among the function's parameters
}

// ReadNull reads a DataNull record.
func ReadNull(v []uint64) Null {
	w := words(v)
	return Null{uint16(w.next()), int(w.next())}
}

// Error is what the error code of the next exit means.
type Error struct {
	Func  uint16
	Class int64
	Text  string
}

// ReadError reads a DataError record.
func ReadError(v []uint64) Error {
	w := words(v)
	return Error{uint16(w.next()), w.number(), w.text()}
}

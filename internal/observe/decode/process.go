package decode

import (
	"math"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
)

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
	c.Inter = kind&ring.CommInter != 0
	if kind&ring.CommFirst != 0 {
		c.Members = op.FirstRanks(int(min(w.next(), math.MaxInt32)))
	} else {
		c.Members = w.ranks()
	}
	c.Remote = w.ranks()
	return c
}

// Sizes calls f with each predefined datatype of a DataType record that there is.
func Sizes(v []uint64, f func(handle uint64, size int64)) {
	for w := words(v); len(w) >= ring.DataTypeFixed; {
		if h, size := w.next(), w.number(); h != 0 {
			f(h, size)
		}
	}
}

// Basics calls f with each predefined datatype of a DataBasics record; all but the handle are bytes.
func Basics(v []uint64, f func(handle uint64, size, extent, alignment int64)) {
	for w := words(v); len(w) >= ring.DataBasicsFixed; {
		f(w.next(), w.number(), w.number(), w.number())
	}
}

// Frame is a frame of a Python stack.
type Frame struct {
	Line           int
	File, Function string
}

// mostFrames bounds a stack.
const mostFrames = 1000

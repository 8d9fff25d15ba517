package usage

import "unknot/internal/objects"

// Rank is a rank whose calls are looked at: its objects, and what the checks remember of it.
type Rank struct {
	*objects.Rank
	// Where says what memory an address is in, as far as that is known without the process; nil if there is nobody to ask.
	Where func(at uint64) Ground

	memory memory
	pulse  pulse
	seen   map[seenKey]*Report

	// The calls below are those since the last change of the objects.
	alike, same passed
	// fits are pairs of an operator and a datatype that it is defined for.
	fits  [cached][2]uint64
	types uint64 // changes of types that fits and memory know

	// finaliser is the thread that has called MPI_Finalize, nil before.
	finaliser *Thread
	round     uint64 // arrays of requests looked at
}

// cached is the size of a small table, a power of two.
const cached = 16

// slot is where a handle stands in a small table.
func slot(handle uint64) uint64 { return handle * 0x9e3779b97f4a7c15 >> 60 }

// NewRank makes a rank of which nothing was seen yet.
func NewRank(o *objects.Rank) *Rank { return &Rank{Rank: o, seen: make(map[seenKey]*Report)} }

// renew forgets what is known of handles of datatypes and operators if some have come to stand for others.
func (r *Rank) renew() {
	if r.types != r.TypeChanges {
		r.types = r.TypeChanges
		clear(r.fits[:])
		r.memory.typesChanged()
	}
}

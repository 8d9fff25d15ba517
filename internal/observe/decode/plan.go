package decode

// Forced is a receive from any source of the next call that a plan makes one from a given source.
type Forced struct {
	Position int64 // among the requests of MPI_Startall
	Source   int64 // rank in the communicator
	Tag      int32
}

// ReadForced reads a DataForced record.
func ReadForced(v []uint64) Forced {
	w := words(v)
	return Forced{w.number(), w.number(), int32(w.next())}
}

// AppendOutcome appends to dst the positions of a DataOutcome record.
func AppendOutcome(dst []int32, v []uint64) []int32 {
	w := words(v)
	for range min(w.next(), uint64(len(w))) {
		dst = append(dst, int32(w.next()))
	}
	return dst
}

// Remade is a persistent request that has another handle from now on.
type Remade struct{ From, To uint64 }

// ReadRemade reads a DataRemade record.
func ReadRemade(v []uint64) Remade {
	w := words(v)
	return Remade{w.next(), w.next()}
}

// Unused is what a thread has made of its part of a plan: for receives, sends and choices how many it made, and how
// many the plan has beyond these or could not be followed in.
type Unused struct{ Receives, Decided, Sends, Named, Choices, Unmet uint64 }

// ReadUnused reads a DataUnused record.
func ReadUnused(v []uint64) Unused {
	w := words(v)
	return Unused{w.next(), w.next(), w.next(), w.next(), w.next(), w.next()}
}

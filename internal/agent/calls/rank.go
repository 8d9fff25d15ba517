package calls

import (
	"unknot/internal/agent/place"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Rank is what the records of a rank say of it: the objects behind the handles that the program uses, and its threads.
type Rank struct {
	place.Process
	Doubts

	Size    int
	Library string        // as it names itself
	Limits  decode.Limits // of the MPI library and the initialisation
	Threads []*Thread     // those that have ended stay as long as the strict view is behind
	Locks   map[message.Lock]*HeldLock
	// Buffered are the bytes of its buffered sends since it last waited for all of these.
	Buffered int64

	agains   []*Again              // by number; nil where it is not known
	fetching map[message.Lock]bool // windows and targets of which a call has asked for something that is still to come
}

// NewRank is a rank of which nothing is known yet.
func NewRank(world op.Rank) *Rank {
	return &Rank{Process: place.Process{World: world, Objects: objects.NewRank(int(world))}}
}

// Doubts are reasons why what is known of a rank may not be all.
type Doubts struct {
	Unmodelled bool              // it does something that is not known
	Lost       bool              // its records cannot be read
	Failed     bool              // a call of it has returned an error
	Strange    bool              // it has made a collective call on something that is not known
	Callbacks  bool              // MPI_Finalize may call functions of the program
	Unknown    map[uint16]string // functions without a row
}

// Incomplete says that not all collective calls of the rank may be known, or that an error explains why it made none.
func (d *Doubts) Incomplete() bool {
	return d.Unmodelled || d.Lost || d.Failed || d.Callbacks || d.Strange || len(d.Unknown) > 0
}

// Certain says that all that the rank has recorded could be read, and is known.
func (d *Doubts) Certain() bool { return !d.Unmodelled && !d.Lost && len(d.Unknown) == 0 }

// advance takes in that a record with a stamp has come. Those of other threads may come late.
func (r *Rank) advance(stamp uint32) {
	if ahead := int32(stamp - uint32(r.Stamped)); ahead > 0 {
		r.Stamped += uint64(ahead)
	}
}

// HeldLock is a lock that a rank asked for. It may hold it from the moment that the call returned until its unlock
// returned; a library may acquire it later than that (MPI-4.0, 12.5.3).
type HeldLock struct {
	Exclusive    bool
	lock, unlock *waitstate.Op
}

// Again is such a making.
type Again struct {
	object  *objects.Again
	commits uint64 // the call site of what commits the object; 0 if nothing does
}

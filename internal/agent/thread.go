package agent

import (
	"time"

	"unknot/internal/agent/log"
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// thread is one MPI-calling thread of a rank, by stages.
type thread struct {
	rank *rank
	ws   *waitstate.Thread
	ring Source
	tid  int

	ended bool

	joins  op.Thread    // thread waited for in pthread_join, -1 if none
	polls  *pollStreak  // nil if it has not polled yet
	stack  decode.Range // 0 if it is not known
	below  decode.Range // the part of it that functions have left since a buffer was there
	log    *log.Thread  // nil if no trace is written
	track  *track       // nil if what it calls is not kept
	lesson *lesson      // of the period that is followed at present; nil if none is

	counted
	waiting
	recent
	announced
	current
}

// current is a thread's last call, and how far it is.
type current struct {
	fn    *mpi.Func // of the last Enter record
	stamp uint32
	left  uint32 // stamp of the last Enter record whose Exit record has come
	site  uint64
	op    *waitstate.Op // what the last Enter record became; nil if nothing that blocks or matches

	reqs    []*objects.Request // of the last completion call, in the user's order
	handles []uint64           // their handles
	pending creation           // an object that the last call makes

	gave    bool // an Exit record of the last call has come
	inside  bool // no Exit record of the last call has come
	crossed bool // another thread has started a receive during the last call, which is an MPI_Improbe
	// truncated: its MPI library has ended the process in its last call, as a message was longer than the receive
	truncated bool

	use check.Call // of the last Enter record; it is large
}

// announced is what records say of a thread's next call, before it begins, or of how the last one has failed.
type announced struct {
	forced  []decode.Forced
	outcome outcome
	// sends of the next call that a plan lets complete at once, by position as of a decode.Forced
	buffered []int64
	nulls    []decode.Null
	beneath  []check.Beneath // what its buffers lie in
	arrays   []check.Array   // of Python that they belong to
	caught   caught
	failure  *decode.Error // of the last call that failed, until the next one begins
}

// forget empties what was said of a call, as that has begun.
func (n *announced) forget() {
	n.outcome.forced, n.buffered = false, n.buffered[:0]
	n.forced, n.nulls, n.beneath, n.arrays, n.failure = n.forced[:0], n.nulls[:0], n.beneath[:0], n.arrays[:0], nil
}

// counted are a thread's calls by kind: how many it has made, where, and those that a plan can name.
type counted struct {
	calls         uint64
	visits        visits
	sends, probes uint32 // see ordinals
	choices       choices
}

// waiting is since when a thread is where it is, and what shows that it is stuck there.
type waiting struct {
	entered time.Time // when the last Enter record was read
	blocks  evidence
	echoes  echoes
	asked   bool     // for its call stack
	out     struct { // since when it is outside of MPI, after the call with this stamp
		stamp uint32
		since time.Time
	}
	lagAt    uint64 // operation at which the strict view is held up, and since when
	lagSince time.Time
}

// recent is what a thread did last, kept for the report.
type recent struct {
	last  [16]*waitstate.Origin // calls; a circle
	nlast int
	wilds *wilds // nil if there are none
}

// note keeps a call for the report.
func (k *recent) note(o *waitstate.Origin) {
	k.last[k.nlast%len(k.last)] = o
	k.nlast++
}

// latest is the last call that was kept; there is one.
func (k *recent) latest() *waitstate.Origin { return k.last[(k.nlast-1)%len(k.last)] }

// wilds are what wildcard receives took, a circle.
type wilds struct {
	last [8]eaten
	n    int
}

func (w *wilds) add(e eaten) {
	w.last[w.n%len(w.last)] = e
	w.n++
}

// eaten is a message that a wildcard receive took.
type eaten struct {
	src  op.Rank
	tag  int32
	ctx  op.CommID
	site uint64
}

// creation remembers what a call that makes an object was given, until the object's handle is known.
type creation struct {
	kind   mpi.Class
	parent *objects.Comm
	of     *grouped // instead of a parent
	seq    uint64
	salt   uint64
	how    string
	site   uint64
}

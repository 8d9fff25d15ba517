package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/log"
	"unknot/internal/check"
	"unknot/internal/decode"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/waitstate"
)

// rank is what an agent knows of one of its ranks: the objects behind the handles that the program uses.
type rank struct {
	world     op.Rank
	size      int
	level     int64
	pid       int
	above     []int // the process's ancestors
	processes kernel.Processes
	library   string
	maps      *symbol.Maps

	limits    decode.Limits // of the MPI library and the initialisation
	objects   *objects.Rank
	untold    bool // it does something that is not known
	lost      bool // its records cannot be read
	failed    bool // a call of it has returned an error
	strange   bool // it has made a collective call on something that is not known
	use       *check.Rank
	callbacks bool // MPI_Finalize may call functions of the program
	locks     map[message.Lock]*heldLock
	buffered  int64                 // bytes of its buffered sends since it last waited for all of these
	fetching  map[message.Lock]bool // windows and targets of which a call has asked for something that is still to come

	sources []*source         // one a ring
	threads []*thread         // those that have ended stay as long as the strict view is behind
	unknown map[uint16]string // functions without a row
	passed  map[uint16]*message.Passed
	agains  []*again // by number; nil where it is not known
	python  map[uint64][]decode.Frame
	callers map[uint64][]uint64 // return addresses, by number
	except  *message.Exception

	stamped  uint64 // the stamp of the last record, all bits of it
	grounds  grounds
	hears    bool // it may learn of others at any time by ways that are not MPI's
	merge    merger
	first    Source           // of the thread that initialised MPI; it tells of the whole process
	slumbers map[int]*slumber // by thread id
	rouse    struct {         // the answer of roused in this round
		at time.Time
		is bool
	}
	gone   bool      // its process has ended
	ended  time.Time // when that was noticed
	log    *log.Rank // nil if no trace is written
	tracks []*track  // of its threads, if they are kept
	grids  []grid
}

// thread is one MPI-calling thread of a rank.
type thread struct {
	rank  *rank
	ws    *waitstate.Thread
	ring  Source
	tid   int
	fn    *mpi.Func // of the last Enter record
	stamp uint32
	left  uint32 // stamp of the last Enter record whose Exit record has come
	site  uint64
	op    *waitstate.Op // what the last Enter record became; nil if nothing that blocks or matches
	ended bool
	gave  bool // an Exit record of the last call has come
	// truncated: its MPI library has ended the process in its last call, as a message was longer than the receive
	truncated bool
	inside    bool // no Exit record of the last call has come
	crossed   bool // another thread has started a receive during the last call, which is an MPI_Improbe
	asked     bool // for its call stack

	reqs    []*objects.Request // of the last completion call, in the user's order
	handles []uint64           // their handles
	pending creation           // an object that the last call makes

	last   [16]*waitstate.Origin // the last calls, kept for the report; a circle
	nlast  int
	calls  uint64
	visits visits
	polls  *pollStreak // nil if it has not polled yet
	blocks evidence
	joins  op.Thread // thread waited for in pthread_join, -1 if none

	wilds   *wilds    // nil if there are none
	entered time.Time // when the last Enter record was read
	out     struct {  // since when it is outside of MPI, after the call with this stamp
		stamp uint32
		since time.Time
	}
	lagAt    uint64 // operation at which the strict view is held up, and since when
	lagSince time.Time
	forced   []decode.Forced
	outcome  outcome
	// sends of the next call that a plan lets complete at once, by position as of a decode.Forced
	buffered []int64
	nulls    []decode.Null   // of the next call
	beneath  []check.Beneath // what its buffers lie in
	arrays   []check.Array   // of Python that they belong to
	caught   caught
	stack    decode.Range  // 0 if it is not known
	below    decode.Range  // the part of it that functions have left since a buffer was there
	failure  *decode.Error // of the last call that failed, until the next one begins

	use           check.Call  // of the last Enter record
	sends, probes uint32      // what a plan can name: see ordinals
	log           *log.Thread // nil if no trace is written
	choices       choices
	echoes        echoes
	track         *track  // nil if what it calls is not kept
	lesson        *lesson // of the period that is followed at present; nil if none is
}

// source is where records of a rank come from: a ring, and the thread that it is of at present.
type source struct {
	ring    Source
	thread  *thread
	records []ring.Record // read, and from at on not yet handed on
	at      int
	rested  uint64 // slots taken from the ring when the agent slept last
	repeats repeats
}

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

func newRank(world op.Rank, processes kernel.Processes) *rank {
	return &rank{world: world, processes: processes, objects: objects.NewRank(int(world))}
}

// note keeps a call for the report.
func (t *thread) note(o *waitstate.Origin) {
	t.last[t.nlast%len(t.last)] = o
	t.nlast++
}

// latest is the last call that was kept; there is one.
func (t *thread) latest() *waitstate.Origin { return t.last[(t.nlast-1)%len(t.last)] }

// murky says that not all collective calls of the rank may be known, or that an error explains why it made none.
func (r *rank) murky() bool {
	return r.untold || r.lost || r.failed || r.callbacks || r.strange || len(r.unknown) > 0
}

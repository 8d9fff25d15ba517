package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/log"
	"unknot/internal/agent/place"
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// rank is one of an agent's ranks, by stages: who it is, what is found in its records, and what is known of its process
// besides.
type rank struct {
	place.Process
	size    int
	level   int64
	library string
	except  *message.Exception // of Python that nobody has caught

	doubts
	model
	reading
	processState

	grounds grounds
	log     *log.Rank // nil if no trace is written
	tracks  []*track  // of its threads, if they are kept
	grids   []grid
}

// doubts are reasons why what is known of a rank may not be all.
type doubts struct {
	untold    bool              // it does something that is not known
	lost      bool              // its records cannot be read
	failed    bool              // a call of it has returned an error
	strange   bool              // it has made a collective call on something that is not known
	callbacks bool              // MPI_Finalize may call functions of the program
	hears     bool              // it may learn of others at any time by ways that are not MPI's
	unknown   map[uint16]string // functions without a row
	passed    map[uint16]*message.Passed
}

// murky says that not all collective calls of the rank may be known, or that an error explains why it made none.
func (d *doubts) murky() bool {
	return d.untold || d.lost || d.failed || d.callbacks || d.strange || len(d.unknown) > 0
}

// model is what a rank's calls have made: the objects behind the handles that the program uses.
type model struct {
	limits   decode.Limits // of the MPI library and the initialisation
	use      *check.Rank
	agains   []*again // by number; nil where it is not known
	locks    map[message.Lock]*heldLock
	fetching map[message.Lock]bool // windows and targets of which a call has asked for something that is still to come
	buffered int64                 // bytes of its buffered sends since it last waited for all of these
}

// reading is where the records of a rank come from.
type reading struct {
	first   Source    // of the thread that initialised MPI; it speaks for the whole process
	sources []*source // one a ring
	threads []*thread // those that have ended stay as long as the strict view is behind
	merge   merger
}

// processState is what the kernel says of a rank's process.
type processState struct {
	above     []int // its ancestors
	processes kernel.Processes
	gone      bool             // it has ended
	ended     time.Time        // when that was noticed
	slumbers  map[int]*slumber // by thread id
	rouse     struct {         // the answer of roused in this round
		at time.Time
		is bool
	}
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

func newRank(world op.Rank, processes kernel.Processes) *rank {
	return &rank{Process: place.Process{World: world, Objects: objects.NewRank(int(world))},
		processState: processState{processes: processes}}
}

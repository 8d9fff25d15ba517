package agent

import (
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/log"
	"unknot/internal/agent/repeat"
	"unknot/internal/agent/usage"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// rank is one of an agent's ranks, by stages: what its records say, what the checks know, where its records come from,
// and what is known of its process besides.
type rank struct {
	*calls.Rank
	checked *usage.Rank
	level   int64
	threads []*thread // of calls.Rank.Threads

	reading
	processState

	except *message.Exception // of Python that nobody has caught
	passed map[uint16]*message.Passed
	log    *log.Rank // nil if no trace is written
	tracks []*track  // of its threads, if they are kept
	grids  []grid
}

// reading is where the records of a rank come from.
type reading struct {
	first   Source    // of the thread that initialised MPI; it speaks for the whole process
	sources []*source // one a ring
	merge   merger
	restraint
}

// processState is what the kernel says of a rank's process.
type processState struct {
	above     []int // its ancestors
	processes kernel.Processes
	gone      bool             // it has ended
	ended     time.Time        // when that was noticed
	lastSeen  time.Time        // when it had not ended yet
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
	repeats *repeat.Source
}

func newRank(world op.Rank, processes kernel.Processes) *rank {
	return &rank{Rank: calls.NewRank(world), processState: processState{processes: processes}}
}

// thread is one MPI-calling thread of a rank, by stages.
type thread struct {
	*calls.Thread
	rank    *rank
	agent   *Agent
	checked *usage.Thread
	ring    Source
	tid     int

	log    *log.Thread // nil if no trace is written
	track  *track      // nil if what it calls is not kept
	source *source
	caught caught
	waiting
}

// inOperation says whether the thread is in an operation, by its records and its ring's header: many calls tell only
// there that they have returned.
func (t *thread) inOperation() bool {
	return t.Op != nil && !t.Op.Returned() && (t.Joins >= 0 || t.ring.Returned() != t.Stamp)
}

// waiting is since when a thread is where it is, and what shows that it is stuck there.
type waiting struct {
	entered time.Time // when the last Enter record was read
	blocks  evidence
	used    consumed
	echoes  echoes
	asked   bool     // for its call stack
	out     struct { // since when it is outside of MPI, after the call with this stamp
		stamp uint32
		since time.Time
	}
	lagAt    uint64 // operation at which the strict view is held up, and since when
	lagSince time.Time
}

// slumber is what was seen of a thread that sleeps so.
type slumber struct {
	kernel.Slumber
	since time.Time
	seen  time.Time
}

// evidence is what shows that a thread is stuck in a call and not merely slow: it stayed there for a while, and in that
// time the MPI library had the processor to look for progress, or it sleeps.
type evidence struct {
	stamp uint32
	since time.Time
	cpu   time.Duration
	firm  bool
	// first is the first round of detection that found it there, 0 for none, and marks are later ones between which it
	// had some processor time, the last one at the end.
	first int
	marks []mark
}

// mark is a round, and the processor time that a thread had had before it; it had hardly more then.
type mark struct {
	round int
	cpu   time.Duration
}

// consumed is what the kernel said of a thread at some time.
type consumed struct {
	at     time.Time
	cpu    time.Duration
	asleep bool
}

// echoes are the calls of a thread that repeat those right before them, of which its ring says only that there are
// some.
type echoes struct {
	left uint64 // records that were left out, as of when its ring was last looked at
	seen uint64 // … and those that may be
	// untold are calls that it counts as they were left out for another reason.
	untold uint64
}

// merger brings the records of a process's threads into the order of their stamps: what one thread did before another,
// because the program made it wait, must be seen in that order.
type merger struct {
	next  uint32
	known bool
	since time.Time // when the next stamp was first missed
	asked time.Time // when it was last looked whether it can still come
	cpu   map[int]time.Duration
}

// alive says whether the rank's process still runs. A zombie does not.
func (r *rank) alive() bool { return !r.gone }

// final says whether the rank's MPI_Finalize has returned, or it has ended with all its sessions finalised.
func (r *rank) final() bool {
	return r.first != nil && (r.first.Final() || r.gone && r.first.Between())
}

package judge

import (
	"time"

	"unknot/internal/model/race"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
)

// job is one OpenSHMEM program: its PEs, and what they have done so far.
type job struct {
	number   uint64
	pes      []pe
	sources  []*source
	heads    heads
	last     uint64    // ticket that was followed
	gap      time.Time // since when the next one is missing
	missing  uint64    // tickets without a record
	strange  uint64    // records that make no sense
	again    bool      // a PE has more than one stream
	detector *race.Detector
	sets     map[layout.Set]*set
	calls    uint32 // collective calls that were numbered
	blocks   map[uint64]*block
	locks    map[uint64]holder
	frees    map[race.Site]bool // sites that free memory
	locking  map[race.Site]bool // sites that take a lock
	now      int                // the PE whose record is followed
	later    map[sites]int      // of each race the PE that came later
	lent     map[race.Task]int  // of a task with transfers: how often its PE had heard of others at the first
	answered map[sites]bool     // races of a PE with such a task, if it has heard of others since
	vague    map[race.Site]bool // loads and stores before which the PE may have waited for others unseen
	outside  map[race.Site]bool // accesses before which it may have heard of others by ways that are not OpenSHMEM's
	wrong    map[wrongKey]*wrong
	disagree map[sites]*disagreement
	since    since
	doubts   []shmem.Doubt // what may order accesses, and is not seen
}

// sites are two places in the program.
type sites struct{ a, b race.Site }

// pe is a PE.
type pe struct {
	source   *source // nil if it has not begun
	contexts map[uint64]*flights
	// the ticket by which something was put first into its memory since it last learned of that, as it may have; 0 if
	// nothing was
	told     uint64
	fresh    []span
	mailed   uint64         // the ticket by which something was put there last
	waits    *layout.Record // what it waits in: Enter, Waits or Locking
	in       *inside        // the collective that it is in
	followed uint64         // records
	ended    bool
	ending   bool   // it has called shmem_finalize
	level    uint32 // of thread support, from SHMEM_THREAD_SINGLE
	there    bool   // its process was seen
	gone     bool   // and is there no more
	last     uint32 // the site of its last call
	end      uint32 // the site of shmem_finalize
	learned  int    // how often it has heard of others
	since    uint32 // its time after its last record but those of its own accesses
	near     []near // memory in which it may have accessed more since then than is recorded
	orders   int    // accesses by which it may have waited for others, without another one between
	polled   bool   // it has accessed its memory atomically or as volatile
	unsure   bool   // it has made more of them than are recorded
	external bool   // it may have heard of others, since all PEs have waited for each other, by ways that are not seen
	direct          // who reaches its memory, and whose it reaches
}

// span is a piece of memory.
type span struct{ from, to uint64 }

// near is a piece of a PE's memory.
type near struct {
	span
	owner uint16
}

func newJob(number uint64, pes int, memory uint64) *job {
	j := &job{number: number, pes: make([]pe, pes), sets: make(map[layout.Set]*set), blocks: make(map[uint64]*block),
		locks: make(map[uint64]holder),
		frees: make(map[race.Site]bool), locking: make(map[race.Site]bool), later: make(map[sites]int),
		lent: make(map[race.Task]int), answered: make(map[sites]bool), vague: make(map[race.Site]bool),
		outside: make(map[race.Site]bool), wrong: make(map[wrongKey]*wrong), disagree: make(map[sites]*disagreement)}
	j.detector = race.New(race.Options{Threads: pes, Memory: memory, Late: true, Found: j.found})
	return j
}

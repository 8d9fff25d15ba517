package judge

import (
	"unknot/internal/model/race"
	"unknot/internal/shmem/layout"
)

// job is one OpenSHMEM program: its PEs, and what they have done so far.
type job struct {
	number   uint64
	pes      []pe
	strange  uint64 // records that make no sense
	detector *race.Detector
	wrong    map[wrongKey]*wrong
	since    since
	merge
	collectives
	symmetricHeap
	lockTable
	evidence
}

// sites are two places in the program.
type sites struct{ a, b race.Site }

// pe is a PE.
type pe struct {
	waits    *layout.Record // what it waits in: Enter, Waits or Locking
	in       *inside        // the collective that it is in
	contexts map[uint64]*flights
	followed uint64 // records
	level    uint32 // of thread support, from SHMEM_THREAD_SINGLE
	last     uint32 // the site of its last call
	learned  int    // how often it has heard of others
	process
	mail
	ownAccesses
	direct // who reaches its memory, and whose it reaches
}

// span is a piece of memory.
type span struct{ from, to uint64 }

func newJob(number uint64, pes int, memory uint64) *job {
	j := &job{number: number, pes: make([]pe, pes),
		collectives:   collectives{sets: make(map[layout.Set]*set), disagree: make(map[sites]*disagreement)},
		symmetricHeap: symmetricHeap{blocks: make(map[uint64]*block), frees: make(map[race.Site]bool)},
		lockTable:     lockTable{locks: make(map[uint64]holder), locking: make(map[race.Site]bool)},
		evidence: evidence{later: make(map[sites]int), lent: make(map[race.Task]int), answered: make(map[sites]bool),
			vague: make(map[race.Site]bool), outside: make(map[race.Site]bool)},
		wrong: make(map[wrongKey]*wrong)}
	j.detector = race.New(race.Options{Threads: pes, Memory: memory, Late: true, Found: j.found})
	return j
}

package races

import (
	"unknot/internal/model/race"
	"unknot/internal/upc/layout"
)

// job is one UPC program: its threads, and what they have done so far in an order that can have been.
type job struct {
	threads  []thread
	apart    bool // some are on other hosts
	detector *race.Detector
	// given is how many tickets the steps have that were followed.
	given uint64
	// notified is how many upc_notifies of each thread were followed.
	notified []uint64
	// entered is the number of the last collective function that each thread has entered, of those with an entry.
	entered []uint64
	// blocks are the allocated blocks, by the place that the allocation gave.
	blocks map[place]block
	// frees and locks are the sites that free memory, and that take a lock.
	frees, locks map[race.Site]bool
	// ops are numbers of operations.
	ops map[operation]uint32
	// followed counts the steps that were followed, begun are those that began the tasks there are, and around is what
	// was around each race.
	followed uint64
	begun    map[race.Task]step
	around   map[sites]*around
	counts   Counts
}

// Counts are how many records of accesses were compared, and for how many accesses they stand.
type Counts struct{ Records, Accesses uint64 }

func newJob(threads int, memory uint64) *job {
	j := &job{threads: make([]thread, threads), notified: make([]uint64, threads), entered: make([]uint64, threads),
		blocks: make(map[place]block),
		ops:    make(map[operation]uint32), frees: make(map[race.Site]bool), locks: make(map[race.Site]bool),
		begun:  make(map[race.Task]step),
		around: make(map[sites]*around)}
	j.detector = race.New(race.Options{Threads: threads, Memory: memory, Found: j.found})
	for t := range j.threads {
		j.threads[t].tasks = make(map[uint64]race.Task)
	}
	return j
}

// thread is one of its threads: the records that were not followed yet.
type thread struct {
	there  bool
	closed bool
	next   []layout.Record
	tasks  map[uint64]race.Task
	past   past
	open   []*side // its sides of races of which it is not yet known what came after
}

// place is where an object begins.
type place struct {
	owner  uint16
	offset uint64
}

// advance follows what can be followed. At the end nothing more comes, so that what a killed thread has not said holds
// up nobody.
func (j *job) advance(end bool) {
	for {
		moved := j.pass(false)
		if !moved {
			moved = j.pass(true)
		}
		if !moved && end {
			moved = j.force()
		}
		if !moved {
			return
		}
	}
}

// pass follows the records of all threads as far as it can; a step that takes a ticket only if takes, and then one of
// all.
func (j *job) pass(takes bool) (moved bool) {
	for t := range j.threads {
		th := &j.threads[t]
		n := 0
		for n < len(th.next) && j.ready(&th.next[n], takes) {
			j.follow(t, &th.next[n])
			n++
			if takes {
				break
			}
		}
		if n == 0 {
			continue
		}
		th.next = th.next[:copy(th.next, th.next[n:])]
		moved = true
		if takes {
			return true
		}
	}
	return moved
}

// ready says whether a record's time has come.
func (j *job) ready(r *layout.Record, takes bool) bool {
	switch r.Kind {
	case layout.RecordStrictWrite, layout.RecordUnlock, layout.RecordFree, layout.RecordShow:
		return takes && r.Ticket <= j.given+1
	case layout.RecordStrictRead, layout.RecordLock, layout.RecordAlloc, layout.RecordSee:
		return r.Ticket <= j.given
	case layout.RecordLeave:
		for s, n := range j.entered {
			if n < r.Offset && (r.Owner == layout.Everybody || int(r.Owner) == s) {
				return false
			}
		}
	case layout.RecordWait:
		for _, n := range j.notified {
			if n <= r.Offset {
				return false
			}
		}
	}
	return true
}

// force follows the step with the lowest ticket though tickets before it are missing; it says false if no thread is at
// one.
func (j *job) force() bool {
	first := -1
	for t := range j.threads {
		next := j.threads[t].next
		if len(next) > 0 && next[0].Ticket > j.given &&
			(first < 0 || next[0].Ticket < j.threads[first].next[0].Ticket) {
			first = t
		}
	}
	if first < 0 {
		return false
	}
	j.given = j.threads[first].next[0].Ticket - 1
	return true
}

package judge

import (
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/say/explain/shmem"
)

// evidence is what speaks for or against races, besides what the detector knows.
type evidence struct {
	now      int                // the PE whose record is followed
	later    map[sites]int      // of each race the PE that came later
	lent     map[race.Task]int  // of a task with transfers: how often its PE had heard of others at the first
	answered map[sites]bool     // races of a PE with such a task, if it has heard of others since
	vague    map[race.Site]bool // loads and stores before which the PE may have waited for others unseen
	outside  map[race.Site]bool // accesses before which it may have heard of others by ways that are not OpenSHMEM's
	doubts   []shmem.Doubt      // what may order accesses, and is not seen
}

// doubt notes that something may order accesses that is not seen. Races are only predicted then.
func (e *evidence) doubt(why shmem.Doubt) {
	if !slices.ContainsFunc(e.doubts, func(d shmem.Doubt) bool { return d.Why == why.Why }) {
		e.doubts = append(e.doubts, why)
	}
}

// doubtAbsent notes the PEs of which nothing was recorded: they may be on other hosts, and may have waited for others
// and been waited for.
func (j *job) doubtAbsent() (absent shmem.Doubt) {
	absent.Why = shmem.Absent
	for t := range j.pes {
		if j.pes[t].source == nil {
			absent.PEs = append(absent.PEs, t)
		}
	}
	if n := len(absent.PEs); n == 0 || n == len(j.pes) {
		return shmem.Doubt{}
	}
	j.doubt(absent)
	return absent
}

// DoubtMPI says that the program communicates by MPI too, which orders what is not known here.
func (r *Reader) DoubtMPI() { r.mpi = true }

package judge

import (
	"slices"

	"unknot/internal/say/explain/shmem"
)

// doubt notes that something may order accesses that is not seen. Races are only predicted then.
func (j *job) doubt(why shmem.Doubt) {
	if !slices.ContainsFunc(j.doubts, func(d shmem.Doubt) bool { return d.Why == why.Why }) {
		j.doubts = append(j.doubts, why)
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

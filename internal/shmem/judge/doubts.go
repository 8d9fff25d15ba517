package judge

import (
	"fmt"
	"slices"

	"unknot/internal/vocab/finding"
)

// doubt notes that something may order accesses that is not seen. Races are only predicted then.
func (j *job) doubt(why string) {
	if !slices.Contains(j.doubts, why) {
		j.doubts = append(j.doubts, why)
	}
}

// doubtAbsent notes the PEs of which nothing was recorded: they may be on other hosts, and may have waited for others
// and been waited for. It says so in words, "" if there are none.
func (j *job) doubtAbsent() (note string) {
	var absent []string
	for t := range j.pes {
		if j.pes[t].source == nil {
			absent = append(absent, fmt.Sprint(t))
		}
	}
	n := len(absent)
	if n == 0 || n == len(j.pes) {
		return ""
	}
	const most = 8
	if n > most {
		absent = append(absent[:most], fmt.Sprintf("%d more", n-most))
	}
	whose := "PE"
	if n > 1 {
		whose = "PEs"
	}
	unknown := fmt.Sprintf("nothing is known of %s %s", whose, finding.JoinAnd(absent))
	j.doubt(unknown)
	return "OpenSHMEM: " + unknown + ", which may be on other hosts; data races and deadlocks with them are not found"
}

// DoubtMPI says that the program communicates by MPI too, which orders what is not known here.
func (r *Reader) DoubtMPI() { r.mpi = true }

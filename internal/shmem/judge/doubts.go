package judge

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
)

// doubt notes that something may order accesses that is not seen. Races are only predicted then.
func (j *job) doubt(why string) {
	if !slices.Contains(j.doubts, why) {
		j.doubts = append(j.doubts, why)
	}
}

// doubtAbsent notes the PEs of which nothing was recorded: they may be on other hosts, and may have waited for others and been waited for.
func (j *job) doubtAbsent() {
	var absent []string
	for t := range j.pes {
		if j.pes[t].source == nil {
			absent = append(absent, fmt.Sprint(t))
		}
	}
	if n := len(absent); n > 0 && n < len(j.pes) {
		const most = 8
		if n > most {
			absent = append(absent[:most], fmt.Sprintf("%d more", n-most))
		}
		whose := "PE"
		if n > 1 {
			whose = "PEs"
		}
		j.doubt(fmt.Sprintf("nothing is known of %s %s", whose, finding.JoinAnd(absent)))
	}
}

// DoubtMPI says that the program communicates by MPI too, which orders what is not known here.
func (r *Reader) DoubtMPI() { r.mpi = true }

// notesOfDoubts say what keeps races from being certain.
func (j *job) notesOfDoubts() []string {
	if len(j.doubts) == 0 {
		return nil
	}
	return []string{"OpenSHMEM: data races are not certain, as " + strings.Join(j.doubts, ", and ")}
}

package supervise

import (
	"cmp"
	"fmt"
)

// sampleWindows has a choice of --race-sampling hold for what the program itself accesses in memory of windows and of
// PEs, unless --accesses says something else: all of it, or none. What else that option can choose is about loops and
// functions as the compiler of UPC makes them.
func (r *run) sampleWindows() {
	choice := map[string]string{"all": AccessesAll, "none": AccessesBuffers}[r.o.Races.Asked]
	if choice != "" && cmp.Or(r.o.Accesses, AccessesSampled) == AccessesSampled {
		r.o.Accesses = choice
	}
}

// noteSampling says that a choice was for UPC programs, of which the job has had none.
func (r *run) noteSampling() {
	switch asked := r.o.Races.Asked; asked {
	case "", "all", "none":
	default:
		r.account.note(fmt.Sprintf("--race-sampling=%s is for UPC programs only; hint: for windows of MPI and symmetric "+
			"memory choose all or none, or bound the cost by --slowdown", asked))
	}
}

package calls

import (
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
)

// A plan may have a call wait that would not, or for other requests than it would (plan.Outcome). The probe tells so
// before the call. What the call waits for then is not the program's doing, but what comes of it is: the program would
// have been given the same outcome, had it gone on polling until it was there.

// blocking is the function that waits for what a poll asks for.
func (a *Follower) blocking(f *mpi.Func) *mpi.Func {
	waits, polls := map[mpi.Class]mpi.Class{mpi.Test: mpi.Wait, mpi.Testall: mpi.Waitall, mpi.Testany: mpi.Waitany,
		mpi.Testsome: mpi.Waitsome,
		mpi.Iprobe:   mpi.Probe, mpi.Improbe: mpi.Mprobe}[f.Class]
	if !polls {
		return f
	}
	return a.Table.OfClass(waits)
}

// narrow leaves of what the call waits for what the plan wants: MPI_Waitany of several requests waits for one of them.
// The trace has all of them.
func (c *call) narrow() {
	o := c.op
	if !o.Any || len(c.t.outcome.done) == 0 && c.Func.Class != mpi.Waitsome {
		return
	}
	wanted := func(i int) bool {
		return len(c.t.outcome.done) == 0 || slices.Contains(c.t.outcome.done, o.Indices[i])
	}
	var waits []*waitstate.Part
	var indices []int32
	for i, p := range o.Waits {
		if wanted(i) {
			waits, indices = append(waits, p), append(indices, o.Indices[i])
		}
	}
	if len(waits) == 0 { // they are inactive: the probe does not force it either
		return
	}
	for i, p := range o.Waits {
		if !wanted(i) {
			c.a.Node.Drop(p)
		}
	}
	o.Waits, o.Indices, o.Any = waits, indices, false
}

package exact

import (
	"fmt"

	"unknot/internal/trace"
)

// open finds the threads of which it is not known what they do after the calls of the log: it was cut, their last call
// did not return in the recorded run, or their rank ended without MPI_Finalize. A log that was written by hand may
// leave that out.
func open(l *trace.Log) []bool {
	recorded := l.Head.Unknot != "" || l.Head.MPI != "" || l.Head.Start != ""
	ends, final := make([]bool, len(l.Threads)), make([]bool, l.Head.Ranks)
	for t := range l.Threads {
		for i := range l.Threads[t].Ops {
			if l.Threads[t].Ops[i].Final {
				ends[t], final[l.Threads[t].Rank] = true, true
				break
			}
		}
	}
	out := make([]bool, len(l.Threads))
	for t := range l.Threads {
		ops := l.Threads[t].Ops
		hung := len(ops) > 0 && !ops[len(ops)-1].Returned
		out[t] = !ends[t] && (l.Cut != "" || hung || recorded && !final[l.Threads[t].Rank])
	}
	return out
}

// Beyond says why a log does not tell all that the program calls; empty if it does. Nothing is free of deadlocks then.
func Beyond(l *trace.Log) string {
	if l.Cut != "" {
		return "the log ends before the run: " + l.Cut
	}
	for t, is := range open(l) {
		if !is {
			continue
		}
		rank, ops := l.Threads[t].Rank, l.Threads[t].Ops
		if len(ops) == 0 {
			return fmt.Sprintf("no call of rank %d was recorded, not even MPI_Finalize", rank)
		}
		last, name := &ops[len(ops)-1], "a call"
		if int(last.Fn) < len(l.Funcs) {
			name = l.Funcs[last.Fn]
		}
		if !last.Returned {
			return fmt.Sprintf("the last call of rank %d, %s, did not return in the recorded run, and what the "+
				"program calls after it is unknown", rank, name)
		}
		return fmt.Sprintf("rank %d ended without MPI_Finalize after %s, and its further calls are unknown", rank, name)
	}
	return ""
}

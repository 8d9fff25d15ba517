package whole

import (
	"strings"
	"testing"

	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// TestAPlanBuffersSends has two ranks send each other more than any MPI buffers: with one of the sends copied, whose
// data the program overwrites at once, both messages arrive as they were and nothing is found; without a copy that is a
// deadlock.
func TestAPlanBuffersSends(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "buffered.c", 2)
		r.trace = r.dir + "/run.unk"
		for i, form := range []string{"send", "isend", "init", "startall", "sendrecv", "replace"} {
			for k, synchronous := range []bool{false, true} {
				if !hasTurn(mpi, 3*i+k) {
					continue
				}
				p := plan.Plan{Ranks: 2, Synchronous: synchronous, Sends: []plan.Send{{Buffered: true}}}
				result, run := r.under(t, p, form)
				if result.Exit != 0 || len(run.Findings) > 0 || !strings.Contains(result.Output, "rank 0: 0 wrong") ||
					!strings.Contains(result.Output, "rank 1: 0 wrong") {
					t.Errorf("%s, others synchronous %t: exit status %d, findings %v\n%s", form, synchronous,
						result.Exit, run.Findings, result.Output)
					continue
				}
				log, err := tracefile.Read(r.trace)
				if err != nil {
					t.Fatal(err)
				}
				sends := 0
				for _, q := range log.Thread(0, 0).Parts {
					if q.Kind == op.Send && q.Mode == op.Standard && q.Nth == 0 {
						sends++
					}
				}
				if sends != 1 {
					t.Errorf("%s: the trace has %d sends of standard mode with the number of the plan, want what the "+
						"program called", form, sends)
				}
			}
		}
		if !hasTurn(mpi, 1) {
			return
		}
		if result, run := r.under(t, plan.Plan{Ranks: 2}, "send"); len(run.Findings) != 1 ||
			run.Findings[0].Code != finding.Deadlock {
			t.Errorf("without a copy: exit status %d\n%s", result.Exit, result.Output)
		}
		r = newReplay(t, unknot, mpi, "buffered.f90", 2)
		result, run := r.under(t, plan.Plan{Ranks: 2, Sends: []plan.Send{{Buffered: true}, {Nth: 1, Buffered: true}}})
		if result.Exit != 0 || len(run.Findings) > 0 || strings.Count(result.Output, ": 0 wrong") != 4 {
			t.Errorf("Fortran: exit status %d\n%s", result.Exit, result.Output)
		}
	})
}

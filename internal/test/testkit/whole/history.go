package whole

import (
	"fmt"
	"slices"

	"unknot/internal/vocab/finding"
)

// CheckHistory says what is wrong with what the threads of a run called last: it must be there, and end where deadlocks
// that happened have the threads.
func CheckHistory(run *finding.Run) (problems []string) {
	if run.History == nil {
		return []string{"no history"}
	}
	for i := range run.Findings {
		f := &run.Findings[i]
		if f.Code != finding.Deadlock || f.Standing != finding.Manifest {
			continue
		}
		for k := range f.Places {
			if p := &f.Places[k]; p.State == "blocked" && p.Call != "pthread_join" {
				problems = append(problems, checkEnd(run.History, p)...)
			}
		}
	}
	return problems
}

// checkEnd compares the last call of a thread with where a finding has it.
func checkEnd(h *finding.History, p *finding.Place) []string {
	at := slices.IndexFunc(h.Threads, func(k finding.Track) bool { return k.Rank == p.Rank && k.Thread == p.Thread })
	if at < 0 || len(h.Threads[at].Steps) == 0 {
		return []string{fmt.Sprintf("rank %d thread %d has no calls", p.Rank, p.Thread)}
	}
	k := &h.Threads[at]
	last := h.Calls[k.Steps[len(k.Steps)-1]]
	if !k.Open || last.Call != p.Call || last.Args != p.Args || last.Frame != p.Frame {
		return []string{fmt.Sprintf("rank %d ends with %s %s at %s, open %v; the finding has it in %s %s at %s", p.Rank,
			last.Call, last.Args, last.Where(), k.Open, p.Call, p.Args, p.Where())}
	}
	return nil
}

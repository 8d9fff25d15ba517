package detect

import (
	"fmt"
	"os"

	"unknot/internal/message"
)

// log writes what a round of detection has to judge: one line a thread that waits in either view.
func (r *Root) log(s *state) {
	if !r.opts.Log {
		return
	}
	states := []string{"running", "blocked", "polling", "finished", "dead", "asleep"}
	fmt.Fprintf(os.Stderr, "detect: %s round %d: %d threads, %d open collectives\n", r.now.Format("15:04:05.000"),
		r.round, len(s.threads), len(s.waves))
	for _, w := range s.threads {
		fmt.Fprintf(os.Stderr, "detect:   rank %d thread %d %s", w.Rank, w.Thread, states[w.State])
		if w.State == message.Blocked || w.State == message.Polling {
			fmt.Fprintf(os.Stderr, " in %s, %d needs, evidence %v", r.name(w.Real.Fn), len(w.Real.Needs), w.Evidence)
		}
		if w.HasStrict {
			fmt.Fprintf(os.Stderr, "; strictly at %s, %d needs, returned %v", r.name(w.Strict.Fn), len(w.Strict.Needs),
				w.Strict.Returned)
		}
		fmt.Fprintln(os.Stderr)
	}
}

// name is that of a function, by its id.
func (r *Root) name(id uint16) string {
	if f := r.table.ByID(id); f != nil {
		return f.Name
	}
	return ""
}

// logFolded writes how many of the ranks' calls repeat others and were left out.
func (r *Root) logFolded(calls uint64) {
	if r.opts.Log {
		fmt.Fprintf(os.Stderr, "detect: %d of %d calls repeated others and were left out\n", r.Folded(), calls)
	}
}

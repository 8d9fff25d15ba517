package detect

import (
	"fmt"
	"os"
	"time"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Options say how the root judges a job, and what it does then.
type Options struct {
	Leave  bool                   // leave a job as it is after a deadlock, instead of having it ended
	Log    bool                   // write what each round has to judge to standard error
	Checks map[finding.Code]bool  // usage checks that are on
	HostOf func(agent int) string // names the hosts; nil if there is one
	// Watched gives the ranks of an agent; nil if there is one agent for all.
	Watched func(agent int) op.Ranks
	Host    string        // the root's host, whose ranks are stopped when the job is about to be ended
	Past    bool          // the job is over: no other rank can still reach the call in which others are stuck
	Stall   time.Duration // without progress until the root reports where each rank is; 0: never
	Stage   func(Stage)   // is called when a round enters a stage, for measuring; nil if nobody measures
}

// Stage is a part of a round of detection: those into which the SC 2013 paper divides its time (figure 10).
type Stage uint8

// Stages.
const (
	Resting Stage = iota
	Synchronisation
	Gathering
	Building // of the graph
	Checking
	Output
)

// job is what all parts of the root may read about the job and the moment. Only Root changes it.
type job struct {
	opts  Options
	size  int // of MPI_COMM_WORLD
	table *mpi.T
	now   time.Time // when the root's turn began

	ending  bool // the launcher has ended
	endedAt time.Time
	stopped bool // the root has ended the job
	last    bool // the last rounds are over: what is left was asked for
	orphan  bool // unknot itself was killed, and the launcher with it, or it has ended the job
	exit    int  // the launcher's exit status
}

// stage says that another part of the round begins.
func (j *job) stage(s Stage) {
	if j.opts.Stage != nil {
		j.opts.Stage(s)
	}
}

// logState writes what a round of detection has to judge: one line for each thread that waits in either view.
func (j *job) logState(s *state, round int) {
	if !j.opts.Log {
		return
	}
	states := []string{"running", "blocked", "polling", "finished", "dead", "asleep"}
	fmt.Fprintf(os.Stderr, "detect: %s round %d: %d threads, %d open collectives\n", j.now.Format("15:04:05.000"),
		round, len(s.threads), len(s.waves))
	for _, w := range s.threads {
		fmt.Fprintf(os.Stderr, "detect:   rank %d thread %d %s", w.Rank, w.Thread, states[w.State])
		if w.State == message.Blocked || w.State == message.Polling {
			fmt.Fprintf(os.Stderr, " in %s, %d needs, evidence %v", j.name(w.Real.Fn), len(w.Real.Needs), w.Evidence)
		}
		if w.HasStrict {
			fmt.Fprintf(os.Stderr, "; strictly at %s, %d needs, returned %v", j.name(w.Strict.Fn), len(w.Strict.Needs),
				w.Strict.Returned)
		}
		fmt.Fprintln(os.Stderr)
	}
}

// name is the name of a function, by its id.
func (j *job) name(id uint16) string {
	if f := j.table.ByID(id); f != nil {
		return f.Name
	}
	return ""
}

// logEnd writes that the launcher has ended.
func (j *job) logEnd() {
	if j.opts.Log {
		fmt.Fprintf(os.Stderr, "detect: %s the job is over\n", j.now.Format("15:04:05.000"))
	}
}

// logFolded writes how many of the ranks' calls repeat others and were left out.
func (j *job) logFolded(folded, calls uint64) {
	if j.opts.Log {
		fmt.Fprintf(os.Stderr, "detect: %d of %d calls repeated others and were left out\n", folded, calls)
	}
}

// What a caller of Run chooses, and what the probe has to know of it.

package supervise

import (
	"math"

	"unknot/internal/agent"
	"unknot/internal/check"
	"unknot/internal/check/buffers"
	"unknot/internal/check/registry"
	"unknot/internal/check/rma"
	"unknot/internal/observe/ring"
	"unknot/internal/upc/races"
	"unknot/internal/vocab/finding"
)

// Values of Options.Accesses.
const (
	AccessesOff     = "off"
	AccessesBuffers = "buffers" // to buffers of pending operations only
	AccessesSampled = "sampled" // to windows, too, but not all of those that a loop makes
	AccessesAll     = "all"
)

// Options are those of `unknot run`. The agent process gets its own as they are, with its session and the head of its
// trace filled in.
type Options struct {
	agent.Options

	Argv  []string
	Given []string // the command line as the user gave it, if Argv was made of that
	Files
	Exploration
	Progress     string // where lines of package progress go, "" for nowhere
	Suppressions string // path, "" for none
	NoDefaults   bool   // report known findings of libraries too
	MPICC        string
	Races        races.Options
	// of the program's own that are looked at: AccessesOff, AccessesBuffers, AccessesAll, or any other text for the
	// usual ones
	Accesses  string
	Heap      bool   // follow the blocks of the heap, for checks of buffers
	Stage     bool   // bring unknot and the probe to hosts that do not have them
	Watched   bool   // a run in which nothing was watched fails
	Quiet     bool   // no report on standard error
	Color     string // "auto", "always" or "never"
	ErrorExit int
	FailOn    finding.Severity
	Version   string // of unknot
}

// Exploration is what unknot explore asks of a run that it makes.
type Exploration struct {
	Whole bool // the JSON report is for `unknot explore`, which reports what it finds in it again
	// in a run that an exploration makes: the number of other clocks that the program sees, "0" for those of the
	// machine; "" in others
	Heed string
	Plan string // path of a plan to be forced on the run, "" for none
}

// command is what the user asked for.
func (o *Options) command() []string {
	if o.Given != nil {
		return o.Given
	}
	return o.Argv
}

// sent says how closely the data of sends is looked at: more of it if the check is asked for by its name; and which of
// the program's own accesses are.
func sent(s check.Selection, accesses string) (how uint32) {
	chosen := registry.Chosen(s)
	if chosen[buffers.BufferAccessed] || chosen[rma.Conflict] {
		how = ring.SentMarks
	}
	if chosen[rma.Conflict] && accesses != AccessesBuffers {
		how |= ring.SentWindows
	}
	switch accesses {
	case AccessesOff:
		how = 0
	case AccessesAll:
		how |= ring.SentAll
	}
	if chosen[buffers.BufferFreed] {
		how |= ring.SentLent
	}
	switch {
	case !chosen[buffers.SentModified]:
		return how
	case s.Named(buffers.SentBuffers, buffers.SentModified):
		return how | ring.SentMore
	}
	return how | ring.SentSome
}

// thousandths is a bound on what a program may take of its time without, as what it may take longer; 0 for none.
func thousandths(slowdown float64) uint32 {
	if slowdown == 0 {
		return 0
	}
	return uint32(max(1, math.Round(1000*(slowdown-1))))
}

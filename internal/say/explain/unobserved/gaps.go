package unobserved

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// MatchesOnly is the gap of a strategy that varies matches and nothing else.
func MatchesOnly(strategy string) string {
	return fmt.Sprintf("--strategy=%s varies matches only", strategy)
}

// MissingClocks is the gap of runs with other clocks that were not made, of so many that were to be.
func MissingClocks(missing, of int) string {
	return fmt.Sprintf("%d of %s %s were not made", missing, finding.Count(of, "run", "runs"), withOtherClocks)
}

// DiedOnce is the gap of runs in which ranks died, of which nobody knows that they have to.
func DiedOnce(runs int) string {
	return "ranks died in " + finding.Count(runs, "run", "runs") + " without doing so again"
}

// Gaps are what stands between what an exploration has tried and a proof.
type Gaps struct {
	// Known are those that have their words already.
	Known []string
	// Untried counts alternatives that were not run, at least so many if More; Enough is why, if that was decided.
	Untried int
	More    bool
	Enough  string
	// Stopped is why the exploration ended before its end.
	Stopped string
	// Unforced counts what could not be forced, Open predictions that are not decided.
	Unforced, Open int
	// Contrary is how ranks' calls do not depend on MPI alone, Unexplored why not all that follows was explored.
	Contrary, Unexplored string
	// Tight has ranks get stuck in collectives that wait for more ranks than they must.
	Tight bool
	// Uncontrolled are kinds of calls.
	Uncontrolled []string
}

// List has the words for each gap.
func (g *Gaps) List() []string {
	why := slices.Clone(g.Known)
	if g.Untried > 0 {
		text := finding.Count(g.Untried, "alternative was", "alternatives were") + " not run"
		if g.More {
			text = "at least " + text
		}
		if g.Enough != "" {
			text += ", as " + g.Enough + " (--exhaustive continues)"
		}
		why = append(why, text)
	}
	if g.Stopped != "" {
		why = append(why, g.Stopped)
	}
	if g.Unforced > 0 {
		why = append(why, fmt.Sprintf("%d could not be forced", g.Unforced))
	}
	if g.Open > 0 {
		why = append(why, finding.Count(g.Open, "prediction is", "predictions are")+" not decided")
	}
	if g.Contrary != "" && !slices.ContainsFunc(why, func(w string) bool { return strings.HasSuffix(w, g.Contrary) }) {
		why = append(why, "a rank's calls do not depend on MPI alone: "+g.Contrary)
	}
	if g.Unexplored != "" {
		why = append(why, "not everything that follows from the runs was explored: "+g.Unexplored)
	}
	if g.Tight {
		why = append(why, "ranks may get stuck where a collective waits for more ranks than it must, which cannot be "+
			"forced")
	}
	if len(g.Uncontrolled) > 0 {
		why = append(why, "not controlled: "+strings.Join(g.Uncontrolled, ", "))
	}
	return why
}

// OtherClocksShow says by what a program does not act on MPI alone, as a run with other clocks has shown.
func OtherClocksShow(contrary string) string { return withOtherClocks + ", " + contrary }

const withOtherClocks = "with other clocks and random numbers"

// ClocksFailed is why a run with other clocks shows nothing.
type ClocksFailed int

const (
	ClocksLate  ClocksFailed = iota // it did not end in time
	ClocksOther                     // its ranks saw the same clocks
	ClocksCut                       // it did not come to its end
)

// Words are a sentence of the run.
func (f ClocksFailed) Words() string {
	return "a run " + withOtherClocks + " " + [...]string{"did not end in time",
		"was not possible, as ranks of this launcher are not known", "did not come to its end"}[f]
}

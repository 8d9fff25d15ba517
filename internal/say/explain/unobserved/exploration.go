package unobserved

import (
	"fmt"
	"strings"
	"time"

	"unknot/internal/vocab/finding"
)

// The answer of an exploration: what is claimed, what that rests on, and what is missing for a proof.

// NotFree is the answer if there are deadlocks: so many that were forced, and so many in runs that were not.
func NotFree(forced, unforced int) string {
	var parts []string
	if unforced > 0 {
		parts = append(parts, finding.Count(unforced, "deadlock", "deadlocks")+" happened without being forced")
	}
	if forced > 0 {
		parts = append(parts, finding.Count(forced, "deadlock was", "deadlocks were")+" made to happen")
	}
	return "not " + free + ": " + strings.Join(parts, ", ")
}

// NotFreeOfErrors is the answer if there are other errors.
func NotFreeOfErrors(n int) string {
	return "not " + free + " of errors: " + finding.Count(n, "run that MPI allows has an error", "errors were found") +
		", as reported below"
}

// Unexplored is why an exploration has not got beyond the first run.
type Unexplored int

const (
	NoRun    Unexplored = iota // was made
	NoRecord                   // of any call is in the first one
	Crashed                    // a rank of the first one
	CutShort                   // the first one was
)

// NotDecided is the answer if only the first run is known.
func NotDecided(why Unexplored) string {
	return notDecided + ": " + [...]string{"no run was made", "the first run recorded nothing to explore",
		"a rank died in the first run, and its further calls are unknown", "the first run was cut short"}[why]
}

// AsFarAsTried is the answer if something stands between what was tried and a proof. For some of all control flows that
// were seen, the predictor has looked at all matches.
func AsFarAsTried(runs, judged, flows int, gaps []string) string {
	text := free + " as far as tried: no deadlock in " + finding.Count(runs, "run", "runs")
	switch {
	case judged == 0:
	case judged == flows:
		text += fmt.Sprintf(", and for all matches in the %s seen", controlFlows(flows))
	default:
		text += fmt.Sprintf(", and for all matches in %d of the %s seen", judged, controlFlows(flows))
	}
	return text + "; " + strings.Join(gaps, "; ")
}

func controlFlows(n int) string { return finding.Count(n, "control flow", "control flows") }

// Free is the answer of an exploration that is a proof. clocks is how many runs with other clocks made the same calls,
// negative if the program asks for no clock.
func Free(flows, runs, clocks int) string {
	text := fmt.Sprintf(free+": no run that MPI allows deadlocks, whatever it matches, buffers and completes first "+
		"(%s, %s)", controlFlows(flows), finding.Count(runs, "run", "runs"))
	switch {
	case clocks > 0:
		text += "; " + finding.Count(clocks, "more run", "more runs") + " " + withOtherClocks + " made the same calls"
	case clocks == 0:
		text += "; no run " + withOtherClocks + " was made"
	}
	return text
}

// Covered is the coverage as a line.
func Covered(c *finding.Coverage) string {
	text := "coverage: " + finding.Count(c.Runs, "run", "runs")
	if c.Clocks > 0 {
		text += fmt.Sprintf(" and %d with other clocks", c.Clocks)
	}
	add := func(n int, format string) {
		if n > 0 {
			text += fmt.Sprintf(", "+format, n)
		}
	}
	add(c.Confirmed, "%d of which confirmed a finding")
	add(c.Refuted, "%d of which refuted a prediction")
	add(c.Diverged, "%d of which diverged from the plan")
	add(c.Infeasible, "%d of which stalled before the plan was done")
	add(c.Killed, "%d of which took too long")
	add(c.Crashed, "%d in which a rank died")
	text += "; " + controlFlows(c.Flows) + " seen"
	if p := c.Pruned; p > 0 {
		text += fmt.Sprintf("; %s skipped, as no receive from a named source competes for the message",
			finding.Count(p, "match was", "matches were"))
	}
	return text
}

// AtOnce says how many runs were made at a time, and how many of them one at a time would not have made. In an
// allocation they are steps of it; where it has too few CPUs for all, they share them.
func AtOnce(peak, unneeded int, steps, shared bool) string {
	text := fmt.Sprintf("up to %d runs at a time", peak)
	switch {
	case shared:
		text += ", as steps that share the CPUs of the allocation, which has too few for all of them"
	case steps:
		text += ", as steps of the allocation"
	}
	if unneeded > 0 {
		text += "; " + finding.Count(unneeded, "more run was", "more runs were") +
			" begun, which others made unnecessary"
	}
	return text
}

// Tried says in which orders messages came.
func Tried(o *finding.Orders) string {
	text := fmt.Sprintf("tried: of the %d senders whose messages wildcard receives matched, ", o.Senders)
	if o.Senders == min(o.First, o.Last, o.Fastest, o.Slowest) {
		text += "each was first, last, fastest and slowest in some run"
	} else {
		text += fmt.Sprintf("%d were first, %d last, %d the fastest and %d the slowest in some run", o.First, o.Last,
			o.Fastest, o.Slowest)
	}
	return text + fmt.Sprintf("; %d of %s came in both orders", o.Swapped, finding.Count(o.Pairs, "pair", "pairs"))
}

// Rejected is a note of why a predicted deadlock did not happen.
func Rejected(why string) string { return "why a predicted deadlock did not happen: " + why }

// OtherStatus is a note of runs that ended with another exit status than the first, without a finding.
func OtherStatus(status, runs, first int) string {
	return fmt.Sprintf("the program's result depends on which messages its receives match: it exited with status %d "+
		"in %s, and with %d in the first", status, finding.Count(runs, "run", "runs"), first)
}

// Continue adds how to resume an exploration that was stopped.
func Continue(stopped string) string { return stopped + "; hint: continue with --resume" }

// Why an exploration was stopped before its end.
const Interrupted = "it was interrupted"

func OutOfTime(limit time.Duration) string {
	return fmt.Sprintf("the time limit was reached (--timeout=%v)", limit)
}

func OutOfRuns(made int) string {
	return finding.Count(made, "run was", "runs were") + " made, the limit of --max-runs"
}

// EnoughRuns is why what is left was not tried: so many runs were made.
func EnoughRuns(made int) string { return fmt.Sprintf("%d runs were made", made) }

// EnoughTime is the same for the time that was spent.
func EnoughTime(spent time.Duration) string { return fmt.Sprintf("%v were spent", spent) }

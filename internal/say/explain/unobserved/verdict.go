package unobserved

import (
	"fmt"
	"strings"

	"unknot/internal/predict/exact"
	"unknot/internal/vocab/finding"
)

// The words for an answer. What is free is free whatever happens; a prediction knows only the calls of a log, and says
// so.
const (
	free       = "free"
	notDecided = "not decided"
)

// Verdict is the answer to whether the program of a recorded run can deadlock, in a line, and why it is left open if it
// is, or in part.
func Verdict(found []finding.Finding, r *exact.Result, o *exact.Options) (verdict, why string) {
	switch {
	case r.Verdict == exact.Free && r.Deterministic:
		verdict = free + ": with this input and number of ranks the program cannot deadlock, " + buffered(o)
	case r.Verdict == exact.Free:
		verdict = free + " for the recorded calls: no deadlock, whatever wildcard receives match and " +
			buffered(o) +
			"; the program's calls after other matches are unknown"
	case r.Verdict == exact.Undecided:
		why = r.Why
		verdict = notDecided + ": " + r.Why
	default:
		verdict = "predicted: " + counts(found, !r.Complete)
		if r.Unfinished != "" {
			why = "the search did not finish: " + r.Unfinished
			verdict = notDecided + ": " + why + "; until then " + verdict
		}
		if r.Beyond != "" {
			why = r.Beyond
			verdict += "; more is " + notDecided + ": " + r.Beyond
		}
	}
	return verdict, why
}

// Proof is a note of what it rests on that a program cannot deadlock.
func Proof(r *exact.Result) string { return "why: " + r.Why }

// buffered says which sends may be buffered, in the words of a free log.
func buffered(o *exact.Options) string {
	switch o.Buffering {
	case exact.BufferNone:
		return "if MPI buffers nothing"
	case exact.BufferAll:
		return "if MPI buffers every message"
	case exact.BufferLimit:
		return fmt.Sprintf("if MPI buffers messages of up to %d bytes", o.Limit)
	}
	return "whatever MPI buffers"
}

// counts says how many findings there are, by what they suppose.
func counts(all []finding.Finding, more bool) string {
	certain, possible, unsafe := 0, 0, 0
	for i := range all {
		switch f := &all[i]; {
		case f.Code == finding.DeadlockUnsafe:
			unsafe++
		case f.Severity == finding.Error:
			certain++
		default:
			possible++
		}
	}
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf(many, n))
		}
	}
	add(certain, "a certain deadlock", "%d certain deadlocks")
	add(possible, "a possible deadlock, if the program makes the recorded calls after other matches too",
		"%d possible deadlocks, if the program makes the recorded calls after other matches too")
	add(unsafe, "a deadlock if MPI does not buffer or collectives wait for all",
		"%d deadlocks if MPI does not buffer or collectives wait for all")
	text := strings.Join(parts, "; ")
	if more {
		text += "; there may be more"
	}
	return text
}

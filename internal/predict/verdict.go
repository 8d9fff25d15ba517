package predict

import (
	"fmt"
	"slices"
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

// judge puts the answer into a line. Where something is left open, the run is not complete, whatever was found.
func judge(run *finding.Run, r *exact.Result, o *exact.Options) {
	switch {
	case r.Verdict == exact.Free && r.Deterministic:
		run.Verdict = free + ": with this input and number of ranks the program cannot deadlock, " + buffered(o)
	case r.Verdict == exact.Free:
		run.Verdict = free + " for the recorded calls: no deadlock, whatever wildcard receives match and " +
			buffered(o) +
			"; the program's calls after other matches are unknown"
	case r.Verdict == exact.Undecided:
		run.Complete, run.Why, run.Judged = false, r.Why, true
		run.Verdict = notDecided + ": " + r.Why
	default:
		run.Verdict = "predicted: " + counts(run.Findings, !r.Complete)
		if r.Unfinished != "" {
			run.Complete, run.Why, run.Judged = false, "the search did not finish: "+r.Unfinished, true
			run.Verdict = notDecided + ": " + run.Why + "; until then " + run.Verdict
		}
		if r.Beyond != "" {
			run.Complete, run.Why, run.Judged = false, r.Beyond, true
			run.Verdict += "; more is " + notDecided + ": " + r.Beyond
		}
	}
	run.Claim = claim(run, r)
	if r.Verdict == exact.Free {
		run.Notes = append(run.Notes, "why: "+r.Why)
	}
}

// claim is what is claimed of all runs that MPI allows.
func claim(run *finding.Run, r *exact.Result) finding.Claim {
	switch {
	case slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return f.Severity == finding.Error }):
		return finding.Broken
	case !run.Complete:
		return finding.NotDecided
	case r.Verdict == exact.Free && r.Deterministic:
		return finding.Free
	}
	return finding.FreeAsTried
}

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

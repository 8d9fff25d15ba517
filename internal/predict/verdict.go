package predict

import (
	"slices"

	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/vocab/finding"
)

// judge puts the answer into the run. Where something is left open, the run is not complete, whatever was found.
func judge(run *finding.Run, r *exact.Result, o *exact.Options) {
	verdict, why := unobserved.Verdict(run.Findings, r, o)
	run.Verdict = verdict
	if r.Verdict == exact.Undecided || r.Verdict == exact.Deadlocks && r.Unfinished+r.Beyond != "" {
		run.Complete, run.Why, run.Judged = false, why, true
	}
	run.Claim = claim(run, r)
	if r.Verdict == exact.Free {
		run.Notes = append(run.Notes, unobserved.Proof(r))
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

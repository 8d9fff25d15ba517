package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Merge makes one result of those of several runs. A finding that several have is one, seen as often as in all of them
// together; it has the places of the first of these runs. What is claimed of other schedules stands if it is claimed of
// each.
func Merge(runs []*Run) *Run {
	out := *runs[0]
	if len(runs) == 1 {
		return &out
	}
	out.Findings = slices.Clone(out.Findings)
	out.Hosts, out.Notes, out.Known = slices.Clone(out.Hosts), slices.Clone(out.Notes), slices.Clone(out.Known)
	out.Coverage, out.History, out.Topologies, out.Glimpse = nil, nil, nil, nil // each is of one run
	var whys, libraries []string
	for i, r := range runs {
		whys, libraries = with(whys, r.Why), with(libraries, r.MPI)
		if i > 0 {
			out.join(r)
		}
	}
	out.Why, out.MPI = strings.Join(whys, "; "), strings.Join(libraries, ", ")
	return &out
}

func (run *Run) join(r *Run) {
	if run.Language != r.Language {
		run.Language = MPI
	}
	run.Ranks, run.Exit, run.Complete = max(run.Ranks, r.Ranks), cmp.Or(run.Exit, r.Exit), run.Complete && r.Complete
	run.Seconds, run.Calls = run.Seconds+r.Seconds, run.Calls+r.Calls
	if run.Start == "" || r.Start != "" && r.Start < run.Start {
		run.Start = r.Start
	}
	if !slices.Equal(run.Command, r.Command) {
		run.Notes = with(run.Notes, "merged: "+strings.Join(run.Command, " "), "merged: "+strings.Join(r.Command, " "))
	}
	if run.Plan != r.Plan {
		run.Plan = ""
	}
	if run.Claim != r.Claim || run.Verdict != r.Verdict {
		run.Claim, run.Verdict = "", ""
	}
	run.Hosts, run.Notes = with(run.Hosts, r.Hosts...), with(run.Notes, r.Notes...)
	for _, left := range r.Known {
		if i := slices.IndexFunc(run.Known, func(k Left) bool { return k.Library == left.Library }); i >= 0 {
			run.Known[i].Findings += left.Findings
		} else {
			run.Known = append(run.Known, left)
		}
	}
	have := len(run.Findings)
	for i, at := range Same(r.Findings, run.Findings[:have]) {
		if at < 0 {
			run.Findings = append(run.Findings, r.Findings[i])
			continue
		}
		f, other := &run.Findings[at], &r.Findings[i]
		f.Count += other.Count
		f.Severity = worse(f.Severity, other.Severity)
		f.Standing = surer(f.Standing, other.Standing)
		if f.Baseline != other.Baseline {
			f.Baseline = New
		}
	}
}

// worse is the severity that means more, surer the standing that is known by more.
func worse(a, b Severity) Severity { return former([]Severity{Error, Warning, Info}, a, b) }

func surer(a, b Standing) Standing { return former([]Standing{Manifest, Confirmed, Predicted}, a, b) }

// former is the one of two values that comes first in a list.
func former[T comparable](list []T, a, b T) T {
	if slices.Index(list, b) < slices.Index(list, a) {
		return b
	}
	return a
}

// with adds texts to a list that are not in it.
func with(list []string, texts ...string) []string {
	for _, t := range texts {
		if t != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

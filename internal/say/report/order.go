package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// normal gives a copy of run with everything in its total order and no list absent that the schema requires. Findings
// are in order of severity, then as they came on the ranks that they share (causal), else by code, ranks and places;
// what is still equal is ordered by its whole content.
func normal(run *finding.Run) *finding.Run {
	out := *run
	out.Schema = finding.Schema
	out.Command = orEmpty(run.Command)
	out.Findings = make([]finding.Finding, len(run.Findings))
	for i, f := range run.Findings {
		f.Ranks = ascending(f.Ranks)
		f.Places = normalPlaces(f.Places)
		f.Others = normalPlaces(f.Others)
		f.Count = max(f.Count, 1)
		f.Fingerprint = finding.Fingerprint(&f)
		out.Findings[i] = f
	}
	slices.SortStableFunc(out.Findings, compareFindings)
	ordered := out.Findings[:0:0]
	for from := 0; from < len(out.Findings); {
		to := from + 1
		for to < len(out.Findings) && out.Findings[to].Severity == out.Findings[from].Severity {
			to++
		}
		ordered = append(ordered, causal(out.Findings[from:to])...)
		from = to
	}
	out.Findings = ordered
	return &out
}

func normalPlaces(places []finding.Place) []finding.Place {
	out := make([]finding.Place, len(places))
	for i, p := range places {
		p.WaitsFor = ascending(p.WaitsFor)
		out[i] = p
	}
	slices.SortStableFunc(out, comparePlaces)
	return out
}

// ascending gives the ranks in order, as a list that is there; a copy only where it must change something.
func ascending(ranks []int) []int {
	if slices.IsSorted(ranks) {
		return orEmpty(ranks)
	}
	return slices.Sorted(slices.Values(ranks))
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func compareFindings(a, b finding.Finding) int {
	if c := cmp.Or(
		cmp.Compare(severityOrder(a.Severity), severityOrder(b.Severity)),
		strings.Compare(string(a.Code), string(b.Code)),
		slices.Compare(a.Ranks, b.Ranks),
		slices.CompareFunc(a.Places, b.Places, comparePlaces),
	); c != 0 {
		return c
	}
	return strings.Compare(content(a), content(b))
}

func comparePlaces(a, b finding.Place) int {
	return cmp.Or(
		cmp.Compare(a.Rank, b.Rank),
		cmp.Compare(a.Thread, b.Thread),
		strings.Compare(a.Call, b.Call),
		strings.Compare(a.Args, b.Args),
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		strings.Compare(a.State, b.State),
		strings.Compare(a.Reason, b.Reason),
	)
}

// severityOrder puts the worst first and anything unknown last.
func severityOrder(s finding.Severity) int {
	switch s {
	case finding.Error:
		return 0
	case finding.Warning:
		return 1
	case finding.Info:
		return 2
	}
	return 3
}

// content is a finding as text, to break ties. Plain data always encodes.
func content(f finding.Finding) string {
	b, _ := json.Marshal(f)
	return string(b)
}

package finding

import (
	"slices"
	"testing"
)

func TestMergeCountsWhatSeveralRunsHave(t *testing.T) {
	one := &Run{Command: []string{"a"}, MPI: "Open MPI 4.1.4", Ranks: 4, Complete: true, Seconds: 1, Calls: 10,
		Hosts:    []string{"n1"},
		Findings: []Finding{buffered("/a", 10, 0, 1, 1), buffered("/a", 20, 0, 1, 1)}, Known: []Left{{"libx", 1}}}
	two := &Run{Command: []string{"b"}, MPI: "MPICH 4.0", Ranks: 8, Exit: 1, Why: "killed", Seconds: 2, Calls: 5,
		Hosts:    []string{"n1", "n2"},
		Findings: []Finding{buffered("/b", 20, 3, 9, 7), buffered("/b", 30, 3, 9, 7), buffered("/b", 40, 3, 9, 7)},
		Known:    []Left{{"libx", 2}, {"liby", 1}}}
	two.Findings[0].Severity = Warning
	before := slices.Clone(one.Findings)
	m := Merge([]*Run{one, two})
	var counts []int
	for _, f := range m.Findings {
		counts = append(counts, f.Count)
	}
	// The one at line 20 is the same; that at line 30 is the one that was at line 10.
	if !slices.Equal(counts, []int{1 + 4, 1 + 4, 4}) || m.Findings[1].Severity != Error {
		t.Errorf("counts %v, severity %s", counts, m.Findings[1].Severity)
	}
	if m.Ranks != 8 || m.Exit != 1 || m.Complete || m.Why != "killed" || m.Seconds != 3 || m.Calls != 15 ||
		m.MPI != "Open MPI 4.1.4, MPICH 4.0" ||
		!slices.Equal(m.Hosts, []string{"n1", "n2"}) || !slices.Equal(m.Notes, []string{"merged: a", "merged: b"}) ||
		!slices.Equal(m.Known, []Left{{"libx", 3}, {"liby", 1}}) {
		t.Errorf("%+v", m)
	}
	if one.Findings[0].Count != before[0].Count || one.Known[0].Findings != 1 {
		t.Error("the first result has changed")
	}
}

func TestMergeOfOneIsThatOne(t *testing.T) {
	one := &Run{Command: []string{"a"}, Explored: Explored{Claim: Free, Verdict: "v", Coverage: &Coverage{Runs: 3}},
		Findings: []Finding{buffered("/a", 10, 0, 1, 1)}}
	if m := Merge([]*Run{one}); m.Coverage != one.Coverage || m.Claim != one.Claim || len(m.Findings) != 1 ||
		len(m.Notes) != 0 {
		t.Errorf("%+v", m)
	}
}

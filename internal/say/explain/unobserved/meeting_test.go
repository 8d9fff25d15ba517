package unobserved

import (
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/observe/rendezvous"
	"unknot/internal/vocab/finding"
)

func TestWhatCameOfMeetingsIsSaid(t *testing.T) {
	met := rendezvous.Outcome{Meet: rendezvous.Meet{State: rendezvous.Passed, ReachedA: 1, ReachedB: 1}}
	for _, c := range []struct {
		outcomes []rendezvous.Outcome
		standing finding.Standing
		want     string
	}{
		{[]rendezvous.Outcome{met, met}, finding.Confirmed,
			"run again, PE 3 and PE 1 were about to make these calls at the same moment, with either of them first"},
		{[]rendezvous.Outcome{met, {}}, finding.Confirmed, "at the same moment, in 1 of 2 runs"},
		{[]rendezvous.Outcome{{}, {}}, finding.Manifest, "could not be made to meet: neither of them came to its call"},
		{[]rendezvous.Outcome{{Meet: rendezvous.Meet{ReachedB: 2}}}, finding.Manifest,
			"could not be made to meet: PE 3 did not come to its call"},
		{[]rendezvous.Outcome{{Meet: rendezvous.Meet{ReachedA: 2}}}, finding.Manifest,
			"could not be made to meet: PE 1 did not come to its call"},
		{[]rendezvous.Outcome{{Meet: rendezvous.Meet{ReachedA: 2, ReachedB: 2, Held: 2, Expired: 2}}}, finding.Manifest,
			"2 times one was held before its call, and the other one did not come meanwhile"},
	} {
		f := finding.Finding{Standing: finding.Manifest, Severity: finding.Warning,
			Meeting: &finding.Meeting{Ranks: []int{3, 1}}}
		Conclude(&f, "PE", c.outcomes)
		if len(f.Notes) != 1 || !strings.Contains(f.Notes[0].Text, c.want) || f.Standing != c.standing ||
			(f.Severity == finding.Error) != (c.standing == finding.Confirmed) {
			t.Errorf("%s, %s: %+v; want %q", f.Standing, f.Severity, f.Notes, c.want)
		}
	}
	f := finding.Finding{Meeting: &finding.Meeting{Ranks: []int{0, 1}}}
	if Conclude(&f, "rank", nil); len(f.Notes) > 0 {
		t.Errorf("of no run: %+v", f.Notes)
	}
}

// TestWhatCameOfMeetingsOfThreadsIsSaid: it is confirmed by an error that happened at one of the two calls.
func TestWhatCameOfMeetingsOfThreadsIsSaid(t *testing.T) {
	met := rendezvous.Outcome{Meet: rendezvous.Meet{State: rendezvous.Passed, ReachedA: 1, ReachedB: 1}}
	at := func(code finding.Code, severity finding.Severity, standing finding.Standing, line int) finding.Finding {
		return finding.Finding{Code: code, Severity: severity, Standing: standing, Sentence: string(code) + " happens.",
			Places: []finding.Place{{Frame: finding.Frame{File: "a.c", Line: line}}}}
	}
	happens := func(code finding.Code, line int) finding.Finding {
		return at(code, finding.Error, finding.Manifest, line)
	}
	for name, c := range map[string]struct {
		outcomes []rendezvous.Outcome
		found    [][]finding.Finding
		standing finding.Standing
		want     string
	}{
		"together": {[]rendezvous.Outcome{met, met},
			[][]finding.Finding{{happens("rank-died", 7), happens("thread-free", 7)}, nil}, finding.Confirmed,
			"run again, with both threads held until they were in these calls together: thread-free happens."},
		"in the other order, at the other call": {[]rendezvous.Outcome{met, met},
			[][]finding.Finding{nil, {happens("comm-invalid", 9)}}, finding.Confirmed,
			"run again, with the other call held until this one was over: comm-invalid happens."},
		"a death in one run, its cause in the other": {[]rendezvous.Outcome{met, met},
			[][]finding.Finding{{happens("rank-died", 9)}, {happens("comm-invalid", 9)}}, finding.Confirmed,
			"with the other call held until this one was over: comm-invalid happens."},
		"a death alone": {[]rendezvous.Outcome{met, {}}, [][]finding.Finding{{happens("rank-died", 9)}, nil},
			finding.Confirmed, "rank-died happens."},
		"elsewhere": {[]rendezvous.Outcome{met, met}, [][]finding.Finding{{happens("comm-invalid", 8)}, nil},
			finding.Predicted, "nothing went wrong"},
		"something else": {[]rendezvous.Outcome{met, met}, [][]finding.Finding{{happens("tag-invalid", 7)}, nil},
			finding.Predicted, "nothing went wrong"},
		"predicted only": {[]rendezvous.Outcome{met, met},
			[][]finding.Finding{{at("thread-free", finding.Warning, finding.Predicted, 7)}, nil}, finding.Predicted,
			"nothing went wrong"},
		"not met": {[]rendezvous.Outcome{{}, {}}, [][]finding.Finding{nil, nil}, finding.Predicted,
			"the rank did not come to both calls"},
		"not met, as it happened before": {[]rendezvous.Outcome{{}, {}},
			[][]finding.Finding{{happens("comm-invalid", 9)}, nil}, finding.Confirmed, "run again: comm-invalid happens."},
		"never together": {[]rendezvous.Outcome{{Meet: rendezvous.Meet{ReachedA: 2, ReachedB: 2, Held: 2, Expired: 2}}},
			[][]finding.Finding{nil}, finding.Predicted, "2 times one was held, and the other one did not come meanwhile"},
	} {
		f := finding.Finding{Code: "thread-free", Standing: finding.Predicted, Severity: finding.Warning,
			Places: []finding.Place{{Frame: finding.Frame{File: "a.c", Line: 7}}}, Related: []finding.Frame{{File: "a.c", Line: 9}},
			Notes: []finding.Note{check.Unseen()}, Meeting: &finding.Meeting{Ranks: []int{1, 1}}}
		ConcludeThreads(&f, c.outcomes, c.found)
		last := f.Notes[len(f.Notes)-1]
		if !strings.Contains(last.Text, c.want) || f.Standing != c.standing ||
			(f.Severity == finding.Error) != (c.standing == finding.Confirmed) ||
			(len(f.Notes) == 1) != (c.standing == finding.Confirmed) {
			t.Errorf("%s: %s, %s: %+v; want %q", name, f.Standing, f.Severity, f.Notes, c.want)
		}
	}
}

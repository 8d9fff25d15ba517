package unobserved

import (
	"strings"
	"testing"

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

package meet

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestWhatCameOfMeetingsIsSaid(t *testing.T) {
	met := Outcome{Meet{State: Passed, ReachedA: 1, ReachedB: 1}}
	for _, c := range []struct {
		outcomes []Outcome
		standing finding.Standing
		want     string
	}{
		{[]Outcome{met, met}, finding.Confirmed,
			"run again, PE 3 and PE 1 were about to make these calls at the same moment, with either of them first"},
		{[]Outcome{met, {}}, finding.Confirmed, "at the same moment, in 1 of 2 runs"},
		{[]Outcome{{}, {}}, finding.Manifest, "could not be made to meet: neither of them came to its call"},
		{[]Outcome{{Meet{ReachedB: 2}}}, finding.Manifest, "could not be made to meet: PE 3 did not come to its call"},
		{[]Outcome{{Meet{ReachedA: 2}}}, finding.Manifest, "could not be made to meet: PE 1 did not come to its call"},
		{[]Outcome{{Meet{ReachedA: 2, ReachedB: 2, Held: 2, Expired: 2}}}, finding.Manifest,
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

func TestAMeetingIsReadAsItWasPrepared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "meeting")
	m := finding.Meeting{Sites: [2]uint32{7, 9}, Ranks: []int{2, 0}, End: 4}
	for _, second := range []bool{false, true} {
		if err := Prepare(&m, path, second); err != nil {
			t.Fatal(err)
		}
		want := Meet{Mark: Mark, SiteA: 7, SiteB: 9, RankA: 2}
		if second {
			want.First = 1
		}
		if o, err := Read(path); err != nil || !reflect.DeepEqual(o.meet, want) || o.Met() {
			t.Errorf("%+v, %v", o, err)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("x", 96)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil {
			t.Errorf("%q is taken for a meeting", text)
		}
	}
	if _, err := Read(path + "-absent"); err == nil {
		t.Error("a file that is not there is taken for a meeting")
	}
}

func TestSitesAreThoseOfFilesAndOffsets(t *testing.T) {
	a := Site("/a/b/prog", 0x1234)
	if a != Site("/elsewhere/prog", 0x1234) || a == Site("/a/b/prog", 0x1235) || a == Site("/a/b/prog2", 0x1234) {
		t.Error("sites do not stand for base names and offsets")
	}
}

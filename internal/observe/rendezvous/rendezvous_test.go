package rendezvous

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

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
		if o, err := Read(path); err != nil || !reflect.DeepEqual(o.Meet, want) || o.Met() {
			t.Errorf("%+v, %v", o, err)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("x", 120)} {
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

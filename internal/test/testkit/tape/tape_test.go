package tape

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
)

// example is a tape of an example that hangs.
func example(t *testing.T) *Tape {
	t.Helper()
	a, err := ReadArchive("../whole/testdata/mpich.tapes")
	if err != nil {
		t.Fatal(err)
	}
	tape, err := a.Get("recv-recv/broken")
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

func codes(said []proto.Message) (list []finding.Code) {
	for _, m := range said {
		if m.Finding != nil {
			list = append(list, m.Finding.Code)
		}
	}
	return list
}

func TestAnArchiveKeepsTapes(t *testing.T) {
	want, path := example(t), filepath.Join(t.TempDir(), "some.tapes")
	a := make(Archive)
	for _, name := range []string{"second", "first"} {
		if err := a.Put(name, want); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Write(path); err != nil {
		t.Fatal(err)
	}
	b, err := ReadArchive(path)
	if err != nil || len(b) != 2 {
		t.Fatalf("%d tapes, %v", len(b), err)
	}
	for name := range a {
		if got, err := b.Get(name); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is not what it was (%v)", name, err)
		}
	}
	if _, err := b.Get("third"); err == nil || !strings.Contains(err.Error(), "make record") {
		t.Errorf("error %v", err)
	}
}

// TestSourcesAreFoundWhereverTheProjectIs: a program's source lies below the project's directory, which is not the one
// in which its tape was taken.
func TestSourcesAreFoundWhereverTheProjectIs(t *testing.T) {
	here, err := project()
	if err != nil {
		t.Fatal(err)
	}
	recorded, source := example(t), filepath.Join(here, "examples/recv-recv/broken.c")
	if !slices.ContainsFunc(recorded.Symbols, func(a Answer) bool {
		return len(a.Frames) > 0 &&
			a.Frames[0].File == source
	}) {
		t.Errorf("no call in %s: %v", source, recorded.Symbols)
	}
	a := make(Archive)
	if err := a.Put("it", recorded); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(a["it"].text, []byte(here+"/")) ||
		!bytes.Contains(a["it"].text, []byte(`"project:/examples/recv-recv/broken.c"`)) {
		t.Errorf("the archive says where the project is: %s", a["it"].text)
	}
}

func TestATapeOfOtherRingsIsRefused(t *testing.T) {
	tape := example(t)
	tape.Head.Ring++
	path := filepath.Join(t.TempDir(), "tape.json")
	if err := tape.Write(path); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("rings of version %d, expected version %d with rings of version %d; hint: make record",
		ring.Records+1, Version, ring.Records)
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestAHangThatIsNotReportedIsPlayedToItsEnd has the ranks seem to be busy: there is nothing that shows that they are
// stuck.
func TestAHangThatIsNotReportedIsPlayedToItsEnd(t *testing.T) {
	tape := example(t)
	if got := codes(Play(t, tape, AsRecorded)); !slices.Contains(got, finding.Deadlock) {
		t.Fatalf("findings %v", got)
	}
	for i := range tape.Events {
		if s := tape.Events[i].Thread; s != nil {
			s.CPU, s.Asleep = 0, false
		}
	}
	if got := codes(Play(t, tape, AsRecorded)); slices.Contains(got, finding.Deadlock) {
		t.Errorf("findings %v", got)
	}
}

func TestAQuestionThatIsNotOnTheTapeIsNamed(t *testing.T) {
	tape := example(t)
	tape.Symbols = nil
	dir := t.TempDir()
	session, err := ring.NewSession(ring.Options{Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bubble(t, tape, session.Dir, AsRecorded); err == nil ||
		!strings.Contains(err.Error(), "symbols that are not on the tape") {
		t.Errorf("error %v", err)
	}
}

// TestNothingStaysMapped looks for ring files among the memory of this process after a replay.
func TestNothingStaysMapped(t *testing.T) {
	Play(t, example(t), 1)
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "/"+ring.RingPrefix) {
		t.Errorf("rings are still mapped:\n%s", text)
	}
}

//go:build !quick

package explore

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestAFullDiskIsSaidInASentence(t *testing.T) {
	s, err := newState(filepath.Join(t.TempDir(), "explore.jsonl"), head{Command: []string{"app"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.file, err = os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	err = s.note(line{Item: &item{ID: 1}})
	const want = "cannot save the state of the exploration: write /dev/full: no space left on device; hint: free " +
		"some space, then continue with --resume"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestWhatIsDoneIsNotDoneAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "explore.jsonl")
	h := head{Command: []string{"mpirun", "app"}, Strategy: "poe", Buffering: "any"}
	s, err := newState(path, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []line{{Item: &item{ID: 0}}, {Item: &item{ID: 1}}, {Done: &result{ID: 0, Flow: 7}},
		{Flow: &flowState{Flow: 7}},
		{Found: &found{N: 0, Core: "x"}}, {Found: &found{N: 0, Core: "x", Rejected: "no"}}, {Shown: 2},
		{Pruned: &pruned{Alone: 3}},
		{Item: &item{ID: 3, Purpose: alternative, Fixed: 1, Forced: []decision{{Source: 4}}}}} {
		if err := s.note(l); err != nil {
			t.Fatal(err)
		}
	}
	s.file.Close()
	again, err := resume(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer again.file.Close()
	if len(again.queue) != 2 || again.queue[0].ID != 1 || again.nextID != 4 || again.done[0].Flow != 7 ||
		again.flows[7] == nil ||
		len(again.found) != 1 || again.found[0].Rejected != "no" || again.shown != 2 || again.pruned.Alone != 3 ||
		!again.tried[(&item{Fixed: 1, Forced: []decision{{Source: 4}}}).identity()] || again.items[1] == nil {
		t.Errorf("resumed as %+v", again)
	}
}

// TestARunIsKeptByWhatDiffers has the many alternatives of a long run take a few bytes each.
func TestARunIsKeptByWhatDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "explore.jsonl")
	h := head{Command: []string{"app"}, Strategy: "poe", Buffering: "any"}
	s, err := newState(path, h)
	if err != nil {
		t.Fatal(err)
	}
	var before []decision
	receives := uint32(1001)
	if testing.Short() { // the race detector makes it take long
		receives = 101
	}
	for n := range receives {
		for from := range int32(7) {
			d := decision{key{Nth: n}, from}
			if err := s.note(line{Item: &item{ID: s.nextID, Purpose: alternative, Forced: append(slices.Clone(before),
				d), Fixed: int(n) + 1}}); err != nil {
				t.Fatal(err)
			}
		}
		before = append(before, decision{key{Nth: n}, 6})
	}
	s.file.Close()
	if b, err := os.ReadFile(path); err != nil || len(b) > 1<<20 {
		t.Errorf("%d bytes (%v), want at most 1 MiB", len(b), err)
	}
	again, err := resume(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer again.file.Close()
	if !slices.EqualFunc(s.queue, again.queue, func(a, b *item) bool {
		return a.ID == b.ID && a.Fixed == b.Fixed && slices.Equal(a.Forced, b.Forced)
	}) {
		t.Error("the queue is another one after it was read")
	}
}

func TestAStateThatIsNoneIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "explore.jsonl")
	h := head{Command: []string{"app"}}
	for text, want := range map[string]string{
		"no json\n":                    path + ":1: ",
		"{}\n":                         "is not the state of an exploration of this version (0, expected 6)",
		"{\"head\":{\"explore\":9}}\n": "(9, expected 6)",
		"{\"head\":{\"explore\":6}}\n": "belongs to another command",
		"{\"head\":{\"explore\":6,\"command\":[\"app\"],\"strategy\":\"poe\"}}\n": "was started with --strategy=poe",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := resume(path, h); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestAResumedExplorationKnowsWhatItsWordsMean: a report of what was found before looks as if it had been found now.
func TestAResumedExplorationKnowsWhatItsWordsMean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "explore.jsonl")
	h := head{Command: []string{"app"}, Strategy: "poe", Buffering: "any"}
	s, err := newState(path, h)
	if err != nil {
		t.Fatal(err)
	}
	p := finding.Place{Rank: 0, State: "blocked", WaitsFor: []int{1}}
	p.SetReason(finding.Naming("a message from ", 1, ""))
	if err := s.note(line{Found: &found{Finding: finding.Finding{Code: finding.Deadlock, Places: []finding.Place{p}}}}); err != nil {
		t.Fatal(err)
	}
	s.file.Close()
	again, err := resume(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer again.file.Close()
	for _, state := range []*state{s, again} {
		if got := state.found[0].Finding.Places[0]; !reflect.DeepEqual(got, p) {
			t.Errorf("%+v, want %+v", got, p)
		}
	}
}

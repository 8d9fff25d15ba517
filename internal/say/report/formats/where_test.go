package formats

import (
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// Readers that show a finding at one line show that of a call that waits, not that of the process waited for, and of
// several places that where the fewest are.
func TestADeadlockIsShownWhereTheFewestWait(t *testing.T) {
	at := func(rank, line int, state, call string, alike ...int) finding.Place {
		return finding.Place{Rank: rank, Alike: alike, State: state, Call: call, Frame: finding.Frame{Function: "main",
			File: "app.c", Line: line}}
	}
	for _, c := range []struct {
		code   finding.Code
		places []finding.Place
		want   int
	}{
		{finding.Deadlock, []finding.Place{at(0, 9, "finished", "MPI_Finalize"), at(1, 5, "blocked", "MPI_Recv")}, 5},
		{finding.Livelock, []finding.Place{at(0, 9, "finished", "MPI_Finalize"), at(1, 5, "polling", "MPI_Test")}, 5},
		{finding.Deadlock, []finding.Place{at(0, 3, "blocked", "MPI_Barrier", 2, 3), at(1, 7, "blocked", "MPI_Recv")},
			7},
		{finding.Deadlock, []finding.Place{at(0, 3, "blocked", "MPI_Barrier"), at(1, 7, "blocked", "MPI_Recv"),
			at(2, 3, "blocked", "MPI_Barrier")}, 7},
		{finding.Deadlock, []finding.Place{at(0, 3, "blocked", "MPI_Recv"), at(1, 4, "blocked", "MPI_Recv")}, 3},
		{finding.Deadlock, []finding.Place{at(0, 9, "finished", "MPI_Finalize")}, 9},
		{finding.RankDied, []finding.Place{at(0, 9, "died", "MPI_Send"), at(1, 5, "blocked", "MPI_Recv")}, 9},
	} {
		if got := anchor(&finding.Finding{Code: c.code, Places: c.places}); got.Line != c.want {
			t.Errorf("%s of %v is shown at line %d, want %d", c.code, c.places, got.Line, c.want)
		}
	}
}

// Of a job that was not watched nothing passes.
func TestTheTestOfAJobThatWasNotWatchedIsSkipped(t *testing.T) {
	run := &finding.Run{Why: "no rank called MPI_Init", Findings: []finding.Finding{}}
	text := string(written(t, run, "out.xml"))
	for _, want := range []string{`tests="1" failures="0" errors="0" skipped="1"`,
		`<skipped message="not watched: no rank called MPI_Init">`, "unknot: not watched: no rank called MPI_Init"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if text := string(written(t, run, "out.md")); !strings.Contains(text, "## unknot: not watched") ||
		strings.Contains(text, "nothing found") {
		t.Error(text)
	}
}

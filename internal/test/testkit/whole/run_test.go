package whole

import (
	"strings"
	"testing"
	"time"
)

func TestRunTellsHowACommandEnded(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 66": 66, "kill -SEGV $$": 139} {
		r, err := Run([]string{"sh", "-c", script}, t.TempDir(), nil, 10*time.Minute)
		if err != nil || r.Exit != want || r.TimedOut || len(r.Left) != 0 {
			t.Errorf("%s: %+v, %v, want exit status %d", script, r, err, want)
		}
	}
	if _, err := Run([]string{"/no/such/program"}, t.TempDir(), nil, 10*time.Minute); err == nil {
		t.Error("a missing program gives no error")
	}
}

func TestRunEndsAndNamesWhatACommandLeavesBehind(t *testing.T) {
	r, err := Run([]string{"sh", "-c", "setsid sleep 1234 & echo started"}, t.TempDir(), nil, 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Left) != 1 || !strings.Contains(r.Left[0], "sleep 1234") {
		t.Errorf("left behind: %q, want the sleep", r.Left)
	}
	if r.Output != "started\n" {
		t.Errorf("output %q, want that of the command", r.Output)
	}
}

func TestRunEndsACommandThatHangs(t *testing.T) {
	r, err := Run([]string{"sh", "-c", "sleep 1234"}, t.TempDir(), nil, 100*time.Millisecond)
	if err != nil || !r.TimedOut || r.Exit == 0 || len(r.Left) != 0 {
		t.Errorf("%+v, %v, want a timeout and nothing left", r, err)
	}
}

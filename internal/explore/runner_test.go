//go:build !quick

package explore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/vocab/plan"
)

// TestRunsAreToldHowLongRanksMayPoll looks at what runs are started with: if the user does not say, one that forces
// nothing has the time of `unknot run`.
func TestRunsAreToldHowLongRanksMayPoll(t *testing.T) {
	dir := t.TempDir()
	told := filepath.Join(dir, "told")
	tool := filepath.Join(dir, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho \"$*\" >"+told+"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		livelock time.Duration
		forced   *plan.Plan
		want     string
	}{
		{0, nil, ""}, {0, &plan.Plan{Ranks: 2}, "--livelock-timeout 10s"},
		{1500 * time.Millisecond, nil, "--livelock-timeout 1.5s"}, {1500 * time.Millisecond, &plan.Plan{Ranks: 2},
			"--livelock-timeout 1.5s"},
	} {
		r := &runner{unknot: tool, argv: []string{"true"}, livelock: test.livelock, dir: dir}
		if _, err := r.run(t.Context(), 1, 0, test.forced, 0, Output{}); err == nil {
			t.Fatal("a run that cannot be watched is no outcome")
		}
		text, err := os.ReadFile(told)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), test.want) || test.want == "" && strings.Contains(string(text), "livelock") {
			t.Errorf("%v, forced %v: %s", test.livelock, test.forced != nil, text)
		}
	}
}

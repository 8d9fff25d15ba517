package explore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/plan"
)

// TestForcedRunsGetTheTimeToPoll looks at what runs are started with: a run that forces nothing has the time of `unknot run`.
func TestForcedRunsGetTheTimeToPoll(t *testing.T) {
	dir := t.TempDir()
	told := filepath.Join(dir, "told")
	tool := filepath.Join(dir, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho \"$*\" >"+told+"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := &runner{unknot: tool, argv: []string{"true"}, livelock: 1500 * time.Millisecond, dir: dir}
	for _, p := range []*plan.Plan{nil, {Ranks: 2}} {
		if _, err := r.run(t.Context(), 1, p, 0, Output{}); err == nil {
			t.Fatal("a run that cannot be watched is no outcome")
		}
		text, err := os.ReadFile(told)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(string(text), "--livelock-timeout 1.5s"), p != nil; got != want {
			t.Errorf("forced %v: %s", want, text)
		}
	}
}

//go:build !quick

package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnErrorEndsTheOtherRuns proves that a run which cannot be watched ends those that are made beside it, and that
// the exploration returns only when they have ended. The tool is a script: its second run fails once the first one is
// under way, and the first one ends by itself only if nobody ends it for long.
func TestAnErrorEndsTheOtherRuns(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	script := fmt.Sprintf(`#!/bin/sh
cd %q
case "$*" in
*run2.unk*)
	while [ ! -e started ]; do sleep 0.01; done
	echo "unknot: the other run fails" >&2
	exit 3;;
esac
trap 'echo told to end >ended; exit 1' TERM
touch started
i=0
while [ $i -lt 3000 ]; do sleep 0.01; i=$((i+1)); done
echo ended by itself >ended
`, dir)
	if err := os.WriteFile(tool, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	x, err := begin(Options{Unknot: tool, Argv: []string{"app"}, Ranks: 2, Strategy: POE, Parallel: 2,
		Dir: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	x.state.drop(x.state.queue[0]) // the observed run: these follow from it
	x.first = &result{Ranks: 2}
	for range 2 {
		if err := x.state.add(&item{Purpose: alternative, Finding: -1}); err != nil {
			t.Fatal(err)
		}
	}
	err = x.loop(t.Context())
	if err == nil || !strings.Contains(err.Error(), "a run could not be watched: the other run fails") {
		t.Errorf("error %v, want that of the run that failed", err)
	}
	if how, err := os.ReadFile(filepath.Join(dir, "ended")); err != nil || string(how) != "told to end\n" {
		t.Errorf("the other run: %q (%v), want it told to end", how, err)
	}
}

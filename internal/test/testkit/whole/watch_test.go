package whole

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"unknot/internal/test/testkit/tape"
	"unknot/internal/vocab/finding"
)

// longest is the time after which any watched run counts as failed.
const longest = 10 * time.Minute

// watched is a run of a program under unknot, in a separate directory.
type watched struct {
	Result
	Run  finding.Run
	dir  string
	argv []string
}

// watch runs a program under `unknot run` and reads the report. It fails the test if the run leaves processes behind,
// does not end, or writes no report; flags come before the launcher.
func watch(t *testing.T, unknot, cache, mpi string, x Example, p Program, flags ...string) watched {
	t.Helper()
	w, _ := recorded(t, []string{unknot}, cache, mpi, x, p, flags...)
	return w
}

// recorded is watch that returns the tape of the run, if that unknot writes any.
func recorded(t *testing.T, unknot []string, cache, mpi string, x Example, p Program,
	flags ...string) (watched, string) {
	t.Helper()
	program, err := Compile(p, mpi, cache)
	if err != nil {
		t.Fatal(err)
	}
	w := watched{dir: keptDir(t, "unknot-whole-"+x.Name+"-")}
	report := filepath.Join(w.dir, "out.json")
	w.argv = slices.Concat(unknot, []string{"run", "--json", report}, x.Want.Flags, flags,
		Launcher(mpi, x.Want.Ranks), program)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("output, kept with the report in %s:\n%s\nagain: %s", w.dir, w.Output, repeat(w.dir, w.argv))
		}
	})
	if w.Result, err = Run(w.argv, w.dir, append(Settings(w.dir), tape.Setting(w.dir)), longest); err != nil {
		t.Fatal(err)
	}
	if w.TimedOut {
		t.Fatalf("not ended after %v", longest)
	}
	if len(w.Left) != 0 {
		t.Errorf("processes left behind: %q", w.Left)
	}
	if w.Run, err = ReadRun(report); err != nil {
		t.Fatalf("exit status %d and no report: %v", w.Exit, err)
	}
	return w, tape.Path(w.dir)
}

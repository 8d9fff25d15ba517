package whole

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/supervise"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/vocab/finding"
)

// BuildRecorder builds an unknot that records what it watches, in a directory, unless UNKNOT_RECORDER names one, and
// returns the command line that runs it. Programs then have the same addresses in all runs, so that tapes differ in
// little.
func BuildRecorder(dir string) ([]string, error) {
	fixed := []string{"setarch", "-R"}
	if built := os.Getenv("UNKNOT_RECORDER"); built != "" {
		return append(fixed, built), nil
	}
	out := filepath.Join(dir, "unknot") // by this name it is the command
	if text, err := exec.Command("go", "test", "-c", "-o", out, "unknot/cmd/unknot").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go test -c: %w\n%s", err, text)
	}
	return append(fixed, out), nil
}

// Replay is what unknot reports of a job that is on a tape, and its exit status, with so many ranks an agent: all with
// 0, as recorded with tape.AsRecorded.
func Replay(t *testing.T, from *tape.Tape, ranksPerAgent int) (finding.Run, int) {
	t.Helper()
	run, exit, err := supervise.Account(tape.Play(t, from, ranksPerAgent), from.Exit())
	if err != nil {
		t.Fatal(err)
	}
	return run, exit
}

// Hold holds a fresh tape to what unknot reported of the run that it is of, and has it kept, or holds what is made of
// it to what is made of the one that is kept. Form writes findings without what may differ.
func Hold(t *testing.T, kept *tape.Kept, mpi, name, path string, reported []finding.Finding,
	form func([]finding.Finding) (string, error)) {
	t.Helper()
	fresh, err := tape.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	run, _ := Replay(t, fresh, tape.AsRecorded)
	same(t, form, "the run", reported, "its tape", run.Findings)
	if t.Failed() {
		return
	}
	if kept.Put(t, mpi, name, fresh) {
		return
	}
	old, _ := Replay(t, kept.Get(t, mpi, name), tape.AsRecorded)
	same(t, form, "a fresh tape", run.Findings, "the one that is kept", old.Findings)
}

// same holds findings to be the same.
func same(t *testing.T, form func([]finding.Finding) (string, error), what string, fs []finding.Finding, other string,
	of []finding.Finding) {
	t.Helper()
	one, err := form(fs)
	if err != nil {
		t.Fatal(err)
	}
	two, err := form(of)
	if err != nil {
		t.Fatal(err)
	}
	if one != two {
		t.Errorf("findings of %s:\n%s\nof %s:\n%s", what, one, other, two)
	}
}

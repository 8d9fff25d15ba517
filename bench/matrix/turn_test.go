package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// rowVariable names the row that the test runs, instead of that whose turn it is.
const rowVariable = "UNKNOT_ROW"

// TestARowByTurns runs a few examples and plans with one of the MPI libraries of the matrix, another one each day. They
// are unpacked for that, and thrown away.
func TestARowByTurns(t *testing.T) {
	testkit.NeedsMPI(t)
	name := os.Getenv(rowVariable)
	if name == "" {
		name = turnOf(t, time.Now())
	}
	rows, err := choose([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	r := rows[0]
	t.Log(r.name())
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, log := filepath.Join(dir, "root"), filepath.Join(dir, "log")
	m := machine{repository: repository, unknot: testkit.Unknot(t), programs: filepath.Join(dir, "tests")}
	p := part{"turn", "a few examples and plans", []string{"./internal/test/testkit/whole"},
		"EveryBrokenExample/^(recv-recv|send-send-small|operator-mismatch|wildcard-knot|waitsome|two-threads)$|APlanCountsTheCalls|APlanMakesSends", false}
	compiled := make(chan error, 1)
	go func() { compiled <- m.compile([]part{p}, rows) }()
	var said strings.Builder
	unpack := m.command("scripts/unpack.sh", append([]string{r.release, root}, unpacked(r.library)...)...)
	unpack.Stdout, unpack.Stderr = &said, &said
	err = unpack.Run()
	var failed *exec.ExitError
	switch compilation := <-compiled; {
	case compilation != nil:
		t.Fatal(compilation)
	case errors.As(err, &failed) && failed.ExitCode() == 77:
		t.Skipf("%s: the mirror does not have it: %s", r.name(), &said)
	case err != nil:
		t.Fatalf("%v\n%s", err, &said)
	}
	if err := m.tests(&r, p, root, log); err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	one := result{part: p}
	if err := one.read(log, &r); err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	known, err := readDifferences("differences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	r.results = append(r.results, one)
	if unexpected := r.judge(known, false); len(unexpected) > 0 {
		t.Errorf("%s: %s\n%s", r.name(), strings.Join(unexpected, "\n"), told)
	}
	// A linker without a cache finds the libraries all the same, and so does unknot.
	if strings.Contains(string(told), "which the dynamic linker does not find") {
		t.Errorf("%s: libraries were not found\n%s", r.name(), told)
	}
}

// turnOf is the row of a day: of all but those by the standard ABI, for which Debian has no compiler commands.
func turnOf(t *testing.T, day time.Time) string {
	rows, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rows {
		if !strings.HasSuffix(r.library, byABI) {
			names = append(names, r.name())
		}
	}
	return names[int(day.Unix()/(24*60*60))%len(names)]
}

// TestEachRowHasItsTurn: eight libraries in eight days.
func TestEachRowHasItsTurn(t *testing.T) {
	seen := map[string]bool{}
	for day := range 8 {
		seen[turnOf(t, time.Date(2026, time.December, 28+day, 12, 0, 0, 0, time.UTC))] = true
	}
	if len(seen) != 8 {
		t.Errorf("%v", seen)
	}
}

// unpacked are the packages of a library that the programs in C of a few examples need.
func unpacked(library string) []string {
	if library == "mpich" {
		return []string{"gcc", "libc6-dev", "mpich", "libmpich-dev"}
	}
	return []string{"gcc", "libc6-dev", "openmpi-bin", "libopenmpi-dev"}
}

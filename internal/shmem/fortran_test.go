package shmem_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

func TestFortranThatCallsTheFunctionsOfCIsWatched(t *testing.T) {
	testkit.NeedsMPI(t)
	const source = "testdata/fortran/halo.F90"
	build := func(defined ...string) string {
		t.Helper()
		program := filepath.Join(t.TempDir(), "halo")
		args := slices.Concat([]string{"oshfort", "-g", "-O2", "-o", program, source}, defined)
		if out, err := exec.Command(testkit.Unknot(t), args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return program
	}
	if run, text := watched(t, "2", build()); !slices.Equal(told(run), marked(t, source)) {
		t.Errorf("told %q, want %q\n%s", told(run), marked(t, source), text)
	} else if !slices.ContainsFunc(run.Findings, func(f finding.Finding) bool {
		return strings.Contains(f.Sentence, "PE 1 reads it itself at halo.F90:")
	}) {
		t.Errorf("no load of the program's own\n%s", text)
	}
	if run, text := watched(t, "2", build("-DFIXED")); len(run.Findings) > 0 || run.Exit != 0 {
		t.Errorf("corrected: %q\n%s", told(run), text)
	}
}

// TestFunctionsForFortranAreSaidNotToBeWatched has a program with a function of shmem.fh: Debian's library has none, so
// the program brings its own.
func TestFunctionsForFortranAreSaidNotToBeWatched(t *testing.T) {
	testkit.NeedsMPI(t)
	dir := t.TempDir()
	library, program := filepath.Join(dir, "libfortran.so"), filepath.Join(dir, "app")
	for _, line := range [][]string{
		{"oshcc", "-shared", "-fPIC", "-o", library, "testdata/fortran/library.c"},
		{"oshfort", "-o", program, "testdata/fortran/calls.f90", library, "-Wl,--no-as-needed", "-loshmem"},
	} {
		if out, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", line, err, out)
		}
	}
	want := "app calls OpenSHMEM by the functions of shmem.fh, which are not watched; hint: declare those of shmem.h " +
		"with bind(C)"
	if _, text := watched(t, "2", program); !strings.Contains(text, want) {
		t.Errorf("not said: %s\n%s", want, text)
	}
}

//go:build !quick

package rt_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
)

// Collective functions do what plain loops do, for all types, operators, layouts and flags.
func TestCollectives(t *testing.T) {
	fine(t, 1, "testdata/collect.c")
}

// Ticks, castability, non-blocking transfers, atomic operations and sorting.
func TestSmallLibraries(t *testing.T) {
	fine(t, 2, "testdata/small.c")
}

// UPC-IO: local and shared buffers, lists, file pointers of both kinds, asynchronous operations, modes and errors.
func TestFiles(t *testing.T) {
	fine(t, 3, "testdata/io.c", filepath.Join(t.TempDir(), "data"))
}

// The run-time is free of what the sanitizers of gcc find, on one node and on several, and of what it warns of.
func TestSanitizers(t *testing.T) {
	optimisation := "-O0"
	if testkit.Nightly() {
		optimisation = "-O2"
	}
	sanitizers := []string{optimisation, "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	runtime := mpich.runtime(t, sanitizers...)
	data := filepath.Join(t.TempDir(), "data")
	for i, source := range []string{"core", "collect", "small", "io"} {
		object, program := filepath.Join(t.TempDir(), source+".o"), filepath.Join(t.TempDir(), source)
		if err := compile("gcc", "testdata/"+source+".c", object, sanitizers...); err != nil {
			t.Fatal(err)
		}
		args := slices.Concat([]string{"-o", program, object}, runtime, sanitizers, []string{"-lm"})
		if out, err := exec.Command("mpicc.mpich", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for k, j := range []job{{threads: 3}, {threads: 2, together: 1}} {
			if k != i%2 && !testkit.Nightly() {
				continue
			}
			// leaks are MPI's own; the sanitizer comes first
			j.args, j.env = []string{data}, []string{"ASAN_OPTIONS=detect_leaks=0", "LD_PRELOAD="}
			if r := mpich.run(t, j, program); r.status != 0 {
				t.Errorf("%s, %d a node: exit status %d, output:\n%s", source, j.together, r.status, r.out)
			}
		}
	}
}

// gcc has no warnings of the run-time when it optimises either, with the headers of each MPI library.
func TestRuntimeHasNoWarnings(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("compiles the run-time twice more than TestSanitizers: make nightly runs it")
	}
	onBoth(t, func(t *testing.T, f flavour) { f.runtime(t) })
}

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

// TestVariablesAreSymmetricIfTheProgramHasThem links a program with a shared library in several ways (OpenSHMEM 1.4,
// 3.1).
func TestVariablesAreSymmetricIfTheProgramHasThem(t *testing.T) {
	testkit.NeedsMPI(t)
	const source = "testdata/library/main.c"
	dir := t.TempDir()
	build := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(testkit.Unknot(t), slices.Concat([]string{"oshcc", "-g", "-O2"},
			args)...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	library := filepath.Join(dir, "libvariables.so")
	build("-shared", "-fPIC", "-o", library, "testdata/library/variables.c")
	want := marked(t, source)
	for _, way := range []string{"-pie", "-no-pie", "-rdynamic"} {
		program := filepath.Join(dir, "main"+way)
		build(way, "-o", program, source, library)
		if run, text := watched(t, "2", program); !slices.Equal(told(run), want) {
			t.Errorf("%s: told %q, want %q\n%s", way, told(run), want, text)
		}
	}
	for _, which := range []string{"0", "1"} {
		run, text := watched(t, "2", filepath.Join(dir, "main-pie"), which)
		if !slices.ContainsFunc(run.Findings, func(f finding.Finding) bool {
			return f.Code == finding.SHMEMArgument && strings.HasSuffix(f.Sentence,
				" as dest, which is not symmetric: it is a variable of the shared library libvariables.so.")
		}) {
			t.Errorf("variable %s is not told\n%s", which, text)
		}
	}
}

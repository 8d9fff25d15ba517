package shmem_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

func TestEachLoadOrStoreThatRacesIsTold(t *testing.T) {
	for _, source := range sources(t, "testdata/own/*.c*") {
		t.Run(filepath.Base(source), func(t *testing.T) {
			want := marked(t, source)
			run, text := watched(t, "4", tested(t, source))
			if !slices.Equal(told(run), want) {
				t.Errorf("told %q, want %q\n%s", told(run), want, text)
			}
			for _, f := range run.Findings {
				if !slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.Call == "" }) {
					t.Errorf("no access of the program's own: %s", f.Sentence)
				}
			}
			if run, text := watched(t, "4", tested(t, source, "FIXED")); len(run.Findings) > 0 || run.Exit != 0 ||
				!run.Complete {
				t.Errorf("corrected: %q, status %d\n%s", told(run), run.Exit, text)
			}
		})
	}
}

// instrumented is the number of programs that are there only as unknot compiles them.
func instrumented(t *testing.T) int { return len(sources(t, "testdata/own-correct/*.c*")) }

// Each program runs with 2 or 4 PEs, nightly with both.
func TestProgramsWhoseLoadsAndStoresAreInOrderAreLeftAlone(t *testing.T) {
	for i, source := range slices.Concat(sources(t, "testdata/own-correct/*.c*"), sources(t, "testdata/correct/*.c")) {
		t.Run(filepath.Base(source), func(t *testing.T) {
			program := tested(t, source)
			for n, pes := range []string{"2", "4"} {
				if !testkit.Nightly() && n != i%2 {
					continue
				}
				if run, text := watched(t, pes, program); len(run.Findings) > 0 || run.Exit != 0 || !run.Complete {
					t.Errorf("%s PEs: %q, status %d\n%s", pes, told(run), run.Exit, text)
				}
			}
		})
	}
}

// TestACompilerIsNamedInEachWay compiles a program by a wrapper that is named as an argument, by the environment, and
// by a build that names it itself.
func TestACompilerIsNamedInEachWay(t *testing.T) {
	testkit.NeedsMPI(t)
	source, err := filepath.Abs("testdata/own/puts.c")
	if err != nil {
		t.Fatal(err)
	}
	oshcc, err := exec.LookPath("oshcc")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, c := range []struct {
		env  string
		args []string
	}{
		{"", []string{"oshcc", "--oshcc=" + oshcc}},
		{"UNKNOT_OSHCC=" + oshcc, []string{"oshcc"}},
		{"UNKNOT_OSHCXX=" + oshcc, []string{"oshcxx"}},
		{"", []string{"wrap", "--", "shmemcc"}},
		{"", []string{"wrap", "--", "sh", "-c", `oshcc "$@"`, "sh"}},
	} {
		program := filepath.Join(dir, fmt.Sprint(i))
		cmd := exec.Command(testkit.Unknot(t),
			slices.Concat(c.args, []string{"-std=gnu11", "-g", "-O2", "-o", program, source})...)
		cmd.Env = append(os.Environ(), c.env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %q: %v\n%s", c.env, c.args, err, out)
			continue
		}
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("__link_by_unknot_mpicc_load")) {
			t.Errorf("%s %q: the program tests no accesses", c.env, c.args)
		}
	}
	out, err := exec.Command(testkit.Unknot(t), "oshcc", "--oshcc=nowhere", source).CombinedOutput()
	const want = "unknot: oshcc: no compiler wrapper nowhere; hint: install an OpenSHMEM library (Debian: " +
		"libopenmpi-dev), or name its wrapper with --oshcc=PATH\n"
	if err == nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// TestAccessesAreLookedAtAsAsked has the same program run with fewer of its accesses looked at.
func TestAccessesAreLookedAtAsAsked(t *testing.T) {
	testkit.NeedsMPI(t)
	puts, pending := tested(t, "testdata/own/puts.c"), tested(t, "testdata/own/pending.c")
	for _, c := range []struct {
		program, accesses string
		some              bool
	}{{puts, "off", false}, {puts, "buffers", false}, {puts, "all", true}, {pending, "off", false},
		{pending, "buffers", true}} {
		run, text := watchedWith(t, []string{"--accesses=" + c.accesses}, "4", c.program)
		if (len(run.Findings) > 0) != c.some {
			t.Errorf("--accesses=%s: %q\n%s", c.accesses, told(run), text)
		}
	}
}

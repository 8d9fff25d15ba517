//go:build !quick

package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// compiled is a program for an MPI library.
func compiled(t *testing.T, mpi, name string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	if text, err := exec.Command("mpicc."+mpi, "-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program,
		filepath.Join("programs", name+".c"), "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

func TestProgramsComputeWhatTheyShould(t *testing.T) {
	for _, mpi := range []string{"openmpi", "mpich"} {
		for _, name := range []string{"gauss", "heat", "partition", "redistribute"} {
			if name == "partition" && mpi == "openmpi" && !testkit.Nightly() {
				continue // it takes seconds
			}
			job := exec.Command("mpirun."+mpi, "-n", "4", compiled(t, mpi, name))
			job.Env = testkit.Gently()
			text, err := job.CombinedOutput()
			if err != nil || !strings.HasSuffix(string(text), "ok\n") {
				t.Errorf("%s, %s: %v\n%s", name, mpi, err, text)
			}
		}
	}
}

// TestCountsThatFollowFromTheProgram explores programs whose number of orders is known: what no wildcard receive could
// have matched instead needs no other run.
func TestCountsThatFollowFromTheProgram(t *testing.T) {
	unknot := testkit.Unknot(t)
	for _, c := range []struct{ name, strategy, buffering, want string }{
		{"gauss", "poe", "none", `free as far as tried: no deadlock in 1 run\b`},
		{"redistribute", "mspoe", "none", `not free: 1 deadlock happened without being forced`},
		{"heat", "mspoe", "none", `not free: 1 deadlock was made to happen`},
	} {
		job := exec.Command(unknot, "explore", "--strategy="+c.strategy, "--buffering="+c.buffering,
			"--state", t.TempDir(), "--mpicc", "mpicc.mpich", "mpirun.mpich", "-n", "4", compiled(t, "mpich", c.name))
		job.Env = testkit.Gently()
		text, _ := job.CombinedOutput() // its status is 66 if there is a deadlock
		if !regexp.MustCompile(c.want).Match(text) {
			t.Errorf("%s, %s, %s: expected %q\n%s", c.name, c.strategy, c.buffering, c.want, text)
		}
	}
}

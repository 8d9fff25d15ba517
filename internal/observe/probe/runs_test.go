//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestRunsAreTheBytesOfDatatypes has random datatypes, of all constructors and in each other, taken apart. Arrays that
// are distributed in cycles, which not every library places as MPI says, come last.
func TestRunsAreTheBytesOfDatatypes(t *testing.T) {
	byTurns(t, 1, func(t *testing.T, f flavour) {
		dir := runtimeDir(t)
		program := filepath.Join(t.TempDir(), "runs")
		args := append([]string{"-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-I", dir, "-o", program,
			"testdata/runs.c",
			filepath.Join(dir, "objects/runs.c"), filepath.Join(dir, "objects/envelope.c"), "-ldl"}, sanitize...)
		if out, err := exec.Command(f.mpicc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for cycles, name := range []string{"without-cycles", "with-cycles"} {
			t.Run(name, func(t *testing.T) {
				for seed := range seeds(5) {
					forced(t, program, fmt.Sprint(seed), "2000", fmt.Sprint(cycles))
				}
			})
		}
	})
}

package whole

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"unknot/internal/vocab/finding"
)

// The fixed programs must be safe, and those that the tool is to call unsafe must be so: both are shown by running them
// under an MPI that buffers nothing. Fortran programs pass this layer by on Open MPI, but not on MPICH.

func TestFixedExamplesEndUnderTheStrictestMPI(t *testing.T) {
	layers := map[string]string{"openmpi": strictLayer(t, "openmpi"), "mpich": strictLayer(t, "mpich")}
	for turn, x := range loadExamples(t) {
		for _, mpi := range x.libraries(turn) {
			t.Run(x.Name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				if r := strictly(t, layers[mpi], mpi, x, x.Fixed, 10*time.Minute); r.TimedOut || r.Exit != 0 {
					t.Errorf("exit status %d, timed out: %v\n%s", r.Exit, r.TimedOut, r.Output)
				}
			})
		}
	}
}

func TestUnsafeExamplesHangUnderTheStrictestMPI(t *testing.T) {
	layer := strictLayer(t, "mpich")
	for _, x := range loadExamples(t) {
		if x.Want.Code != finding.DeadlockUnsafe {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			if r := strictly(t, layer, "mpich", x, x.Broken, 2*time.Second); !r.TimedOut {
				t.Errorf("ended with exit status %d, want a hang\n%s", r.Exit, r.Output)
			}
		})
	}
}

// strictLayer compiles testdata/strict.c for an MPI.
func strictLayer(t *testing.T, mpi string) string {
	t.Helper()
	layer := filepath.Join(keptDir(t, "unknot-strict-layer-"), "strict.so")
	cmd := exec.Command("mpicc."+mpi, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", layer,
		"testdata/strict.c")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, text)
	}
	return layer
}

// strictly runs a program with the layer preloaded into its ranks.
func strictly(t *testing.T, layer, mpi string, x Example, p Program, limit time.Duration) Result {
	t.Helper()
	program, err := Compile(p, mpi, programCache(t))
	if err != nil {
		t.Fatal(err)
	}
	argv := slices.Concat(Launcher(mpi, x.Want.Ranks), []string{"env", "LD_PRELOAD=" + layer}, program)
	dir := keptDir(t, "unknot-strict-")
	r, err := Run(argv, dir, Settings(dir), limit)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

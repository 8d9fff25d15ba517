package whole

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// layered are the libraries whose Fortran functions may be those of somebody else's layer over the C functions: all but
// Open MPI, whose own do not pass through these, so that unknot looks for them. `make matrix` has the libraries with
// the ABI of the MPI standard.
func layered(t *testing.T) (all []string) {
	for _, mpi := range testkit.Both() {
		text, err := exec.Command("mpicc."+mpi, "-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null").Output()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "#define OPEN_MPI ") {
			all = append(all, mpi)
		}
	}
	return all
}

// TestLayersOverTheCFunctionsAreWatched: a Fortran program, and Python by a module that stands in for mpi4py's, are
// named with their own lines, whoever made the library between them and the C functions, and whether that calls them by
// MPI_ or by PMPI_.
func TestLayersOverTheCFunctionsAreWatched(t *testing.T) {
	unknot := buildUnknot(t)
	for _, mpi := range layered(t) {
		for name, flags := range map[string][]string{"MPI": nil, "PMPI": {"-DPROFILING"}} {
			dir := keptDir(t, "unknot-layer-")
			module := filepath.Join(dir, "mpi4py")
			if err := os.MkdirAll(module, 0o755); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(dir, "receives")
			made(t, slices.Concat([]string{"mpicc." + mpi, "-g", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
				"-Wl,-soname,liblayer.so", "-o", filepath.Join(dir, "liblayer.so")},
				flags, []string{"testdata/layer.c"})...)
			made(t, "gfortran", "-g", "-Wall", "-Wextra", "-Werror", "-o", program, "testdata/layer.f90", "-L"+dir,
				"-llayer", "-Wl,-rpath,"+dir)
			made(t, "cp", filepath.Join(dir, "liblayer.so"), filepath.Join(module, "MPI.so"))
			made(t, "touch", filepath.Join(module, "__init__.py"))
			script, err := filepath.Abs("testdata/layer.py")
			if err != nil {
				t.Fatal(err)
			}
			t.Run("Fortran by "+name+"/"+mpi,
				func(t *testing.T) { waits(t, unknot, dir, "mpirun."+mpi, "layer.f90:10", program) })
			if flags == nil {
				t.Run("Python/"+mpi, func(t *testing.T) {
					waits(t, unknot, dir, "mpirun."+mpi, "layer.py:12",
						"/usr/bin/python3", script)
				})
			}
		}
	}
}

// waits runs a program by a launcher; its two ranks wait for each other at a place.
func waits(t *testing.T, unknot, dir, launcher, place string, program ...string) {
	t.Helper()
	argv := slices.Concat([]string{unknot, "run", launcher, "-n", "2"}, program)
	r, err := Run(argv, dir, append(Settings(dir), "PYTHONPATH="+dir), 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit != 66 ||
		!strings.Contains(r.Output, "Ranks 0 and 1 wait for each other: each receives before it sends.") ||
		strings.Count(r.Output, place) != 2 {
		t.Errorf("exit status %d, want 66 and a deadlock at %s of both ranks\n%s\nagain: %s", r.Exit, place, r.Output,
			repeat(dir, argv))
	}
}

// made runs a command that makes something.
func made(t *testing.T, line ...string) {
	t.Helper()
	if text, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, text)
	}
}

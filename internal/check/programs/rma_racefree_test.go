package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/whole"
)

// TestProgramsWithoutRacesAreSilent runs what one-sided MPI is used for, done right: halos in each mode of
// synchronisation, a queue of tasks, locks made of atomic operations, a stencil in shared memory, memory that is handed
// on by messages. What they load and store themselves is seen, too. Each begins with "/* ranks: N */".
func TestProgramsWithoutRacesAreSilent(t *testing.T) {
	testkit.TakesLong(t)
	sources, err := filepath.Glob("../rma/racefree/*.c")
	if err != nil || len(sources) < 13 {
		t.Fatalf("%d programs, %v", len(sources), err)
	}
	unknot := testkit.Unknot(t)
	for i, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(string(text), "/* ranks: "), " ")
		ranks, err := strconv.Atoi(first)
		if err != nil {
			t.Fatalf("%s: it does not begin with \"/* ranks: N */\"", source)
		}
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(filepath.Base(source)+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				program := filepath.Join(dir, "program")
				if text, err := exec.Command(unknot, "mpicc", "--mpicc=mpicc."+mpi, "-g", "-O2", "-o", program,
					source).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				argv := append(append([]string{unknot, "run"}, whole.Launcher(mpi, ranks)...), program)
				r, err := whole.Run(argv, dir, whole.Settings(dir), 10*time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				if r.Exit != 0 || strings.TrimSpace(r.Output) != "" {
					t.Errorf("exit status %d\n%s", r.Exit, r.Output)
				}
			})
		}
	}
}

package whole

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/vocab/finding"
)

// exploration is what came of exploring a program.
type exploration struct {
	finding.Run
	Output string // of unknot, and how to repeat it
}

// exploreSource compiles a program and explores it on an MPI with options.
func exploreSource(t *testing.T, unknot, source, mpi string, ranks int, options ...string) exploration {
	t.Helper()
	dir := keptDir(t, "unknot-explored-")
	if err := os.WriteFile(filepath.Join(dir, "program.c"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	if text, err := exec.Command("mpicc."+mpi, "-g", "-w", "-pthread", "-o", program,
		program+".c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	argv := slices.Concat([]string{unknot, "explore", "--json", "out.json", "--state", "state"}, options,
		Launcher(mpi, ranks), []string{"./program"})
	r, err := Run(argv, dir, Settings(dir), 30*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	e := exploration{Output: strings.TrimSpace(r.Output) + "\n" + repeat(dir, argv)}
	if e.Run, err = ReadRun(filepath.Join(dir, "out.json")); err != nil {
		t.Fatalf("%v\n%s", err, r.Output)
	}
	return e
}

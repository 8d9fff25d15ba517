package upc_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"unknot/internal/upc/driver"
)

// TestCheckedConformance: the facts hold in programs of upc-check as well, and nothing is told of them.
func TestCheckedConformance(t *testing.T) {
	b := &builder{dir: t.TempDir(), facts: facts(t)}
	mainFile, err := b.main()
	if err != nil {
		t.Fatal(err)
	}
	sources, _ := filepath.Glob("testdata/conformance/*.upc")
	for _, mpi := range []string{"openmpi", "mpich"} {
		program := filepath.Join(b.dir, mpi)
		args := append([]string{"--mpicc", "mpicc." + mpi, "-w", "-O1", "-s", "-DSINGLE_VALUED", "-Itestdata/conformance", "-o", program, mainFile}, sources...)
		var told bytes.Buffer
		if status := driver.Check(context.Background(), args, &told, &told); status != 0 {
			t.Fatalf("%s: exit status %d\n%s", mpi, status, told.Bytes())
		}
		launches := []launch{{mpi: mpi, threads: 4}}
		if mpi == "mpich" {
			launches = append(launches, launch{mpi: mpi, threads: 1}, launch{mpi: mpi, threads: 5}, launch{mpi: mpi, threads: 4, node: 2})
		}
		for _, l := range launches {
			for _, problem := range b.check(program, l) {
				t.Error(problem)
			}
		}
	}
}

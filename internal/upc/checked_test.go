package upc_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

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

// mistake is a function of testdata/checked/forall.upc with the check that tells of it and the line, or without.
type mistake struct {
	function, id string
	line         int
}

func mistakes(t *testing.T, path string) []mistake {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := regexp.MustCompile(`^static int (\w+)\(int n\)`)
	comment := regexp.MustCompile(`/\* (-1 )?([A-Z]{4}-\d\d) \*/`)
	var all []mistake
	lone := mistake{}
	for i, line := range strings.Split(string(text), "\n") {
		if m := start.FindStringSubmatch(line); m != nil {
			all = append(all, mistake{function: m[1]})
			if lone.id != "" {
				all[len(all)-1], lone = mistake{m[1], lone.id, lone.line}, mistake{}
			}
		}
		m := comment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at := i + 1
		if m[1] != "" {
			at--
		}
		if strings.HasPrefix(line, "\tupc_barrier; /*") {
			lone = mistake{id: m[2], line: at} // in a function that the next one calls
			continue
		}
		all[len(all)-1].id, all[len(all)-1].line = m[2], at
	}
	return all
}

// TestForallMistakes: each mistake in an upc_forall is told with its check and line, and what is right is not.
func TestForallMistakes(t *testing.T) {
	const source = "testdata/checked/forall.upc"
	program := filepath.Join(t.TempDir(), "forall")
	var told bytes.Buffer
	if status := driver.Check(t.Context(), []string{"--mpicc", "mpicc.mpich", "-w", "-o", program, source}, &told, &told); status != 0 {
		t.Fatalf("exit status %d\n%s", status, told.Bytes())
	}
	all := mistakes(t, source)
	if len(all) < 16 {
		t.Fatalf("%d mistakes", len(all))
	}
	for _, m := range all {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		out, err := exec.CommandContext(ctx, "mpirun.mpich", "-n", "2", program, m.function).CombinedOutput()
		cancel()
		if m.id == "" {
			if err != nil || len(out) > 0 {
				t.Errorf("%s: %v\n%s", m.function, err, out)
			}
			continue
		}
		place := fmt.Sprintf("forall.upc:%d)", m.line)
		if !strings.Contains(string(out), "["+m.id+"]") || !strings.Contains(string(out), place) {
			t.Errorf("%s: no [%s] at %s in\n%s", m.function, m.id, place, out)
		}
	}
}

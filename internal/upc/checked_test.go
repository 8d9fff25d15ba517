//go:build !quick

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

	"unknot/internal/test/testkit"
	"unknot/internal/upc/driver"
)

// TestCheckedConformance: the facts hold in programs of upc-check as well, and nothing is reported of them. Nightly the
// programs are optimised, and run on both MPIs.
func TestCheckedConformance(t *testing.T) {
	b := &builder{dir: t.TempDir(), facts: facts(t)}
	sources, err := b.sources()
	if err != nil {
		t.Fatal(err)
	}
	optimisation := "-O0"
	launches := []launch{{mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 5},
		{mpi: "openmpi", threads: 4, node: 2}}
	if testkit.Nightly() {
		optimisation = "-O1"
		launches = onBoth(append(launches, launch{threads: 1}, launch{threads: 4}))
	}
	objects := make([]string, len(sources))
	err = parallel(len(sources), func(i int) error {
		objects[i] = filepath.Join(b.dir, strings.TrimSuffix(filepath.Base(sources[i]), ".upc")+".o")
		return checked("mpich", "-c", "-w", optimisation, "-s", "--pointers", "-DSINGLE_VALUED",
			"-Itestdata/conformance", "-o", objects[i], sources[i])
	})
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{}
	for _, l := range launches {
		if programs[l.mpi] == "" {
			programs[l.mpi] = filepath.Join(b.dir, l.mpi)
			if err := checked(l.mpi, append([]string{"-o", programs[l.mpi]}, objects...)...); err != nil {
				t.Fatal(err)
			}
		}
		for _, problem := range b.check(programs[l.mpi], l) {
			t.Error(problem)
		}
	}
}

// checked runs upc-check for an MPI.
func checked(mpi string, args ...string) error {
	mpi = testkit.Library(mpi)
	var told bytes.Buffer
	if status := driver.Check(context.Background(), append([]string{"--mpicc", "mpicc." + mpi}, args...), &told,
		&told); status != 0 {
		return fmt.Errorf("%q: exit status %d\n%s", args, status, told.Bytes())
	}
	return nil
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

// TestForallMistakes: each mistake in a upc_forall is reported with its check and line, and what is right is not.
func TestForallMistakes(t *testing.T) {
	const source = "testdata/checked/forall.upc"
	program := filepath.Join(t.TempDir(), "forall")
	if err := checked("mpich", "-w", "-o", program, source); err != nil {
		t.Fatal(err)
	}
	all := mistakes(t, source)
	if len(all) < 16 {
		t.Fatalf("%d mistakes", len(all))
	}
	for _, m := range all {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		command := exec.CommandContext(ctx, "mpirun.mpich", "-n", "2", program, m.function)
		command.Env = testkit.Gently()
		out, err := command.CombinedOutput()
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

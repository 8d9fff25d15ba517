//go:build !quick

package upc_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/races"
)

// readFlags are those that a program says it needs.
func readFlags(text string) []string {
	for line := range strings.Lines(text) {
		if m := racingFlag.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			return strings.Fields(m[1])
		}
	}
	return nil
}

// TestThreadsOfUPCThreads runs programs whose UPC threads start POSIX threads or OpenMP's: what these do to shared
// memory counts as done by the UPC thread. Races with other UPC threads are found, and nothing else is reported,
// however many record at once.
func TestThreadsOfUPCThreads(t *testing.T) {
	testkit.TakesLong(t)
	paths, err := filepath.Glob("testdata/hybrid/*.upc")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d programs: %v", len(paths), err)
	}
	for i, path := range paths {
		mpi := testkit.Both()[i%len(testkit.Both())]
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".upc"), func(t *testing.T) {
			t.Parallel()
			flags := readFlags(string(text))
			plain := exec.Command(testkit.Unknot(t), slices.Concat([]string{"upcc", "--mpicc", "mpicc." + mpi, "-Wall",
				"-Wextra", "-Werror", "-O2", "-o", filepath.Join(t.TempDir(), "plain")}, flags, []string{path})...)
			if out, err := plain.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if strings.Contains(string(text), "/* race 1: ") {
				readRacing(t, path).judge(t, mpi, path)
				return
			}
			for _, sampling := range []string{"all", races.DefaultSampling} {
				p := racing{name: sampling, sampling: sampling, flags: flags}
				if _, err := fmt.Sscanf(string(text), "/* threads: %d */", &p.threads); err != nil {
					t.Fatal(err)
				}
				if found, exit := p.run(t, mpi, path, t.TempDir()); exit != 0 || len(found.Findings) > 0 {
					t.Errorf("%s: exit status %d, %v", sampling, exit, found.Findings)
				}
			}
		})
	}
}

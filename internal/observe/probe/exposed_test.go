//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAccessesToWindowsAreToldAsTheyWere has random accesses to two windows, of which the probe tells now and then: in
// one mode exactly which bytes were loaded and stored, in the others no others than those; with a bound on what that
// costs, only what is behind a call for the first time.
func TestAccessesToWindowsAreToldAsTheyWere(t *testing.T) {
	dir := runtimeDir(t)
	program := filepath.Join(t.TempDir(), "exposed")
	args := []string{"-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined",
		"-fno-sanitize-recover=all", "-I", dir, "-o", program,
		"testdata/exposed.c", filepath.Join(dir, "objects/exposed.c")}
	if out, err := exec.Command("mpicc.mpich", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, mode := range []struct{ name, accesses string }{{"all", "20000"}, {"some", "200000"}, {"bound", "200000"}} {
		for seed := range 100 {
			if out, err := exec.Command(program, fmt.Sprint(seed), mode.accesses,
				mode.name).CombinedOutput(); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, mode.name, err, out)
			}
		}
	}
}

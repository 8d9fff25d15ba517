package hosts

import (
	_ "embed"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed csrc/finalize.c
var finalizeSource string

// Finalize compiles a library into a directory that hosts share, and returns its path. MPICH's ranks on several hosts
// need it in LD_PRELOAD, as MPICH 4.0 hangs in MPI_Finalize in one of ten jobs there.
func Finalize(t testing.TB, dir string) string {
	t.Helper()
	library, err := BuildFinalize(dir)
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// BuildFinalize is Finalize for one who is no test.
func BuildFinalize(dir string) (string, error) {
	library := filepath.Join(dir, "finalize.so")
	cmd := exec.Command("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", library, "-x",
		"c", "-", "-ldl")
	cmd.Stdin = strings.NewReader(finalizeSource)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%q: %w\n%s", cmd.Args, err, text)
	}
	return library, nil
}

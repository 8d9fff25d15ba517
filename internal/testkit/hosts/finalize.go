package hosts

import (
	_ "embed"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed csrc/finalize.c
var finalizeSource string

// Finalize compiles a library into a directory that hosts share, and returns its path. MPICH's ranks on several hosts need it in LD_PRELOAD,
// as MPICH 4.0 hangs in MPI_Finalize in one of ten jobs there.
func Finalize(t testing.TB, dir string) string {
	t.Helper()
	library := filepath.Join(dir, "finalize.so")
	cmd := exec.Command("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", library, "-x", "c", "-", "-ldl")
	cmd.Stdin = strings.NewReader(finalizeSource)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", cmd.Args, err, text)
	}
	return library
}

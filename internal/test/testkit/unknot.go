package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// builtVariable names the unknot that `make test` has built, once for the tests of all packages.
const builtVariable = "UNKNOT_BUILT"

// Built is the path of the command that `make test` has built; "" if nobody has.
func Built() string { return os.Getenv(builtVariable) }

// Unknot is the path of the command, for a test and its subtests: of the one that `make test` has built, else of one
// that is built as the Makefile does it.
func Unknot(t testing.TB) string {
	t.Helper()
	if built := Built(); built != "" {
		// What go test has kept of this package counts as long as the file that it looks at here is the same.
		if _, err := os.Stat(built); err != nil {
			t.Fatalf("%s: %v", builtVariable, err)
		}
		return built
	}
	dir, err := os.MkdirTemp("", "unknot-built-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() { // a failed test prints the command that does it again, which needs the file
			os.RemoveAll(dir)
		}
	})
	unknot := filepath.Join(dir, "unknot")
	build := exec.Command("go", "build", "-trimpath", "-o", unknot, "unknot/cmd/unknot")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%v: %w\n%s", build.Args, err, text))
	}
	return unknot
}

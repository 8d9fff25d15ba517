package whole

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

const (
	root     = "../../../.."
	examples = root + "/examples"
	readme   = examples + "/README.md"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite the table in examples/README.md")
	flag.Bool("plain", false, "run the broken programs without unknot and compare with what their expectations "+
		"say of that")
	flag.String("agents", "max,1,2", "numbers of ranks an agent to compare; max is one agent for all")
	flag.String("agents-on", "handful", "examples to compare jobs on: handful (nightly all), all, or names with commas")
	flag.Parse()
	os.Exit(m.Run())
}

// flagged reads one of the flags above.
func flagged(name string) string { return flag.Lookup(name).Value.String() }

func loadExamples(t *testing.T) []Example {
	t.Helper()
	dir, err := filepath.Abs(examples)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// keptDir makes a directory that goes when the test has passed and stays when it has failed.
func keptDir(t *testing.T, pattern string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() {
			os.RemoveAll(dir)
		}
	})
	return dir
}

// buildUnknot gives the tool for a test and its subtests.
func buildUnknot(t *testing.T) string {
	t.Helper()
	testkit.NeedsMPI(t)
	return testkit.Unknot(t)
}

// programCache is where compiled examples stay from one test run to the next.
func programCache(t *testing.T) string {
	t.Helper()
	testkit.NeedsMPI(t)
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("unknot-examples-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// repeat is the shell command that does again what a failed test did.
func repeat(dir string, argv []string) string {
	return "cd " + dir + " && " + strings.Join(Settings(dir), " ") + " " + strings.Join(argv, " ")
}

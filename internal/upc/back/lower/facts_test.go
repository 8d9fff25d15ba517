//go:build !quick

package lower_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// TestFacts compiles the programs of testdata/facts into one program for each THREADS environment, and runs it. Each of
// them checks what it computes; the main that is written here calls one after the other. Nightly it has all
// environments and both MPIs, else a dynamic and a static one, of which only the dynamic one is optimised, and the MPIs
// by turns.
func TestFacts(t *testing.T) {
	sources, err := filepath.Glob("testdata/facts/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	slices.Sort(sources)
	dir := t.TempDir()
	environments := []int{0, 4}
	if testkit.Nightly() {
		environments = []int{0, 1, 2, 4, 5}
	}
	for _, environment := range environments {
		optimisation := "-O1"
		if environment != 0 && !testkit.Nightly() {
			optimisation = "-O0"
		}
		t.Run(fmt.Sprintf("static%d", environment), func(t *testing.T) {
			list := []string{object(t, dir, fmt.Sprintf("main%d", environment),
				lowered(t, "main.upc", []byte(mainOf(sources)), environment))}
			for _, s := range sources {
				name := fmt.Sprintf("%s%d", nameOf(s), environment)
				list = append(list, object(t, dir, name, translate(t, s, environment), optimisation, "-Wall",
					"-Wno-parentheses", "-Wno-unused"))
			}
			counts := []int{environment}
			if environment == 0 {
				counts = []int{1, 2, 4, 5}
			}
			f := &factsProgram{dir, environment, list, wanted(sources), map[string]string{}}
			for i, n := range counts {
				f.holds(t, i+environment/4, n)
			}
			if environment == 0 {
				// As if each thread, and each two, were on a separate node: accesses to others go through MPI.
				for i, together := range []string{"1", "2"} {
					t.Setenv("UPC_NODE_THREADS", together)
					f.holds(t, i, 3)
				}
			}
		})
	}
	if t.Failed() && os.Getenv("KEEP") != "" {
		_ = os.CopyFS(os.Getenv("KEEP"), os.DirFS(dir))
	}
}

// A factsProgram is the facts, compiled for a THREADS environment, and the programs that were linked of them for an
// MPI.
type factsProgram struct {
	dir         string
	environment int
	objects     []string
	want        string
	linked      map[string]string
}

// holds runs the program with a number of threads, with the MPIs by turns.
func (f *factsProgram) holds(t *testing.T, turn, threads int) {
	t.Helper()
	for _, mpi := range testkit.Libraries(turn) {
		if f.linked[mpi] == "" {
			f.linked[mpi] = filepath.Join(f.dir, fmt.Sprintf("facts%d.%s", f.environment, mpi))
			link(t, mpi, f.linked[mpi], f.objects)
		}
		if out, err := launch(mpi, threads, f.linked[mpi]); err != nil || out != f.want {
			t.Errorf("%s, %d threads, UPC_NODE_THREADS=%q: %v\n%s", mpi, threads, os.Getenv("UPC_NODE_THREADS"), err,
				out)
		}
	}
}

func nameOf(source string) string { return strings.TrimSuffix(filepath.Base(source), ".upc") }

// mainOf is a UPC program that calls the test of each source and says when it is through.
func mainOf(sources []string) string {
	var b strings.Builder
	b.WriteString("int printf(const char *, ...);\nextern void *stdout;\nint fflush(void *);\nint failures;\n")
	for _, s := range sources {
		fmt.Fprintf(&b, "void test_%s(void);\n", nameOf(s))
	}
	b.WriteString("int main(void) {\n")
	for _, s := range sources {
		fmt.Fprintf(&b, "upc_barrier; test_%s(); upc_barrier;\nif (MYTHREAD == 0) { printf(\"%s\\n\"); "+
			"fflush(stdout); }\n", nameOf(s), nameOf(s))
	}
	b.WriteString("return failures != 0;\n}\n")
	return b.String()
}

func wanted(sources []string) string {
	var b strings.Builder
	for _, s := range sources {
		b.WriteString(nameOf(s) + "\n")
	}
	return b.String()
}

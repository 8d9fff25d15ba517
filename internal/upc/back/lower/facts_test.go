package lower_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFacts compiles the programs of testdata/facts into one program for each THREADS environment, and runs it on both MPIs. Each
// of them checks what it computes; the main that is written here calls one after the other.
func TestFacts(t *testing.T) {
	sources, err := filepath.Glob("testdata/facts/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	slices.Sort(sources)
	dir := t.TempDir()
	objects := map[string][]string{}
	for _, mpi := range mpis {
		objects[mpi] = runtime(t, mpi)
	}
	for _, environment := range []int{0, 1, 2, 4, 5} {
		t.Run(fmt.Sprintf("static%d", environment), func(t *testing.T) {
			list := []string{object(t, dir, fmt.Sprintf("main%d", environment), lowered(t, "main.upc", []byte(mainOf(sources)), environment))}
			for _, s := range sources {
				name := fmt.Sprintf("%s%d", strings.TrimSuffix(filepath.Base(s), ".upc"), environment)
				list = append(list, object(t, dir, name, translate(t, s, environment), "-O1", "-Wall", "-Wno-parentheses", "-Wno-unused"))
			}
			counts := []int{environment}
			if environment == 0 {
				counts = []int{1, 2, 4, 5}
			}
			for _, mpi := range mpis {
				program := filepath.Join(dir, fmt.Sprintf("facts%d.%s", environment, mpi))
				run(t, "mpicc."+mpi, slices.Concat([]string{"-o", program}, list, objects[mpi])...)
				for _, n := range counts {
					out, err := launch(mpi, n, program)
					if want := wanted(sources); err != nil || out != want {
						t.Errorf("%s, %d threads: %v\n%s", mpi, n, err, out)
					}
				}
				if environment == 0 {
					farApart(t, mpi, program, wanted(sources))
				}
			}
		})
	}
	if t.Failed() && os.Getenv("KEEP") != "" {
		_ = os.CopyFS(os.Getenv("KEEP"), os.DirFS(dir))
	}
}

// farApart runs a program as if each thread, and each two, were on a node of their own: accesses to others go through MPI.
func farApart(t *testing.T, mpi, program, want string) {
	for _, together := range []string{"1", "2"} {
		t.Setenv("UPC_NODE_THREADS", together)
		if out, err := launch(mpi, 3, program); err != nil || out != want {
			t.Errorf("%s, %s threads a node: %v\n%s", mpi, together, err, out)
		}
		os.Unsetenv("UPC_NODE_THREADS")
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
		fmt.Fprintf(&b, "upc_barrier; test_%s(); upc_barrier;\nif (MYTHREAD == 0) { printf(\"%s\\n\"); fflush(stdout); }\n", nameOf(s), nameOf(s))
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

//go:build !quick

package driver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/rt"
)

// alone stands for the run-time in programs of one thread that share nothing.
const alone = `int upcr_main(int, char **, char **);
int main(int argc, char **argv, char **envp) { return upcr_main(argc, argv, envp); }
`

// TestPlainCBehavesAsWithGCC compiles each program of testdata/c with gcc, and as UPC through the front end, and
// compares what the two print and how they end.
func TestPlainCBehavesAsWithGCC(t *testing.T) {
	paths, err := filepath.Glob("../testdata/c/*.c")
	if err != nil || len(paths) < 150 {
		t.Fatalf("%d programs: %v", len(paths), err)
	}
	k := kit{t.TempDir()}
	if err := rt.Program().Write(k.dir); err != nil {
		t.Fatal(err)
	}
	stub := filepath.Join(k.dir, "alone.o")
	source := filepath.Join(k.dir, "alone.c")
	if err := os.WriteFile(source, []byte(alone), 0o666); err != nil {
		t.Fatal(err)
	}
	gcc(t, "-c", source, "-o", stub)
	for i, path := range paths {
		if i%4 != 0 && !testkit.Nightly() {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".c"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			direct, through, object := filepath.Join(dir, "direct"), filepath.Join(dir, "through"),
				filepath.Join(dir, "through.o")
			gcc(t, "-std=gnu11", "-w", "-fopenmp", "-o", direct, path, "-lm")
			compileAsUPC(t, k, path, object)
			gcc(t, "-fopenmp", "-o", through, object, stub, "-lm")
			want, wantStatus := outcome(t, direct)
			got, gotStatus := outcome(t, through)
			if got != want || gotStatus != wantStatus {
				t.Errorf("exit status %d, output\n%s\ngcc's: exit status %d, output\n%s", gotStatus, got,
					wantStatus, want)
			}
		})
	}
}

// compileAsUPC compiles a source through the front end, with gcc in the place of mpicc.
func compileAsUPC(t *testing.T, k kit, path, object string) {
	t.Helper()
	c, err := parseOptions([]string{"-x", "upc", "-std=gnu11", "-w", "-fopenmp", "-c", path, "-o", object}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := findTool("gcc")
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	job := &compilation{command: c, tool: &runner{ctx: t.Context(), path: tool, stderr: &printed}, kit: k,
		temp: t.TempDir()}
	if err := job.compile(path, object); err != nil {
		t.Fatalf("%v\n%s", err, printed.String())
	}
	if printed.Len() > 0 {
		t.Errorf("the compiler says\n%s", printed.String())
	}
}

func gcc(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// outcome is what a program prints and its exit status.
func outcome(t *testing.T, program string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return string(out), 0
	case errors.As(err, &exit):
		return string(out), exit.ExitCode()
	}
	t.Fatal(err)
	return "", 0
}

//go:build !quick

package lower_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit/upckit"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// config is what the driver tells the checker and the lowering.
func config(threads int) lower.Config {
	return lower.Config{Config: types.Config{Threads: types.Threads(threads), MaxBlock: 1 << 20, PointerSize: 8,
		PointerAlign: 8}}
}

// include are the folders of the UPC headers and of the run-time's own header.
func include() []string {
	var list []string
	for _, dir := range []string{"../../rt/include", "../../rt/c", "testdata/facts"} {
		list = append(list, "-I"+absolute(dir))
	}
	return list
}

// translate gives the C of a UPC source, or fails with what the front end tells of it.
func translate(t testing.TB, path string, threads int, define ...string) []byte {
	t.Helper()
	environment := "-D__UPC_DYNAMIC_THREADS__=1"
	if threads > 0 {
		environment = "-D__UPC_STATIC_THREADS__=1"
	}
	args := append([]string{"-E", "-std=gnu11", "-x", "c", "-D__UPC__=1", "-D__UPC_VERSION__=201311L", environment},
		define...)
	args = append(append(args, include()...), path)
	command := exec.Command("gcc", args...)
	var told bytes.Buffer
	command.Stderr = &told
	text, err := command.Output()
	if err != nil {
		t.Fatalf("gcc -E %s: %v\n%s", path, err, told.Bytes())
	}
	return lowered(t, path, text, threads)
}

// lowered gives the C of a preprocessed source.
func lowered(t testing.TB, path string, text []byte, threads int) []byte {
	t.Helper()
	return loweredAs(t, path, text, config(threads))
}

func loweredAs(t testing.TB, path string, text []byte, c lower.Config) []byte {
	t.Helper()
	file, diagnostics := syntax.Parse(path, text)
	info := types.Check(file, c.Config)
	for _, d := range append(diagnostics, info.Diagnostics...) {
		if d.Severity == syntax.Error {
			t.Errorf("%s: error: %s", file.Position(d.Pos), d.Message)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	out, err := lower.Lower(file, info, c)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes
}

// run runs a command and gives its output, and fails if it fails.
func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := try(name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func try(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	return string(out), err
}

// object compiles lowered C with gcc, as strictly as generated code can be, and gives the object's path.
func object(t testing.TB, dir, name string, text []byte, flags ...string) string {
	t.Helper()
	source, out := filepath.Join(dir, name+".lowered.c"), filepath.Join(dir, name+".o")
	if err := os.WriteFile(source, text, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu11", "-g", "-c", source, "-o", out}, flags...)
	run(t, "gcc", append(args, include()...)...)
	return out
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "upc-lower")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("OMPI_MCA_orte_tmpdir_base", dir) // apart from jobs of other tests, which start at the same time
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// link makes a program of objects, with the run-time.
func link(t testing.TB, mpi, program string, objects []string) {
	t.Helper()
	if err := upckit.Link(t.Context(), "mpicc."+mpi, program, objects...); err != nil {
		t.Fatal(err)
	}
}

// absolute is a path from the root, for commands that run elsewhere.
func absolute(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return full
}

// launch runs a program with a number of threads and gives what it printed.
func launch(mpi string, threads int, program string, args ...string) (string, error) {
	list := []string{"-n", fmt.Sprint(threads), program}
	return try("mpirun."+mpi, append(list, args...)...)
}

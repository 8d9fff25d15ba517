//go:build !quick

package rt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/upckit"
	"unknot/internal/upc/rt"
)

// flavour is one of the MPI libraries that the tests run with.
type flavour string

const (
	openmpi flavour = "openmpi"
	mpich   flavour = "mpich"
)

// flags are those of lowered code in these tests, and of the run-time where they compile it themselves. TestMain adds
// where the generated headers are.
var flags = []string{"-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-Ic", "-Iinclude", "-Itestdata"}

// made are what the tests have compiled, once each, by what it was made of.
var made struct {
	dir   string
	files map[string]string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "unknot-upc-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	made.dir, made.files = dir, map[string]string{}
	if err := rt.Program().Write(filepath.Join(dir, "all")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flags = append(flags, "-I"+filepath.Join(dir, "all", "c")) // what is generated
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	os.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
	os.Setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
	os.Setenv("OMPI_MCA_orte_tmpdir_base", dir) // apart from jobs of other tests, which start at the same time
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// onBoth runs a test with each MPI library: what it looks at depends on the library or its launcher.
func onBoth(t *testing.T, test func(t *testing.T, f flavour)) {
	for _, name := range testkit.Both() {
		t.Run(name, func(t *testing.T) { test(t, flavour(name)) })
	}
}

// byTurns are the libraries that a case runs with: one of them, and nightly both.
func byTurns(turn int) []flavour {
	var all []flavour
	for _, name := range testkit.Libraries(turn) {
		all = append(all, flavour(name))
	}
	return all
}

// once makes a file with a suffix, unless it has been made of the same.
func once(t *testing.T, of, suffix string, make func(path string) error) string {
	t.Helper()
	if made.files[of] == "" {
		path := filepath.Join(made.dir, fmt.Sprint(len(made.files))+suffix)
		if err := make(path); err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		made.files[of] = path
	}
	return made.files[of]
}

// compile makes an object.
func compile(compiler, source, object string, more ...string) error {
	args := slices.Concat([]string{"-c", source, "-o", object}, flags, more)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", compiler, args, err, out)
	}
	return nil
}

// program compiles a test program, with more flags, and links it to the run-time of unknot upcc. Objects are the same
// for all libraries.
func (f flavour) program(t *testing.T, source string, more ...string) string {
	t.Helper()
	key := fmt.Sprint(source, more)
	object := once(t, key, ".o", func(path string) error { return compile("gcc", source, path, more...) })
	return once(t, key+string(f), "", func(path string) error {
		return upckit.Link(t.Context(), "mpicc."+string(f),
			path, object)
	})
}

// runtime compiles the run-time with more flags, and without warnings.
func (f flavour) runtime(t *testing.T, more ...string) []string {
	t.Helper()
	sources, err := filepath.Glob("c/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	dir := t.TempDir()
	objects, errs := make([]string, len(sources)), make([]error, len(sources))
	slots := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for i, source := range sources {
		objects[i] = filepath.Join(dir, strings.TrimSuffix(filepath.Base(source), ".c")+".o")
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = compile("mpicc."+string(f), source, objects[i], more...)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return objects
}

// job is a run of a program.
type job struct {
	threads, together int // UPC_NODE_THREADS; 0 for all on one node
	env, args         []string
}

// result is how it ended.
type result struct {
	status int
	out    string
}

// run runs a program to its end.
func (f flavour) run(t *testing.T, j job, program string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun."+string(f), append([]string{"-n", strconv.Itoa(j.threads), program},
		j.args...)...)
	cmd.Env = append(testkit.Gently(), j.env...)
	if j.together > 0 {
		cmd.Env = append(cmd.Env, "UPC_NODE_THREADS="+strconv.Itoa(j.together))
	}
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%d threads, %d a node: no end; output:\n%s", j.threads, j.together, out)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), string(out)}
}

// fine runs a program that checks itself, with several numbers of threads and on several nodes: nightly each with both
// libraries, else by turns each second one, with the libraries by turns.
func fine(t *testing.T, turn int, source string, args ...string) {
	t.Helper()
	for i, j := range []job{{threads: 1}, {threads: 2}, {threads: 4}, {threads: 5}, {threads: 2, together: 1},
		{threads: 4, together: 2},
		{threads: 5, together: 2}} {
		if (turn+i)%2 != 0 && !testkit.Nightly() {
			continue
		}
		j.args = args
		for _, f := range byTurns((turn + i) / 2) {
			r := f.run(t, j, f.program(t, source))
			if want := fmt.Sprintf("fine %d\n", j.threads); r.status != 0 || r.out != want {
				t.Errorf("%s, %d threads, %d a node: exit status %d, output:\n%swant %s", f, j.threads, j.together,
					r.status, r.out, want)
			}
		}
	}
}

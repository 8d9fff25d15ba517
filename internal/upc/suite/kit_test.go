//go:build !quick

package suite

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

var update = flag.Bool("update", false, "write docs/upc-check-score.md")

var mpis = []string{"openmpi", "mpich"}

// few says that a part of what the page counts will do: each section with some of its programs, mostly with the MPI
// library that starts quickly.
func few() bool { return !testkit.Nightly() && !*update }

// A kit is where the tests' programs are made, once each.
type kit struct {
	dir, unknot string
	mu          sync.Mutex // of made
	made        map[string]func() (string, error)
}

// shared is the kit of all tests, which TestMain makes and removes.
var shared *kit

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "unknot-suite-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
		"OMPI_MCA_rmaps_base_oversubscribe"} {
		os.Setenv(v, "1")
	}
	os.Setenv("OMPI_MCA_orte_tmpdir_base", dir) // apart from jobs of other tests, which start at the same time
	shared = &kit{dir: dir, unknot: filepath.Join(dir, "unknot"), made: map[string]func() (string, error){}}
	code := 1
	if err := shared.build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// build makes the command, unless make test has.
func (k *kit) build() error {
	if built := testkit.Built(); built != "" {
		k.unknot = built
		return nil
	}
	if out, err := exec.Command("go", "build", "-o", k.unknot, "unknot/cmd/unknot").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// compile has upc-check make a program of sources in one go, once. quiet: only notes may be reported of them.
func (k *kit) compile(t testing.TB, mpi string, quiet bool, options []string, sources ...source) string {
	t.Helper()
	return k.once(t, fmt.Sprint("compile", mpi, quiet, options, sources), func(dir string) (string, error) {
		names, err := write(dir, sources)
		if err != nil {
			return "", err
		}
		return filepath.Join(dir, "program"), k.upcCheck(dir, mpi, quiet, slices.Concat([]string{"-g", "-o", "program"},
			options, names)...)
	})
}

// link is compile in two steps, of which the first is done once for both MPI libraries: objects of UPC sources are the
// same for all.
func (k *kit) link(t testing.TB, mpi string, quiet bool, options []string, sources ...source) string {
	t.Helper()
	what := fmt.Sprint(quiet, options, sources)
	objects := k.once(t, "objects"+what, func(dir string) (string, error) {
		names, err := write(dir, sources)
		if err != nil {
			return "", err
		}
		return dir, k.upcCheck(dir, "mpich", quiet, slices.Concat([]string{"-g", "-c"}, options, names)...)
	})
	return k.once(t, "link"+mpi+what, func(dir string) (string, error) {
		paths, err := filepath.Glob(filepath.Join(objects, "*.instrumented.o"))
		if err != nil {
			return "", err
		}
		return filepath.Join(dir, "program"), k.upcCheck(dir, mpi, quiet, slices.Concat([]string{"-g", "-o", "program"},
			options, paths)...)
	})
}

// once makes something in a separate directory and gives its path, unless it has been made.
func (k *kit) once(t testing.TB, key string, make func(dir string) (string, error)) string {
	t.Helper()
	k.mu.Lock()
	if k.made[key] == nil {
		dir := filepath.Join(k.dir, fmt.Sprint("program", len(k.made)))
		k.made[key] = sync.OnceValues(func() (string, error) {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return "", err
			}
			return make(dir)
		})
	}
	build := k.made[key]
	k.mu.Unlock()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// write writes sources into a directory, and gives their names.
func write(dir string, sources []source) (names []string, err error) {
	for _, s := range sources {
		if err := os.WriteFile(filepath.Join(dir, s.name), []byte(s.text), 0o600); err != nil {
			return nil, err
		}
		names = append(names, s.name)
	}
	return names, nil
}

// upcCheck runs the command.
func (k *kit) upcCheck(dir, mpi string, quiet bool, args ...string) error {
	cmd := exec.Command(k.unknot, append([]string{"upc-check", "--mpicc", "mpicc." + testkit.Library(mpi)}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || quiet && (strings.Contains(string(out), "warning:") || strings.Contains(string(out), "error:")) {
		return fmt.Errorf("%q: %v\n%s", args, err, out)
	}
	return nil
}

// A launch is a run of a program.
type launch struct {
	mpi           string
	threads, node int    // node: UPC_NODE_THREADS
	dir           string // where it runs; else a separate directory
	env, args     []string
}

func (l launch) String() string {
	return strings.Join(append([]string{l.mpi, fmt.Sprint(l.threads), "threads,", fmt.Sprint(l.node), "a node"},
		l.args...), " ")
}

// limit ends a program that hangs. It is far beyond what any takes, on a busy machine too.
const limit = 10 * time.Minute

// run gives the exit status and what was written.
func run(t testing.TB, l launch, path string) (status int, told string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun."+testkit.Library(l.mpi),
		append([]string{"-n", fmt.Sprint(l.threads), path}, l.args...)...)
	cmd.Dir = l.dir
	if l.dir == "" {
		cmd.Dir = t.TempDir()
	}
	// Launchers of Open MPI make and remove the same directory there, and get into each other's way if they start at
	// the same time.
	temp, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	cmd.Env = append(os.Environ(), "UPCCHECK_LIVELOCK_TIMEOUT=0.5", "UPC_SHARED_HEAP_SIZE=16M",
		"OMPI_MCA_orte_tmpdir_base="+temp)
	cmd.Env = slices.Concat(cmd.Env, testkit.Polite(), l.env)
	if l.node > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("UPC_NODE_THREADS=%d", l.node))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // the launcher ends its processes
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hangs := launcherHangs(ctx, cmd.Process)
	err = cmd.Wait()
	late := ctx.Err() != nil
	cancel()
	if <-hangs {
		return statusLost, out.String()
	}
	if late {
		t.Fatalf("%v: no end; output:\n%s", l, out.String())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// reports counts what was reported.
func reports(told string) int {
	return strings.Count(told, "unknot: error: ") + strings.Count(told, "unknot: warning: ")
}

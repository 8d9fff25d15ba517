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
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/upc-check-score.md")

var mpis = []string{"openmpi", "mpich"}

// A kit is where the tests' programs are made, once each.
type kit struct {
	dir, unknot string
	mu          sync.Mutex // of made
	building    sync.Mutex // one program at a time, since the first one of a kind has the run-time compiled
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
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"} {
		os.Setenv(v, "1")
	}
	os.Setenv("OMPI_MCA_orte_tmpdir_base", dir) // apart from jobs of other tests, which start at the same time
	shared = &kit{dir: dir, unknot: filepath.Join(dir, "unknot"), made: map[string]func() (string, error){}}
	code := 1
	if out, err := exec.Command("go", "build", "-o", shared.unknot, "unknot/cmd/unknot").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// compile has upc-check make a program of sources, once. quiet: nothing but notes may be told of them.
func (k *kit) compile(t testing.TB, mpi string, quiet bool, options []string, sources ...source) string {
	t.Helper()
	key := fmt.Sprint(mpi, quiet, options, sources)
	k.mu.Lock()
	if k.made[key] == nil {
		dir := filepath.Join(k.dir, fmt.Sprint("program", len(k.made)))
		k.made[key] = sync.OnceValues(func() (string, error) { return k.build(dir, mpi, quiet, options, sources) })
	}
	build := k.made[key]
	k.mu.Unlock()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (k *kit) build(dir, mpi string, quiet bool, options []string, sources []source) (string, error) {
	k.building.Lock()
	defer k.building.Unlock()
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "program")
	args := append([]string{"upc-check", "--mpicc", "mpicc." + mpi, "-g", "-o", path}, options...)
	for _, s := range sources {
		if err := os.WriteFile(filepath.Join(dir, s.name), []byte(s.text), 0o600); err != nil {
			return "", err
		}
		args = append(args, s.name)
	}
	cmd := exec.Command(k.unknot, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || quiet && (strings.Contains(string(out), "warning:") || strings.Contains(string(out), "error:")) {
		return "", fmt.Errorf("%q: %v\n%s", args, err, out)
	}
	return path, nil
}

// A launch is a run of a program.
type launch struct {
	mpi           string
	threads, node int    // node: UPC_NODE_THREADS
	dir           string // where it runs; else a directory of its own
	env, args     []string
}

func (l launch) String() string {
	return strings.Join(append([]string{l.mpi, fmt.Sprint(l.threads), "threads,", fmt.Sprint(l.node), "a node"}, l.args...), " ")
}

// limit ends a program that hangs. It is far beyond what any takes, on a busy machine too.
const limit = 10 * time.Minute

// run gives the exit status and what was written.
func run(t testing.TB, l launch, path string) (status int, told string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun."+l.mpi, append([]string{"-n", fmt.Sprint(l.threads), path}, l.args...)...)
	cmd.Dir = l.dir
	if l.dir == "" {
		cmd.Dir = t.TempDir()
	}
	// Launchers of Open MPI make and remove the same directory there, and get into each other's way if they start at the same time.
	temp, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	cmd.Env = append(os.Environ(), "UPCCHECK_LIVELOCK_TIMEOUT=0.5", "UPC_SHARED_HEAP_SIZE=16M", "OMPI_MCA_orte_tmpdir_base="+temp)
	cmd.Env = append(cmd.Env, l.env...)
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

// reports counts what was told.
func reports(told string) int {
	return strings.Count(told, "unknot: error: ") + strings.Count(told, "unknot: warning: ")
}

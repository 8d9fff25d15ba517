package rt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// flavour is one of the MPI libraries that the tests run with.
type flavour struct{ name, mpicc, mpirun string }

var flavours = []flavour{
	{"openmpi", "mpicc.openmpi", "mpirun.openmpi"},
	{"mpich", "mpicc.mpich", "mpirun.mpich"},
}

// flags are those of the run-time and of lowered code in these tests.
var flags = []string{"-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-Ic", "-Iinclude", "-Itestdata"}

// built are the objects of the run-time, compiled once for each library and kind.
var built struct {
	sync.Mutex
	dir     string
	objects map[string][]string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "unknot-upc-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built.dir, built.objects = dir, map[string][]string{}
	if err := Program().Write(filepath.Join(dir, "all")); err != nil {
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

// onBoth runs a test with each MPI library.
func onBoth(t *testing.T, test func(t *testing.T, f flavour)) {
	for _, f := range flavours {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// runtime compiles the run-time, with more flags for the compiler.
func (f flavour) runtime(t *testing.T, more ...string) []string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	kind := f.name + strings.Join(more, "")
	if o := built.objects[kind]; o != nil {
		return o
	}
	sources, err := filepath.Glob("c/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	var objects []string
	slots := make(chan struct{}, 2)
	failures := make(chan error, len(sources))
	for _, source := range sources {
		object := filepath.Join(built.dir, kind+"-"+strings.TrimSuffix(filepath.Base(source), ".c")+".o")
		objects = append(objects, object)
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			args := append(append([]string{"-c", source, "-o", object}, flags...), more...)
			out, err := exec.Command(f.mpicc, args...).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%s: %w\n%s", source, err, out)
			}
			failures <- err
		}()
	}
	for range sources {
		if err := <-failures; err != nil {
			t.Fatal(err)
		}
	}
	built.objects[kind] = objects
	return objects
}

// program compiles a test program, with more flags, and links it to the run-time.
func (f flavour) program(t *testing.T, source string, more ...string) string {
	t.Helper()
	return f.link(t, source, f.runtime(t), more...)
}

// link compiles a test program and links it to objects of the run-time.
func (f flavour) link(t *testing.T, source string, runtime []string, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	args := append([]string{"-o", path, source}, runtime...)
	args = append(append(args, flags...), more...)
	if out, err := exec.Command(f.mpicc, append(args, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
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
	cmd := exec.CommandContext(ctx, f.mpirun, append([]string{"-n", strconv.Itoa(j.threads), program}, j.args...)...)
	cmd.Env = append(os.Environ(), j.env...)
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

// fine runs a program that checks itself, with several numbers of threads and on several nodes.
func (f flavour) fine(t *testing.T, source string, args ...string) {
	t.Helper()
	program := f.program(t, source)
	for _, j := range []job{{threads: 1}, {threads: 2}, {threads: 4}, {threads: 5}, {threads: 2, together: 1}, {threads: 4, together: 2},
		{threads: 5, together: 2}} {
		j.args = args
		r := f.run(t, j, program)
		if want := fmt.Sprintf("fine %d\n", j.threads); r.status != 0 || r.out != want {
			t.Errorf("%d threads, %d a node: exit status %d, output:\n%swant %s", j.threads, j.together, r.status, r.out, want)
		}
	}
}

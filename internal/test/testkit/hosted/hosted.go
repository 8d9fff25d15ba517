// Package hosted runs unknot on jobs that have ranks on several hosts, as a user of a cluster does.
package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// Site is a cluster with unknot and the programs of a test at the same paths on all hosts that share files.
type Site struct {
	*hosts.Cluster
	Unknot string
	Dir    string   // that all hosts share
	Env    []string // of jobs, besides what they need
	cache  string
	// preload is what keeps ranks of MPICH from hanging in MPI_Finalize, on hosts that share the file.
	preload []string
}

// cache is the directory of caches on all hosts that share files. It stays from one test run to the next.
func cache() string { return filepath.Join(os.TempDir(), fmt.Sprintf("unknot-hosted-%d", os.Getuid())) }

// New makes a cluster whose hosts have names, as hosts.New does.
func New(t *testing.T, o hosts.Options) *Site {
	t.Helper()
	s := &Site{Dir: t.TempDir(), cache: cache()}
	if err := os.MkdirAll(s.cache, 0o700); err != nil {
		t.Fatal(err)
	}
	s.Unknot = s.copy(t, testkit.Unknot(t))
	o.Shared = append(o.Shared, s.Dir, s.cache)
	if len(o.Separate) == 0 {
		libraries := []string{hosts.Finalize(t, s.Dir)}
		if polite := testkit.PoliteLibrary(); polite != "" {
			libraries = append(libraries, s.copy(t, polite))
		}
		s.preload = []string{"LD_PRELOAD=" + strings.Join(libraries, ":")}
	}
	s.Cluster = hosts.New(t, o)
	return s
}

// copy copies a program or library to the directory that all hosts share, and gives its path there.
func (s *Site) copy(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir, filepath.Base(file))
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Compile compiles a program for an MPI library, and keeps it for later tests. It gives the command that runs it.
func (s *Site) Compile(t *testing.T, source, mpi string) []string {
	t.Helper()
	path, err := filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	command, err := whole.Compile(whole.Program{Path: path, Text: string(text)}, mpi, s.cache)
	if err != nil {
		t.Fatal(err)
	}
	return command
}

// Launcher is the command line that spreads ranks over hosts in turn.
func Launcher(mpi string, ranks int, names ...string) []string {
	list, n := strings.Join(names, ","), fmt.Sprint(ranks)
	if mpi == "mpich" {
		return []string{"mpirun.mpich", "-hosts", list, "-n", n}
	}
	return []string{"mpirun.openmpi", "--host", list, "--map-by", "node", "-n", n}
}

// Job is a job under unknot run on the first host.
type Job struct {
	site *Site
	cmd  *exec.Cmd
	dir  string
	out  *os.File
}

// limit is how long a job may take before it counts as hung, far above what any needs.
const limit = 5 * time.Minute

// Start starts a job. Options are those of unknot run.
func (s *Site) Start(t *testing.T, options []string, command ...string) *Job {
	t.Helper()
	dir, err := os.MkdirTemp(s.Dir, "job-")
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	argv := slices.Concat([]string{s.Unknot, "run", "--json", filepath.Join(dir, "report.json")}, options, command)
	j := &Job{site: s, dir: dir, out: out, cmd: s.Hosts()[0].Command(ctx, s.environment(), argv...)}
	j.cmd.Stdout, j.cmd.Stderr = out, out
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return j
}

func (s *Site) environment() []string {
	// the hosts have no such file
	settings := slices.DeleteFunc(whole.Settings("/tmp"),
		func(v string) bool { return slices.Contains(testkit.Polite(), v) })
	return slices.Concat(settings, []string{"XDG_CACHE_HOME=" + s.cache}, s.preload, s.Env)
}

// Signal sends a signal to unknot.
func (j *Job) Signal(sig syscall.Signal) error { return j.cmd.Process.Signal(sig) }

// Output is what the job has written up to now.
func (j *Job) Output() string {
	text, _ := os.ReadFile(j.out.Name()) // it is there
	return string(text)
}

// Await returns once a job has written a text.
func (j *Job) Await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(limit); !strings.Contains(j.Output(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in\n%s", text, j.Output())
		}
	}
}

// Outcome is how a job ended.
type Outcome struct {
	Run    finding.Run
	Exit   int
	Output string
	Said   string // the output without its line breaks
}

// Wait waits for the end of a job.
func (j *Job) Wait(t *testing.T) Outcome {
	t.Helper()
	defer j.out.Close()
	err := j.cmd.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	o := Outcome{Exit: j.cmd.ProcessState.ExitCode(), Output: j.Output()}
	o.Said = strings.Join(strings.Fields(o.Output), " ")
	if text, err := os.ReadFile(filepath.Join(j.dir, "report.json")); err == nil {
		if err := json.Unmarshal(text, &o.Run); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// Run runs a job to its end.
func (s *Site) Run(t *testing.T, options []string, command ...string) Outcome {
	t.Helper()
	return s.Start(t, options, command...).Wait(t)
}

// Clean holds every host to have nothing left of any job: no process, and no file in its shared memory and temporary
// directory. A launcher that has just ended may take a moment to take its helpers with it.
func (s *Site) Clean(t *testing.T) {
	t.Helper()
	var left []string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left = s.left(); len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %q", left)
}

func (s *Site) left() (left []string) {
	for _, h := range s.Hosts() {
		for _, line := range h.Processes() {
			left = append(left, h.Name()+": "+line)
		}
		for _, dir := range []string{"/dev/shm", "/tmp"} {
			for _, name := range h.Files(dir) {
				if strings.Contains(name, "unknot") {
					left = append(left, h.Name()+": "+name)
				}
			}
		}
	}
	return left
}

// WaitOrEnd is Wait for a job that hangs and may not be ended by unknot, as that does not know enough: the test ends it
// then.
func (j *Job) WaitOrEnd(t *testing.T, hangs bool) Outcome {
	t.Helper()
	if !hangs {
		return j.Wait(t)
	}
	const enough = 6 * time.Second
	timer := time.AfterFunc(enough, func() { _ = j.Signal(syscall.SIGTERM) })
	defer timer.Stop()
	return j.Wait(t)
}

// Package chaos sends signals to whatever belongs to a watched job: to unknot, its agent, the launcher, ranks, to one
// of them or two.
package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/seeds"
	"unknot/internal/vocab/finding"
)

// marked is the variable by which the processes of a job are found, as those of unknot, its agent, the launcher and the
// ranks inherit it.
const marked = "UNKNOT_TEST_CHAOS"

// Kinds of processes.
const (
	unknot   = "unknot"
	agent    = "agent"
	launcher = "launcher"
	rank     = "rank"
)

// ending are the signals that are sent; SIGSTOP is followed by SIGCONT.
var ending = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGKILL,
	syscall.SIGSTOP}

// blow is one signal.
type blow struct {
	at   string
	with syscall.Signal
}

// trial is one job and what is done to it.
type trial struct {
	mpi   string
	hang  bool
	after time.Duration
	blows []blow
}

func (tr trial) String() string {
	return fmt.Sprintf("%s, hang %v, after %v: %v", tr.mpi, tr.hang, tr.after, tr.blows)
}

func draw(seed uint64) trial {
	r := rand.New(rand.NewPCG(seed, 0))
	tr := trial{mpi: []string{"openmpi", "mpich"}[seed%2], hang: r.IntN(2) == 0,
		after: time.Duration(r.IntN(2500)) * time.Millisecond}
	for range 1 + r.IntN(2) {
		tr.blows = append(tr.blows, blow{[]string{unknot, agent, launcher, rank}[r.IntN(4)],
			ending[r.IntN(len(ending))]})
	}
	return tr
}

// hits says whether a process of a kind gets a signal of which it may end.
func (tr trial) hits(kinds ...string) bool {
	return slices.ContainsFunc(tr.blows, func(b blow) bool {
		return slices.Contains(kinds, b.at) &&
			b.with != syscall.SIGSTOP
	})
}

// TestSignals has 200 jobs get signals. Whatever is hit, the job ends soon, nothing is left of it, no error is reported
// that the program does not have, and where neither unknot nor the job itself is ended, the error that it has is found.
// UNKNOT_SEED=n has one job.
func TestSignals(t *testing.T) {
	if !testkit.Nightly() && os.Getenv("UNKNOT_SEED") == "" {
		t.Skip("make nightly runs it")
	}
	built := testkit.Unknot(t)
	programs := make(map[string]string)
	for _, mpi := range []string{"openmpi", "mpich"} {
		programs[mpi] = filepath.Join(t.TempDir(), "exchange."+mpi)
		if out, err := exec.Command("mpicc."+mpi, "-g", "-o", programs[mpi],
			"testdata/exchange.c").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	first, last := seeds.Range(t, 0, 200)
	for seed := first; seed <= last; seed++ {
		tr := draw(uint64(seed))
		t.Run(strconv.FormatUint(uint64(seed), 10), func(t *testing.T) { tr.run(t, built, programs[tr.mpi]) })
	}
}

// most is how long a job may take after the signals: it would have ended by itself in a few seconds.
const most = 30 * time.Second

func (tr trial) run(t *testing.T, built, program string) {
	dir := t.TempDir()
	report, word := filepath.Join(dir, "out.json"), fmt.Sprintf("%d-%s", os.Getpid(), filepath.Base(t.TempDir()))
	// Paths of Open MPI's sockets are limited.
	temp, err := os.MkdirTemp("/tmp", "uc-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	argv := []string{"run", "--json", report, "mpirun." + tr.mpi, "-n", "3", program}
	if tr.hang {
		argv = append(argv, "hang")
	}
	cmd := exec.Command(built, argv...)
	cmd.Env = append(testkit.Gently(), marked+"="+word, "TMPDIR="+temp, "OMPI_ALLOW_RUN_AS_ROOT=1",
		"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\n%s\n%s", fmt.Sprintf(format, args...), tr, out.Bytes())
	}
	defer func() {
		for _, pid := range processes(word) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	time.Sleep(tr.after) // a random moment of the job, which is all that it stands for
	used := sessions(word)
	tr.strike(word)
	select {
	case <-ended:
	case <-time.After(most):
		t.Errorf("it has not ended after %v\n%s\n%s", most, tr, testkit.Below(cmd.Process.Pid))
		return
	}
	// What was cut off from unknot ends by itself.
	var left []int
	for range 100 {
		if left = processes(word); len(left) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, pid := range left {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		fail("process %d is left: %q", pid, text)
	}
	tr.judge(report, fail)
	// What killed processes left is removed by the next run.
	next := exec.Command(built, "run", "--quiet", "--require-watched=false", "true")
	next.Env = append(os.Environ(), "TMPDIR="+temp)
	if text, err := next.CombinedOutput(); err != nil {
		fail("the next run: %v\n%s", err, text)
	}
	for _, dir := range used {
		if _, err := os.Stat(dir); err == nil {
			fail("%s is left", dir)
		}
	}
	// Open MPI's jobs share a directory, which may stay if it is empty.
	for _, pattern := range []string{"*", "ompi.*/*"} {
		found, _ := filepath.Glob(filepath.Join(temp, pattern))
		for _, path := range found {
			if !strings.HasPrefix(filepath.Base(path), "ompi.") {
				fail("%s is left", path)
			}
		}
	}
}

// strike sends the signals to what there is at this moment.
func (tr trial) strike(word string) {
	all := make(map[string][]int)
	for _, pid := range processes(word) {
		kind := kindOf(pid)
		all[kind] = append(all[kind], pid)
	}
	var stopped []int
	for _, b := range tr.blows {
		if len(all[b.at]) == 0 {
			continue
		}
		pid := all[b.at][0]
		_ = syscall.Kill(pid, b.with) // it may have ended
		if b.with == syscall.SIGSTOP {
			stopped = append(stopped, pid)
		}
	}
	if len(stopped) > 0 {
		time.Sleep(time.Second)
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// judge looks at what was found.
func (tr trial) judge(report string, fail func(string, ...any)) {
	text, err := os.ReadFile(report)
	var run finding.Run
	if err == nil {
		err = json.Unmarshal(text, &run)
	}
	if err != nil {
		if !tr.hits(unknot) && !tr.hits(launcher, rank, agent) {
			fail("there is no report: %v", err)
		}
		return
	}
	deadlocked := false
	for i := range run.Findings {
		f := &run.Findings[i]
		deadlocked = deadlocked || f.Code == finding.Deadlock
		switch {
		case f.Severity != finding.Error:
		case f.Code == finding.Deadlock && tr.hang:
		case f.Code == finding.RankDied && tr.hits(rank):
		default:
			fail("a false error: %s: %s", f.Code, f.Sentence)
		}
	}
	if tr.hang && !deadlocked && !tr.hits(unknot, launcher, rank) {
		fail("the deadlock was not found")
	}
}

// processes are those of a job.
func processes(word string) (pids []int) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), marked+"="+word) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func kindOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	argv := strings.Split(string(text), "\x00")
	name := filepath.Base(argv[0])
	switch {
	case strings.HasPrefix(name, "exchange."):
		return rank
	case strings.HasPrefix(name, "mpirun") || strings.HasPrefix(name, "mpiexec") || strings.HasPrefix(name, "orte"):
		return launcher
	case len(argv) > 1 && argv[1] == "agent":
		return agent
	case len(argv) > 1 && argv[1] == "run":
		return unknot
	}
	return ""
}

// sessions are the directories that a job's processes were given.
func sessions(word string) (list []string) {
	for _, pid := range processes(word) {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		for _, entry := range strings.Split(string(env), "\x00") {
			if dir, ok := strings.CutPrefix(entry, ring.EnvSession+"="); ok && !slices.Contains(list, dir) {
				list = append(list, dir)
			}
		}
	}
	return list
}

//go:build !quick

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"unknot/internal/observe/probe"
	"unknot/internal/observe/record"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/vocab/plan"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"unknot": func() {
		if status, recorded := tape.Agent(os.Args[1:]); recorded {
			os.Exit(status)
		}
		os.Exit(Main())
	}})
}

// TestCommand runs the scripts: programs, commands and expected output side by side.
func TestCommand(t *testing.T) {
	// The probes of both MPIs are built once for all scripts, and kept for the next time.
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, mpicc := range []string{"mpicc.openmpi", "mpicc.mpich"} {
		if _, err := probe.Build(t.Context(), probe.Options{MPICC: mpicc}); err != nil {
			t.Fatal(err)
		}
		if _, err := record.Build(t.Context(), probe.Options{MPICC: mpicc}); err != nil {
			t.Fatal(err)
		}
	}
	// A script that looks at what the libraries have in common names none: it runs with the one whose jobs cost less,
	// nightly with the other.
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	library := "mpich"
	if testkit.Nightly() {
		library = "openmpi"
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
			e.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
			e.Setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
			e.Setenv("OMPI_MCA_mpi_yield_when_idle", "1")
			// Jobs that start at the same moment get in each other's way where they share a directory.
			e.Setenv("OMPI_MCA_orte_tmpdir_base", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", cache)
			e.Setenv("MPI", testkit.Library(library))
			e.Setenv("REPOSITORY", repository)
			e.Setenv("LD_PRELOAD", testkit.PoliteLibrary())
			e.Vars = append(e.Vars, testkit.Swift()...)
			return os.CopyFS(e.WorkDir, os.DirFS("testdata/tools"))
		},
		Condition: func(name string) (bool, error) {
			if name != "nightly" {
				return false, fmt.Errorf("no condition %q", name)
			}
			return testkit.Nightly(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await":   await,
			"signal":  signalProcess,
			"status":  status,
			"session": session,
			"holds":   holds,
			"clean":   clean,
			"plan":    writePlan,
			"block":   block,
			"github":  github,
			"gitlab":  gitlab,
		},
	})
}

// writePlan writes a plan whose first decision has rank 0 receive from a source: plan FILE RANKS SOURCE.
func writePlan(ts *testscript.TestScript, neg bool, args []string) {
	ranks, err := strconv.Atoi(args[1])
	ts.Check(err)
	source, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(plan.Write(ts.MkAbs(args[0]),
		plan.Plan{Ranks: ranks, Decisions: []plan.Decision{{Source: int32(source), Tag: -1}}}))
}

// status runs a command and compares its exit status: status 66 unknot run …
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND …")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

const patience = 10 * time.Minute

// await returns once a file exists: await FILE.
func await(ts *testscript.TestScript, neg bool, args []string) {
	deadline := time.Now().Add(patience)
	for {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s has not appeared within %v", args[0], patience)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// holds returns once a file matches a pattern: holds FILE PATTERN.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && pattern.Match(text) {
			return
		}
	}
	ts.Fatalf("%s does not hold %q within %v", args[0], args[1], patience)
}

// signalProcess sends a signal to the background processes below this script whose command line holds a text, or begins
// with it if that begins with ^: signal KILL 'unknot agent'.
func signalProcess(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL,
		"USR1": syscall.SIGUSR1}
	sig, known := signals[args[0]]
	if !known {
		ts.Fatalf("no signal %q", args[0])
	}
	sent := 0
	for _, pid := range processes(ts, args[1]) {
		if syscall.Kill(pid, sig) == nil {
			sent++
		}
	}
	if sent == 0 {
		ts.Fatalf("no process %q", args[1])
	}
}

// processes finds those of this script by its directory in their environment.
func processes(ts *testscript.TestScript, text string) []int {
	var pids []int
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		command, err := os.ReadFile(name + "/cmdline")
		line := strings.ReplaceAll(string(command), "\x00", " ")
		start, anchored := strings.CutPrefix(text, "^")
		if err != nil || anchored && !strings.HasPrefix(line, start) || !anchored && !strings.Contains(line, text) {
			continue
		}
		environ, err := os.ReadFile(name + "/environ")
		if err != nil || !strings.Contains(string(environ), fmt.Sprintf("WORK=%s\x00", ts.Getenv("WORK"))) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// session waits for the agent process and notes its session directory, for clean.
func session(ts *testscript.TestScript, neg bool, args []string) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, pid := range processes(ts, "unknot agent") {
			command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			words := strings.Split(string(command), "\x00")
			if i := slices.Index(words, "--session"); i >= 0 && i+1 < len(words) {
				ts.Setenv("SESSION", words[i+1])
				return
			}
		}
	}
	ts.Fatalf("no agent process within %v", patience)
}

// clean waits until nothing of the run is left: neither processes with one of the words on their command line nor the
// session directory.
func clean(ts *testscript.TestScript, neg bool, args []string) {
	deadline := time.Now().Add(patience)
	for {
		var left []int
		for _, word := range append(args, "unknot agent") {
			left = append(left, processes(ts, word)...)
		}
		_, err := os.Stat(ts.Getenv("SESSION"))
		if len(left) == 0 && os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("left after %v: processes %v, session directory: %v", patience, left, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

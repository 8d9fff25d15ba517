//go:build !quick

package suite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// runNamed runs one of the programs.
func runNamed(t *testing.T, name string, l launch) (status int, told string) {
	t.Helper()
	some, options := together(programs(t), false)
	if !slices.ContainsFunc(some, func(p *program) bool { return p.name == name }) {
		t.Fatalf("there is no program %s", name)
	}
	l.args = []string{name}
	return run(t, l, made(t, l.mpi, some, options, false))
}

// finding is a line of the file that UNKNOT_UPC_REPORT names.
type finding struct {
	Code, Severity, Standing, ID, Sentence, Hint string
	Threads                                      []struct {
		Thread                           int
		State, Operation, Function, File string
		Line                             int
		Argument, Value                  string
	}
	Edges []struct {
		From, To int
		Why      string
	}
}

// findings runs a program and gives what is in the file.
func findings(t *testing.T, name string, l launch, env ...string) []finding {
	t.Helper()
	path := filepath.Join(t.TempDir(), "findings")
	l.env = append(env, "UNKNOT_UPC_REPORT="+path)
	runNamed(t, name, l)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []finding
	for line := range strings.Lines(string(text)) {
		var f finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, f)
	}
	return all
}

func TestReportFile(t *testing.T) {
	got := findings(t, "broadcast-size-differs", launch{mpi: "mpich", threads: 4})
	if len(got) != 1 || got[0].Code != "upc-single-valued" || got[0].Severity != "error" ||
		got[0].Standing != "manifest" || got[0].ID != "BCST-06" ||
		!strings.HasPrefix(got[0].Sentence, "The argument nbytes of upc_all_broadcast must be") || got[0].Hint == "" ||
		len(got[0].Threads) != 4 {
		t.Fatalf("got %+v", got)
	}
	one := got[0].Threads[1]
	if one.Thread != 1 || one.State != "waiting" || one.Operation != "upc_all_broadcast" ||
		one.Function != "broadcast_size_differs" ||
		one.File != "broadcast-size-differs.upc" || one.Line != 4 || one.Argument != "nbytes" || one.Value != "12" {
		t.Errorf("thread 1: got %+v", one)
	}
	got = findings(t, "locks-in-opposite-orders", launch{mpi: "openmpi", threads: 3})
	if len(got) != 1 || got[0].Code != "upc-deadlock" || got[0].ID != "LOCK-05" || len(got[0].Edges) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, e := range got[0].Edges {
		if e.Why != "lock" || e.From+e.To != 1 {
			t.Errorf("edge %+v", e)
		}
	}
	got = findings(t, "nothing-to-broadcast", launch{mpi: "mpich", threads: 3}, "UPCCHECK_STOP_ON_ERROR=FALSE")
	if len(got) != 3 {
		t.Fatalf("got %d findings, want one of each thread: %+v", len(got), got)
	}
	for _, f := range got {
		if f.Code != "upc-argument" || len(f.Threads) != 1 || f.Threads[0].Line != 4 ||
			f.Threads[0].State != "running" {
			t.Errorf("got %+v", f)
		}
	}
}

// After an argument error the program continues if it is to; a deadlock always ends it, and says so.
func TestGoesOn(t *testing.T) {
	l := launch{mpi: "mpich", threads: 3, env: []string{"UPCCHECK_STOP_ON_ERROR=false"}}
	if status, told := runNamed(t, "nothing-to-broadcast", l); status != 66 || reports(told) != 3 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
	if status, told := runNamed(t, "sizes-of-different-files", l); status != 66 || reports(told) != 1 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
	const ended = "\n  The program is ended because it cannot continue after a deadlock.\n"
	for _, name := range []string{"barrier-left-out", "locks-in-opposite-orders"} {
		if status, told := runNamed(t, name, l); status != 66 || reports(told) != 1 || !strings.Contains(told, ended) {
			t.Errorf("%s: status %d, told:\n%s", name, status, told)
		}
	}
}

// What is not understood in the environment is reported once, and the default is used.
func TestEnvironment(t *testing.T) {
	l := launch{mpi: "mpich", threads: 3, env: []string{"UPCCHECK_STOP_ON_ERROR=perhaps",
		"UPCCHECK_LIVELOCK_TIMEOUT=-1"}}
	status, told := runNamed(t, "broadcast-size-differs", l)
	for _, want := range []string{
		"unknot: warning: UPCCHECK_STOP_ON_ERROR is \"perhaps\", which is not TRUE or FALSE; TRUE is used\n",
		"unknot: warning: UPCCHECK_LIVELOCK_TIMEOUT is \"-1\", which is not a number of seconds; 300 is used\n",
	} {
		if strings.Count(told, want) != 1 {
			t.Errorf("want once: %sin:\n%s", want, told)
		}
	}
	if status != 66 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
}

// TestRuntimeHasNoWarnings compiles the run-time of the checker with all warnings; that of the wrappers is compiled so
// for the arguments.
func TestRuntimeHasNoWarnings(t *testing.T) {
	b := newBench(t)
	if err := b.sources(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../rt/check/*.upc")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sources")
	}
	for _, path := range paths {
		out := filepath.Join(b.dir, strings.TrimSuffix(filepath.Base(path), ".upc")+".rt.o")
		if err := b.compile(append(strict, "-I"+b.dir, "-o", out, path)...); err != nil {
			t.Error(err)
		}
	}
}

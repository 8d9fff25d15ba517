package checkrt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pick gives a program of testdata/cases.txt by its name.
func pick(t testing.TB, name string) kase {
	t.Helper()
	all := cases(t)
	i := slices.IndexFunc(all, func(k kase) bool { return k.name == name })
	if i < 0 {
		t.Fatalf("there is no case %s", name)
	}
	return all[i]
}

// Between nodes the protocol goes through one-sided accesses, and says the same.
func TestSeveralNodes(t *testing.T) {
	for i, name := range []string{"barrier-left-out", "size-differs", "barrier-values-differ-across-threads-without", "locks-in-opposite-orders",
		"holder-at-a-barrier-later", "unlock-by-another-thread"} {
		l := launch{mpi: mpis[i%2], threads: 4, node: 1 + i/2%2}
		judge(t, pick(t, name), l, program(t, l.mpi, source(cases(t))))
	}
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

// findings runs a case and gives what is in the file.
func findings(t *testing.T, name string, l launch, env ...string) []finding {
	t.Helper()
	path := filepath.Join(t.TempDir(), "findings")
	l.args, l.env = []string{name}, append(env, "UNKNOT_UPC_REPORT="+path)
	run(t, l, program(t, l.mpi, source(cases(t))))
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
	got := findings(t, "size-differs", launch{mpi: "mpich", threads: 4})
	if len(got) != 1 || got[0].Code != "upc-single-valued" || got[0].Severity != "error" || got[0].Standing != "manifest" || got[0].ID != "MOVE-03" ||
		!strings.HasPrefix(got[0].Sentence, "The argument nbytes of upc_all_broadcast must be") || got[0].Hint == "" || len(got[0].Threads) != 4 {
		t.Fatalf("got %+v", got)
	}
	one := got[0].Threads[1]
	if one.Thread != 1 || one.State != "waiting" || one.Operation != "upc_all_broadcast" || one.Function != "size_differs" || one.File != "size-differs.upc" ||
		one.Line != 2 || one.Argument != "nbytes" || one.Value != "12" {
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
		if f.Code != "upc-argument" || f.ID != "BCST-09" || len(f.Threads) != 1 || f.Threads[0].Line != 2 || f.Threads[0].State != "running" {
			t.Errorf("got %+v", f)
		}
	}
}

// After an argument error the program goes on if it is to; a deadlock ends it always, and says so.
func TestGoesOn(t *testing.T) {
	l := launch{mpi: "mpich", threads: 3, env: []string{"UPCCHECK_STOP_ON_ERROR=false"}, args: []string{"nothing-to-broadcast"}}
	path := program(t, l.mpi, source(cases(t)))
	if status, told := run(t, l, path); status != 0 || reports(told) != 3 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
	l.args = []string{"size-differs"}
	if status, told := run(t, l, path); status != 0 || reports(told) != 1 {
		t.Errorf("status %d, told:\n%s", status, told)
	}
	l.args = []string{"barrier-left-out"}
	const ended = "\n  The program is ended, since it cannot go on after a deadlock.\n"
	if status, told := run(t, l, path); status != 66 || reports(told) != 1 || !strings.Contains(told, ended) {
		t.Errorf("status %d, told:\n%s", status, told)
	}
}

// What is not understood in the environment is told once, and the default is used.
func TestEnvironment(t *testing.T) {
	l := launch{mpi: "mpich", threads: 3, env: []string{"UPCCHECK_STOP_ON_ERROR=perhaps", "UPCCHECK_LIVELOCK_TIMEOUT=-1"}, args: []string{"size-differs"}}
	status, told := run(t, l, program(t, l.mpi, source(cases(t))))
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

// Operations without synchronisation run ahead as far as the ring is long. Then they wait, and are found if they do so for ever.
func TestRunsAhead(t *testing.T) {
	const text = `#include "hand.h"
upc_lock_t *l1, *l2, *l3;
shared [] char from[64];
shared [64] char to[64 * THREADS];
strict shared int flag, flag2;
static void far(int n)
{
	for (int i = 0; i < n; i++)
		BROADCAST(to, from, 1 + i % 64, NO);
}
int upck_user_main(int argc, char **argv);
int upck_user_main(int argc, char **argv)
{
	l1 = upc_all_lock_alloc();
	if (strcmp(argv[argc - 1], "fine") == 0) {
		usleep(20000 * MYTHREAD);
		far(500);
	} else if (MYTHREAD == 0) {
# 1 "ahead.upc"
		LOCK(l1);
		flag = 1;
		far(10);
		UNLOCK(l1);
	} else {
		UNTIL(flag);
		LOCK(l1);
		UNLOCK(l1);
		far(10);
	}
	return 0;
}
`
	for _, mpi := range mpis {
		path := program(t, mpi, text, "-DUPCK_SLOTS=4")
		for _, l := range []launch{{mpi: mpi, threads: 2}, {mpi: mpi, threads: 4}, {mpi: mpi, threads: 4, node: 2}} {
			l.args = []string{"fine"}
			if status, told := run(t, l, path); status != 0 || told != "" {
				t.Errorf("%v: status %d, told:\n%s", l, status, told)
			}
			l.args = []string{"stuck"}
			status, told := run(t, l, path)
			if status != 66 || reports(told) != 1 || !strings.Contains(told, "which thread 0 holds (since ahead.upc:1)") ||
				!strings.Contains(told, "thread 0 is 3 collective operations ahead of thread") {
				t.Errorf("%v: status %d, told:\n%s", l, status, told)
			}
		}
	}
}

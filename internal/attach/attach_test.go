//go:build !quick

package attach

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/attach/dump"
	"unknot/internal/kit/breakpoint"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/record"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const ranks = 3

// program is one that was compiled for a library.
type program struct{ mpi, path, recorder string }

func compiled(t *testing.T, mpi, level string) program {
	t.Helper()
	p := program{mpi: mpi, path: filepath.Join(t.TempDir(), "hang")}
	if out, err := exec.Command("mpicc."+mpi, "-g", level, "-Wall", "-Wextra", "-pthread", "-o", p.path,
		"testdata/hang.c").CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	r, err := record.Build(t.Context(), probe.Options{MPICC: "mpicc." + mpi})
	if err != nil {
		t.Fatal(err)
	}
	p.recorder = r.Path
	return p
}

// start starts a job that hangs in a way, and waits until all of its ranks are about to.
func (p program) start(t *testing.T, kind string, recorded bool) (launcher int) {
	t.Helper()
	preload := testkit.PoliteLibrary()
	if recorded {
		preload = p.recorder + ":" + preload
	}
	args := []string{"-n", strconv.Itoa(ranks), "env", "LD_PRELOAD=" + preload, p.path, kind}
	if p.mpi == "openmpi" {
		args = append([]string{"--oversubscribe"}, args...)
	}
	c := exec.Command("mpirun."+p.mpi, args...)
	c.Env = append(testkit.Gently(), "OMPI_MCA_orte_tmpdir_base="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	t.Cleanup(func() {
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	})
	for s := bufio.NewScanner(out); len(pids) < ranks; {
		if !s.Scan() {
			t.Fatalf("%d ranks of %d are ready", len(pids), ranks)
		}
		var rank, pid int
		if _, err := fmt.Sscanf(s.Text(), "rank %d pid %d", &rank, &pid); err == nil {
			pids = append(pids, pid)
		}
	}
	return c.Process.Pid
}

// look looks at a job until its ranks have come to where they stay; or once, if it is to move.
func seen(t *testing.T, launcher int, moves bool) *finding.Run {
	t.Helper()
	for range 20 {
		d, err := Gather(t.Context(), Options{PID: launcher, Between: 200 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		runs := Judge(d, "")
		if later := Judge(kept(t, d), ""); !reflect.DeepEqual(runs, later) {
			t.Fatalf("judged when it was seen, and by its dump:\n%s", cmp.Diff(runs, later))
		}
		if len(runs) != 1 {
			t.Fatalf("%d jobs", len(runs))
		}
		if err := runs[0].Validate(); err != nil {
			t.Fatal(err)
		}
		if (len(runs[0].Glimpse.Moving) > 0) == moves {
			return runs[0]
		}
	}
	t.Fatal("the job never does what it is to do")
	return nil
}

// kept is a dump as it is read from a file.
func kept(t *testing.T, d *dump.Dump) *dump.Dump {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hang.dump")
	if err := dump.Write(file, d); err != nil {
		t.Fatal(err)
	}
	later, err := dump.Read([]string{file}, table)
	if err != nil {
		t.Fatal(err)
	}
	return later
}

// counted says whether this machine has breakpoints for this user.
func counted(t *testing.T) bool {
	b, err := breakpoint.Open(os.Getpid(), 0x1000)
	if err == nil {
		b.Close()
	} else if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOSYS) && !errors.Is(err, syscall.ENOENT) {
		t.Fatal(err)
	}
	return err == nil
}

// line is where a comment stands in the program.
func line(t *testing.T, comment string) int {
	t.Helper()
	text, err := os.ReadFile("testdata/hang.c")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.HasSuffix(l, "// "+comment) })
	if i < 0 {
		t.Fatalf("no line with %q", comment)
	}
	return i + 1
}

// expectation is what is to be said of a way to hang.
type expectation struct {
	kind     string
	code     finding.Code
	ranks    []int
	sentence string // part of it
	calls    string // the places at fault: rank, function, comment of the line
	reasons  string // what they wait for
}

func (e *expectation) check(t *testing.T, run *finding.Run) {
	t.Helper()
	if len(run.Findings) != 1 {
		t.Fatalf("%d findings: %+v", len(run.Findings), run.Findings)
	}
	f := &run.Findings[0]
	var calls, reasons []string
	for _, p := range f.Places {
		text, err := os.ReadFile(p.File)
		if err != nil {
			t.Fatalf("rank %d is in %q: %v", p.Rank, p.Where(), err)
		}
		_, comment, _ := strings.Cut(strings.Split(string(text), "\n")[p.Line-1], "// ")
		calls = append(calls, fmt.Sprintf("%d %s %s", p.Rank, p.Call, comment))
		reasons = append(reasons, p.Reason)
	}
	if f.Code != e.code || !slices.Equal(f.Ranks, e.ranks) || !strings.Contains(f.Sentence, e.sentence) ||
		strings.Join(calls, ", ") != e.calls || e.reasons != "" && strings.Join(reasons, "; ") != e.reasons {
		t.Errorf("%s of %v: %s\nat %s\nfor %s\nwant %+v", f.Code, f.Ranks, f.Sentence, strings.Join(calls, ", "),
			strings.Join(reasons, "; "), *e)
	}
	if proved := f.Severity == finding.Error && f.Standing == finding.Manifest; proved != (e.code == finding.Deadlock ||
		e.code == finding.CollectiveMismatch) {
		t.Errorf("%s is %s, %s", f.Code, f.Severity, f.Standing)
	}
}

// TestJobsThatWereNotPreparedAreExplained looks at jobs that know nothing of unknot.
func TestJobsThatWereNotPreparedAreExplained(t *testing.T) {
	deadlock := finding.Deadlock
	barrier := expectation{"barrier", deadlock, []int{0, 1}, "rank 1 is in MPI_Recv",
		"0 MPI_Barrier barrier, 1 MPI_Recv ring", ""}
	if !counted(t) {
		deadlock = finding.DeadlockLikely
		barrier = expectation{"barrier", deadlock, []int{0, 1, 2}, "rank 1 is in MPI_Recv",
			"0 MPI_Barrier barrier, 1 MPI_Recv ring, 2 MPI_Recv ring", ""}
	}
	for _, mpi := range testkit.Both() {
		p := compiled(t, mpi, "-O0")
		for _, e := range []expectation{
			{"ring", deadlock, []int{0, 1, 2}, "wait", "0 MPI_Recv ring, 1 MPI_Recv ring, 2 MPI_Recv ring",
				"a message from rank 1; a message from rank 2; a message from rank 0"},
			barrier,
			{"sleeper", finding.Stall, []int{0, 1, 2}, "ranks 0 and 1 wait for rank 2, which is at main (hang.c:" +
				fmt.Sprint(line(t, "sleeps")) + ") outside MPI (sleeps in clock_nanosleep)",
				"0 MPI_Recv ring, 1 MPI_Recv ring, 2 outside MPI sleeps", ""},
			{"computer", finding.Stall, []int{0, 1, 2}, "ranks 0 and 1 wait for rank 2, which is at compute (hang.c:",
				"0 MPI_Recv ring, 1 MPI_Recv ring, 2 outside MPI computes", ""},
			{"any", deadlock, []int{0, 1, 2}, "wait", "0 MPI_Recv ring, 1 MPI_Recv ring, 2 MPI_Recv ring",
				"a message from any rank; a message from any rank; a message from any rank"},
			{"sends", deadlock, []int{0, 1, 2}, "wait", "0 MPI_Ssend sends, 1 MPI_Ssend sends, 2 MPI_Ssend sends",
				"rank 1 to receive; rank 2 to receive; rank 0 to receive"},
			{"root", finding.Stall, []int{0, 1, 2}, "ranks 1 and 2 wait for rank 0, which is at main (hang.c:",
				"0 outside MPI sleeps too, 1 MPI_Bcast root, 2 MPI_Bcast root", ""},
			{"wait", finding.DeadlockLikely, []int{0, 1, 2}, "each is in MPI_Wait",
				"0 MPI_Wait wait, 1 MPI_Wait wait, 2 MPI_Wait wait", ""},
			{"half", finding.DeadlockLikely, []int{0, 1, 2}, "rank 0 is in MPI_Barrier",
				"0 MPI_Barrier half, 1 MPI_Recv ring, 2 MPI_Recv ring", ""},
		} {
			t.Run(mpi+" "+e.kind, func(t *testing.T) { e.check(t, seen(t, p.start(t, e.kind, false), false)) })
		}
		t.Run(mpi+" moves", func(t *testing.T) {
			moves := counted(t) // else a call that is made again and again looks like one that lasts
			run := seen(t, p.start(t, "moves", false), moves)
			if slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return f.Code == finding.Deadlock }) ||
				moves && len(run.Findings) > 0 {
				t.Errorf("%+v", run.Findings)
			}
		})
	}
}

// TestRecordsDecide has ranks record what they do.
func TestRecordsDecide(t *testing.T) {
	for _, mpi := range testkit.Both() {
		p := compiled(t, mpi, "-O2")
		for _, e := range []expectation{
			{"ring", finding.Deadlock, []int{0, 1, 2}, "wait for each other in a cycle",
				"0 MPI_Recv ring, 1 MPI_Recv ring, 2 MPI_Recv ring",
				"a message from rank 1; a message from rank 2; a message from rank 0"},
			{"tags", finding.Deadlock, []int{0, 1, 2}, "wait for each other in a cycle",
				"0 MPI_Recv ring, 1 MPI_Recv ring, 2 MPI_Recv ring",
				"a message from rank 2; a message from rank 0; a message from rank 1"},
			{"wait", finding.Deadlock, []int{0, 1, 2}, "wait for each other in a cycle",
				"0 MPI_Wait wait, 1 MPI_Wait wait, 2 MPI_Wait wait",
				fmt.Sprintf("a message from rank 1 (MPI_Irecv at main (hang.c:%[1]d)); a message from rank 2 (MPI_Irecv at "+
					"main (hang.c:%[1]d)); a message from rank 0 (MPI_Irecv at main (hang.c:%[1]d))", line(t, "posted"))},
			{"half", finding.Deadlock, []int{0, 2}, "rank 0 is in MPI_Barrier on a communicator of 2 ranks",
				"0 MPI_Barrier half, 2 MPI_Recv ring", "rank 2 to call MPI_Barrier; a message from rank 0"},
			{"sends", finding.Deadlock, []int{0, 1, 2}, "wait for each other in a cycle",
				"0 MPI_Ssend sends, 1 MPI_Ssend sends, 2 MPI_Ssend sends",
				"rank 1 to receive; rank 2 to receive; rank 0 to receive"},
			{"order", finding.Deadlock, []int{0, 1}, "rank 0 is in MPI_Barrier on a communicator of 3 ranks",
				"0 MPI_Barrier order, 1 MPI_Barrier order", ""},
			{"ibarrier", finding.Deadlock, []int{0, 1}, "rank 0 is in MPI_Wait on MPI_COMM_WORLD and rank 1 is in MPI_Recv",
				"0 MPI_Wait completes, 1 MPI_Recv ring", fmt.Sprintf("ranks 1 and 2 to call the same non-blocking "+
					"collective (MPI_Ibarrier at main (hang.c:%d)); a message from rank 0", line(t, "entered"))},
			{"epochs", finding.Deadlock, []int{0, 2}, "rank 0 is in MPI_Win_wait and rank 2 is in MPI_Recv",
				"0 MPI_Win_wait epoch, 2 MPI_Recv ring", "rank 2 to call MPI_Win_complete; a message from rank 0"},
			{"differ", finding.CollectiveMismatch, []int{0, 1, 2}, "Members of MPI_COMM_WORLD call different collectives at " +
				"the same point: ranks 0 and 1 call MPI_Barrier", "0 MPI_Barrier two, 2 MPI_Bcast one", ""},
			{"root", finding.Stall, []int{0, 1, 2}, "ranks 1 and 2 wait for rank 0, which is at main (hang.c:",
				"0 outside MPI sleeps too, 1 MPI_Bcast root, 2 MPI_Bcast root", ""},
			{"finalize", finding.Deadlock, []int{0, 1, 2}, "for a message from rank 0, which is in MPI_Finalize",
				"0 MPI_Finalize , 1 MPI_Recv ring, 2 MPI_Recv ring", ""},
			{"threads", finding.Deadlock, []int{0, 1, 2}, "sleeps until another thread wakes it",
				"0 pthread_join join, 0 MPI_Recv ring, 1 pthread_join join, 1 MPI_Recv ring, 2 pthread_join join, " +
					"2 MPI_Recv ring", ""},
			{"sleeper", finding.Stall, []int{0, 1, 2}, "ranks 0 and 1 wait for rank 2",
				"0 MPI_Recv ring, 1 MPI_Recv ring, 2 outside MPI sleeps", ""},
		} {
			t.Run(mpi+" "+e.kind, func(t *testing.T) { e.check(t, seen(t, p.start(t, e.kind, true), false)) })
		}
		t.Run(mpi+" moves", func(t *testing.T) {
			if run := seen(t, p.start(t, "moves", true), true); len(run.Findings) > 0 {
				t.Errorf("%+v", run.Findings)
			}
		})
	}
}

// TestKillEndsTheJob ends a job that was looked at.
func TestKillEndsTheJob(t *testing.T) {
	mpi := testkit.Both()[0]
	launcher := compiled(t, mpi, "-O0").start(t, "ring", false)
	if _, err := Look(t.Context(), Options{PID: launcher, Kill: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), Options{PID: launcher}); err == nil {
		for end := time.Now().Add(time.Minute); err == nil && time.Now().Before(end); {
			_, err = Look(t.Context(), Options{PID: launcher})
		}
		if err == nil {
			t.Error("the job goes on")
		}
	}
}

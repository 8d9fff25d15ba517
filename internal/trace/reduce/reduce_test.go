package reduce

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/trace/text"
)

// reduced is the program of a text log.
func reduced(t *testing.T, log string) string {
	t.Helper()
	l, err := text.Read(strings.NewReader(log), "log")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Program(&out, l); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n > MostLines {
		t.Errorf("%d lines", n)
	}
	return out.String()
}

// many are the lines of a log in which each rank makes the same calls so often.
func many(ranks, times int, calls func(rank int) string) string {
	var b strings.Builder
	for r := range ranks {
		fmt.Fprintf(&b, "P%d:", r)
		for range times {
			b.WriteString(" " + calls(r))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestProgramsCompleteOrHangAsTheirLogs(t *testing.T) {
	testkit.NeedsMPI(t)
	exchange := many(4, 300, func(r int) string {
		return fmt.Sprintf("Irecv(%d,1)=a Isend(%d,1,bytes=100)=b Waitall(a,b) Allreduce()", (r+3)%4, (r+1)%4)
	})
	for i, c := range []struct {
		what, log string
		ranks     int
		has       []string
		hangs     bool
	}{
		{"messages of all modes", "P0: Send(1,0,bytes=8) Ssend(1,1) Isend(1,2)=a Wait(a) Recv(1,3) Sendrecv(1,4,1,5)\n" +
			"P1: Recv(0,0) Recv(0,1) Recv(*,*) Send(0,3) Sendrecv(0,5,0,4)\n", 2,
			[]string{"MPI_Ssend(", "MPI_Sendrecv(", "MPI_ANY_SOURCE, MPI_ANY_TAG", "room(8)"}, false},
		{"collectives", many(3, 2, func(int) string {
			return "Bcast(1) Reduce(2) Gather(0) Scatter(1) Allgather() Alltoall() Scan() Reduce_scatter() Ibarrier()=a " +
				"Wait(a) Comm_dup()"
		}), 3, []string{"MPI_Bcast(room(4), 1, MPI_INT, 1,", "MPI_Ibarrier(MPI_COMM_WORLD, &reqs[0])",
			"/* MPI_Comm_dup */", "for (int i = 0; i < 2; i++) {"}, false},
		{"many calls that repeat", exchange, 4, []string{"for (int i = 0; i < 300; i++) {", "(rank + 1) % size"}, false},
		{"a cycle", "P0: Recv(1,0) Send(1,0)\nP1: Recv(0,0) Send(0,0)\n", 2, nil, true},
	} {
		program := reduced(t, c.log)
		for _, want := range c.has {
			if !strings.Contains(program, want) {
				t.Errorf("%s: no %q in\n%s", c.what, want, program)
			}
		}
		for _, mpi := range testkit.Libraries(i) {
			file := filepath.Join(t.TempDir(), "reduced.c")
			if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
				t.Fatal(err)
			}
			exe := strings.TrimSuffix(file, ".c")
			if out, err := exec.Command("mpicc."+mpi, "-Wall", "-Wextra", "-Werror", "-O1", "-o", exe,
				file).CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %v\n%s%s", c.what, mpi, err, out, program)
				continue
			}
			patience := time.Minute
			if c.hangs {
				patience = 3 * time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			run := exec.CommandContext(ctx, "mpirun."+mpi, "-n", fmt.Sprint(c.ranks), exe)
			run.Env = testkit.Gently()
			run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
			run.WaitDelay = 10 * time.Second
			out, err := run.CombinedOutput()
			if hangs := ctx.Err() != nil; hangs != c.hangs || err != nil && !hangs {
				t.Errorf("%s, %s: hangs: %v, %v\n%s%s", c.what, mpi, hangs, err, out, program)
			}
			cancel()
		}
	}
}

// TestALongLogIsCutWhereNothingBelongsTogether: what the last calls match is in, and nothing else.
func TestALongLogIsCutWhereNothingBelongsTogether(t *testing.T) {
	var log strings.Builder
	for r := range 2 {
		fmt.Fprintf(&log, "P%d:", r)
		for i := range 400 {
			if r == 0 {
				fmt.Fprintf(&log, " Send(1,%d)", i)
			} else {
				fmt.Fprintf(&log, " Recv(0,%d)", i)
			}
		}
		log.WriteString("\n")
	}
	program := reduced(t, log.String())
	sends, receives := strings.Count(program, "MPI_Send("), strings.Count(program, "MPI_Recv(")
	if sends != receives || sends < 16 || !strings.Contains(program, ", 1, 399,") ||
		strings.Contains(program, ", 1, 0,") || !strings.Contains(program, "earlier ones are left out") {
		t.Errorf("%d sends and %d receives in\n%s", sends, receives, program)
	}
}

func TestWhatCannotBeMadeIsSaid(t *testing.T) {
	for log, want := range map[string]string{
		"P0: Send(1,0)\nP0.1: Recv(1,0)\nP1: Recv(0,0) Send(0,0)\n": "more than one thread",
		"ranks 2\n": "it has no calls",
	} {
		l, err := text.Read(strings.NewReader(log), "log")
		if err != nil {
			t.Fatal(err)
		}
		if err := Program(new(bytes.Buffer), l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", log, err, want)
		}
	}
}

// TestAProgramThatTheLibraryHoldsUpEnds: what waits for calls that would have come next is left out, and what is
// deadlocked whatever the library does is not.
func TestAProgramThatTheLibraryHoldsUpEnds(t *testing.T) {
	for _, c := range []struct{ what, log, has, hasNot string }{
		{"a message is there",
			"P0: Send(1,3) Recv(2,3)...\nP1: Recv(0,3) Send(2,3) Recv(0,3)...\nP2: Recv(1,3) Send(0,3) Recv(1,3)...\n",
			"it did not return */\n    MPI_Recv(room(4), 4, MPI_BYTE, 2, 3",
			"MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Send"},
		{"from any source", "P0: Recv(*,3)...\nP1: Send(0,3) Recv(0,4)...\n", "MPI_Send(", ", 4, MPI_COMM_WORLD"},
		{"a collective of all", "P0: Barrier()...\nP1: Barrier()... \nP2: Barrier() Recv(0,4)...\n",
			"MPI_Barrier(MPI_COMM_WORLD);", "MPI_Recv"},
		{"others are deadlocked", "P0: Send(1,3)\nP1: Recv(0,3)...\nP2: Recv(3,7)...\nP3: Recv(2,8)...\n",
			"3, 7, MPI_COMM_WORLD", "left out"},
		{"a rank outside of MPI", "P0: Recv(1,3)...\nP1: Send(0,4) \"pause\"()...\n", "for (;;)\n        pause();",
			"left out"},
		{"a message from any source that was taken", "P0: Recv(*,*)<-1:7 Recv(1,3)...\nP1: Send(0,7) Recv(0,4)...\n",
			"4, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* from any source */", "MPI_ANY"},
		{"a deadlock", "P0: Recv(1,3)...\nP1: Recv(0,5)...\n", "0, 5, MPI_COMM_WORLD", "left out"},
	} {
		program := reduced(t, c.log)
		if !strings.Contains(program, c.has) || strings.Contains(program, c.hasNot) {
			t.Errorf("%s: want %q, and no %q, in\n%s", c.what, c.has, c.hasNot, program)
		}
	}
}

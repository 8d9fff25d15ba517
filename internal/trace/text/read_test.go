package text

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

func read(t *testing.T, written string) *trace.Log {
	t.Helper()
	l, err := Read(strings.NewReader(written), "log")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// show tells a log's calls and parts in words of this test's own, so that it does not depend on Write.
func show(l *trace.Log) string {
	var b strings.Builder
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Ops {
			o := &t.Ops[k]
			fmt.Fprintf(&b, "%d.%d %s", t.Rank, t.Index, l.Funcs[o.Fn])
			for _, q := range t.Posts(o) {
				fmt.Fprintf(&b, " part(kind %d mode %d sync %d comm %s peer %d tag %d", q.Kind, q.Mode, q.Sync,
					l.Comms[q.Comm].Name, q.Peer, q.Tag)
				for _, flag := range []struct {
					on   bool
					word string
				}{{q.Wild, " wild"}, {q.Gone, " gone"}, {q.Matched != 0 && q.Matched != op.Unknown,
					fmt.Sprintf(" met %d,%d", q.Matched, q.MatchedTag)},
					{q.Bytes > 0, fmt.Sprintf(" bytes %d", q.Bytes)}, {q.Seq > 0, fmt.Sprintf(" seq %d", q.Seq)},
					{q.Nth > 0, fmt.Sprintf(" nth %d", q.Nth)}} {
					if flag.on {
						b.WriteString(flag.word)
					}
				}
				b.WriteString(")")
			}
			if o.Blocking {
				fmt.Fprintf(&b, " blocks%v", told(t.WaitsOf(o)))
			}
			for _, flag := range []struct {
				on   bool
				word string
			}{{o.Any, " any"}, {o.Opaque, " opaque"}, {o.Final, " final"}, {!o.Returned, " open"},
				{o.Site > 0, fmt.Sprintf(" at %s %s:%d", l.Sites[o.Site].Function, l.Sites[o.Site].File,
					l.Sites[o.Site].Line)}} {
				if flag.on {
					b.WriteString(flag.word)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// told are waits without their places in an array.
func told(waits []trace.Wait) []string {
	out := make([]string, len(waits))
	for i, w := range waits {
		out[i] = fmt.Sprintf("{%d %d %t}", w.Thread, w.Part, w.Done)
	}
	return out
}

// TestCalls reads one of each form that docs/logs.md describes.
func TestCalls(t *testing.T) {
	for written, want := range map[string]string{
		"P0: Recv(*,0) Recv(*,0)<-1 Send(1,0)\nP1:": `0.0 MPI_Recv part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer -1 tag 0 wild) blocks[{0 0 true}]
0.0 MPI_Recv part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer -1 tag 0 wild met 1,0 nth 1) blocks[{0 1 true}]
0.0 MPI_Send part(kind 0 mode 0 sync 0 comm MPI_COMM_WORLD peer 1 tag 0) blocks[{0 2 true}]
`,
		"# one call a line\n P0: Ssend(1,2) # said\r\n\nP1: Recv(0,*)<-0:2\nP0:Bsend(1,3,bytes=8)\nP0: Rsend(1,4)": `0.0 MPI_Ssend part(kind 0 mode 1 sync 0 comm MPI_COMM_WORLD peer 1 tag 2) blocks[{0 0 true}]
0.0 MPI_Bsend part(kind 0 mode 2 sync 0 comm MPI_COMM_WORLD peer 1 tag 3 bytes 8) blocks[{0 1 true}]
0.0 MPI_Rsend part(kind 0 mode 0 sync 0 comm MPI_COMM_WORLD peer 1 tag 4) blocks[{0 2 true}]
1.0 MPI_Recv part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer 0 tag -1) blocks[{1 0 true}]
`,
		"ranks 2\ncomm both: 0-1\nP0: Isend(1,0,both)=a Irecv(1,0,comm=both)=b Waitall(a,b)@x/y.c:12\nP1: " +
			"Sendrecv(0,1,0,2)": `0.0 MPI_Isend part(kind 0 mode 0 sync 0 comm both peer 1 tag 0)
0.0 MPI_Irecv part(kind 1 mode 0 sync 0 comm both peer 1 tag 0)
0.0 MPI_Waitall blocks[{0 0 true} {0 1 true}] at  x/y.c:12
1.0 MPI_Sendrecv part(kind 0 mode 0 sync 0 comm MPI_COMM_WORLD peer 0 tag 1) part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer 0 tag 2) blocks[{1 0 true} {1 1 true}]
`,
		"P0: Irecv(*,*)=a Irecv(1,*,gone)=b Waitany(a!,b) Waitsome(a,b)... Finalize\nP1: Probe(*,1)<-0": `0.0 MPI_Irecv part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer -1 tag -1 wild)
0.0 MPI_Irecv part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer 1 tag -1 gone)
0.0 MPI_Waitany blocks[{0 0 true} {0 1 false}] any
0.0 MPI_Waitsome blocks[{0 0 false} {0 1 false}] any open
0.0 MPI_Finalize final
1.0 MPI_Probe part(kind 2 mode 0 sync 0 comm MPI_COMM_WORLD peer -1 tag 1 wild) blocks[{1 0 true}]
`,
		"P0: Barrier Bcast(1) Ireduce(0)=r Wait(r) Scan() Allreduce(sync=none)\nP1: Exscan": `0.0 MPI_Barrier part(kind 3 mode 0 sync 1 comm MPI_COMM_WORLD peer -1 tag 0) blocks[{0 0 true}]
0.0 MPI_Bcast part(kind 3 mode 0 sync 2 comm MPI_COMM_WORLD peer 1 tag 0 seq 1) blocks[{0 1 true}]
0.0 MPI_Ireduce part(kind 3 mode 0 sync 3 comm MPI_COMM_WORLD peer 0 tag 0 seq 2)
0.0 MPI_Wait blocks[{0 2 true}]
0.0 MPI_Scan part(kind 3 mode 0 sync 4 comm MPI_COMM_WORLD peer -1 tag 0 seq 3) blocks[{0 3 true}]
0.0 MPI_Allreduce part(kind 3 mode 0 sync 0 comm MPI_COMM_WORLD peer -1 tag 0 seq 4) blocks[{0 4 true}]
1.0 MPI_Exscan part(kind 3 mode 0 sync 4 comm MPI_COMM_WORLD peer -1 tag 0) blocks[{1 0 true}]
`,
		"inner w: 0 1\nsite here function=\"main\" file=\"a b.c\" line=3\nP0.1: Start{recv(1,0)=a " +
			"send(1,0,w,mode=buffered)=b}@here\nP0: Wait(0.1:a) Frobnicate(1, (2))\nP1: Send(null,0)": `0.0 MPI_Wait blocks[{1 0 true}]
0.0 MPI_Frobnicate opaque
0.1 MPI_Start part(kind 1 mode 0 sync 0 comm MPI_COMM_WORLD peer 1 tag 0) part(kind 0 mode 2 sync 0 comm w peer 1 tag 0) at main a b.c:3
1.0 MPI_Send part(kind 4 mode 0 sync 0 comm MPI_COMM_WORLD peer -2 tag 0) blocks[{2 0 true}]
`,
	} {
		if have := show(read(t, written)); have != want {
			t.Errorf("%s\ngives\n%swant\n%s", written, have, want)
		}
	}
}

// TestMistakes reads logs with errors: each is reported with its place, what was expected and the line.
func TestMistakes(t *testing.T) {
	for written, want := range map[string]string{
		"P0: Send(1,0\nP1:": `log:1:13: expected "," or ")", found the end of the line
    P0: Send(1,0
                ^`,
		"P0: Send(1)\nP1:": `log:1:11: expected (destination, tag), found 1 arguments
    P0: Send(1)
              ^`,
		"P0: Recv(0,0)=a": `log:1:14: expected no request, as this call has none, found "="
    P0: Recv(0,0)=a
                 ^`,
		"P0: Wait(b)": `log:1:10: expected a request that P0 started before, found "b"; hint: Irecv(0,0)=b names one
    P0: Wait(b)
             ^`,
		"P0: Send(1,0,odds)\nP1:": `log:1:14: expected a communicator or an option, found "odds"; hint: define it on an earlier line: "comm odds: 0 1"
    P0: Send(1,0,odds)
                 ^`,
		"P0: Send(7,0)": `log:1:10: expected a process below 1, found 7; hint: a line "ranks 8" at the top says how many there are
    P0: Send(7,0)
             ^`,
		"ranks 2\nP2: Barrier": `log:2:2: expected a process below 2, which "ranks" gives, found 2
    P2: Barrier
     ^`,
		"P0: Barrier Barrier(3)": `log:1:21: expected no rank, found 1
    P0: Barrier Barrier(3)
                        ^`,
		"process 0": `log:1:1: expected "P0:" and calls, or ranks, comm, inner, site, command, mpi, unknot, start, cut, found "process"
    process 0
    ^`,
		"": `log:1:1: expected calls of processes, such as "P0: Send(1,0)", found none
    
    ^`,
		"P0: Send(99999999999,0)": `log:1:10: expected a number of at most 2147483647, found a larger number
    P0: Send(99999999999,0)
             ^`,
		"P0: Send(1,0)\nP700000: Recv(0,0)": `log:2:2: expected a process near those before, found 700000; hint: a line "ranks 700001" at the top says how many there are
    P700000: Recv(0,0)
     ^`,
		"P0: Barrier\xff": `log:1:12: expected a blank, =request, <-source, @place or ... after the call, found "\xff"
    P0: Barrier?
               ^`,
	} {
		_, err := Read(strings.NewReader(written), "log")
		if err == nil || err.Error() != want {
			t.Errorf("%q gives\n%v\nwant\n%s", written, err, want)
		}
	}
}

// TestMistakesAreTenAtMost reads on after a mistake, but not forever.
func TestMistakesAreTenAtMost(t *testing.T) {
	for lines, want := range map[int]int{3: 3, 50: 10} {
		_, err := Read(strings.NewReader(strings.Repeat("P0: Send(\nP0: Barrier\n", lines)), "log")
		var all Errors
		if !errors.As(err, &all) || len(all) != want || all[1].Line != 3 {
			t.Errorf("%d mistakes: %v", lines, err)
		}
	}
}

// TestWhatIsNoLogIsSaidSoOnce: nobody wants ten mistakes of a file that was named by mistake.
func TestWhatIsNoLogIsSaidSoOnce(t *testing.T) {
	_, err := Read(strings.NewReader(strings.Repeat("# Title\n\nwords of a page\n", 20)), "page.md")
	const want = "page.md is not a log of MPI calls, whose lines are like \"P0: Send(1,0)\"; hint: docs/logs.md says " +
		"what such logs have"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestLongLinesAreCut shows only what is around a mistake in a line of many calls.
func TestLongLinesAreCut(t *testing.T) {
	_, err := Read(strings.NewReader("P0: "+strings.Repeat("Send(0,0) ", 1000)+"Send{ "+strings.Repeat("Recv(0,0) ",
		1000)), "log")
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || len(lines[1]) > 80 || !strings.Contains(lines[1], "Send{ Recv") ||
		strings.Index(lines[2], "^") != strings.Index(lines[1], "{")+2 {
		t.Errorf("told as\n%v", err)
	}
}

package log_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/log"
	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit/followed"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/trace/show"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// job is two ranks that a trace is written of.
type job struct {
	*followed.Job
	log     *log.Log
	ranks   []*log.Rank
	threads map[string]*log.Thread
	w       *tracefile.Writer
	path    string
	t       *testing.T
}

// newJob has two ranks follow a script. The second has another thread.
func newJob(t *testing.T, script string) *job {
	t.Helper()
	j := &job{Job: followed.New(t), threads: make(map[string]*log.Thread), t: t,
		path: filepath.Join(t.TempDir(), "run.unk")}
	var err error
	if j.w, err = tracefile.Create(j.path, trace.Head{Ranks: 2}); err != nil {
		t.Fatal(err)
	}
	j.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: objects.WorldID, Name: "MPI_COMM_WORLD", Members: []op.Rank{0, 1}}})
	places := place.New(j.Table, j.Symbols, &symbol.Owners{})
	j.log = log.New(j.w, j.Table, &places)
	j.Follower.Records = true
	for i, threads := range []int{1, 2} {
		r := j.Rank(i, 2)
		l := &log.Rank{Process: &r.Process}
		j.ranks = append(j.ranks, l)
		for range threads {
			o := j.Recorded(r, j.log, l)
			j.threads[fmt.Sprintf("%d.%d", i, o.Of.WS.Index)] = o.Stream
		}
	}
	j.Play(script)
	return j
}

// read is the trace at the end of the run.
func (j *job) read() *trace.Log {
	j.t.Helper()
	j.log.Finish()
	if err := j.w.Close(""); err != nil {
		j.t.Fatal(err)
	}
	l, err := tracefile.Read(j.path)
	if err != nil {
		j.t.Fatal(err)
	}
	return l
}

// text is what a user reads of a trace, without its summary.
func text(t *testing.T, l *trace.Log) string {
	t.Helper()
	var b strings.Builder
	if err := show.Text(&b, l, show.Options{Rank: -1}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	return strings.Join(lines[:len(lines)-1], "\n")
}

// plain is a text without its indents.
func plain(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func TestTheTraceHasEachCall(t *testing.T) {
	for _, c := range []struct{ what, script, want string }{
		{"sends and receives", `
			MPI_Send(buf 3 int 1 5 world) =
			MPI_Ssend(buf 3 int 1 5 world) =
			MPI_Bsend(buf 3 strange 1 5 world) =
			MPI_Recv(buf 1 int any anytag world) = 1 7 4
			MPI_Recv(buf 1 int 1 8 world)
			1: MPI_Probe(0 5 world) = 0 5 12
			1: MPI_Recv(buf 1 int nobody 5 world) =  0 0 0`, `
			rank 0 thread 0 #1: MPI_Send to rank 1, tag 5, 12 bytes [program+0x1]
			rank 0 thread 0 #2: MPI_Ssend to rank 1, tag 5, 12 bytes, synchronous [program+0x2]
			rank 0 thread 0 #3: MPI_Bsend to rank 1, tag 5, buffered [program+0x3]
			rank 0 thread 0 #4: MPI_Recv from any source, any tag (matched rank 1, tag 7) [program+0x4]
			rank 0 thread 0 #5: MPI_Recv from rank 1, tag 8 (no match recorded) [program+0x5] (did not return)
			rank 1 thread 0 #1: MPI_Probe from rank 0, tag 5 [program+0x6]
			rank 1 thread 0 #2: MPI_Recv completed by MPI alone [program+0x7]`},
		{"requests, by the calls that started them", `
			MPI_Isend(buf 1 int 1 5 world) = r1
			MPI_Irecv(buf 1 int any 6 world) = r2
			MPI_Irecv(buf 1 int 1 7 world) = r3
			MPI_Waitany(3 [r1 none r2]) = 2 1 6 4
			MPI_Waitsome(2 [r1 r3]) = 2 [1 0] [1 7 4 0 0 0]`, `
			rank 0 thread 0 #1: MPI_Isend to rank 1, tag 5, 4 bytes [program+0x1]
			rank 0 thread 0 #2: MPI_Irecv from any source, tag 6 (matched rank 1, tag 6) [program+0x2]
			rank 0 thread 0 #3: MPI_Irecv from rank 1, tag 7 [program+0x3]
			rank 0 thread 0 #4: MPI_Waitany for any of #1, #2 (matched rank 1, tag 6) (done) [program+0x4]
			rank 0 thread 0 #5: MPI_Waitsome for any of #1 (done), #3 (done) [program+0x5]`},
		{"persistent ones, by their starts", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Start(r1) =
			MPI_Wait(r1) = 0 0 0
			MPI_Start(r1) =
			MPI_Wait(r1) = 0 0 0`, `
			rank 0 thread 0 #1: MPI_Start to rank 1, tag 5, 4 bytes [program+0x2]
			rank 0 thread 0 #2: MPI_Wait for #1 [program+0x3]
			rank 0 thread 0 #3: MPI_Start to rank 1, tag 5, 4 bytes [program+0x4]
			rank 0 thread 0 #4: MPI_Wait for #3 [program+0x5]`},
		{"partitioned ones, when they are sent", `
			MPI_Psend_init(buf 2 1 int 1 5 world info) = r1
			MPI_Start(r1) =
			MPI_Pready_range(0 1 r1) =
			MPI_Wait(r1) = 0 0 0`, `
			rank 0 thread 0 #1: MPI_Start [program+0x2]
			rank 0 thread 0 #2: MPI_Pready_range to rank 1, tag 5, 8 bytes, on a channel of its own [program+0x3]
			rank 0 thread 0 #3: MPI_Wait for #2 [program+0x4]`},
		{"collectives", `
			MPI_Barrier(world) =
			MPI_Bcast(buf 1 int 1 world) =
			MPI_Allreduce(buf buf 1 int sum world) =
			MPI_Ibarrier(world) = r1
			MPI_Wait(r1) = 0 0 0
			1: MPI_Reduce(buf buf 1 int sum 0 world)
			MPI_Finalize()`, `
			rank 0 thread 0 #1: MPI_Barrier on MPI_COMM_WORLD [program+0x1]
			rank 0 thread 0 #2: MPI_Bcast root rank 1, on MPI_COMM_WORLD [program+0x2]
			rank 0 thread 0 #3: MPI_Allreduce on MPI_COMM_WORLD [program+0x3]
			rank 0 thread 0 #4: MPI_Ibarrier on MPI_COMM_WORLD [program+0x4]
			rank 0 thread 0 #5: MPI_Wait for #4 [program+0x5]
			rank 0 thread 0 #6: MPI_Finalize [program+0x7] (did not return)
			rank 1 thread 0 #1: MPI_Reduce root rank 0, on MPI_COMM_WORLD [program+0x6] (did not return)`},
		{"what was cancelled", `
			MPI_Irecv(buf 1 int 1 5 world) = r1
			MPI_Cancel(r1) =
			MPI_Wait(r1) = any anytag -2
			MPI_Isend(buf 1 int 1 5 world) = r2
			MPI_Cancel(r2) =
			MPI_Wait(r2) = 0 0 0`, `
			rank 0 thread 0 #1: MPI_Irecv from rank 1, tag 5 (cancelled) [program+0x1]
			rank 0 thread 0 #2: MPI_Wait for #1 [program+0x3]
			rank 0 thread 0 #3: MPI_Isend to rank 1, tag 5, 4 bytes [program+0x4]
			rank 0 thread 0 #4: MPI_Wait completed by MPI alone [program+0x6]`},
		{"polls that found something", `
			MPI_Irecv(buf 1 int 1 5 world) = r1
			MPI_Test(r1) = 0 0 0 0
			MPI_Test(r1) = 1 1 5 4
			MPI_Iprobe(any 5 world) = 1 1 5 4`, `
			rank 0 thread 0 #1: MPI_Irecv from rank 1, tag 5 [program+0x1]
			rank 0 thread 0 #2: MPI_Test for #1 [program+0x3]
			rank 0 thread 0 #3: MPI_Iprobe from any source, tag 5 (matched rank 1, tag 5) [program+0x4]`},
		{"calls that fail", `
			MPI_Send(buf 1 int 1 5 world) fails 5
			MPI_Recv(buf 1 int 1 5 world) fails 5`, `
			rank 0 thread 0 #1: MPI_Send to rank 1, tag 5, 4 bytes (cancelled) [program+0x1]
			rank 0 thread 0 #2: MPI_Recv from rank 1, tag 5 (cancelled) [program+0x2]`},
		{"what is not known", `
			MPI_Send(buf 1 int 1 5 strange) =
			MPI_Wait(unknown) = 1 5 4
			MPI_Barrier(strange)`, `
			rank 0 thread 0 #1: MPI_Send [program+0x1]
			rank 0 thread 0 #2: MPI_Wait completed by MPI alone [program+0x2]
			rank 0 thread 0 #3: MPI_Barrier [program+0x3] (did not return)`},
		{"another thread", `
			1: - Thread 1
			1.1: MPI_Recv(buf 1 int 0 5 world) = 0 5 4
			1.1: - ThreadEnd
			1: - Join 1
			1: - Joined`, `
			rank 1 thread 0 #1: pthread_join
			rank 1 thread 1 #1: MPI_Recv from rank 0, tag 5 [program+0x2]`},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got := text(t, newJob(t, c.script).read()); got != plain(c.want) {
				t.Errorf("the trace is given\n%s\nwant\n%s", got, plain(c.want))
			}
		})
	}
}

// TestPollsThatFindNothingAreOneEntry, as long as they repeat each other.
func TestPollsThatFindNothingAreOneEntry(t *testing.T) {
	const begin = "MPI_Irecv(buf 1 int 1 5 world) = r1\nMPI_Irecv(buf 1 int 1 6 world) = r2\n"
	for script, want := range map[string]string{
		// at different places
		"MPI_Test(r1) = 0 0 0 0\nMPI_Test(r1) = 0 0 0 0":    "MPI_Test 0+1 before 2 for [0]; MPI_Test 1+1 before 2 for [0]",
		"=MPI_Test(r1) = 0 0 0 0\n=MPI_Test(r1) = 0 0 0 0":  "MPI_Test 0+2 before 2 for [0]",
		"MPI_Test(r1)\n- Polled 40\nMPI_Comm_size(world) =": "MPI_Test 0+40 before 2 for [0]",
		"=MPI_Test(r1) = 0 0 0 0\n=MPI_Test(r2) = 0 0 0 0":  "MPI_Test 0+1 before 2 for [0]; MPI_Test 1+1 before 2 for [1]",
		"=MPI_Test(r1) = 0 0 0 0\nMPI_Barrier(world) =\n=MPI_Test(r1) = 0 0 0 0": "MPI_Test 0+1 before 2 for [0]; " +
			"MPI_Test 1+1 before 3 for [0]",
		"MPI_Testall(2 [r1 r2]) = 0 []":           "MPI_Testall 0+1 before 2 for [0 1]",
		"MPI_Testany(3 [none r2 r1]) = 0 0 0 0 0": "MPI_Testany 0+1 before 2 for any of [1 0] at [1 2]",
		"MPI_Testsome(2 [strange r2]) = 0 [] []":  "MPI_Testsome 0+1 before 2 for any of [1] at [1]",
		"MPI_Iprobe(any anytag world) = 0 0 0 0":  "MPI_Iprobe 0+1 before 2 in MPI_COMM_WORLD from -1 tag -1",
		"MPI_Improbe(1 7 self) = 0 0 0 0 0":       "MPI_Improbe 0+1 before 2 in MPI_COMM_SELF from -4 tag 7",
		"MPI_Iprobe(1 7 strange) = 0 0 0 0":       "",
		"MPI_Request_get_status(r1) = 0 0 0 0":    "",
		"MPI_Test(r1) = 1 1 5 4":                  "",
		"MPI_Recv_init(buf 1 int 1 5 world) = r3\nMPI_Testany(2 [r3 r1]) = 0 0 0 0 0": "MPI_Testany 0+1 before 2 for any " +
			"of [0] at [1]",
	} {
		j := newJob(t, begin)
		for line := range strings.Lines(script) {
			rest, again := strings.CutPrefix(line, "=")
			if again {
				j.Line = 100
			}
			j.Play(rest)
		}
		l := j.read()
		th := &l.Threads[0]
		var got []string
		for _, p := range th.Polls {
			words := fmt.Sprintf("%s %d+%d before %d", l.Funcs[p.Fn], p.Nth, p.Count, p.Before)
			if p.Probe {
				words += fmt.Sprintf(" in %s from %d tag %d", l.Comms[p.Comm].Name, p.Peer, p.Tag)
			} else {
				var parts, at []int32
				for _, w := range th.Waits[p.WaitAt : p.WaitAt+p.Waiting] {
					parts, at = append(parts, int32(w.Part)), append(at, w.At)
				}
				words += fmt.Sprint(map[bool]string{true: " for any of ", false: " for "}[p.Any], parts)
				if p.Any {
					words += fmt.Sprint(" at ", at)
				}
			}
			got = append(got, words)
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s\nis in the trace as\n%s\nwant\n%s", script, s, want)
		}
	}
}

// TestPollsOfOneThreadAreRecordedUpToABound between two calls.
func TestPollsOfOneThreadAreRecordedUpToABound(t *testing.T) {
	j := newJob(t, "")
	for tag := range trace.MostPolls + 5 {
		j.Play(fmt.Sprintf("MPI_Iprobe(1 %d world) = 0 0 0 0", tag))
	}
	j.Play("MPI_Barrier(world) =\nMPI_Iprobe(1 1 world) = 0 0 0 0")
	if n := len(j.read().Threads[0].Polls); n != trace.MostPolls+1 {
		t.Errorf("%d polls are recorded, want %d before the barrier and one after it", n, trace.MostPolls)
	}
}

// TestWhatMessagesAreMatchedInHasAName, or else that of what it belongs to.
func TestWhatMessagesAreMatchedInHasAName(t *testing.T) {
	j := newJob(t, `
		MPI_Comm_split(world 0 0) = half
		- comm half 0
		MPI_Barrier(half) =
		MPI_Comm_dup(half) = copy
		- comm copy 0
		MPI_Barrier(copy) =
		MPI_Comm_dup(world) = named
		- comm named 0 1
		MPI_Comm_set_name(named rows) =
		MPI_Barrier(named) =
		MPI_Comm_create_from_group({0 1} mine info errors) = grouped
		- comm grouped 0 1
		MPI_Barrier(grouped) =
		MPI_Intercomm_create(self 0 world 1 3) = both
		- inter both 0 | 1
		MPI_Barrier(both) =
		MPI_Win_create(buf 10 1 info named) = w
		MPI_Win_fence(0 w) =
		MPI_Win_post({1} 0 w) =
		MPI_Win_start({1} 0 w) =
		MPI_Win_complete(w) =
		MPI_Win_wait(w) =
		MPI_File_open(half name 2 info) = f
		MPI_File_close(f) =
		MPI_Barrier_init(world info) = r1
		MPI_Start(r1) =
		MPI_Wait(r1) = 0 0 0
		MPI_Psend_init(buf 1 1 int 1 5 world info) = r2
		MPI_Start(r2) =
		MPI_Pready(0 r2) =
		MPI_Comm_free(named) =`)
	j.Symbols.At = map[uint64][]finding.Frame{1: {{Function: "main", File: "/src/a.c", Line: 7}}}
	var got []string
	for _, c := range j.read().Comms {
		name := fmt.Sprint(c.Name, " ", c.Members)
		if c.Remote != nil {
			name += fmt.Sprint(" facing ", c.Remote)
		}
		if c.Inner {
			name += " inner"
		}
		got = append(got, name)
	}
	want := plain(`
		MPI_COMM_WORLD [0 1]
		split of MPI_COMM_WORLD at a.c:7 [0]
		duplicate of split of MPI_COMM_WORLD at a.c:7 [0]
		rows [0 1]
		a group of its own [0 1] inner
		communicator "mine" [0 1]
		MPI_COMM_SELF [0]
		leaders of intercommunicators over MPI_COMM_WORLD [0 1] inner
		intercommunicator of MPI_COMM_SELF [0] facing [1]
		window over rows [0 1] inner
		posts of a window over rows [0 1] inner
		completions of a window over rows [0 1] inner
		file over a communicator [0] inner
		a group of its own [0 1] inner
		a channel of its own [0 1] inner`)
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("messages are matched in\n%s\nwant\n%s", s, want)
	}
}

// TestCallSitesAreLookedUpAtTheEnd, each once.
func TestCallSitesAreLookedUpAtTheEnd(t *testing.T) {
	j := newJob(t, "")
	j.ranks[0].Callers = map[uint64][]uint64{1: {0x20}}
	j.ranks[0].Python = nil
	send := j.Table.ByName("MPI_Send")
	python := ring.PythonSite | 5
	j.ranks[1].Process.Python = map[uint64][]decode.Frame{python: {{Function: "run", File: "/src/b.py", Line: 4}}}
	put := func(thread string, site uint64) {
		words, err := j.Words(send, "buf 1 int nobody 5 world", true)
		if err != nil {
			t.Fatal(err)
		}
		j.Follower.Take(j.Threads[thread], &ring.Record{Func: send.ID, Kind: ring.Enter, Site: site, Words: words})
	}
	for range 2 {
		put("0", 0x10)
		put("0", 1<<ring.CallersShift|0x10)
		put("0", 0x30)
		put("0", 0)
		put("1", python)
	}
	j.Symbols.At = map[uint64][]finding.Frame{0x10: {{Function: "solve", File: "/src/a.c", Line: 3}},
		0x20: {{Function: "main", File: "/src/a.c", Line: 9}}}
	l := j.read()
	var got []string
	for _, o := range append(l.Threads[0].Ops, l.Threads[1].Ops...) {
		s := l.Sites[o.Site]
		words := fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
		if s.File == "" && s.Module != "" {
			words = fmt.Sprintf("%s+%#x", filepath.Base(s.Module), s.Offset)
		}
		if s.Stack > 0 {
			words += fmt.Sprint(" of ", len(l.Stacks[s.Stack]))
		}
		got = append(got, words)
	}
	want := "a.c:3, a.c:3 of 2, program+0x30, .:0, a.c:3, a.c:3 of 2, program+0x30, .:0, b.py:4 of 1, b.py:4 of 1"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("the calls are at\n%s\nwant\n%s", s, want)
	}
	if len(l.Sites) != 5 {
		t.Errorf("there are %d sites, want 4 and the unknown one", len(l.Sites))
	}
}

func TestWhatAProcessDidBesidesMPI(t *testing.T) {
	j := newJob(t, "")
	j.log.Interacted(j.ranks[1], decode.Interaction{Kind: ring.InteractionRead, Changed: true, Dev: 3, Ino: 4, Func: "open", Path: "/d",
		Site: 0x10})
	l := j.read()
	if len(l.Interactions) != 1 {
		t.Fatalf("%d things are noted", len(l.Interactions))
	}
	n := l.Interactions[0]
	if at := l.Sites[n.Site]; at.Module != "/src/program" || at.Offset != 0x10 {
		t.Errorf("it was done at %+v", at)
	}
	if n.Site = 0; n != (trace.Interaction{Rank: 1, Kind: ring.InteractionRead, Changed: true, Dev: 3, Ino: 4, Func: "open",
		Path: "/d"}) {
		t.Errorf("it is %+v", n)
	}
}

// TestCollectivesMatchByWhatTheyAre: the trace has one number for it.
func TestCollectivesMatchByWhatTheyAre(t *testing.T) {
	j := newJob(t, `
		MPI_Barrier(world) =
		MPI_Ibarrier(world) = r1
		MPI_Allreduce(buf buf 1 int sum world) =
		MPI_Allreduce(buf buf 1 int max world) =
		MPI_Allreduce(buf buf 2 double sum world) =
		MPI_Barrier(world) =`)
	var what []uint64
	for i, p := range j.read().Threads[0].Parts {
		what = append(what, p.What)
		if p.Seq != uint64(i) {
			t.Errorf("collective %d is the %d. of its communicator", i, p.Seq)
		}
	}
	if what[0] == what[1] || what[0] != what[5] || what[2] == what[3] || what[2] != what[4] || what[0] == what[2] {
		t.Errorf("they are %x", what)
	}
}

// TestPeriodsThatAreLeftOutAreInTheTrace as often as they were repeated.
func TestPeriodsThatAreLeftOutAreInTheTrace(t *testing.T) {
	const period = `
		MPI_Irecv(buf 1 int 1 5 world) = r1
		MPI_Send(buf 1 int 1 5 world) =
		MPI_Waitany(1 [r1]) = 0 1 5 4
		MPI_Barrier(world) =`
	j := newJob(t, period)
	th, of := j.threads["0.0"], j.Threads["0"]
	counts := func() log.Counts { return log.Counts{Sends: of.Counts().Sends, Choices: of.Counts().Choices} }
	start := counts()
	p := j.log.Follow(th)
	for line := range strings.Lines(strings.TrimSpace(period)) {
		p.Next()
		j.Play(line)
	}
	j.log.Leave(th)
	if p.Barred() {
		t.Fatal("the period cannot be repeated")
	}
	moved := j.log.Repeat(th, &log.Repetition{Period: p, Times: 3, Start: start, Now: counts(),
		Grows: log.Counts{Sends: 1, Choices: 1}})
	if moved != 9 {
		t.Errorf("the parts of the thread move by %d, want three of each of three periods", moved)
	}
	of.Shift(0, calls.Counts{Sends: 3, Choices: 3})
	j.Play(period)
	l := j.read()
	ops := l.Threads[0].Ops
	if len(ops) != 24 {
		t.Fatalf("there are %d calls, want those of six periods", len(ops))
	}
	lines := strings.Split(text(t, l), "\n")
	for i, o := range ops {
		name := l.Funcs[o.Fn]
		if first := l.Funcs[ops[i%4].Fn]; name != first {
			t.Errorf("call %d is %s, want %s", i, name, first)
		}
		k := uint32(i / 4)
		if o.Choice && o.Nth != k {
			t.Errorf("choice %d has the number %d", k, o.Nth)
		}
		for _, part := range l.Threads[0].Posts(&o) {
			if part.Kind == op.Send && part.Nth != k || part.Kind == op.Coll && part.Seq != uint64(k) {
				t.Errorf("%s of period %d has the numbers %d and %d", name, k, part.Nth, part.Seq)
			}
		}
		if name == "MPI_Waitany" {
			if want := fmt.Sprintf("MPI_Waitany for #%d (done)", i-1); !strings.Contains(lines[i], want) {
				t.Errorf("%s, want %s", lines[i], want)
			}
		}
	}
}

// TestAPeriodWithSomethingSpecialIsNotRepeated: a trace must tell it one by one.
func TestAPeriodWithSomethingSpecialIsNotRepeated(t *testing.T) {
	for script, want := range map[string]bool{
		"MPI_Barrier(world) =": false,
		"MPI_Irecv(buf 1 int 1 5 world) = r1\nMPI_Cancel(r1) =\nMPI_Wait(r1) = any anytag -2": true,
		"MPI_Iprobe(1 5 world) = 0 0 0 0\nMPI_Barrier(world) =":                               true,
		"MPI_Wait(r9) = 1 5 4": true, // which another thread has started
	} {
		j := newJob(t, "1.1: MPI_Irecv(buf 1 int 1 5 world) = r9")
		th := j.threads["1.0"]
		p := j.log.Follow(th)
		for line := range strings.Lines(script) {
			p.Next()
			j.Play("1: " + line)
		}
		if p.Barred() != want {
			t.Errorf("%s: barred %t, want %t", script, p.Barred(), want)
		}
		if j.log.Leave(th); !want {
			j.Play("1: MPI_Iprobe(1 5 world) = 0 0 0 0\n1: MPI_Barrier(world) =")
			if p.Barred() {
				t.Error("what came after the period bars it")
			}
		}
	}
	j := newJob(t, "")
	if n := j.log.Repeat(j.threads["0.0"], &log.Repetition{Period: new(log.Period), Times: 3}); n != 0 {
		t.Errorf("a period of nothing moves parts by %d", n)
	}
}

// TestTheTraceIsWrittenFromTimeToTime, so that a crash loses little.
func TestTheTraceIsWrittenFromTimeToTime(t *testing.T) {
	j := newJob(t, "")
	now := time.Unix(1000, 0)
	if !j.log.Due(now) {
		t.Error("nothing is due at first")
	}
	j.log.Tick(now)
	for after, want := range map[time.Duration]bool{0: false, 99 * time.Millisecond: false, 100 * time.Millisecond: true} {
		if got := j.log.Due(now.Add(after)); got != want {
			t.Errorf("%v later it is due: %t, want %t", after, got, want)
		}
	}
}

// TestWithoutATraceNothingIsDone, and nobody need ask whether there is one.
func TestWithoutATraceNothingIsDone(t *testing.T) {
	l := log.New(nil, nil, nil)
	if l != nil {
		t.Fatal("there is a log without a writer")
	}
	th := l.Begin(nil, 0)
	l.Enter(th, nil, nil, 0)
	l.Found(th, nil, nil, 0)
	l.Join(th, nil)
	l.Asks(th, nil, nil, nil)
	l.AsksFor(th, nil)
	l.Missed(th, 0, 1)
	l.Matched(nil, 0, 0)
	l.Gone(nil)
	l.Done(th, 0)
	l.Failed(th)
	l.Returned(th)
	l.End(th)
	l.Named(nil, nil)
	l.Interacted(nil, decode.Interaction{})
	l.Follow(th).Next()
	l.Leave(th)
	l.Finish()
	if l.Due(time.Now()) || l.Follow(th).Barred() || l.Repeat(th, nil) != 0 {
		t.Error("a log that is none has something to do")
	}
}

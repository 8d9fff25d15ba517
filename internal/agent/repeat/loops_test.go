package repeat

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/log"
	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/test/testkit/followed"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/trace/show"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// loop is ranks that make calls in loops, as agents read them: of one agent, or with one agent each.
type loop struct {
	*testing.T
	net    *tree.Network[message.Message]
	agents []*reader
	homes  func(op.Rank) int
	ranks  []*looping
	w      *tracefile.Writer
	path   string
}

// reader is an agent as far as it reads rings.
type reader struct {
	*loop
	id  int
	job *followed.Job
	fd  *Folding
	log *log.Log

	more, holding bool
	reported      uint64
	rounds        []int // of consistent states that were begun
}

func (a *reader) More()                { a.more = true }
func (a *reader) Reported() uint64     { return a.reported }
func (a *reader) Holding() bool        { return a.holding }
func (a *reader) Consistent(round int) { a.rounds = append(a.rounds, round) }

// Flush hands what one wait-state system has to say to others on at once. What is for the root is dropped.
func (a *reader) Flush() { a.flush() }

func (a *reader) flush() (some bool) {
	for len(a.job.Follower.Node.Out) > 0 {
		out := a.job.Follower.Node.Out
		a.job.Follower.Node.Out = nil
		for _, m := range out {
			if m.To >= 0 && m.To != a.id {
				a.agents[m.To].job.Follower.Node.Handle(m)
				some = true
			}
		}
	}
	return some
}

// looping is a rank with its ring.
type looping struct {
	a       *reader
	s       *Source
	t       *calls.Thread
	waiting []ring.Record // in the ring
	single  bool
	left    uint64 // calls, as the source says
	gaveUp  error
}

func (r *looping) Skim(match func(*ring.Record) bool, limit int) (n int, other bool) {
	for n < limit && n < len(r.waiting) {
		if !match(&r.waiting[n]) {
			r.waiting = r.waiting[n:]
			return n, true
		}
		n++
	}
	r.waiting = r.waiting[n:]
	return n, false
}

func (r *looping) SkimRepeated(int, int) int { return 0 }
func (r *looping) Commit()                   {}

// learns has a source learn what its thread starts, and a trace written of the thread.
type learns struct {
	*followed.Recorder
	r *looping
}

func (l learns) Entering(o *waitstate.Op, f *mpi.Func) { l.r.s.Operation(o, f) }

// newLoop has so many ranks, of one agent or of one each. fold says whether calls may be left out.
func newLoop(t *testing.T, ranks int, apart, fold bool) *loop {
	t.Helper()
	l := &loop{T: t, homes: func(op.Rank) int { return 0 }}
	n := 1
	if apart {
		n, l.homes = ranks, func(r op.Rank) int { return int(r) }
	}
	l.path = filepath.Join(t.TempDir(), "run.unk")
	var err error
	if l.w, err = tracefile.Create(l.path, trace.Head{Ranks: ranks}); err != nil {
		t.Fatal(err)
	}
	world := tracefile.Comm{Comm: trace.Comm{ID: objects.WorldID, Name: "MPI_COMM_WORLD"}}
	for r := range ranks {
		world.Members = append(world.Members, op.Rank(r))
	}
	l.w.Comm(world)
	l.net = tree.New[message.Message](tree.NewShape(n, 0), nil)
	for id := range n {
		a := &reader{loop: l, id: id, job: followed.Of(t, id, l.homes)}
		a.job.Follower.Now = time.Unix(1000, 0)
		a.fd = New(a, a.job.Follower, l.net.Member(id), l.homes)
		a.fd.On = fold
		places := place.New(a.job.Table, a.job.Symbols, &symbol.Owners{})
		a.log = log.New(l.w, a.job.Table, &places)
		a.job.Follower.Records, a.fd.Log = true, a.log
		l.agents = append(l.agents, a)
	}
	for i := range ranks {
		a := l.agents[l.homes(op.Rank(i))]
		r := &looping{a: a, single: true}
		r.s = &Source{Ring: r, Hand: func(rec *ring.Record) { a.job.Follower.Take(r.t, rec) },
			LeftOut: func(_, n uint64) { r.left += n }, GiveUp: func(err error) { r.gaveUp = err },
			Single: func() bool { return r.single }}
		rank := a.job.Rank(i, ranks)
		o := a.job.Recorded(rank, a.log, &log.Rank{Process: &rank.Process})
		r.t, o.Of.See = o.Of, learns{o, r}
		r.s.Thread, r.s.Log = r.t, o.Stream
		a.fd.Add(r.s, 8)
		l.ranks = append(l.ranks, r)
	}
	return l
}

// write puts what a rank calls into its ring. The lines of each text are at the same places.
func (l *loop) write(rank, times int, text string) {
	l.Helper()
	r := l.ranks[rank]
	for range times {
		r.a.job.Line = 100
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			_, records, err := r.a.job.Read(fmt.Sprintf("%d: %s", rank, line))
			if err != nil {
				l.Fatal(err)
			}
			r.waiting = append(r.waiting, records...)
		}
	}
}

// turn has an agent read its rings once, as agents do; false if there was nothing.
func (a *reader) turn() (busy bool) {
	a.more = false
	for _, m := range a.net.Member(a.id).Take(nil) {
		a.fd.Message(m)
		busy = true
	}
	busy = a.fd.Skim() || busy
	for _, r := range a.ranks {
		s := r.s
		if r.a != a {
			continue
		}
		if a.fd.HandOn(s) {
			busy = busy || !s.skipped && !a.fd.waits(s)
			continue
		}
		if s.Promised() || s.Repeating() {
			continue
		}
		n := min(BatchSize, len(r.waiting))
		for i := range n {
			a.fd.Take(s, &r.waiting[i])
		}
		r.waiting = r.waiting[n:]
		busy = busy || n > 0
	}
	busy = a.flush() || busy
	a.fd.Publish()
	a.fd.FormGroups()
	return busy || a.more
}

// read has all agents read until nothing is left, while time passes.
func (l *loop) read() {
	l.Helper()
	idle := 0
	for n := 0; idle < 10*len(l.agents); n++ {
		if n > 100_000 {
			l.Fatal("they never come to an end")
		}
		a := l.agents[n%len(l.agents)]
		a.job.Follower.Now = a.job.Follower.Now.Add(6 * time.Millisecond)
		if idle++; a.turn() {
			idle = 0
		}
	}
}

// state is what must be the same, whether calls are left out or not.
type state struct {
	Calls, All  uint64
	Stamp, Left uint32
	Stamped     uint64
	Counts      calls.Counts
	Func        string
	Site        uint64
	Inside      bool
	Nth         int
	Pending     int
	Strict      uint32   // the stamp of the call at the strict position
	Held        []uint32 // of the calls that the strict view has not passed, those of the last period
	Recent      []uint32
}

func (l *loop) states() (list []state) {
	for _, r := range l.ranks {
		t := r.t
		s := state{Calls: t.Calls, All: r.a.job.Follower.Calls, Stamp: t.Stamp, Left: t.Left, Stamped: t.Rank.Stamped,
			Counts: t.Counts(), Func: t.Func.Name, Site: t.Site, Inside: t.Inside, Nth: t.Nth()}
		t.Rank.Objects.Pending(func(*objects.Request) { s.Pending++ })
		if o := t.WS.Strict(); o != nil {
			s.Strict = o.Stamp
		}
		t.WS.Held(func(o *waitstate.Origin) { s.Held = append(s.Held, o.Stamp) })
		s.Held = s.Held[max(0, len(s.Held)-4):]
		for o := range t.Recent.All {
			s.Recent = append(s.Recent, o.Stamp)
		}
		list = append(list, s)
	}
	return list
}

// leftOut is how many calls were.
func (l *loop) leftOut() (n uint64) {
	for _, a := range l.agents {
		n += a.fd.Calls
	}
	return n
}

// trace is what a user reads of the trace at the end.
func (l *loop) trace() string {
	l.Helper()
	for _, r := range l.ranks {
		r.a.job.Follower.SettleLast(r.t, r.t.Left, 0)
	}
	for _, a := range l.agents {
		a.log.Finish()
	}
	if err := l.w.Close(""); err != nil {
		l.Fatal(err)
	}
	read, err := tracefile.Read(l.path)
	if err != nil {
		l.Fatal(err)
	}
	var b strings.Builder
	if err := show.Text(&b, read, show.Options{Rank: -1}); err != nil {
		l.Fatal(err)
	}
	return b.String()
}

const exchange = `
	MPI_Irecv(buf 1 int %[1]d 5 world) = r1
	MPI_Send(buf 1 int %[1]d 5 world) =
	MPI_Wait(r1) = %[1]d 5 4
	MPI_Comm_size(world) =`

// loops are what two ranks call: first once, where | stands between them if it is not the same, then many times the
// same, then something else.
var loops = []struct {
	what          string
	first         string
	period        [2]string
	times         [2]int
	last          [2]string
	folds, ofEach bool // calls are left out: of one agent with both ranks, and of one agent for each
}{
	{"an exchange", "", [2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Send(buf 1 int 0 9 world)"}, true, true},
	{"an exchange of which one rank is ahead", "", [2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)},
		[2]int{60, 50}, [2]string{"MPI_Barrier(world)", "MPI_Recv(buf 1 int 0 9 world)"}, true, true},
	{"one period of a rank to two of the other's", "", [2]string{`
		MPI_Send(buf 1 int 1 5 world) =
		MPI_Send(buf 1 int 1 5 world) =
		MPI_Recv(buf 1 int 1 6 world) = 1 6 4
		MPI_Recv(buf 1 int 1 6 world) = 1 6 4
		MPI_Comm_size(world) =`, `
		MPI_Recv(buf 1 int 0 5 world) = 0 5 4
		MPI_Send(buf 1 int 0 6 world) =`}, [2]int{60, 120}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, true,
		true},
	{"collectives", "", [2]string{"MPI_Barrier(world) =\nMPI_Bcast(buf 1 int 0 world) =",
		"MPI_Barrier(world) =\nMPI_Bcast(buf 1 int 0 world) ="}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Bcast(buf 1 int 0 world)"}, true, true},
	{"persistent requests", "MPI_Recv_init(buf 1 int %d 5 world) = r1\nMPI_Send_init(buf 1 int %[1]d 5 world) = r2",
		[2]string{`
		MPI_Startall(2 [r1 r2]) =
		MPI_Waitall(2 [r1 r2]) = [1 5 4 0 0 0]
		MPI_Comm_size(world) =`, `
		MPI_Startall(2 [r1 r2]) =
		MPI_Waitall(2 [r1 r2]) = [0 5 4 0 0 0]
		MPI_Comm_size(world) =`}, [2]int{60, 60}, [2]string{"MPI_Start(r1)", "MPI_Start(r2)"}, true, true},
	{
		"after receives from any source",
		"MPI_Send(buf 1 int %[1]d 77 world) =\nMPI_Recv(buf 1 int any 77 world) = %[1]d 77 4",
		[2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)},
		[2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"},
		true, true,
	},
	{
		"probes of named messages", "",
		[2]string{"MPI_Send(buf 1 int 1 5 world) =",
			"MPI_Probe(0 5 world) = 0 5 4\nMPI_Recv(buf 1 int 0 5 world) = 0 5 4"},
		[2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"},
		true, true,
	},
	{
		"probes with any tag", "",
		[2]string{"MPI_Send(buf 1 int 1 5 world) =",
			"MPI_Probe(0 anytag world) = 0 5 4\nMPI_Recv(buf 1 int 0 5 world) = 0 5 4"},
		[2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"},
		false, false,
	},
	{
		"a collective before that the strict view waits in", "MPI_Bcast(buf 1 int 0 world) =|MPI_Comm_size(world) =",
		[2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)},
		[2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Send(buf 1 int 0 9 world)"},
		true, true,
	},
	{
		"messages before that nobody receives, for which the strict view waits", "MPI_Send(buf 1 int %d 99 world) =",
		[2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)},
		[2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Send(buf 1 int 0 9 world)"},
		false, false,
	},
	{"each by itself", "", [2]string{"MPI_Send(buf 1 int nobody 5 world) =\nMPI_Comm_size(world) =",
		"MPI_Comm_size(world) ="}, [2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, true, true},
	{"windows", "MPI_Win_create(buf 10 1 info world) = w", [2]string{
		"MPI_Put(buf 1 int 1 0 1 int w) =\nMPI_Win_fence(0 w) =",
		"MPI_Get(buf 1 int 0 0 1 int w) =\nMPI_Win_fence(0 w) ="}, [2]int{60, 60},
		[2]string{"MPI_Win_fence(0 w)", "MPI_Win_fence(0 w)"}, true, true},
	{"locks", "MPI_Win_create(buf 10 1 info world) = w", [2]string{`
		MPI_Win_lock(shared 1 0 w) =
		MPI_Put(buf 1 int 1 0 1 int w) =
		MPI_Win_flush(1 w) =
		MPI_Win_flush_local(1 w) =
		MPI_Win_unlock(1 w) =`, "MPI_Win_lock(shared 0 0 w) =\nMPI_Win_unlock(0 w) ="}, [2]int{60, 60},
		[2]string{"MPI_Win_fence(0 w)", "MPI_Win_fence(0 w)"}, true, true},
	{"posts and starts", "MPI_Win_create(buf 10 1 info world) = w", [2]string{`
		MPI_Win_post({1} 0 w) =
		MPI_Win_wait(w) =`, `
		MPI_Win_start({0} 0 w) =
		MPI_Put(buf 1 int 0 0 1 int w) =
		MPI_Win_complete(w) =`}, [2]int{60, 60}, [2]string{"MPI_Win_post({1} 0 w)", "MPI_Win_start({0} 0 w)"}, true, true},
	{"datatypes made again", `
		MPI_Type_contiguous(3 int) = three 12
		MPI_Type_commit(three) =
		- Known 2 three MPI_Type_contiguous @2`, [2]string{"- Again 2 three MPI_Type_free @9\nMPI_Comm_size(world) =",
		"MPI_Comm_size(world) ="}, [2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, true, true},

	{"a receive from any source", "", [2]string{"MPI_Send(buf 1 int 1 5 world) =",
		"MPI_Recv(buf 1 int any 5 world) = 0 5 4"}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"a receive with any tag", "", [2]string{"MPI_Send(buf 1 int 1 5 world) =",
		"MPI_Recv(buf 1 int 0 anytag world) = 0 5 4"}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"a probe of any message", "", [2]string{"MPI_Send(buf 1 int 1 5 world) =",
		"MPI_Probe(any 5 world) = 0 5 4\nMPI_Recv(buf 1 int 0 5 world) = 0 5 4"}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"polls", "", [2]string{"MPI_Iprobe(1 5 world) = 0 0 0 0", "MPI_Comm_size(world) =\nMPI_Iprobe(0 5 world) = 0 0 0 0"},
		[2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"objects that are made", "", [2]string{"MPI_Type_contiguous(3 int) = three 12\nMPI_Type_free(three) =",
		"MPI_Group_incl(group 1 [0]) = g\nMPI_Group_free(g) ="}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"calls that fail", "", [2]string{"MPI_Comm_rank(world) fails 5", "MPI_Barrier(self) fails 5"}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"requests that become more", "", [2]string{"MPI_Irecv(buf 1 int 1 5 world) = r1",
		"MPI_Isend(buf 1 int 0 6 world) = r1"},
		[2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"buffered sends", "", [2]string{"MPI_Bsend(buf 1 int 1 5 world) =", "MPI_Recv(buf 1 int 0 5 world) = 0 5 4"},
		[2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"buffered sends that are started", "MPI_Bsend_init(buf 1 int 1 5 world) = r1", [2]string{
		"MPI_Start(r1) =\nMPI_Wait(r1) = 0 0 0", "MPI_Recv(buf 1 int 0 5 world) = 0 5 4"}, [2]int{60, 60},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"calls that wait for what is not known", "", [2]string{"MPI_Barrier(strange) =", "MPI_File_read(f buf 1 int) ="},
		[2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"messages that nobody receives", "", [2]string{"MPI_Send(buf 1 int 1 5 world) =", "MPI_Barrier(self)"},
		[2]int{60, 1}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"a plan", "", [2]string{"- Buffered 0\nMPI_Send(buf 1 int nobody 5 world) =",
		"- Outcome 0\nMPI_Test(none) = 1 0 0 0"}, [2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"},
		false, false},
	{"communicators that are freed", "", [2]string{"MPI_Comm_free(strange) =", "MPI_Comm_free(strange) ="},
		[2]int{60, 60}, [2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
	{"not often enough", "", [2]string{fmt.Sprintf(exchange, 1), fmt.Sprintf(exchange, 0)}, [2]int{2, 2},
		[2]string{"MPI_Barrier(world)", "MPI_Barrier(world)"}, false, false},
}

// TestWhatIsLeftOutChangesNothing: each thread is where it is if all its calls are followed, the calls are counted, and
// the trace has all of them.
func TestWhatIsLeftOutChangesNothing(t *testing.T) {
	for _, c := range loops {
		for _, apart := range []bool{false, true} {
			t.Run(fmt.Sprint(c.what, map[bool]string{true: ", apart"}[apart]), func(t *testing.T) {
				run := func(fold bool) *loop {
					l := newLoop(t, 2, apart, fold)
					for i := range 2 {
						of := strings.Split(c.first, "|")
						first := of[i%len(of)]
						if strings.Contains(first, "%") {
							first = fmt.Sprintf(first, 1-i)
						}
						l.write(i, 1, first)
					}
					l.read()
					for n := 0; n < max(c.times[0], c.times[1]); n += 10 { // their rings are read now and then
						for i := range 2 {
							l.write(i, max(0, min(10, c.times[i]-n)), c.period[i])
						}
						l.read()
					}
					for i := range 2 {
						l.write(i, 1, c.last[i])
					}
					l.read()
					return l
				}
				folded, all := run(true), run(false)
				got := folded.states()
				for i, want := range all.states() {
					// of the calls that were followed before any were left out, the last list has other ones
					got[i].Recent = slices.DeleteFunc(got[i].Recent, func(s uint32) bool { return s < want.Recent[0] })
					want.Recent = want.Recent[len(want.Recent)-min(len(want.Recent), len(got[i].Recent)):]
					if !reflect.DeepEqual(got[i], want) {
						t.Errorf("rank %d is at\n%+v\nif calls are left out, want\n%+v", i, got[i], want)
					}
				}
				if got, want := folded.trace(), all.trace(); got != want {
					t.Errorf("the trace is\n%s\nif calls are left out, want\n%s", got, want)
				}
				want := c.folds
				if apart {
					want = c.ofEach
				}
				if n := folded.leftOut(); n > 0 != want {
					t.Errorf("%d calls were left out, want some: %t", n, want)
				}
				for i, r := range folded.ranks {
					if len(r.waiting) > 0 || r.s.Ahead() > 0 || r.gaveUp != nil {
						t.Errorf("of rank %d %d records are left, %d ahead, %v", i, len(r.waiting), r.s.Ahead(), r.gaveUp)
					}
				}
			})
		}
	}
}

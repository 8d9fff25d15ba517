package exact

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

func load(t testing.TB) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func predict(t *testing.T, l *trace.Log, o Options) *Result {
	t.Helper()
	r, err := Predict(context.Background(), l, load(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestADeadlockSaysWhoIsStuckAndWhy(t *testing.T) {
	s := newScript(3)
	laterMessage(s)
	d := predict(t, s.log, Options{}).Deadlocks[0]
	if got, want := fmt.Sprint(d.Decisions, d.Core), "[{{0 0} {2 1}}] [0]"; got != want {
		t.Errorf("decisions and core %s, want %s: the first receive takes what the second needs", got, want)
	}
	if w := d.Stuck[0].Waits; len(w) != 1 || w[0].Part != (Ref{0, 1}) || len(w[0].On) != 0 {
		t.Errorf("rank 0 is said to wait for %+v, want its second receive, which nobody can serve", w)
	}
}

func TestAPlanNamesWildcardsAndSends(t *testing.T) {
	s := newScript(3)
	other := s.comm(1, 2, 0)
	s.send(0, 1, 9) // the first standard send, of no importance
	s.recv(1, 0, 9)
	p := recvPart(any, int32(op.AnyTag))
	p.Comm = other
	s.call(0, true, false, []trace.Part{p}, nil)
	s.met(0, 1, 4)
	s.send(0, 1, 9)
	for r := 1; r <= 2; r++ {
		q := sendPart(0, int32(3+r))
		q.Comm = other
		s.call(r, true, false, []trace.Part{q}, nil)
	}
	s.recv(1, 0, 9)
	p = recvPart(2, int32(op.AnyTag))
	p.Comm = other
	s.call(0, true, false, []trace.Part{p}, nil)
	r := predict(t, s.log, Options{Buffering: BufferNone})
	if len(r.Deadlocks) != 1 || len(r.Deadlocks[0].Core) != 2 {
		t.Fatalf("%+v, want the deadlock of ranks 0 and 1", r)
	}
	r = predict(t, s.log, Options{})
	got := r.Deadlocks[len(r.Deadlocks)-1].Plan(s.log)
	want := plan.Plan{Ranks: 3, Decisions: []plan.Decision{{Rank: 0, Nth: 0, Source: 1, Tag: 5}},
		Sends: []plan.Send{{Rank: 0, Nth: 1}, {Rank: 1, Nth: 0}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("plan %+v, want %+v", got, want)
	}
}

func TestAReplyToSomebodyElseIsMarked(t *testing.T) {
	for _, c := range []struct {
		name string
		site func(to op.Rank) uint32
		want bool
	}{
		{"one call site answers whom it met", func(op.Rank) uint32 { return 2 }, true},
		{"each is answered by another caller of the place", func(to op.Rank) uint32 { return 1 + uint32(to) }, true},
		{"the call sites are not known", func(op.Rank) uint32 { return 0 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := dynamic(3, 12)
			for i := range l.Threads[0].Ops {
				if o := &l.Threads[0].Ops[i]; o.Site == 2 {
					o.Site = c.site(l.Threads[0].Posts(o)[0].Peer)
				}
			}
			r := predict(t, l, Options{Buffering: BufferNone})
			if r.Verdict != Deadlocks {
				t.Fatalf("%v, want deadlocks", r.Verdict)
			}
			for _, d := range r.Deadlocks {
				if d.Replies != c.want {
					t.Errorf("deadlock of %v, decided by %v: replies %v, want %v", d.Core, d.Decisions,
						d.Replies, c.want)
				}
			}
		})
	}
}

func TestAReplyToOneWhoAskedBeforeTheLastIsMarked(t *testing.T) {
	s := newScript(4)
	for w := 1; w <= 3; w++ {
		s.send(w, 0, 3)
		s.recv(w, 0, 1)
	}
	meet := func(w int) { s.recv(0, any, 3); s.met(0, w, 3) }
	answer := func(w int) {
		s.site = 2
		s.send(0, w, 1)
		s.site = 0
	}
	meet(1)
	meet(2)
	answer(1)
	meet(3)
	answer(2)
	answer(3)
	r := predict(t, s.log, Options{Buffering: BufferNone})
	if r.Verdict != Deadlocks || slices.ContainsFunc(r.Deadlocks, func(d Deadlock) bool { return !d.Replies }) {
		t.Errorf("%v with %+v, want deadlocks that all suppose another reply", r.Verdict, r.Deadlocks)
	}
}

func TestDeadlocksOfReplyChannelsComeLast(t *testing.T) {
	l := dynamic(3, 12)
	s := &script{log: l, seq: make(map[[2]int]uint64), nth: make(map[[2]int]uint32)}
	s.recv(3, 2, 77)
	s.recv(2, 3, 77)
	r := predict(t, l, Options{Buffering: BufferNone})
	if len(r.Deadlocks) < 2 || r.Deadlocks[0].Replies || !r.Deadlocks[len(r.Deadlocks)-1].Replies {
		t.Errorf("the first of %d deadlocks replies: %v", len(r.Deadlocks), r.Deadlocks[0].Replies)
	}
}

// maze is a program whose receives can go wrong in many ways.
func maze(senders int) *trace.Log {
	s := newScript(senders + 2)
	for i := range senders {
		s.send(i+2, 0, 0)
		s.send(i+2, 0, 0)
		s.recv(0, any, 0)
	}
	for i := range senders {
		s.recv(0, i+2, 0)
	}
	return s.log
}

// pairs is a program that is free of deadlocks for a reason that only sums over all senders see: each has a message
// with tag 0 and then one with tag 1, which are received in turn from anybody. Whose was taken is not known, only of
// how many.
func pairs(senders int) *trace.Log {
	s := newScript(senders + 1)
	for i := 1; i <= senders; i++ {
		s.send(i, 0, 0)
		s.send(i, 0, 1)
		s.recv(0, any, 0)
		s.recv(0, any, 1)
	}
	return s.log
}

// entwined is a program that is free of deadlocks for a reason that no proof by counting sees: whatever the first
// receive with tag 1 takes, the one for rank 1 only gets the next of rank 1, and the last receive what is left.
func entwined() *trace.Log {
	s := newScript(3)
	s.send(1, 0, 0)
	s.send(1, 0, 1)
	s.send(1, 0, 1)
	s.send(2, 0, 1)
	s.recv(0, any, 0)
	s.recv(0, any, 1)
	mine := s.irecv(0, 1, 1)
	s.recv(0, any, 1)
	s.wait(0, mine)
	return s.log
}

func TestASearchCertifiesWhatCountingCannot(t *testing.T) {
	if r := predict(t, entwined(), Options{Buffering: BufferNone}); r.Verdict != Free ||
		r.Stats.Method != MethodSearch || r.Stats.States == 0 {
		t.Errorf("%v by %s with %d states, want free by search", r.Verdict, r.Stats.Method, r.Stats.States)
	}
}

func TestABudgetThatEndsIsNoCertificate(t *testing.T) {
	l := maze(4)
	if r := predict(t, l, Options{}); r.Verdict != Deadlocks {
		t.Fatalf("without a limit: %v, want deadlocks", r.Verdict)
	}
	if r := predict(t, l, Options{Budget: Budget{States: 1}}); r.Verdict != Undecided ||
		!strings.Contains(r.Why, "limit of states") {
		t.Errorf("one state: %v because %s, want undecided because of the limit of states", r.Verdict, r.Why)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Predict(ctx, l, load(t), Options{}); err != nil || r.Verdict != Undecided ||
		!strings.Contains(r.Why, "interrupted") {
		t.Errorf("interrupted: %v, %+v", err, r)
	}
}

func TestNoMoreDeadlocksThanAskedFor(t *testing.T) {
	r := predict(t, dynamic(7, 60), Options{Buffering: BufferNone, Max: 3})
	if len(r.Deadlocks) != 3 || r.Complete {
		t.Errorf("%d deadlocks, complete %v, want 3 of more", len(r.Deadlocks), r.Complete)
	}
}

func TestALogThatWasCutProvesNothingOfItsEnd(t *testing.T) {
	s := newScript(2)
	s.recv(0, 1, 0)
	if r := predict(t, s.log, Options{}); r.Verdict != Deadlocks {
		t.Errorf("%v, want deadlocks: nobody sends", r.Verdict)
	}
	s.log.Cut = "the recorder was killed"
	if r := predict(t, s.log, Options{}); r.Verdict == Deadlocks {
		t.Errorf("deadlocks, although rank 1 may have sent after the end of the log: %+v", r.Deadlocks)
	}
}

func TestALogThatContradictsItselfIsAnError(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(l *trace.Log)
		want  string
	}{
		{"rank", func(l *trace.Log) { l.Threads[1].Rank = 7 }, "rank 7 of 2"},
		{"parts", func(l *trace.Log) { l.Threads[1].Ops[0].Started = 9 }, "parts up to 9 of 1"},
		{"waits", func(l *trace.Log) { l.Threads[0].Waits[0].Part = 4 }, "part 4 of thread 0, which does not exist"},
		{"communicator", func(l *trace.Log) { l.Threads[0].Parts[0].Comm = 3 }, "communicator 3 of 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(2)
			s.send(0, 1, 0)
			s.recv(1, 0, 0)
			c.spoil(s.log)
			if _, err := Predict(context.Background(), s.log, load(t), Options{}); err == nil ||
				!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("%v, want %q and a hint", err, c.want)
			}
		})
	}
}

// ring is a program without choices: each of the ranks passes something on, again and again.
func ring(ranks, rounds int) *trace.Log {
	s := newScript(ranks)
	for range rounds {
		for r := range ranks {
			a := s.irecv(r, (r+ranks-1)%ranks, 0)
			b := s.isend(r, (r+1)%ranks, 0)
			s.wait(r, a, b)
		}
	}
	return s.log
}

// integrate, diffusion and transitions are the programs of the EMPDD paper in its sizes.
func integrate(workers int) *trace.Log {
	s := newScript(workers + 1)
	for w := 1; w <= workers; w++ {
		s.send(0, w, 1)
		s.recv(w, 0, int32(op.AnyTag))
		s.send(w, 0, 3)
	}
	for range workers {
		s.recv(0, any, 3)
	}
	return s.log
}

func diffusion() *trace.Log {
	s := newScript(4)
	for range 2 {
		for _, flip := range []int{1, 2} {
			for r := range 4 {
				s.send(r, r^flip, 0)
				s.recv(r, r^flip, 0)
			}
		}
		s.coll(0, op.SyncAll, any, all(4)...)
	}
	return s.log
}

func transitions() *trace.Log {
	s := newScript(5)
	dtg(s)
	return s.log
}

func TestProgramsOfThePapers(t *testing.T) {
	for _, c := range []struct {
		name string
		log  *trace.Log
		b    Buffering
		want Verdict
	}{
		{"integrate", integrate(15), BufferAny, Free},
		{"diffusion without buffering", diffusion(), BufferNone, Deadlocks},
		{"diffusion with buffering", diffusion(), BufferAll, Free},
		{"shortest path", static(7, 100), BufferAny, Free},
		{"transition group without buffering", transitions(), BufferNone, Deadlocks},
		{"transition group with buffering", transitions(), BufferAll, Free},
	} {
		if r := predict(t, c.log, Options{Buffering: c.b}); r.Verdict != c.want {
			t.Errorf("%s: %v because %s, want %v", c.name, r.Verdict, r.Why, c.want)
		}
	}
}

func TestMastersAndWorkersOfAnySize(t *testing.T) {
	if r := predict(t, static(63, 31), Options{}); r.Verdict != Free || r.Stats.Method != MethodProof {
		t.Errorf("static: %v by %s, want free by counting", r.Verdict, r.Stats.Method)
	}
	l := dynamic(63, 1937)
	if r := predict(t, l, Options{Buffering: BufferAll}); r.Verdict != Free || r.Stats.Method != MethodProof {
		t.Errorf("dynamic, all buffered: %v by %s, want free by counting", r.Verdict, r.Stats.Method)
	}
	r := predict(t, l, Options{Max: 1})
	if r.Verdict != Deadlocks || !r.Deadlocks[0].Replies {
		t.Fatalf("dynamic: %v, want a deadlock, for the log has the destinations of the run", r.Verdict)
	}
	if d := r.Deadlocks[0]; len(d.Decisions) != 1 || len(d.Matches) < 1937 {
		t.Errorf("dynamic: %d decisions of %d matches, want the one that matters", len(d.Decisions), len(d.Matches))
	}
}

func BenchmarkPredict(b *testing.B) {
	table := load(b)
	for _, c := range []struct {
		name string
		log  *trace.Log
		o    Options
		want Verdict
	}{
		{"static-64", static(63, 31), Options{}, Free},
		{"dynamic-64/first", dynamic(63, 1937), Options{Max: 1}, Deadlocks},
		{"dynamic-64/64cores", dynamic(63, 1937), Options{}, Deadlocks},
		{"dynamic-64/unbuffered", dynamic(63, 1937), Options{Buffering: BufferNone}, Deadlocks},
		{"dynamic-64/buffered", dynamic(63, 1937), Options{Buffering: BufferAll}, Free},
		{"integrate-16", integrate(15), Options{}, Free},
		{"diffusion-4/unbuffered", diffusion(), Options{Buffering: BufferNone}, Deadlocks},
		{"diffusion-4/buffered", diffusion(), Options{Buffering: BufferAll}, Free},
		{"shortest-path-700-wildcards", static(7, 100), Options{}, Free},
		{"transition-group-5", transitions(), Options{}, Deadlocks},
		{"pairs-9/unbuffered", pairs(9), Options{Buffering: BufferNone}, Free},
		{"pairs-13/unbuffered", pairs(13), Options{Buffering: BufferNone}, Free},
		{"pairs-7", pairs(7), Options{}, Free},
		{"pairs-and-names-64/unbuffered", named(64), Options{Buffering: BufferNone}, Free},
		{"ring-1000-of-64", ring(64, 1000), Options{}, Free},
		{"ring-20000-of-64", ring(64, 20000), Options{}, Free},
	} {
		b.Run(c.name, func(b *testing.B) {
			ops := 0
			for b.Loop() {
				r, err := Predict(context.Background(), c.log, table, c.o)
				if err != nil || r.Verdict != c.want {
					b.Fatalf("%v, %v, want %v", err, r.Verdict, c.want)
				}
				ops += r.Stats.Ops
			}
			b.ReportMetric(float64(ops)/b.Elapsed().Seconds()/1e6, "Mops/s")
		})
	}
}

package exact

import (
	"strings"
	"testing"
	"time"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

func TestWhatNoTimingDecidesIsDeterministic(t *testing.T) {
	exchange := func(s *script) {
		a, b := s.irecv(0, 1, 0), s.isend(0, 1, 0)
		s.wait(0, a, b)
		s.recv(1, 0, 0)
		s.send(1, 0, 0)
	}
	for _, c := range []struct {
		name string
		make func(s *script)
		want bool
	}{
		{"named sources", exchange, true},
		{"a wildcard with one sender", func(s *script) { s.recv(0, any, 0); s.send(1, 0, 0) }, true},
		{"a probe of one sender", func(s *script) { s.probe(0, any, 0); s.recv(0, 1, 0); s.send(1, 0, 0) }, true},
		{"collectives", func(s *script) { s.coll(0, op.SyncFromRoot, 0, 0, 1, 2) }, true},
		{"what goes to nobody", func(s *script) {
			p := sendPart(int(op.ProcNull), 0)
			p.Kind = op.Served
			s.call(0, true, false, []trace.Part{p}, nil)
		}, true},
		{"a wildcard with two senders", func(s *script) {
			s.recv(0, any, 0)
			s.recv(0, any, 0)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}, false},
		{"a probe of two senders, which are received in order", func(s *script) {
			s.probe(0, any, 0)
			s.recv(0, 1, 0)
			s.recv(0, 2, 0)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}, false},
		{"a wait for any of two", func(s *script) {
			s.waitany(0, s.irecv(0, 1, 0), s.irecv(0, 2, 0))
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}, false},
		{"a wait for any of one", func(s *script) { s.waitany(0, s.irecv(0, 1, 0)); s.send(1, 0, 0) }, true},
		{"a test that found something", func(s *script) {
			exchange(s)
			s.named(0, "MPI_Test")
		}, false},
		{"tests that found nothing", func(s *script) {
			exchange(s)
			s.log.Threads[0].Polls = []trace.Poll{{Count: 3}}
		}, false},
		{"a cancelled request", func(s *script) {
			a := s.irecv(0, 1, 0)
			s.log.Threads[0].Parts[a].Gone = true
			s.wait(0, a)
		}, false},
		{"a call that is not modelled", func(s *script) {
			s.call(0, true, false, nil, nil)
			s.log.Threads[0].Ops[0].Opaque = true
		}, false},
		{"a window", func(s *script) { s.coll(0, op.SyncAll, any, 0, 1, 2); s.named(0, "MPI_Win_create") }, false},
		{"a file", func(s *script) { s.coll(0, op.SyncAll, any, 0, 1, 2); s.named(0, "MPI_File_open") }, false},
		{"an operation on a window", func(s *script) {
			s.call(0, false, false, []trace.Part{{Kind: op.Served}}, nil)
			s.named(0, "MPI_Rput")
		}, false},
		{"a test of an epoch", func(s *script) { exchange(s); s.named(0, "MPI_Win_test") }, false},
		{"two threads of a rank", func(s *script) {
			exchange(s)
			s.log.Threads = append(s.log.Threads, trace.Thread{Rank: 2, Index: 1})
		}, false},
		{"a process from outside", func(s *script) {
			exchange(s)
			s.log.Comms = append(s.log.Comms, trace.Comm{Members: []op.Rank{0}, Remote: []op.Rank{-7}})
		}, false},
		{"a log that was cut", func(s *script) { exchange(s); s.log.Cut = "killed" }, false},
	} {
		s := newScript(3)
		c.make(s)
		if r := predict(t, s.log, Options{}); r.Deterministic != c.want {
			t.Errorf("%s: deterministic %v, want %v", c.name, r.Deterministic, c.want)
		}
	}
}

func TestNothingIsFreeWhoseEndIsNotKnown(t *testing.T) {
	final := func(s *script, ranks ...int) {
		for _, r := range ranks {
			s.call(r, false, false, nil, nil)
			s.named(r, "MPI_Finalize")
			t := &s.log.Threads[r]
			t.Ops[len(t.Ops)-1].Final = true
		}
	}
	for _, c := range []struct {
		name string
		make func(s *script)
		want string // part of the reason; empty: free
	}{
		{"all have finished", func(s *script) { final(s, 0, 1) }, ""},
		{"one ended without MPI_Finalize", func(s *script) { final(s, 0) },
			"rank 1 ended without MPI_Finalize after MPI_Call"},
		{"one called nothing", func(s *script) {
			s.log.Threads[1] = trace.Thread{Rank: 1}
			s.log.Threads[0] = trace.Thread{Rank: 0}
			final(s, 0)
		}, "no call of rank 1 was recorded"},
		{"a last call did not return", func(s *script) {
			final(s, 0)
			s.log.Threads[1].Ops[0].Returned = false
		}, "the last call of rank 1, MPI_Call, did not return"},
		{"the log was cut", func(s *script) { final(s, 0, 1); s.log.Cut = "the disk was full" },
			"the log ends before the run: the disk was full"},
		{"one thread of two ended the rank", func(s *script) {
			final(s, 0, 1)
			s.log.Threads = append(s.log.Threads, trace.Thread{Rank: 1, Index: 1})
		}, ""},
	} {
		s := newScript(2)
		s.log.Head.MPI = "Open MPI"
		s.send(0, 1, 0)
		s.recv(1, 0, 0)
		c.make(s)
		r := predict(t, s.log, Options{})
		if free := r.Verdict == Free; free != (c.want == "") || !strings.Contains(r.Beyond, c.want) || !free &&
			(r.Verdict != Undecided || r.Why != r.Beyond) {
			t.Errorf("%s: %v because %q, want %q", c.name, r.Verdict, r.Why, c.want)
		}
	}
}

func TestWhoWaitsForARankWhoseEndIsNotKnownMayGetIt(t *testing.T) {
	s := newScript(2)
	s.log.Head.MPI = "Open MPI"
	s.recv(0, 1, 0)
	s.call(1, false, false, nil, nil)
	if r := predict(t, s.log, Options{}); r.Verdict != Undecided {
		t.Errorf("%v, want undecided: rank 1 may have sent if it had gone on", r.Verdict)
	}
	s.log.Head.MPI = ""
	if r := predict(t, s.log, Options{}); r.Verdict != Deadlocks || !r.Deadlocks[0].Certain {
		t.Errorf("%v, want a certain deadlock: a log that was written by hand may leave MPI_Finalize out", r.Verdict)
	}
}

func TestWhatWasFoundBeforeTheBudgetEndedStays(t *testing.T) {
	r := predict(t, maze(6), Options{Max: 1000, Budget: Budget{Time: time.Hour, States: 40}})
	if r.Verdict != Deadlocks || len(r.Deadlocks) == 0 || r.Complete ||
		r.Unfinished != "the limit of states was reached" {
		t.Errorf("%v, %d deadlocks, complete %v, unfinished %q", r.Verdict, len(r.Deadlocks), r.Complete, r.Unfinished)
	}
}

func TestADynamicMasterIsNeverCertainToBlock(t *testing.T) {
	for _, d := range predict(t, dynamic(3, 12), Options{Buffering: BufferNone}).Deadlocks {
		if d.Certain {
			t.Errorf("the deadlock of %v is certain, after %v", d.Core, d.Decisions)
		}
	}
}

package exact

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// known is a program of which it is known whether it can block.
type known struct {
	name  string
	ranks int
	make  func(s *script)
	o     Options
	want  Verdict
	cores string // of a complete answer: threads, by core
}

var cases = []known{
	{name: "both receive first", ranks: 2, want: Deadlocks, cores: "[[0 1]]", make: func(s *script) {
		s.recv(0, 1, 0)
		s.send(0, 1, 0)
		s.recv(1, 0, 0)
		s.send(1, 0, 0)
	}},
	{name: "both send first", ranks: 2, want: Deadlocks, cores: "[[0 1]]", make: sendSend},
	{name: "both send first, all buffered", ranks: 2, o: Options{Buffering: BufferAll}, want: Free, make: sendSend},
	{name: "both send first, small enough to buffer", ranks: 2, o: Options{Buffering: BufferLimit, Limit: 8},
		want: Free, make: sendSend},
	{name: "both send first, too large to buffer", ranks: 2, o: Options{Buffering: BufferLimit, Limit: 7},
		want: Deadlocks, cores: "[[0 1]]", make: sendSend},
	{name: "figure 1 of MSPOE: four senders, four wildcards", ranks: 5, want: Free, make: func(s *script) {
		for r := range 4 {
			s.send(r, 4, 0)
			s.recv(4, any, 0)
		}
	}},
	{name: "figure 2 of MSPOE: the second receive names its source", ranks: 5, want: Deadlocks, cores: "[[4]]",
		make: func(s *script) {
			for r := range 4 {
				s.send(r, 4, 0)
			}
			s.recv(4, any, 0)
			s.met(4, 0, 0)
			s.recv(4, 3, 0)
			s.recv(4, any, 0)
			s.recv(4, any, 0)
		}},
	{name: "figure 6 of MSPOE: a barrier before the rival", ranks: 3, want: Free, make: func(s *script) {
		s.send(0, 2, 0)
		s.send(1, 2, 0)
		s.recv(2, any, 0)
		s.recv(2, any, 0)
		s.coll(0, op.SyncAll, any, 0, 1, 2)
		s.send(1, 2, 0)
		s.recv(2, 1, 0)
	}},
	{name: "the same with 40 senders, and twice", ranks: 41, o: Options{Budget: Budget{States: 5000}}, want: Free,
		make: func(s *script) {
			for range 2 {
				for r := 1; r <= 40; r++ {
					s.send(r, 0, 0)
					s.recv(0, any, 0)
				}
				s.coll(0, op.SyncAll, any, all(41)...)
				for r := 1; r <= 40; r++ {
					s.send(r, 0, 0)
					s.recv(0, r, 0)
				}
				s.coll(0, op.SyncAll, any, all(41)...)
			}
		}},
	{name: "the same without the barrier between", ranks: 41, o: Options{Max: 1}, want: Deadlocks,
		make: func(s *script) {
			for r := 1; r <= 40; r++ {
				s.send(r, 0, 0)
				s.recv(0, any, 0)
			}
			for r := 1; r <= 40; r++ {
				s.send(r, 0, 0)
				s.recv(0, r, 0)
			}
		}},
	{name: "figure 9 of MSPOE: two wait for each other after a wildcard", ranks: 3, want: Deadlocks,
		o: Options{Buffering: BufferNone}, cores: "[[0 1]]", make: cyclic},
	{name: "figure 9 of MSPOE, all buffered", ranks: 3, want: Free, o: Options{Buffering: BufferAll}, make: cyclic},
	{name: "figure 10 of MSPOE: barriers that do not discharge", ranks: 3, want: Deadlocks,
		o: Options{Buffering: BufferNone}, make: undischarged},
	{name: "figure 10 of MSPOE with waits before the barriers", ranks: 3, want: Free, o: Options{Buffering: BufferNone},
		make: func(s *script) {
			s.recv(0, any, 0)
			s.recv(0, any, 0)
			s.coll(0, op.SyncAll, any, 0)
			s.send(1, 0, 0)
			s.coll(0, op.SyncAll, any, 1)
			s.send(2, 0, 0)
			s.coll(0, op.SyncAll, any, 2)
		}},
	{name: "dependence transition group", ranks: 5, want: Deadlocks, make: dtg},
	{name: "a wildcard takes the message of a later receive", ranks: 3, want: Deadlocks, cores: "[[0]]",
		make: func(s *script) {
			s.recv(0, any, 0)
			s.met(0, 1, 0)
			s.recv(0, 2, 0)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}},
	{name: "the same, kept apart by tags", ranks: 3, want: Free, make: func(s *script) {
		s.recv(0, any, 1)
		s.recv(0, 2, 2)
		s.send(1, 0, 1)
		s.send(2, 0, 2)
	}},
	{name: "the same, kept apart by communicators", ranks: 3, want: Free, make: func(s *script) {
		other := s.comm(0, 2)
		s.recv(0, any, 0)
		p, q := recvPart(2, 0), sendPart(0, 0)
		p.Comm, q.Comm = other, other
		s.call(0, true, false, []trace.Part{p}, nil)
		s.send(1, 0, 0)
		s.call(2, true, false, []trace.Part{q}, nil)
	}},
	{name: "a message that was answered cannot be taken earlier", ranks: 3, want: Free, make: func(s *script) {
		s.recv(0, any, 0)
		s.send(0, 2, 0)
		s.recv(0, 2, 0)
		s.send(1, 0, 0)
		s.recv(2, 0, 0)
		s.send(2, 0, 0)
	}},
	{name: "one of two requests, and then the other, which may be the first", ranks: 3, want: Deadlocks,
		make: func(s *script) {
			a, b := s.irecv(0, 1, 0), s.irecv(0, 2, 0)
			s.waitany(0, a, b)
			s.send(0, 1, 1)
			s.wait(0, a, b)
			s.send(1, 0, 0)
			s.recv(1, 0, 1)
			s.recv(2, 1, 0) // never sent: request b never completes
			s.send(2, 0, 0)
		}},
	{name: "one of two requests is enough", ranks: 3, want: Free, make: func(s *script) {
		a, b := s.irecv(0, 1, 0), s.irecv(0, 2, 0)
		s.waitany(0, a, b)
		s.send(0, 2, 1)
		s.wait(0, a, b)
		s.send(1, 0, 0)
		s.recv(2, 0, 1)
		s.send(2, 0, 0)
	}},
	{name: "the second of two any-completions finds only what the first has left", ranks: 3, want: Deadlocks,
		make: func(s *script) {
			a, b := s.irecv(0, 1, 0), s.irecv(0, 2, 0)
			s.waitany(0, a, b)
			s.waitany(0, a)
			s.send(0, 1, 1)
			s.recv(1, 0, 1)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}},
	{name: "a probe sees what the receive after it takes", ranks: 2, want: Free, make: func(s *script) {
		s.probe(0, any, 0)
		s.recv(0, 1, 0)
		s.send(1, 0, 0)
	}},
	{name: "a probe for a message that a receive has taken", ranks: 2, want: Deadlocks, cores: "[[0]]",
		make: func(s *script) {
			a := s.irecv(0, any, 0)
			s.probe(0, any, 0)
			s.wait(0, a)
			s.send(1, 0, 0)
		}},
	{name: "Isend and Irecv with one wait", ranks: 2, want: Free, make: func(s *script) {
		for r := range 2 {
			a, b := s.irecv(r, 1-r, 0), s.isend(r, 1-r, 0)
			s.wait(r, a, b)
		}
	}},
	{name: "Isend and its wait before the receive", ranks: 2, want: Deadlocks, cores: "[[0 1]]", make: func(s *script) {
		for r := range 2 {
			s.wait(r, s.isend(r, 1-r, 0))
			s.recv(r, 1-r, 0)
		}
	}},
	{name: "collectives on two communicators in different order", ranks: 2, want: Deadlocks, cores: "[[0 1]]",
		make: func(s *script) {
			other := s.comm(0, 1)
			s.coll(0, op.SyncAll, any, 0)
			s.coll(other, op.SyncAll, any, 0)
			s.coll(other, op.SyncAll, any, 1)
			s.coll(0, op.SyncAll, any, 1)
		}},
	{name: "a circle of overlapping communicators", ranks: 3, want: Deadlocks, cores: "[[0 1 2]]",
		make: overlapping(op.SyncAll)},
	{name: "the same with broadcasts that need not synchronise", ranks: 3, o: Options{Collectives: CollectWeak},
		want: Free, make: overlapping(op.SyncNone)},
	{name: "the same with broadcasts that do", ranks: 3, o: Options{Collectives: CollectStrict}, want: Deadlocks,
		cores: "[[0 1 2]]", make: overlapping(op.SyncNone)},
	{name: "a barrier that one misses", ranks: 2, want: Deadlocks, make: func(s *script) {
		s.coll(0, op.SyncAll, any, 0)
	}},
	{name: "a reduction that the root misses", ranks: 2, o: Options{Collectives: CollectWeak}, want: Free,
		make: func(s *script) { s.coll(0, op.SyncToRoot, 1, 0) }},
	{name: "buffering is needed for the deadlock", ranks: 3, want: Deadlocks, cores: "[[0]]", make: laterMessage},
	{name: "buffering is needed for the deadlock and there is none", ranks: 3, o: Options{Buffering: BufferNone},
		want: Free, make: laterMessage},
	{name: "two threads of a rank receive the same", ranks: 2, want: Deadlocks, make: func(s *script) {
		s.log.Threads = append(s.log.Threads, trace.Thread{Rank: 0, Index: 1})
		s.send(1, 0, 5)
		s.recv(1, 0, 1)
		s.send(1, 0, 5)
		s.recv(0, 1, 5)
		s.send(0, 1, 1)
		s.recv(2, 1, 5)
	}},
	{name: "two threads of a rank receive with tags of their own", ranks: 2, want: Free, make: func(s *script) {
		s.log.Threads = append(s.log.Threads, trace.Thread{Rank: 0, Index: 1})
		s.send(1, 0, 5)
		s.recv(1, 0, 1)
		s.send(1, 0, 6)
		s.recv(0, 1, 5)
		s.send(0, 1, 1)
		s.recv(2, 1, 6)
	}},
	{name: "what was cancelled takes nothing", ranks: 2, want: Free, make: func(s *script) {
		a := s.irecv(0, any, 0)
		s.log.Threads[0].Parts[a].Gone = true
		s.recv(0, 1, 0)
		s.wait(0, a)
		s.send(1, 0, 0)
	}},
	{name: "what completes by itself", ranks: 1, want: Free, make: func(s *script) {
		p := sendPart(int(op.ProcNull), 0)
		p.Kind = op.Served
		s.call(0, true, false, []trace.Part{p}, nil)
	}},
}

func sendSend(s *script) {
	for r := range 2 {
		s.send(r, 1-r, 0)
		s.recv(r, 1-r, 0)
	}
}

func cyclic(s *script) {
	s.recv(0, any, 0) // meets rank 1 in the recorded run
	s.met(0, 1, 0)
	s.send(0, 1, 0)
	s.recv(0, any, 0)
	s.send(1, 0, 0)
	s.recv(1, 0, 0)
	s.send(2, 0, 0)
}

func undischarged(s *script) {
	s.recv(0, any, 0)
	s.met(0, 1, 0)
	s.coll(0, op.SyncAll, any, 0)
	s.recv(0, any, 0)
	s.send(1, 0, 0)
	s.coll(0, op.SyncAll, any, 1)
	a := s.isend(2, 0, 0)
	s.coll(0, op.SyncAll, any, 2)
	s.wait(2, a)
}

func dtg(s *script) {
	s.recv(0, any, 0)
	s.met(0, 1, 0)
	s.send(0, 3, 0)
	s.recv(0, any, 0)
	s.met(0, 2, 0)
	s.send(1, 0, 0)
	s.send(1, 3, 0)
	s.recv(2, any, 0)
	s.met(2, 4, 0)
	s.send(2, 0, 0)
	s.recv(3, 1, 0)
	s.recv(3, 0, 0)
	s.send(4, 2, 0)
}

func overlapping(sync op.Sync) func(s *script) {
	return func(s *script) {
		comms := []uint32{s.comm(0, 1), s.comm(1, 2), s.comm(0, 2)}
		for r := range 3 {
			s.coll(comms[r], sync, any, r)
			s.coll(comms[(r+2)%3], sync, any, r)
		}
	}
}

// laterMessage: rank 2 gets past its message to rank 1 before that is received only if MPI keeps it.
func laterMessage(s *script) {
	s.recv(0, any, 0)
	s.met(0, 1, 0)
	s.recv(0, 2, 0)
	s.send(1, 0, 0)
	s.recv(1, 2, 0)
	s.send(2, 1, 0)
	s.send(2, 0, 0)
}

func TestWhatIsKnownOfPrograms(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(c.ranks)
			c.make(s)
			r, err := Predict(context.Background(), s.log, load(t), c.o)
			if err != nil || r.Verdict != c.want {
				t.Fatalf("%v, %v (%+v), want %v", err, r.Verdict, r, c.want)
			}
			var cores [][]uint32
			for i := range r.Deadlocks {
				d := &r.Deadlocks[i]
				if err := verify(s.log, c.o, d); err != nil {
					t.Errorf("%v\n%+v", err, d)
				}
				cores = append(cores, d.Core)
			}
			slices.SortFunc(cores, slices.Compare)
			if !r.Complete && c.o.Max == 0 || c.cores != "" && fmt.Sprint(cores) != c.cores {
				t.Errorf("cores %v, complete %v, want %s", cores, r.Complete, c.cores)
			}
		})
	}
}

package exact

import (
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// report says what the last wait of a rank reported in the recorded run: the requests at these places.
func (s *script) reported(r int, places ...int) {
	t := &s.log.Threads[r]
	waits := t.WaitsOf(&t.Ops[len(t.Ops)-1])
	for _, i := range places {
		waits[i].Done = true
	}
}

func (s *script) recvMet(r, from int, tag int32, source int) {
	s.recv(r, from, tag)
	s.met(r, source, tag)
}

func (s *script) irecvMet(r, from int, tag int32, source int) uint32 {
	id := s.irecv(r, from, tag)
	s.met(r, source, tag)
	return id
}

// named is a separate function for the last call of a rank.
func (s *script) named(r int, fn string) {
	t := &s.log.Threads[r]
	s.log.Funcs = append(s.log.Funcs, fn)
	t.Ops[len(t.Ops)-1].Fn = uint16(len(s.log.Funcs) - 1)
}

func TestADeadlockIsCertainIfNoCallComesAfterWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		name  string
		ranks int
		o     Options
		make  func(s *script)
		want  bool // of the deadlock with the first core
		at    Call // otherwise: what it supposes
	}{
		{name: "nothing is received before", ranks: 2, want: true, make: func(s *script) {
			for r := range 2 {
				s.recv(r, 1-r, 0)
				s.send(r, 1-r, 0)
			}
		}},
		{name: "both send first", ranks: 2, want: true, make: sendSend},
		{name: "a wildcard that meets another message, and a call after it", ranks: 3, at: Call{2, 0},
			make: func(s *script) {
				s.send(0, 2, 0)
				s.send(1, 2, 0)
				s.recvMet(2, any, 0, 0)
				s.recvMet(2, 1, 0, 1)
			}},
		{name: "the same in the stuck call itself", ranks: 3, want: true, make: func(s *script) {
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			a := s.irecvMet(2, any, 0, 0)
			b := s.irecvMet(2, 1, 0, 1)
			s.wait(2, a, b)
		}},
		{name: "the same with a wait for the wildcard before", ranks: 3, at: Call{2, 2}, make: func(s *script) {
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			a := s.irecvMet(2, any, 0, 0)
			b := s.irecvMet(2, 1, 0, 1)
			s.wait(2, a)
			s.wait(2, b)
		}},
		{name: "the same with a call between that completes something else", ranks: 3, want: true,
			make: func(s *script) {
				s.send(0, 2, 0)
				s.send(1, 2, 0)
				a := s.irecvMet(2, any, 0, 0)
				b := s.irecvMet(2, 1, 0, 1)
				s.coll(0, op.SyncAll, any, 0, 1, 2)
				s.wait(2, a, b)
			}},
		{name: "wildcards that meet what they met before", ranks: 3, want: true, make: func(s *script) {
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			s.recvMet(2, any, 0, 1)
			s.recvMet(2, any, 0, 0)
			s.recv(2, 1, 7)
		}},
		{name: "another message of the same sender", ranks: 3, at: Call{2, 0}, make: func(s *script) {
			s.send(0, 2, 0) // met by the wildcard now
			s.send(0, 2, 0) // by the named receive now; nothing is left for the last
			s.send(1, 2, 0)
			s.recvMet(2, any, 0, 1)
			s.recvMet(2, 0, 0, 0)
			s.recvMet(2, 0, 0, 0)
		}},
		{name: "no recorded run, and no call after a wildcard", ranks: 3, want: true, make: func(s *script) {
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			a, b := s.irecv(2, any, 0), s.irecv(2, 1, 0)
			s.wait(2, a, b)
		}},
		{name: "no recorded run, and a call after a wildcard with several candidates", ranks: 3, at: Call{2, 0},
			make: func(s *script) {
				s.send(0, 2, 0)
				s.send(1, 2, 0)
				s.recv(2, any, 0)
				s.recv(2, any, 0)
				s.recv(2, 0, 7)
			}},
		{name: "no recorded run, and a call after a wildcard with one candidate", ranks: 3, want: true,
			make: func(s *script) {
				s.send(1, 2, 0)
				s.recv(2, any, 0)
				s.recv(2, 0, 7)
			}},
		{name: "no recorded run, and a receive of what a wildcard before may take", ranks: 3, at: Call{2, 1},
			make: func(s *script) {
				s.send(1, 2, 0)
				s.send(1, 2, 0)
				s.send(0, 2, 0)
				a := s.irecv(2, any, 0)
				s.recv(2, 1, 0)
				s.recv(2, 0, 7)
				s.wait(2, a)
			}},
		{name: "a rank that has met another message sends to the stuck one later", ranks: 4, at: Call{0, 0},
			make: func(s *script) {
				s.elsewhere(0)
				s.send(0, 3, 1)
				s.recvMet(3, 0, 1, 0)
				s.recv(3, 1, 7)
			}},
		{name: "the same before it has met it", ranks: 4, want: true, make: func(s *script) {
			s.send(0, 3, 1)
			s.elsewhere(0)
			s.recvMet(3, 0, 1, 0)
			s.recv(3, 2, 7)
		}},
		{name: "the same, and it has ended and could send again", ranks: 4, at: Call{0, 1}, make: func(s *script) {
			s.send(0, 3, 1)
			s.elsewhere(0)
			s.recvMet(3, 0, 1, 0)
			s.recv(3, 0, 7)
		}},
		{name: "the same, and the stuck one receives from anybody", ranks: 4, at: Call{0, 1}, make: func(s *script) {
			s.send(0, 3, 1)
			s.elsewhere(0)
			s.recvMet(3, 0, 1, 0)
			s.recv(3, any, 7)
		}},
		{name: "a synchronous send that it receives later", ranks: 4, at: Call{0, 0}, make: func(s *script) {
			s.elsewhere(0)
			s.recvMet(0, 3, 1, 3)
			p := sendPart(0, 1)
			p.Mode = op.Synchronous
			s.call(3, true, false, []trace.Part{p}, nil)
			s.recv(3, 2, 7)
		}},
		{name: "a message that MPI keeps, which it receives later", ranks: 4, want: true, make: func(s *script) {
			s.elsewhere(0)
			s.recvMet(0, 3, 1, 3)
			p := sendPart(0, 1)
			p.Mode = op.Buffered
			s.call(3, true, false, []trace.Part{p}, nil)
			s.recv(3, 2, 7)
		}},
		{name: "ranks that have nothing to do with a wildcard", ranks: 5, want: true, make: func(s *script) {
			// The recorded matches lead there as well as others.
			s.send(1, 0, 0)
			s.send(2, 0, 0)
			s.recvMet(0, any, 0, 2)
			s.recvMet(0, any, 0, 1)
			for r := 3; r < 5; r++ {
				s.recv(r, 7-r, 0)
				s.send(r, 7-r, 0)
			}
		}},
		{name: "a probe that sees another message, and the receive after it", ranks: 3, at: Call{2, 0},
			make: func(s *script) {
				s.send(0, 2, 0)
				s.send(1, 2, 0)
				s.probe(2, any, 0)
				s.recv(2, 0, 0)
				s.recv(2, 0, 7)
			}},
		{name: "a probe that sees the same", ranks: 3, want: true, make: func(s *script) {
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			s.probe(2, any, 0)
			s.met(2, 1, 0)
			s.recvMet(2, 1, 0, 1)
			s.recv(2, 0, 7)
		}},
		{name: "a wait for any that reports another request", ranks: 3, at: Call{0, 2}, make: func(s *script) {
			a, b := s.irecvMet(0, 1, 0, 1), s.irecvMet(0, 2, 0, 2)
			s.waitany(0, a, b)
			s.reported(0, 0)
			s.recv(0, 1, 7)
			s.send(2, 0, 0)
		}},
		{name: "a wait for any that reports the same", ranks: 3, want: true, make: func(s *script) {
			a, b := s.irecvMet(0, 1, 0, 1), s.irecvMet(0, 2, 0, 2)
			s.waitany(0, a, b)
			s.reported(0, 1)
			s.wait(0, a, b)
			s.recv(0, 1, 7)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}},
		{name: "a wait for some that reports the same two", ranks: 3, want: true, make: func(s *script) {
			a, b := s.irecvMet(0, 1, 0, 1), s.irecvMet(0, 2, 0, 2)
			s.waitany(0, a, b)
			s.log.Threads[0].Ops[2].Fn = 2
			s.reported(0, 0, 1)
			s.recv(0, 1, 7)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}},
		{name: "a wait for any of which nothing is recorded", ranks: 3, at: Call{0, 2}, make: func(s *script) {
			a, b := s.irecv(0, 1, 0), s.irecv(0, 2, 0)
			s.waitany(0, a, b)
			s.wait(0, a, b)
			s.recv(0, 1, 7)
			s.send(1, 0, 0)
			s.send(2, 0, 0)
		}},
		{name: "a poll is not held", ranks: 2, at: Call{0, 1}, make: func(s *script) {
			a := s.irecv(0, 1, 0)
			s.wait(0, a)
			s.named(0, "MPI_Test")
		}},
		{name: "a poll that finds the same as before", ranks: 2, want: true, make: func(s *script) {
			a := s.irecv(0, 1, 0)
			s.wait(0, a)
			s.named(0, "MPI_Test")
			s.recv(0, 1, 7)
			s.send(1, 0, 0)
		}},
		{name: "data that went through a broadcast", ranks: 4, at: Call{0, 0}, make: func(s *script) {
			s.elsewhere(0)
			s.coll(0, op.SyncFromRoot, 0, 0, 1, 2, 3)
			s.recv(3, 1, 7)
		}},
		{name: "a broadcast before", ranks: 4, want: true, make: func(s *script) {
			s.coll(0, op.SyncFromRoot, 0, 0, 1, 2, 3)
			s.elsewhere(0)
			s.recv(3, 2, 7)
		}},
		{name: "data that went through another rank", ranks: 5, at: Call{0, 0}, make: func(s *script) {
			s.elsewhere(0)
			s.send(0, 3, 1)
			s.recvMet(3, 0, 1, 0)
			s.send(3, 4, 1)
			s.recvMet(4, 3, 1, 3)
			s.recv(4, 2, 7)
		}},
		{name: "several threads of a rank, and choices", ranks: 3, at: Call{2, 2}, make: func(s *script) {
			s.log.Threads = append(s.log.Threads, trace.Thread{Rank: 2, Index: 1})
			s.send(0, 2, 0)
			s.send(1, 2, 0)
			a := s.irecvMet(2, any, 0, 0)
			b := s.irecvMet(2, 1, 0, 1)
			s.wait(2, a, b)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(c.ranks)
			c.make(s)
			r := predict(t, s.log, c.o)
			if r.Verdict != Deadlocks || len(r.Deadlocks) == 0 {
				t.Fatalf("%v because %s, want deadlocks", r.Verdict, r.Why)
			}
			d := r.Deadlocks[0]
			if d.Certain != c.want || !c.want && d.Supposes != c.at {
				t.Errorf("core %v: certain %v, supposes %v; want %v, %v", d.Core, d.Certain, d.Supposes, c.want, c.at)
			}
		})
	}
}

// elsewhere lets a rank receive a message of rank 1 where the recorded run is said to have met another.
func (s *script) elsewhere(r int) {
	s.send(1, r, 0)
	s.recvMet(r, 1, 0, 2)
}

func TestOfWhatIsFoundInTwoWaysTheCertainOneIsTold(t *testing.T) {
	s := newScript(3)
	s.send(0, 2, 0)
	s.send(1, 2, 0)
	s.recvMet(2, any, 0, 1)
	s.recvMet(2, any, 0, 0)
	s.recv(2, 0, 7)
	r := predict(t, s.log, Options{})
	if len(r.Deadlocks) != 1 || !r.Deadlocks[0].Certain || len(r.Deadlocks[0].Decisions) != 0 {
		t.Errorf("%+v, want one deadlock, with the matches of the recorded run", r.Deadlocks)
	}
}

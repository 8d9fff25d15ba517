package sattest

import (
	"math/rand/v2"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// script writes a log by hand: ranks with one thread each, whose blocking calls are added in their order.
type script struct {
	log *trace.Log
	seq uint64
}

func newScript(ranks int) *script {
	c := trace.Comm{}
	s := &script{log: &trace.Log{Head: trace.Head{Ranks: ranks}, Funcs: []string{"MPI_Call"},
		Sites: make([]trace.Site, 1)}}
	for r := range ranks {
		s.log.Threads = append(s.log.Threads, trace.Thread{Rank: op.Rank(r)})
		c.Members = append(c.Members, op.Rank(r))
	}
	s.log.Comms = []trace.Comm{c}
	return s
}

func (s *script) call(r int, p trace.Part) {
	t := &s.log.Threads[r]
	n := uint32(len(t.Parts))
	t.Ops = append(t.Ops, trace.Op{Blocking: true, Returned: true, First: n, Started: 1, WaitAt: uint32(len(t.Waits)),
		Waiting: 1})
	t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: n})
	t.Parts = append(t.Parts, p)
}

// later makes the last call of a rank a non-blocking one, and gives the call that waits for it.
func (s *script) later(r int) (wait func()) {
	t := &s.log.Threads[r]
	o := &t.Ops[len(t.Ops)-1]
	part := t.Waits[len(t.Waits)-1]
	o.Blocking, o.Waiting = false, 0
	t.Waits = t.Waits[:len(t.Waits)-1]
	return func() {
		t.Ops = append(t.Ops, trace.Op{Blocking: true, Returned: true, First: uint32(len(t.Parts)),
			WaitAt: uint32(len(t.Waits)), Waiting: 1})
		t.Waits = append(t.Waits, part)
	}
}

func (s *script) send(r, to int, tag int32) {
	s.call(r, trace.Part{Kind: op.Send, Peer: op.Rank(to), Tag: tag, Bytes: 8, Matched: op.Unknown})
}

func (s *script) recv(r, from int, tag int32) {
	s.call(r, trace.Part{Kind: op.Recv, Peer: op.Rank(from), Wild: from == anyone, Tag: tag, Matched: op.Unknown,
		MatchedTag: int32(op.Unknown)})
}

func (s *script) barrier() {
	for r := range s.log.Threads {
		s.call(r, trace.Part{Kind: op.Coll, Sync: op.SyncAll, Peer: op.AnySource, Seq: s.seq, Matched: op.Unknown})
	}
	s.seq++
}

// problem is a log and what MPI buffers.
type problem struct {
	log       *trace.Log
	buffering exact.Buffering
}

// family is a problem in several sizes, each harder than the one before.
type family struct {
	name  string
	sizes []int
	make  func(size int) problem
	want  exact.Verdict
	slow  bool // even the smallest, for some method
}

// families are the problems that are measured. The first are those of the tests of package exact.
func families() []family {
	ranks, senders := []int{8, 16, 32, 64}, []int{3, 5, 7, 9, 11, 13, 15, 17, 20, 32, 64}
	none := func(make func(n int) *trace.Log) func(int) problem {
		return func(n int) problem { return problem{make(n), exact.BufferNone} }
	}
	all := func(make func(n int) *trace.Log) func(int) problem {
		return func(n int) problem { return problem{make(n), exact.BufferAll} }
	}
	random := func(free bool) func(n int) *trace.Log {
		return func(n int) *trace.Log { return mixed(uint64(n), n, 20*n, 0.1, free) }
	}
	return []family{
		{"pairs, unbuffered", senders, none(pairs), exact.Free, false},
		{"pairs, buffered", []int{3, 9, 17, 64}, all(pairs), exact.Free, false},
		{"pairs and names, unbuffered", senders, none(named), exact.Free, false},
		{"pairs, names and one between, unbuffered", senders[:9], none(between), exact.Free, false},
		{"static", ranks, none(static), exact.Free, true},
		{"static of 64, results", []int{10, 31}, none(results), exact.Free, true},
		{"dynamic, unbuffered", ranks, none(dynamic), exact.Deadlocks, false},
		{"dynamic, buffered", ranks, all(dynamic), exact.Free, true},
		{"random, free", ranks[1:], none(random(true)), exact.Free, false},
		{"random, deadlocks", ranks[1:], none(random(false)), exact.Deadlocks, false},
		{"transition group", []int{5}, none(transitions), exact.Deadlocks, false},
		{"transition group, buffered", []int{5}, all(transitions), exact.Free, false},
		{"integrate", ranks, none(integrate), exact.Free, false},
	}
}

// pairs has senders with a message of tag 0 and then one of tag 1, received in turn from anybody.
func pairs(senders int) *trace.Log {
	s := newScript(senders + 1)
	for i := 1; i <= senders; i++ {
		s.send(i, 0, 0)
		s.send(i, 0, 1)
		s.recv(0, anyone, 0)
		s.recv(0, anyone, 1)
	}
	return s.log
}

// named is the same with a last message of each sender that has its own tag, so that no two do the same.
func named(senders int) *trace.Log {
	s := &script{log: pairs(senders)}
	for i := 1; i <= senders; i++ {
		s.send(i, 0, int32(i+1))
		s.recv(0, i, int32(i+1))
	}
	return s.log
}

// between has a receive for rank 1 only among those from anybody, for one more message of rank 1, that is waited for
// after them.
func between(senders int) *trace.Log {
	s := newScript(senders + 1)
	var wait func()
	for i := 1; i <= senders; i++ {
		s.send(i, 0, 0)
		s.send(i, 0, 1)
		s.recv(0, anyone, 0)
		s.recv(0, anyone, 1)
		if i == 1 {
			s.send(1, 0, 1)
			s.recv(0, 1, 1)
			wait = s.later(0)
		}
	}
	wait()
	for i := 1; i <= senders; i++ {
		s.send(i, 0, int32(i+1))
		s.recv(0, i, int32(i+1))
	}
	return s.log
}

// static is a master that receives three results of each worker from anybody.
func static(ranks int) *trace.Log { return master(ranks, 3) }

// results is the same with 63 workers that have many results.
func results(each int) *trace.Log { return master(64, each) }

func master(ranks, each int) *trace.Log {
	s := newScript(ranks)
	for range each {
		for w := 1; w < ranks; w++ {
			s.send(w, 0, 3)
			s.recv(0, anyone, 3)
		}
	}
	return s.log
}

// dynamic is a master that answers each result with the next task for its sender, twice as many as workers, and a last
// message to each.
func dynamic(ranks int) *trace.Log {
	s, workers := newScript(ranks), ranks-1
	for w := 1; w <= workers; w++ {
		s.send(0, w, 1)
		s.recv(w, 0, op.AnyTag)
	}
	for i := range 2 * workers {
		w := (i*7+i/workers)%workers + 1
		s.send(w, 0, 3)
		s.recv(0, anyone, 3)
		s.send(0, w, 1)
		s.recv(w, 0, op.AnyTag)
	}
	for w := 1; w <= workers; w++ {
		s.send(w, 0, 3)
	}
	for range workers {
		s.recv(0, anyone, 3)
	}
	for w := 1; w <= workers; w++ {
		s.send(0, w, 2)
		s.recv(w, 0, op.AnyTag)
	}
	return s.log
}

// integrate is a master that gives each worker a task and receives the results from anybody.
func integrate(ranks int) *trace.Log {
	s := newScript(ranks)
	for w := 1; w < ranks; w++ {
		s.send(0, w, 1)
		s.recv(w, 0, op.AnyTag)
		s.send(w, 0, 3)
	}
	for w := 1; w < ranks; w++ {
		s.recv(0, anyone, 3)
	}
	return s.log
}

// transitions is the dependence transition group.
func transitions(int) *trace.Log {
	s := newScript(5)
	s.recv(0, anyone, 0)
	s.send(0, 3, 0)
	s.recv(0, anyone, 0)
	s.send(1, 0, 0)
	s.send(1, 3, 0)
	s.recv(2, anyone, 0)
	s.send(2, 0, 0)
	s.recv(3, 1, 0)
	s.recv(3, 0, 0)
	s.send(4, 2, 0)
	return s.log
}

// mixed is a random program in which rank after rank sends to another, so that it can end, with some receives from
// anybody. Where it shall be free, barriers come often, and the receives from anybody of a phase have tags of their
// own.
func mixed(seed uint64, ranks, messages int, wild float64, free bool) *trace.Log {
	x := rand.New(rand.NewPCG(seed, 2))
	s := newScript(ranks)
	for i := range messages {
		if i%ranks == ranks-1 && (free || x.IntN(4) == 0) {
			s.barrier()
		}
		two := x.Perm(ranks)
		source, tag := two[0], int32(0)
		if x.Float64() < wild {
			source = anyone
			if free {
				tag = 1
			}
		}
		s.send(two[0], two[1], tag)
		s.recv(two[1], source, tag)
	}
	return s.log
}

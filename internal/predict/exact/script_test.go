package exact

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// script writes a log by hand: ranks with one thread each, whose calls are added in their order.
type script struct {
	log  *trace.Log
	seq  map[[2]int]uint64
	nth  map[[2]int]uint32
	site uint32 // of the calls that are added
}

func newScript(ranks int) *script {
	s := &script{log: &trace.Log{Head: trace.Head{Ranks: ranks}, Funcs: []string{"MPI_Call", "MPI_Waitany",
		"MPI_Waitsome"}, Sites: places()},
		seq: make(map[[2]int]uint64), nth: make(map[[2]int]uint32)}
	var all []int
	for r := range ranks {
		s.log.Threads = append(s.log.Threads, trace.Thread{Rank: op.Rank(r)})
		all = append(all, r)
	}
	s.comm(all...)
	return s
}

// comm adds a communicator and returns its index.
func (s *script) comm(members ...int) uint32 {
	c := trace.Comm{ID: op.CommID(len(s.log.Comms))}
	for _, r := range members {
		c.Members = append(c.Members, op.Rank(r))
	}
	s.log.Comms = append(s.log.Comms, c)
	return uint32(len(s.log.Comms) - 1)
}

// call adds a call that starts parts and waits for some of its thread, its own if waits is nil.
func (s *script) call(r int, blocking, any bool, parts []trace.Part, waits []uint32) []uint32 {
	t := &s.log.Threads[r]
	o := trace.Op{Blocking: blocking, Any: any, Returned: true, Site: s.site, First: uint32(len(t.Parts)),
		Started: uint32(len(parts)), WaitAt: uint32(len(t.Waits))}
	if any {
		o.Fn = 1
	}
	var started []uint32
	for i, p := range parts {
		started = append(started, o.First+uint32(i))
		side := -1
		switch {
		case p.Wild:
			side = 0
		case p.Kind == op.Send && p.Mode == op.Standard:
			side = 1
		}
		if side >= 0 {
			p.Nth = s.nth[[2]int{r, side}]
			s.nth[[2]int{r, side}]++
		}
		t.Parts = append(t.Parts, p)
	}
	if blocking {
		if waits == nil {
			waits = started
		}
		for _, w := range waits {
			t.Waits = append(t.Waits, trace.Wait{Thread: uint32(r), Part: w})
		}
	}
	o.Waiting = uint32(len(t.Waits)) - o.WaitAt
	t.Ops = append(t.Ops, o)
	return started
}

func sendPart(to int, tag int32) trace.Part {
	return trace.Part{Kind: op.Send, Peer: op.Rank(to), Tag: tag, Bytes: 8, Matched: op.Unknown}
}

func recvPart(from int, tag int32) trace.Part {
	return trace.Part{Kind: op.Recv, Peer: op.Rank(from), Wild: from == any, Tag: tag, Matched: op.Unknown,
		MatchedTag: int32(op.Unknown)}
}

const any = int(op.AnySource)

func (s *script) send(r, to int, tag int32) {
	s.call(r, true, false, []trace.Part{sendPart(to, tag)}, nil)
}
func (s *script) recv(r, from int, tag int32) {
	s.call(r, true, false, []trace.Part{recvPart(from, tag)}, nil)
}

func (s *script) isend(r, to int, tag int32) uint32 {
	return s.call(r, false, false, []trace.Part{sendPart(to, tag)}, nil)[0]
}

func (s *script) irecv(r, from int, tag int32) uint32 {
	return s.call(r, false, false, []trace.Part{recvPart(from, tag)}, nil)[0]
}

func (s *script) probe(r, from int, tag int32) {
	p := recvPart(from, tag)
	p.Kind = op.Probe
	s.call(r, true, false, []trace.Part{p}, nil)
}

func (s *script) wait(r int, parts ...uint32)    { s.call(r, true, false, nil, parts) }
func (s *script) waitany(r int, parts ...uint32) { s.call(r, true, true, nil, parts) }

func (s *script) coll(comm uint32, sync op.Sync, root int, ranks ...int) {
	for _, r := range ranks {
		s.call(r, true, false, []trace.Part{s.member(r, comm, sync, root)}, nil)
	}
}

func (s *script) member(r int, comm uint32, sync op.Sync, root int) trace.Part {
	key := [2]int{r, int(comm)}
	p := trace.Part{Kind: op.Coll, Comm: comm, Sync: sync, Peer: op.Rank(root), Seq: s.seq[key], Matched: op.Unknown}
	s.seq[key]++
	return p
}

// met says whom the last receive or probe of a rank met in the recorded run.
func (s *script) met(r, source int, tag int32) {
	t := &s.log.Threads[r]
	p := &t.Parts[len(t.Parts)-1]
	p.Matched, p.MatchedTag = op.Rank(source), tag
}

// static is a master that receives what each worker has to tell, from anybody.
func static(workers, results int) *trace.Log {
	s := newScript(workers + 1)
	for i := range workers * results {
		w := i%workers + 1
		s.recv(0, any, 3)
		s.met(0, w, 3)
		s.send(w, 0, 3)
	}
	return s.log
}

// dynamic is a master that answers each result with the next task for its sender, and a last message to each worker.
// places are three, of which the third has been come to in two ways.
func places() []trace.Site {
	return []trace.Site{{}, {File: "a.c", Line: 1}, {File: "a.c", Line: 2}, {File: "a.c", Line: 2, Stack: 1},
		{File: "a.c", Line: 2, Stack: 2}}
}

func dynamic(workers, results int) *trace.Log {
	s := newScript(workers + 1)
	for w := 1; w <= workers; w++ {
		s.send(0, w, 1)
		s.recv(w, 0, int32(op.AnyTag))
	}
	for i := range results {
		// Workers do not answer in turn, as in a real run.
		w := (i*7+i/workers)%workers + 1
		s.send(w, 0, 3)
		s.site = 1
		s.recv(0, any, 3)
		s.met(0, w, 3)
		s.site = 2
		s.send(0, w, 1)
		s.site = 0
		s.recv(w, 0, int32(op.AnyTag))
	}
	for w := 1; w <= workers; w++ {
		s.send(w, 0, 3)
	}
	for range workers {
		s.recv(0, any, 3)
	}
	for w := 1; w <= workers; w++ {
		s.send(0, w, 2)
		s.recv(w, 0, int32(op.AnyTag))
	}
	return s.log
}

// all gives the ranks of a communicator of n.
func all(n int) (out []int) {
	for r := range n {
		out = append(out, r)
	}
	return out
}

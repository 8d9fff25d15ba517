package file

import (
	"path/filepath"
	"testing"
	"time"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// workload records what the ranks of a program do, as a recorder would: calls as they are made, outcomes after them.
type workload struct {
	w       *Writer
	streams []*Stream
	calls   int
	seq     uint64
	waits   []trace.Wait
}

const (
	fnSend = iota
	fnRecv
	fnBarrier
	fnIsend
	fnIrecv
	fnWaitall
)

func newWorkload(t testing.TB, path string, ranks int) *workload {
	t.Helper()
	w, err := Create(path, trace.Head{Ranks: ranks, Command: []string{"mpirun", "-n", "64", "./app"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Isend", "MPI_Irecv", "MPI_Waitall"} {
		w.Func(name)
	}
	world := Comm{Comm: trace.Comm{ID: 1, Name: "MPI_COMM_WORLD"}}
	for r := range ranks {
		world.Members = append(world.Members, op.Rank(r))
	}
	w.Comm(world)
	for line := range 16 {
		w.Site(trace.Site{Function: "main", File: "app.c", Line: 10 + line})
	}
	k := &workload{w: w}
	for r := range ranks {
		k.streams = append(k.streams, w.Stream(op.Rank(r), 0))
	}
	return k
}

// call records one call, which waits for its own parts if it blocks.
func (k *workload) call(s *Stream, fn uint16, blocking bool, parts ...trace.Part) uint32 {
	k.calls++
	k.waits = k.waits[:0]
	for i := range parts {
		if blocking {
			k.waits = append(k.waits, trace.Wait{Thread: s.Number, Part: s.parts + uint32(i)})
		}
	}
	part, _ := s.Op(trace.Op{Fn: fn, Blocking: blocking, Site: uint32(fn) + 1}, parts, k.waits)
	return part
}

// exchange is one iteration of a ring exchange: send right, receive left, one int, a barrier every tenth time.
func (k *workload) exchange(iteration int) {
	n := len(k.streams)
	for r, s := range k.streams {
		right, left := op.Rank((r+1)%n), op.Rank((r+n-1)%n)
		k.call(s, fnSend, true, trace.Part{Kind: op.Send, Peer: right, Bytes: 4, Nth: uint32(iteration)})
		s.Matched(k.call(s, fnRecv, true, trace.Part{Kind: op.Recv, Peer: left, Bytes: -1}), left, 0)
		if iteration%10 == 9 {
			k.call(s, fnBarrier, true, trace.Part{Kind: op.Coll, Sync: op.SyncAll, Peer: op.AnySource, Bytes: -1,
				Seq: k.seq, What: 0x9b3c77aa12345678})
		}
	}
	if iteration%10 == 9 {
		k.seq++
	}
}

// stencil is one iteration of a 2-D halo exchange on a square of ranks.
func (k *workload) stencil(side, iteration int) {
	for r, s := range k.streams {
		x, y := r%side, r/side
		peers := [4]op.Rank{op.Rank((x+1)%side + y*side), op.Rank((x+side-1)%side + y*side),
			op.Rank(x + (y+1)%side*side), op.Rank(x + (y+side-1)%side*side)}
		var first uint32
		for i, p := range peers {
			n := k.call(s, fnIsend, false, trace.Part{Kind: op.Send, Peer: p, Tag: int32(i), Bytes: 8192,
				Nth: uint32(4*iteration + i)})
			if i == 0 {
				first = n
			}
		}
		for i, p := range peers {
			k.call(s, fnIrecv, false, trace.Part{Kind: op.Recv, Peer: p, Tag: int32(i ^ 1), Bytes: -1})
		}
		k.waits = k.waits[:0]
		for i := range uint32(8) {
			k.waits = append(k.waits, trace.Wait{Thread: s.Number, Part: first + i})
		}
		s.Op(trace.Op{Fn: fnWaitall, Blocking: true, Site: fnWaitall + 1}, nil, k.waits)
		k.calls++
		for i, p := range peers {
			s.Matched(first+4+uint32(i), p, int32(i^1))
		}
	}
}

// record runs a workload until it has made a number of calls, with a tick now and then, and closes the file.
func (k *workload) record(t testing.TB, calls int, iteration func(k *workload, n int)) {
	t.Helper()
	now := time.Unix(0, 0)
	for n := 0; k.calls < calls; n++ {
		iteration(k, n)
		if n%100 == 0 {
			now = now.Add(10 * time.Millisecond)
			for _, s := range k.streams {
				s.Tick(now)
			}
		}
	}
	for _, s := range k.streams {
		s.Returned()
	}
	if err := k.w.Close(""); err != nil {
		t.Fatal(err)
	}
}

var workloads = []struct {
	name      string
	ranks     int
	iteration func(k *workload, n int)
}{
	{"ring", 16, (*workload).exchange},
	{"stencil", 16, func(k *workload, n int) { k.stencil(4, n) }},
}

// recorded is a file with a workload's first calls.
func recorded(t testing.TB, name string, calls int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+Extension)
	for _, l := range workloads {
		if l.name == name {
			newWorkload(t, path, l.ranks).record(t, calls, l.iteration)
		}
	}
	return path
}

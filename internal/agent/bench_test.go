package agent

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/ringfile"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// tape is a ring whose content is written once and published again and again, as if a rank repeated it forever.
type tape struct {
	ring   *ring.Ring
	header *ring.RingHeader
	words  []uint64
	at     uint64 // slots written
	slots  uint64
	calls  int // records in one round
}

func newTape(t testing.TB, slots uint64) *tape {
	t.Helper()
	r, h, words := ringfile.New(t, slots)
	return &tape{ring: r, header: h, slots: slots, words: words}
}

// put writes one record.
func (p *tape) put(id uint16, kind ring.Kind, site uint64, words ...uint64) {
	n := uint64(1)
	if len(words) > ring.WordsFirst {
		n += uint64(len(words)-ring.WordsFirst+ring.WordsNext-1) / ring.WordsNext
	}
	at := p.at * ring.WordsNext
	p.words[at] = uint64(id) | uint64(kind)<<16 | n<<24 | (p.at+1)<<32
	p.words[at+1] = site
	copy(p.words[at+2:], words)
	p.at += n
	if kind != ring.Pad {
		p.calls++
	}
}

// fill pads the tape to its end.
func (p *tape) fill() {
	for p.at < p.slots {
		p.put(0, ring.Pad, 0)
	}
}

// replay publishes the whole tape again.
func (p *tape) replay() { atomic.AddUint64(&p.header.Head, p.slots) }

// Handles of the made-up MPI library of the tapes.
const (
	tapeWorld   = 0x44000000
	tapeInt     = 0x4c000405
	tapeRequest = 0x98000000
	tapeSum     = 0x58000003
	tapeDerived = 0x8c000000     // the first of datatypes that a program makes
	tapeSent    = 0x7f0000001000 // buffers
	tapeGot     = 0x7f0000002000
)

// script writes the records of the calls of one rank, as the wrappers would.
type script struct {
	*tape
	table *mpi.T
	t     testing.TB
	known map[[2]uint64]uint64 // datatypes that were made before, by their rows and handles: their numbers
	gone  uint64               // the handle of the last one, 0 if that is recorded
}

// call writes a call's Enter record and, if the function gives something back, its Exit record.
func (s *script) call(name string, enter, exit []uint64) {
	f := s.table.ByName(name)
	if f == nil || f.HasExit != (exit != nil) {
		s.t.Fatalf("%s is not what the benchmark takes it for", name)
	}
	s.put(f.ID, ring.Enter, uint64(0x1000+f.ID), enter...)
	if exit != nil {
		s.put(f.ID, ring.Exit, 0, exit...)
	}
}

// exchange is an iteration of the ring exchange of the SC 2013 paper, section 6.
func (s *script) exchange(left, right uint64, barrier bool) {
	s.call("MPI_Isend", []uint64{tapeSent, 1, tapeInt, right, 0, tapeWorld}, []uint64{tapeRequest})
	s.call("MPI_Recv", []uint64{tapeGot, 1, tapeInt, left, 0, tapeWorld}, []uint64{left, 0, 4})
	s.call("MPI_Wait", []uint64{tapeRequest}, []uint64{right, 0, 0})
	if barrier {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	}
}

// sendrecv is the same with one call.
func (s *script) sendrecv(left, right uint64, barrier bool) {
	s.call("MPI_Sendrecv", []uint64{tapeSent, 1, tapeInt, right, 0, tapeGot, 1, tapeInt, left, 0, tapeWorld},
		[]uint64{left, 0, 4})
	if barrier {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	}
}

// wildcard is an exchange in which the receive takes what comes.
func (s *script) wildcard(left, right uint64, barrier bool) {
	const anySource = 0xfffffffffffffffe
	s.call("MPI_Isend", []uint64{tapeSent, 1, tapeInt, right, 0, tapeWorld}, []uint64{tapeRequest})
	s.call("MPI_Recv", []uint64{tapeGot, 1, tapeInt, anySource, 0, tapeWorld}, []uint64{left, 0, 4})
	s.call("MPI_Wait", []uint64{tapeRequest}, []uint64{right, 0, 0})
	if barrier {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	}
}

// algebra is a step of a factorisation of distributed matrices as ScaLAPACK makes it, whose calls differ in tags and
// types from step to step: each message has a separate datatype, made for it and freed after it; a pivot is sought, a
// panel is broadcast, rows are exchanged.
func (s *script) algebra(left, right uint64, barrier bool) {
	s.factorise(left, right, barrier, func(rows uint64, use func(datatype uint64)) {
		datatype := uint64(tapeDerived) + s.at%7
		s.vector(rows, datatype)
		use(datatype)
		s.call("MPI_Type_free", []uint64{datatype}, nil)
	})
}

func (s *script) vector(rows, datatype uint64) {
	s.call("MPI_Type_vector", []uint64{rows, 1, rows + 8, tapeInt}, []uint64{datatype, 4 * rows})
	s.call("MPI_Type_commit", []uint64{datatype}, nil)
}

// again is algebra as a probe tells it that knows the datatypes. They have one of two handles by turns.
func (s *script) again(left, right uint64, barrier bool) {
	s.factorise(left, right, barrier, func(rows uint64, use func(datatype uint64)) {
		datatype := uint64(tapeDerived) + s.at/32%2
		free := s.table.ByName("MPI_Type_free").ID
		number, known := s.known[[2]uint64{rows, datatype}]
		if !known {
			if s.gone != 0 {
				s.call("MPI_Type_free", []uint64{s.gone}, nil)
			}
			s.vector(rows, datatype)
			number = uint64(len(s.known))
			objects.Set(&s.known, [2]uint64{rows, datatype}, number)
			s.put(uint16(ring.DataKnown), ring.Data, 0x1900, number, datatype,
				uint64(s.table.ByName("MPI_Type_vector").ID))
		} else {
			s.put(uint16(ring.DataAgain), ring.Data, 0x1901, number, s.gone, uint64(free))
			s.calls += 3 // in place of the records of three calls, of which one has two
		}
		use(datatype)
		s.gone = datatype
	})
}

// factorise makes the calls of a step; typed makes a datatype of some rows for a call, and frees it.
func (s *script) factorise(left, right uint64, barrier bool, typed func(rows uint64, use func(datatype uint64))) {
	step := s.at % 64
	s.call("MPI_Allreduce", []uint64{tapeSent, tapeGot, 1, tapeInt, tapeSum, tapeWorld}, nil)
	typed(1+step%5, func(datatype uint64) {
		s.call("MPI_Bcast", []uint64{tapeSent, 1, datatype, 0, tapeWorld}, nil)
	})
	typed(2, func(datatype uint64) {
		s.call("MPI_Isend", []uint64{tapeSent, 1, datatype, right, 9000, tapeWorld}, []uint64{tapeRequest})
	})
	typed(2, func(datatype uint64) {
		s.call("MPI_Recv", []uint64{tapeGot, 1, datatype, left, 9000, tapeWorld}, []uint64{left, 9000, 8})
	})
	s.call("MPI_Testall", []uint64{1, 1, tapeRequest}, []uint64{1, 1, right, 0, 0})
	if barrier {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	}
}

// watched makes an agent of some ranks that have introduced themselves, and their tapes.
func watched(t testing.TB, size int, slots uint64, iteration func(s *script, left, right uint64, barrier bool)) (*Agent,
	[]*tape) {
	t.Helper()
	return watchedBy(t, size, slots, iteration, nil)
}

// watchedBy is watched with a trace, if there is one.
func watchedBy(t testing.TB, size int, slots uint64, iteration func(s *script, left, right uint64, barrier bool),
	w *tracefile.Writer) (*Agent, []*tape) {
	t.Helper()
	net := encoded(t, 1)
	if _, measured := t.(*testing.B); measured {
		net = tree.New[message.Message](tree.NewShape(1, 0), nil)
	}
	return watchedOn(t, net, size, slots, iteration, w, nil)
}

// watchedOn is watchedBy on a network, with a selection of checks.
func watchedOn(t testing.TB, net *tree.Network[message.Message], size int, slots uint64,
	iteration func(s *script, left, right uint64, barrier bool), w *tracefile.Writer, checks check.Selection,
) (*Agent, []*tape) {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	resolve := symbol.New()
	t.Cleanup(func() { resolve.Close() })
	a := New(net.Member(0), table, World{Processes: kernel.Living(), Symbols: files{resolve}},
		Ranks{Home: func(op.Rank) int { return 0 }}, Options{Folding: Folding{NoFold: true}, Checks: checks})
	a.Record(w)
	tapes := make([]*tape, size)
	for i := range tapes {
		tapes[i] = a.watchTape(t, i, size, slots, iteration)
	}
	return a, tapes
}

// watchTape has an agent watch one more rank, which has introduced itself, and gives its tape.
func (a *Agent) watchTape(t testing.TB, rank, size int, slots uint64, iteration func(s *script, left, right uint64,
	barrier bool)) *tape {
	t.Helper()
	p := newTape(t, slots)
	a.adopt(&Adoption{Ring: p.ring, Hello: decode.Hello{Rank: op.Rank(rank), Size: size}})
	a.introduce(a.order[len(a.order)-1].threads[0], size)
	s := &script{tape: p, table: a.table, t: t}
	left, right := uint64((rank+size-1)%size), uint64((rank+1)%size)
	for k := 0; p.at+64 < slots; k++ {
		iteration(s, left, right, k%10 == 9)
	}
	p.fill()
	return p
}

// introduce tells an agent the constants and the world of a made-up MPI library.
func (a *Agent) introduce(t *thread, size int) {
	members := make([]uint64, size)
	for i := range members {
		members[i] = uint64(i)
	}
	consts := testkit.Constants(a.table, map[string]uint64{"MPI_COMM_WORLD": tapeWorld,
		"MPI_ANY_SOURCE": 0xfffffffffffffffe, "MPI_PROC_NULL": tapeNull,
		"MPI_INT": tapeInt, "MPI_ERR_TRUNCATE": 15})
	a.say(t, ring.DataConst, consts)
	a.say(t, ring.DataType, []uint64{tapeInt, 4})
	a.say(t, ring.DataBasics, []uint64{tapeInt, 4, 4, 4})
	a.say(t, ring.DataComm, append(append([]uint64{tapeWorld, 0, uint64(size)}, members...), 0))
}

// say has a thread's process say something.
func (a *Agent) say(t *thread, id ring.DataID, words []uint64) {
	a.record(&source{thread: t}, &ring.Record{Func: uint16(id), Kind: ring.Data, Words: words})
}

// processorTime is what the process has used of all cores, the garbage collector's part included: unlike the time that
// passes it does not depend on what else the machine does, and hides nothing on other cores.
func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRecords is the agent's whole work for a record: reading, decoding, matching, wait state. The budget is
// 200 ns of one core a record.
func BenchmarkRecords(b *testing.B) {
	for _, c := range []struct {
		name      string
		iteration func(s *script, left, right uint64, barrier bool)
	}{
		{"isend-recv-wait", (*script).exchange},
		{"sendrecv", (*script).sendrecv},
		{"wildcard", (*script).wildcard},
		{"algebra", (*script).algebra},
		{"algebra-again", (*script).again},
	} {
		for _, size := range []int{2, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				a, tapes := watched(b, size, 1<<12, c.iteration)
				defer runtime.KeepAlive(kernel.NewReserve())
				b.ReportAllocs()
				records, before := 0, processorTime(b)
				for b.Loop() {
					for _, p := range tapes {
						p.replay()
						records += p.calls
					}
					for a.readRings() {
					}
				}
				spent := processorTime(b) - before
				b.ReportMetric(float64(records)/spent.Seconds(), "records/s")
				b.ReportMetric(float64(spent.Nanoseconds())/float64(records), "ns/record")
				for _, r := range a.order {
					requests := 0
					r.Objects.Requests.Each(func(*objects.Request) { requests++ })
					if t := r.threads[0]; a.broken != nil || t.WS.Strict() != nil || requests != 0 {
						b.Fatalf("rank %d is not where it should be: %v, %v, %d requests", r.World, a.broken,
							t.WS.Strict(), requests)
					}
				}
			})
		}
	}
}

package agent

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"unknot/internal/agent/kernel"
	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/trace/show"
	"unknot/internal/vocab/op"
)

// recorded makes an agent as watched does, which records.
func recorded(t testing.TB, size int, slots uint64, iteration func(s *script, left, right uint64,
	barrier bool)) (*Agent, []*tape, func() *trace.Log) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.unk")
	w, err := tracefile.Create(path, trace.Head{Ranks: size})
	if err != nil {
		t.Fatal(err)
	}
	world := tracefile.Comm{Comm: trace.Comm{ID: objects.WorldID, Name: "MPI_COMM_WORLD"}}
	for r := range size {
		world.Members = append(world.Members, op.Rank(r))
	}
	w.Comm(world)
	a, tapes := watchedBy(t, size, slots, iteration, w)
	return a, tapes, func() *trace.Log {
		a.finishLog()
		if err := w.Close(""); err != nil {
			t.Fatal(err)
		}
		log, err := tracefile.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return log
	}
}

const (
	tapeAny  = 0xfffffffffffffffe
	tapeNull = 0xffffffffffffffff // MPI_PROC_NULL, as a constant that the tapes' library has
	tapeDup  = 0x84000001         // a communicator that nothing is known of
)

// everything makes each kind of call that a plan can name, and some that it cannot.
func (s *script) everything(left, right uint64, _ bool) {
	req := []uint64{tapeRequest}
	// send 0
	s.call("MPI_Send", []uint64{1, 1, tapeInt, right, 0, tapeWorld}, nil)
	// not of standard mode
	s.call("MPI_Ssend", []uint64{1, 1, tapeInt, right, 0, tapeWorld}, nil)
	// send 1
	s.call("MPI_Send", []uint64{1, 1, tapeInt, tapeNull, 0, tapeWorld}, nil)
	// send 2
	s.call("MPI_Send", []uint64{1, 1, tapeInt, right, 0, tapeDup}, nil)
	// send 3
	s.call("MPI_Isend", []uint64{1, 1, tapeInt, right, 1, tapeWorld}, []uint64{tapeRequest})
	//
	s.call("MPI_Wait", req, []uint64{right, 0, 0})
	// wild 0
	s.call("MPI_Recv", []uint64{2, 1, tapeInt, tapeAny, 0, tapeWorld}, []uint64{left, 0, 4})
	// named
	s.call("MPI_Recv", []uint64{2, 1, tapeInt, left, 0, tapeWorld}, []uint64{left, 0, 4})
	// wild 1
	s.call("MPI_Recv", []uint64{2, 1, tapeInt, tapeAny, 0, tapeDup}, []uint64{left, 0, 4})
	// send 4, wild 2
	s.call("MPI_Sendrecv", []uint64{1, 1, tapeInt, right, 2, 2, 1, tapeInt, tapeAny, 2, tapeWorld},
		[]uint64{left, 2, 4})
	// found nothing
	s.call("MPI_Iprobe", []uint64{tapeAny, 1, tapeWorld}, []uint64{0, 0, 0, 0})
	// wild 3
	s.call("MPI_Iprobe", []uint64{tapeAny, 1, tapeWorld}, []uint64{1, left, 1, 4})
	// wild 4
	s.call("MPI_Probe", []uint64{tapeAny, 1, tapeWorld}, []uint64{left, 1, 4})
	// wild 5
	s.call("MPI_Improbe", []uint64{tapeAny, 1, tapeWorld}, []uint64{1, 77, left, 1, 4})
	s.call("MPI_Send_init", []uint64{1, 1, tapeInt, right, 3, tapeWorld}, []uint64{tapeRequest})
	s.call("MPI_Recv_init", []uint64{2, 1, tapeInt, tapeAny, 3, tapeWorld}, []uint64{tapeRequest + 1})
	for range 2 {
		s.call("MPI_Start", req, nil)                                // send 5, 6
		s.call("MPI_Startall", []uint64{1, 1, tapeRequest + 1}, nil) // wild 6, 7
		s.call("MPI_Testsome", []uint64{3, 3, tapeRequest + 1, tapeRequest, tapeRequest + 2},
			[]uint64{1, 1, 0, 1, left, 3, 4})
		s.call("MPI_Waitall", []uint64{2, 2, tapeRequest, tapeRequest + 1}, []uint64{1, right, 0, 0})
	}
	s.call("MPI_Irecv", []uint64{2, 1, tapeInt, tapeAny, 9, tapeWorld}, []uint64{tapeRequest + 4}) // wild 8
	s.call("MPI_Mprobe", []uint64{tapeAny, 9, tapeWorld}, []uint64{78, left, 9, 4})                // wild 9
	s.fill()
}

// The trace counts what a plan can name as the probe does: by the call alone, polls only when they found something.
func TestTheTraceNumbersWhatAPlanCanName(t *testing.T) {
	a, tapes, log := recorded(t, 2, 1<<9, (*script).everything)
	tapes[0].replay()
	for a.readRings() {
	}
	if a.broken != nil {
		t.Fatal(a.broken)
	}
	l := log()
	var sends, wilds []string
	th := &l.Threads[0]
	for k := range th.Ops {
		o := &th.Ops[k]
		for _, p := range th.Posts(o) {
			switch name := l.Funcs[o.Fn]; {
			case p.Wild:
				wilds = append(wilds, fmt.Sprintf("%s %d", name, p.Nth))
			case p.Kind == op.Send && p.Mode == op.Standard:
				sends = append(sends, fmt.Sprintf("%s %d", name, p.Nth))
			}
		}
	}
	wantSends := []string{"MPI_Send 0", "MPI_Isend 3", "MPI_Sendrecv 4", "MPI_Start 5", "MPI_Start 6"}
	wantWilds := []string{"MPI_Recv 0", "MPI_Sendrecv 2", "MPI_Iprobe 3", "MPI_Probe 4", "MPI_Improbe 5",
		"MPI_Startall 6", "MPI_Startall 7",
		"MPI_Irecv 8", "MPI_Mprobe 9"}
	if !reflect.DeepEqual(sends, wantSends) || !reflect.DeepEqual(wilds, wantWilds) {
		t.Errorf("sends %q\nwant  %q\nwilds %q\nwant  %q", sends, wantSends, wilds, wantWilds)
	}
}

// choosy makes calls of which MPI may choose what they report, with polls that find nothing before them as the probe
// tells of them.
func (s *script) choosy(left, right uint64, _ bool) {
	test := func(name string, enter []uint64, misses uint64, exit []uint64) {
		f := s.table.ByName(name)
		s.put(f.ID, ring.Enter, uint64(0x1000+f.ID), enter...)
		if misses > 1 || misses > 0 && exit != nil {
			s.put(uint16(ring.DataPolled), ring.Data, 0, misses)
		}
		if exit != nil {
			s.put(f.ID, ring.Exit, 0, exit...)
		}
	}
	const other = tapeNull // a request of which nothing is known
	one, two := uint64(tapeRequest), uint64(tapeRequest+1)
	s.call("MPI_Irecv", []uint64{1, 1, tapeInt, left, 1, tapeWorld}, []uint64{one})
	s.call("MPI_Irecv", []uint64{2, 1, tapeInt, left, 2, tapeWorld}, []uint64{two})
	test("MPI_Test", []uint64{one}, 1, nil)                                             // 0
	test("MPI_Test", []uint64{one}, 1, nil)                                             // 1: not recognised as the same
	s.call("MPI_Comm_size", []uint64{tapeWorld}, nil)                                   // asks only
	test("MPI_Test", []uint64{one}, 40, nil)                                            // 2 to 41
	test("MPI_Testany", []uint64{3, 3, other, two, one}, 2, []uint64{2, 1, left, 1, 4}) // 42, 43; 44 found
	test("MPI_Test", []uint64{other}, 0, []uint64{1, 0, 0, 0})                          // 45
	s.call("MPI_Waitany", []uint64{2, 2, other, two}, []uint64{1, left, 2, 4})          // 46
	test("MPI_Iprobe", []uint64{tapeAny, 1, tapeWorld}, 3, []uint64{1, left, 1, 4})     // 47 to 49; 50 found
	// 51 to 55, on what is not known
	test("MPI_Improbe", []uint64{left, 1, tapeDup}, 5, nil)
	test("MPI_Testsome", []uint64{1, 1, other}, 0, []uint64{0xffffffffffff8002, 0, 0}) // 56: MPI_UNDEFINED
	s.call("MPI_Request_get_status", []uint64{other}, []uint64{1, 0, 0, 0})            // no choice
	s.call("MPI_Waitsome", []uint64{1, 1, other}, []uint64{0xffffffffffff8002, 0, 0})  // 57
	s.call("MPI_Barrier", []uint64{tapeWorld}, nil)                                    //
	test("MPI_Iprobe", []uint64{right, 7, tapeWorld}, 9, nil)                          // 58 to 66
	s.fill()
}

// Each call that a plan can give an outcome has the number by which the probe counts it, polls that found nothing
// included, and these are one entry as long as they repeat each other.
func TestTheTraceNumbersCallsThatChoose(t *testing.T) {
	a, tapes, log := recorded(t, 2, 1<<9, (*script).choosy)
	tapes[0].replay()
	for a.readRings() {
	}
	if a.broken != nil {
		t.Fatal(a.broken)
	}
	l := log()
	th := &l.Threads[0]
	var have []string
	for k := range th.Ops {
		if o := &th.Ops[k]; o.Choice {
			have = append(have, fmt.Sprintf("%s %d %v", l.Funcs[o.Fn], o.Nth, th.WaitsOf(o)))
		}
	}
	want := []string{"MPI_Testany 44 [{0 2 false 0} {0 1 false 1} {0 0 true 2}]", "MPI_Test 45 [{0 3 true 0}]",
		"MPI_Waitany 46 [{0 4 false 0} {0 1 true 1}]",
		"MPI_Iprobe 50 [{0 5 true 0}]", "MPI_Waitsome 57 [{0 7 false 0}]"}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("choices %q\nwant    %q", have, want)
	}
	have = nil
	for _, p := range th.Polls {
		have = append(have, fmt.Sprintf("before %d %s %d+%d any %t %v probe %t %d %d %d", p.Before, l.Funcs[p.Fn],
			p.Nth, p.Count, p.Any,
			th.Waits[p.WaitAt:p.WaitAt+p.Waiting], p.Probe, p.Comm, p.Peer, p.Tag))
	}
	want = []string{"before 2 MPI_Test 0+42 any false [{0 0 false 0}] probe false 0 0 0",
		"before 2 MPI_Testany 42+2 any true [{0 1 false 1} {0 0 false 2}] probe false 0 0 0",
		"before 5 MPI_Iprobe 47+3 any false [] probe true 0 -1 1",
		"before 9 MPI_Iprobe 58+9 any false [] probe true 0 1 7"}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("polls %q\nwant  %q", have, want)
	}
}

// alternating takes turns between two polls, so that neither repeats the one before it.
func (s *script) alternating(left, _ uint64, _ bool) {
	f := s.table.ByName("MPI_Iprobe")
	for tag := range uint64(2) {
		s.put(f.ID, ring.Enter, 0x1000, left, tag, tapeWorld)
	}
}

// However often a thread takes turns between polls, the trace stays small.
func TestPollsInTurnsAreRecordedUpToABound(t *testing.T) {
	a, tapes, log := recorded(t, 2, 1<<12, (*script).alternating)
	for range 3 {
		tapes[0].replay()
		for a.readRings() {
		}
	}
	if th := log().Threads[0]; len(th.Polls) != trace.MostPolls || len(th.Ops) != 0 {
		t.Errorf("%d polls and %d calls are recorded, want %d and 0", len(th.Polls), len(th.Ops), trace.MostPolls)
	}
	if n := a.ranks[0].threads[0].Counts().Choices; n < 8000 {
		t.Errorf("%d polls were counted", n)
	}
}

// What a user reads of it: matches, requests by the calls that started them, which of several completed.
func TestTheTraceTellsWhatHappened(t *testing.T) {
	a, tapes, log := recorded(t, 2, 1<<9, (*script).everything)
	tapes[0].replay()
	for a.readRings() {
	}
	var b strings.Builder
	if err := show.Text(&b, log(), show.Options{Rank: 0}); err != nil {
		t.Fatal(err)
	}
	const want = `rank 0 #1: MPI_Send to rank 1, tag 0, 4 bytes
rank 0 #2: MPI_Ssend to rank 1, tag 0, 4 bytes, synchronous
rank 0 #3: MPI_Send completed by MPI alone
rank 0 #4: MPI_Send
rank 0 #5: MPI_Isend to rank 1, tag 1, 4 bytes
rank 0 #6: MPI_Wait for #5
rank 0 #7: MPI_Recv from any source, tag 0 (matched rank 1, tag 0)
rank 0 #8: MPI_Recv from rank 1, tag 0
rank 0 #9: MPI_Recv
rank 0 #10: MPI_Sendrecv to rank 1, tag 2, 4 bytes; from any source, tag 2 (matched rank 1, tag 2)
rank 0 #11: MPI_Iprobe from any source, tag 1 (matched rank 1, tag 1)
rank 0 #12: MPI_Probe from any source, tag 1 (matched rank 1, tag 1)
rank 0 #13: MPI_Improbe from any source, tag 1 (matched rank 1, tag 1)
rank 0 #14: MPI_Start to rank 1, tag 3, 4 bytes
rank 0 #15: MPI_Startall from any source, tag 3 (matched rank 1, tag 3)
rank 0 #16: MPI_Testsome completed by MPI alone; for any of #15 (matched rank 1, tag 3) (done), #14
rank 0 #17: MPI_Waitall for #14
rank 0 #18: MPI_Start to rank 1, tag 3, 4 bytes
rank 0 #19: MPI_Startall from any source, tag 3 (matched rank 1, tag 3)
rank 0 #20: MPI_Testsome completed by MPI alone; for any of #19 (matched rank 1, tag 3) (done), #18
rank 0 #21: MPI_Waitall for #18
rank 0 #22: MPI_Irecv from any source, tag 9 (no match recorded)
rank 0 #23: MPI_Mprobe from any source, tag 9 (matched rank 1, tag 9)
2 ranks, 23 calls, 24 bytes sent; complete
`
	if b.String() != want {
		t.Errorf("have\n%s\nwant\n%s", b.String(), want)
	}
}

// A recorder holds on to nothing that is over, as little as an agent without one.
func TestRecordingNeedsNoMemoryForWhatIsOver(t *testing.T) {
	a, tapes, log := recorded(t, 3, 1<<12, (*script).exchange)
	replay := func() {
		for _, p := range tapes {
			p.replay()
		}
		for a.readRings() {
		}
	}
	replay()
	most, first := uint64(0), alive()
	for range 40 {
		replay()
		most = max(most, alive())
	}
	if limit := first + 2<<20; most > limit {
		t.Errorf("%d bytes are alive, want at most %d", most, limit)
	}
	runtime.KeepAlive(a)
	if l := log(); l.Cut != "" || len(l.Threads[2].Ops) < 80_000 {
		t.Errorf("cut %q, %d calls of rank 2", l.Cut, len(l.Threads[2].Ops))
	}
}

// BenchmarkRecording is BenchmarkRecords with a trace.
func BenchmarkRecording(b *testing.B) {
	a, tapes, log := recorded(b, 16, 1<<12, (*script).exchange)
	defer runtime.KeepAlive(kernel.NewReserve())
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
	log()
}

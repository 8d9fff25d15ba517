package calls

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Values of a made-up MPI library.
const (
	world     = 0x44000000
	integers  = 0x4c000405
	buffer    = 0x7f0000001000
	request   = 0x98000001
	other     = 0x98000002
	noRequest = 0x2c000000
	procNull  = 0xffffffffffffffff
	anySource = 0xfffffffffffffffe
)

// written is an observer that writes down what it is given.
type written struct {
	t    *Thread
	list []string
}

func (w *written) say(format string, args ...any) {
	w.list = append(w.list, fmt.Sprintf(format, args...))
}

func (w *written) Began() {
	w.say("began %s of %d requests", w.t.Call.Func.Name, len(w.t.Call.Requests))
}
func (w *written) Called(*mpi.Func, *waitstate.Origin) { w.say("called") }
func (w *written) Started(o *waitstate.Op) {
	w.say("started %d, waits for %d", len(o.Posts), len(o.Waits))
}
func (w *written) Entering(*waitstate.Op, *mpi.Func) { w.say("entering") }
func (w *written) Returned(failed bool) {
	w.say("returned%s", map[bool]string{true: " with an error"}[failed])
}
func (w *written) CallEnded(stamp uint32) { w.say("ended with %d", stamp) }
func (w *written) ThreadEnded(uint32)     { w.say("thread ended") }
func (w *written) Joining(*waitstate.Op)  { w.say("joins thread %d", w.t.Joins) }
func (w *written) Asks(_ *mpi.Func, _ *waitstate.Op, requests []*objects.Request) {
	w.say("asks for %d", len(requests))
}
func (w *written) AsksFor(p *waitstate.Part)     { w.say("asks for tag %d", p.Tag) }
func (w *written) Missed(nth, n uint32)          { w.say("%d missed from %d on", n, nth) }
func (w *written) Found(o *waitstate.Op)         { w.say("found %d", len(o.Waits)) }
func (w *written) Gone(*waitstate.Part)          { w.say("gone") }
func (w *written) Done(index int32)              { w.say("done %d", index) }
func (w *written) Requested(*objects.Request)    { w.say("requested") }
func (w *written) Restarted(*objects.Request)    { w.say("restarted") }
func (w *written) Completed(p []*waitstate.Part) { w.say("completed %d", len(p)) }
func (w *written) Made(c *objects.Comm)          { w.say("made %s", c.Name) }
func (w *written) Named(c *objects.Comm)         { w.say("named %s", c.Name) }
func (w *written) Numbered(n, _, _ uint64)       { w.say("numbered %d", n) }
func (w *written) Remade(n uint64)               { w.say("remade %d", n) }
func (w *written) LostTrack()                    { w.say("lost track") }
func (w *written) Unordered(id op.CommID)        { w.say("unordered %v", id == objects.WorldID) }

func (w *written) Matched(_ *waitstate.Part, from op.Rank, tag int32) {
	w.say("met %d from rank %d", tag, from)
}

func (w *written) Filled(_ *objects.Request, bytes int64, by objects.Made) {
	w.say("%s filled %d bytes", by.Func.Name, bytes)
}

// records gives a follower records of one thread.
type records struct {
	t     *testing.T
	a     *Follower
	of    *Thread
	seen  *written
	stamp uint32
}

func newRecords(t *testing.T) *records {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	node := waitstate.NewNode(0, func(op.Rank) int { return 0 })
	a, r := New(table, node), NewRank(0)
	a.Records, r.Size = true, 2
	a.Know(r, 1<<20, 3)
	seen := new(written)
	of := &Thread{Rank: r, WS: node.NewThread(0, 0), See: seen, Call: new(objects.Call), Joins: -1}
	seen.t, r.Threads = of, []*Thread{of}
	s := &records{t: t, a: a, of: of, seen: seen}
	s.data(ring.DataConst, testkit.Constants(table, map[string]uint64{"MPI_COMM_WORLD": world, "MPI_INT": integers,
		"MPI_ANY_SOURCE": anySource, "MPI_PROC_NULL": procNull, "MPI_REQUEST_NULL": noRequest})...)
	s.data(ring.DataType, integers, 4)
	s.data(ring.DataBasics, integers, 4, 4, 4)
	s.data(ring.DataComm, world, 0, 2, 0, 1, 0)
	seen.list = nil
	return s
}

func (s *records) data(id ring.DataID, words ...uint64) bool {
	return s.a.Take(s.of, &ring.Record{Func: uint16(id), Kind: ring.Data, Words: words})
}

func (s *records) put(name string, kind ring.Kind, site uint64, words []uint64) {
	s.t.Helper()
	f := s.a.Table.ByName(name)
	if f == nil {
		s.t.Fatalf("there is no %s", name)
	}
	s.stamp++
	s.a.Take(s.of, &ring.Record{Func: f.ID, Kind: kind, Stamp: s.stamp, Site: site, Words: words})
}

func (s *records) enter(name string, words ...uint64) { s.put(name, ring.Enter, 0x1000, words) }
func (s *records) exit(name string, words ...uint64)  { s.put(name, ring.Exit, 0, words) }
func (s *records) fail(name string, words ...uint64)  { s.put(name, ring.Exit, 13, words) }

func TestAnObserverIsGivenWhatHappensInOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls func(s *records)
		want  string
	}{
		{"a call that asks for something local", func(s *records) {
			s.enter("MPI_Comm_rank", world)
		}, "began MPI_Comm_rank of 0 requests"},
		{"a blocking send to nobody", func(s *records) {
			s.enter("MPI_Send", buffer, 1, integers, procNull, 0, world)
		}, "began MPI_Send of 0 requests, called, started 1, waits for 1, entering"},
		{"a receive that is given a message", func(s *records) {
			s.enter("MPI_Recv", buffer, 1, integers, 1, 7, world)
			s.exit("MPI_Recv", 1, 7, 4)
		}, "began MPI_Recv of 0 requests, called, started 1, waits for 1, entering, met 7 from rank 1, returned, " +
			"ended with 2"},
		{"a receive that fails", func(s *records) {
			s.enter("MPI_Recv", buffer, 1, integers, 1, 7, world)
			s.fail("MPI_Recv")
		}, "began MPI_Recv of 0 requests, called, started 1, waits for 1, entering, unordered true, unordered " +
			"true, gone, " +
			"returned with an error, ended with 2"},
		{"a request and its completion", func(s *records) {
			s.enter("MPI_Irecv", buffer, 1, integers, 1, 7, world)
			s.exit("MPI_Irecv", request)
			s.enter("MPI_Wait", request)
			s.exit("MPI_Wait", 1, 7, 4)
		}, "began MPI_Irecv of 0 requests, called, started 1, waits for 0, entering, requested, returned, " +
			"ended with 2, " +
			"began MPI_Wait of 1 requests, called, started 0, waits for 1, entering, MPI_Wait filled 4 bytes, " +
			"completed 1, " +
			"met 7 from rank 1, returned, ended with 4"},
		{"the first of two requests", func(s *records) {
			s.enter("MPI_Irecv", buffer, 1, integers, 1, 7, world)
			s.exit("MPI_Irecv", request)
			s.enter("MPI_Irecv", buffer, 1, integers, 1, 8, world)
			s.exit("MPI_Irecv", other)
			s.seen.list = nil
			s.enter("MPI_Waitany", 2, 2, request, other)
			s.exit("MPI_Waitany", 1, 1, 8, 4)
		}, "began MPI_Waitany of 2 requests, called, started 0, waits for 2, entering, done 1, MPI_Waitany " +
			"filled 4 bytes, " +
			"completed 1, met 8 from rank 1, returned, ended with 6"},
		{"a poll that finds nothing, and one that finds a message", func(s *records) {
			s.enter("MPI_Iprobe", 1, 7, world)
			s.exit("MPI_Iprobe", 0, 0, 0, 0)
			s.enter("MPI_Iprobe", 1, 7, world)
			s.exit("MPI_Iprobe", 1, 1, 7, 4)
		}, "began MPI_Iprobe of 0 requests, called, asks for 0, asks for tag 7, 1 missed from 0 on, ended with 2, " +
			"began MPI_Iprobe of 0 requests, called, asks for 0, asks for tag 7, found 1, met 7 from rank 1, " +
			"ended with 4"},
		{"a persistent request of which nothing is known", func(s *records) {
			s.enter("MPI_Start", other)
		}, "began MPI_Start of 1 requests, called, lost track, unordered true, started 0, waits for 0, entering"},
		{"a wait for another thread", func(s *records) {
			s.data(ring.DataThread, 1)
			s.data(ring.DataJoin, 1)
			s.data(ring.DataJoined)
			s.data(ring.DataThreadEnd)
		}, "joins thread 1, returned, thread ended"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRecords(t)
			c.calls(s)
			if got := strings.Join(s.seen.list, ", "); got != c.want {
				t.Errorf("the observer was given\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestRecordsAboutOtherThingsAreLeft: where a call is, what lies beneath its buffers, and what a script has said are
// not for this package.
func TestRecordsAboutOtherThingsAreLeft(t *testing.T) {
	s := newRecords(t)
	for _, id := range []ring.DataID{ring.DataSite, ring.DataMaps, ring.DataMemory, ring.DataNull, ring.DataInteraction,
		ring.DataCaught, ring.DataUnused, ring.DataExternal} {
		if s.data(id, 0) {
			t.Errorf("record %d was taken", id)
		}
	}
	if len(s.seen.list) > 0 {
		t.Errorf("the observer was given %q", s.seen.list)
	}
}

// TestCallsThatAreLeftOutShiftTheLastOne has periods left out after a send: the thread is at the same call, so many
// records later, and has made as many more sends.
func TestCallsThatAreLeftOutShiftTheLastOne(t *testing.T) {
	s := newRecords(t)
	s.enter("MPI_Send", buffer, 1, integers, procNull, 0, world)
	s.enter("MPI_Iprobe", 1, 7, world)
	s.exit("MPI_Iprobe", 0, 0, 0, 0)
	th := s.of
	before := th.Counts()
	th.Shift(30, Counts{Sends: 10, Choices: 10})
	if th.Stamp != 32 || th.Left != 32 || th.Call.Stamp != 32 {
		t.Errorf("the last call has stamp %d, %d has returned, its objects have seen %d, want 32", th.Stamp, th.Left,
			th.Call.Stamp)
	}
	if got, want := th.Counts(), (Counts{before.Sends + 10, before.Probes, before.Choices + 10}); got != want {
		t.Errorf("%+v calls that a plan can name, want %+v", got, want)
	}
	var kept []uint32
	for o := range th.Recent.All {
		kept = append(kept, o.Stamp)
	}
	if !slices.Equal(kept, []uint32{1, 2}) {
		t.Errorf("calls with the stamps %v are kept", kept)
	}
}

package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	upc "unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// script writes what PEs record, in the order in which its methods are called.
type script struct {
	t       *testing.T
	session string
	reader  *Reader
	streams []*upc.Stream
	rings   [][]layout.Record
	ticket  uint64
	calls   []string // by site, from 1
	numbers map[layout.Set]map[int]uint64
	now     time.Time
}

const jobNumber = 0x2a

// newScript makes the streams of so many PEs.
func newScript(t *testing.T, pes int) *script {
	t.Helper()
	s := &script{t: t, session: t.TempDir(), numbers: make(map[layout.Set]map[int]uint64), now: time.Unix(1, 0)}
	var err error
	if s.reader, err = Prepare(s.session, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.session, layout.MarkName)); err != nil {
		t.Fatal(err)
	}
	s.reader.clock = func() time.Time { return s.now }
	for n := range pes {
		s.stream(fmt.Sprint(n), n, pes)
	}
	return s
}

// stream makes the stream of a PE.
func (s *script) stream(id string, pe, pes int) {
	s.t.Helper()
	const size = int(unsafe.Sizeof(upc.Stream{}) + upc.StreamRecords*unsafe.Sizeof(layout.Record{}))
	f, err := os.Create(filepath.Join(s.session, layout.PEPrefix+id))
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(int64(size)); err != nil {
		s.t.Fatal(err)
	}
	m, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = unix.Munmap(m) })
	head := (*upc.Stream)(unsafe.Pointer(&m[0]))
	head.Job, head.Thread, head.Threads = jobNumber, uint64(pe), uint64(pes)
	atomic.StoreUint64(&head.Mark, upc.StreamMark)
	s.streams = append(s.streams, head)
	s.rings = append(s.rings, unsafe.Slice((*layout.Record)(unsafe.Pointer(&m[unsafe.Sizeof(*head)])),
		upc.StreamRecords))
}

// write has a PE record something with a ticket.
func (s *script) write(pe int, ticket uint64, r layout.Record) {
	s.t.Helper()
	h := s.streams[pe]
	if h.Written-atomic.LoadUint64(&h.Read) >= upc.StreamRecords {
		s.t.Fatalf("the ring of PE %d is full", pe)
	}
	r.Ticket = ticket
	s.rings[pe][h.Written%upc.StreamRecords] = r
	atomic.StoreUint64(&h.Written, h.Written+1)
}

func (s *script) record(pe int, r layout.Record) {
	s.t.Helper()
	s.ticket++
	s.write(pe, s.ticket, r)
}

// site is the number of a place: "shmem_quiet:10" is the call of shmem_quiet in line 10 of a.c.
func (s *script) site(call string) uint32 {
	if call == "" {
		return 0
	}
	for i, c := range s.calls {
		if c == call {
			return uint32(i + 1)
		}
	}
	s.calls = append(s.calls, call)
	return uint32(len(s.calls))
}

// variable is where the n-th variable of the program is, of 8 words.
func variable(n int) uint64 { return layout.StaticBase + uint64(n)*64 }

// access has a PE access words of an owner's memory.
func (s *script) access(call string, pe int, kind, flags uint8, owner int, at uint64, words uint64) {
	s.t.Helper()
	s.record(pe, layout.Record{Kind: kind, Flags: flags, Owner: uint16(owner), Site: s.site(call), Offset: at, Size: 8,
		Stride: 8, Count: words})
}

func (s *script) put(call string, pe, owner int, at uint64) {
	s.t.Helper()
	s.access(call, pe, layout.Write, layout.Pending|layout.Put, owner, at, 1)
}

func (s *script) get(call string, pe, owner int, at uint64) {
	s.t.Helper()
	s.access(call, pe, layout.Read, 0, owner, at, 1)
}

// step is a record without an access.
func (s *script) step(call string, pe int, kind uint8) {
	s.t.Helper()
	s.record(pe, layout.Record{Kind: kind, Site: s.site(call)})
}

// sees has a PE wait for a word in its memory.
func (s *script) sees(call string, pe int, at uint64) {
	s.t.Helper()
	s.waits(call, pe, at)
	s.record(pe, layout.Record{Kind: layout.Sees, Owner: uint16(pe), Site: s.site(call), Offset: at, Size: 8, Count: 1})
}

func (s *script) waits(call string, pe int, at uint64) {
	s.t.Helper()
	s.record(pe, layout.Record{Kind: layout.Waits, Owner: uint16(pe), Site: s.site(call), Offset: at, Size: 8,
		Count: 1, Value: 1})
}

func (s *script) all() layout.Set { return layout.NewSet(0, 0, len(s.streams)) }

// collective is the record of the next call of a PE on a set.
func (s *script) collective(call string, pe int, set layout.Set, kind layout.Collective) layout.Record {
	if s.numbers[set] == nil {
		s.numbers[set] = make(map[int]uint64)
	}
	s.numbers[set][pe]++
	name, _, _ := strings.Cut(call, ":")
	return layout.Record{Kind: layout.Enter, Flags: uint8(kind), Site: s.site(call), Offset: s.numbers[set][pe],
		Stride: hashOf(name), Value: uint64(set)}
}

// barrier has all PEs go through a barrier; it completes puts or not.
func (s *script) barrier(call string, completes bool) {
	s.t.Helper()
	kind := layout.SyncAll
	if completes {
		kind = layout.BarrierAll
	}
	var all []layout.Record
	for pe := range s.streams {
		if completes {
			s.step(call, pe, layout.Quiet)
		}
		r := s.collective(call, pe, s.all(), kind)
		s.record(pe, r)
		all = append(all, r)
	}
	for pe, r := range all {
		r.Kind = layout.Leave
		s.record(pe, r)
	}
}

// program is what is known of the script's program: its calls are in a.c.
func (s *script) program() *program {
	p := newProgram(s.session, jobNumber)
	s.t.Cleanup(p.close)
	for i, c := range s.calls {
		name, line, _ := strings.Cut(c, ":")
		n := 0
		if _, err := fmt.Sscan(line, &n); err != nil {
			s.t.Fatalf("%s: %v", c, err)
		}
		p.places[uint32(i+1)] = &shmem.Site{Call: name,
			Frames: []finding.Frame{{Function: "main", File: "/src/a.c", Line: n}}}
	}
	return p
}

// read has the reader follow all that was recorded.
func (s *script) read() *job {
	s.t.Helper()
	s.reader.discover()
	s.reader.turn(false)
	j := s.reader.jobs[jobNumber]
	if j == nil {
		s.t.Fatal("no job was seen")
	}
	return j
}

// findings are those of the script.
func (s *script) findings() []finding.Finding {
	s.t.Helper()
	s.read()
	for s.reader.turn(true) {
	}
	j := s.reader.jobs[jobNumber]
	all := j.findings(s.program())
	run := finding.Run{Schema: finding.Schema, Ranks: len(j.pes), Findings: all}
	if err := run.Validate(); err != nil {
		s.t.Errorf("%v", err)
	}
	return all
}

// sentences are those of the findings, with their standing if that is predicted.
func (s *script) sentences() []string {
	s.t.Helper()
	var all []string
	for _, f := range s.findings() {
		text := f.Sentence
		if f.Language != finding.OpenSHMEM || f.Hint == "" || len(f.Places) == 0 {
			s.t.Errorf("something is missing in %+v", f)
		}
		if f.Standing == finding.Predicted {
			text = "predicted: " + text
		}
		all = append(all, text)
	}
	return all
}

// expect holds the sentences of a script to those that are wanted, each of which may be a part of one.
func (s *script) expect(want ...string) {
	s.t.Helper()
	got := s.sentences()
	if len(got) != len(want) {
		s.t.Fatalf("got %d findings, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			s.t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

package judge

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/shmem/layout"
	upc "unknot/internal/upc/layout"
)

// TestRecordsAreFollowedInTheOrderOfTheirTickets has PEs hand theirs over late, in any order, and more than a ring
// holds.
func TestRecordsAreFollowedInTheOrderOfTheirTickets(t *testing.T) {
	s := newScript(t, 3)
	rnd := rand.New(rand.NewPCG(1, 1))
	held := make([][]layout.Record, 3)
	const puts = 20_000
	for n := range puts { // each put comes after a lock that was taken before
		pe := n % 3
		for _, kind := range []uint8{layout.Locked, layout.Write, layout.Quiet, layout.Unlock} {
			s.ticket++
			r := layout.Record{Kind: kind, Site: 1, Offset: word, Size: 8, Count: 1, Ticket: s.ticket}
			if kind == layout.Write {
				r.Offset, r.Flags, r.Stride = data, layout.Pending|layout.Put, 8
			}
			held[pe] = append(held[pe], r)
		}
		for pe := range held {
			if rnd.IntN(50) > 0 && n < puts-1 || len(held[pe]) == 0 {
				continue
			}
			for _, r := range held[pe] {
				if s.streams[pe].Written-s.streams[pe].Read >= upc.StreamRecords {
					s.read()
				}
				s.write(pe, r.Ticket, r)
			}
			held[pe] = nil
		}
	}
	if j := s.read(); j.last != s.ticket || j.missing > 0 || j.strange > 0 {
		t.Errorf("the last ticket is %d, want %d; %d are missing, %d strange", j.last, s.ticket, j.missing, j.strange)
	}
	if all := s.findings(); len(all) > 0 {
		t.Errorf("got %+v", all)
	}
}

// TestAPEThatIsAheadIsHeldUp has one PE record without end while another one's record is missing: the reader takes a
// bounded number of records, and all once the missing one has come.
func TestAPEThatIsAheadIsHeldUp(t *testing.T) {
	s := newScript(t, 2)
	s.ticket = 1 // which PE 1 has taken
	full := 0
	for range 10 * mostQueued {
		if s.streams[0].Written-s.streams[0].Read >= upc.StreamRecords {
			s.read()
			if s.streams[0].Written-s.streams[0].Read >= upc.StreamRecords {
				full++
				break
			}
		}
		s.step("", 0, layout.Fence)
	}
	j := s.reader.jobs[jobNumber]
	if n := j.sources[j.sourceOf(0)].queued(); full == 0 || n > mostQueued+upc.StreamRecords {
		t.Fatalf("%d records were taken", n)
	}
	s.write(1, 1, layout.Record{Kind: layout.Fence})
	for range 3 {
		s.read()
	}
	if j.last != s.ticket || j.missing > 0 {
		t.Errorf("the last ticket is %d, want %d", j.last, s.ticket)
	}
}

func (j *job) sourceOf(pe int) int {
	for i, s := range j.sources {
		if s.pe == pe {
			return i
		}
	}
	return -1
}

// TestARecordThatDoesNotComeIsGivenUp has a PE die after it has taken a ticket.
func TestARecordThatDoesNotComeIsGivenUp(t *testing.T) {
	s := newScript(t, 2)
	s.put(putData, 0, 1, data)
	s.ticket++
	s.get(getData, 1, 1, data)
	if j := s.read(); j.last != 1 {
		t.Fatalf("the last ticket is %d", j.last)
	}
	s.now = s.now.Add(patience - time.Millisecond)
	if j := s.read(); j.last != 1 {
		t.Fatalf("the last ticket is %d, though there is time", j.last)
	}
	s.now = s.now.Add(time.Millisecond)
	j := s.read()
	if j.last != 3 || j.missing != 1 {
		t.Fatalf("the last ticket is %d, %d are missing", j.last, j.missing)
	}
	s.write(0, 2, layout.Record{Kind: layout.Quiet}) // it was only late
	if j := s.read(); j.pes[0].followed != 2 {
		t.Errorf("what came late was not followed")
	}
	s.ticket += 5
	s.step("", 0, layout.Fence)
	s.expect("nothing that is seen orders the two accesses; but a PE was held up for seconds in the middle of a call")
	missed := j.notFollowed(0)
	if n := missed.Notes(); len(n) != 1 || !strings.Contains(n[0], "6 records of the PEs are missing") {
		t.Errorf("notes %q", n)
	}
}

// TestDamagedFilesAreNotFollowed has files that are not a job's, and records that no PE can have made.
func TestDamagedFilesAreNotFollowed(t *testing.T) {
	s := newScript(t, 2)
	s.stream("90", 1, 2) // once more
	s.stream("91", 7, 9) // of another size
	s.stream("92", 0, 2)
	s.streams[4].Mark = 7
	for _, r := range []layout.Record{{Kind: 99}, {Kind: layout.Write, Owner: 9, Size: 8},
		{Kind: layout.Write, Size: 8, Count: 1 << 60}, {Kind: layout.Read},
		{Kind: layout.Read, Size: 8, Stride: 16, Count: 1 << 40}, {Kind: layout.Enter},
		{Kind: layout.Enter, Value: 1 << 63}, {Kind: layout.Wrong, Flags: 200}, {Kind: layout.Leave},
		{Kind: layout.Read, Offset: ^uint64(0), Size: 8}, {Kind: layout.Unlock}, {Kind: layout.Free},
		{Kind: layout.Locked, Offset: ^uint64(0)},
		{Kind: layout.Free, Offset: ^uint64(0)}, {Kind: layout.Sees, Offset: ^uint64(0), Size: 8},
		{Kind: layout.Sees, Size: ^uint32(0)}, {Kind: layout.Write, Flags: layout.Part, Size: 8}} {
		s.record(0, r)
	}
	s.record(2, layout.Record{Kind: layout.Wrong, Flags: uint8(layout.WrongPE)})
	table := filepath.Join(s.session, layout.JobPrefix+"2a")
	if err := os.WriteFile(table, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.read()
	found, notes := s.reader.Finish()
	if len(found) > 0 {
		t.Errorf("got %+v", found)
	}
	text := strings.Join(notes, "\n")
	for _, want := range []string{"shmem-pe.92: it is no stream", "shmem-job.2a: it has 7 bytes, expected",
		"records make no sense", "a PE was started more than once"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if n := s.reader.PEs(); n != 2 {
		t.Errorf("%d PEs", n)
	}
}

// TestASessionWithoutOpenSHMEM has none that records.
func TestASessionWithoutOpenSHMEM(t *testing.T) {
	r, err := Prepare(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found, notes := r.Finish(); len(found)+len(notes)+r.PEs() > 0 {
		t.Errorf("got %+v, %q", found, notes)
	}
}

// TestMemoryOfAccessesIsBounded has more accesses than there is room for.
func TestMemoryOfAccessesIsBounded(t *testing.T) {
	s := newScript(t, 2)
	s.reader.options.Memory = 64 << 10
	for n := range 2 * upc.StreamRecords {
		s.put(putData, 0, 1, data+uint64(n)*24)
		s.step("shmem_fence:11", 0, layout.Fence)
		if n%1000 == 0 {
			s.read()
		}
	}
	j := s.read()
	missed := j.notFollowed(64 << 10)
	if notes := missed.Notes(); len(notes) != 1 ||
		!strings.Contains(notes[0], "accesses were forgotten, as there was no room for them in 65536 bytes") {
		t.Errorf("notes %q", notes)
	}
}

package ring

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
)

// newRing makes a ring file with a valid header and opens it.
func newRing(t testing.TB, slots uint32) *Ring {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ring.1.1")
	file := make([]byte, RingBytes(int(slots)))
	h := (*RingHeader)(unsafe.Pointer(&file[0]))
	h.Magic, h.Version, h.Slots, h.PID, h.TID = Magic, Version, slots, 1, 1
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// put writes a record of one slot at the head and publishes it.
func put(r *Ring, fn uint16, kind Kind, slots uint8, stamp uint32) {
	head := r.header.Head
	at := head & r.mask * WordsNext
	r.words[at] = uint64(fn) | uint64(kind)<<16 | uint64(slots)<<24 | uint64(stamp)<<32
	r.words[at+2] = uint64(stamp)
	atomic.StoreUint64(&r.header.Head, head+uint64(max(slots, 1)))
}

func TestHeaderCompilesAndAgreesWithTheLayout(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ring.h"), []byte(Header()), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "a.c")
	text := "#include \"ring.h\"\nstruct uk_ring_header h;\n_Static_assert(offsetof(struct uk_ring_header, head) == " +
		"64, \"a line of its own\");\n"
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, std := range []string{"-std=c11", "-std=gnu11"} {
		if out, err := exec.Command("cc", std, "-Wall", "-Wextra", "-Werror", "-c", "-o", os.DevNull,
			program).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", std, err, out)
		}
	}
}

func TestGroupsOfFieldsHaveCacheLinesOfTheirOwn(t *testing.T) {
	var h RingHeader
	for name, got := range map[string][2]uintptr{
		"Head": {unsafe.Offsetof(h.Head), 64}, "Tail": {unsafe.Offsetof(h.Tail), 128},
		"Waiting": {unsafe.Offsetof(h.Waiting), 192},
		"Death":   {unsafe.Offsetof(h.Death), 256}, "StackAsk": {unsafe.Offsetof(h.StackAsk), 384},
		"Stack": {unsafe.Offsetof(h.Stack), 448},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is at %d, want %d", name, got[0], got[1])
		}
	}
}

func TestReadIsBoundedAndCommitGivesBack(t *testing.T) {
	r := newRing(t, 512)
	for i := range 10 {
		put(r, 7, Enter, 1, uint32(i))
	}
	recs, err := r.Read(nil, 4)
	if err != nil || len(recs) != 4 || recs[3].Stamp != 3 || recs[3].Func != 7 || recs[3].Words[0] != 3 {
		t.Fatalf("%v, %v", recs, err)
	}
	if r.header.Tail != 0 || r.Pending() != 6 {
		t.Errorf("tail %d, pending %d before Commit", r.header.Tail, r.Pending())
	}
	r.header.Waiting = 1
	r.Commit()
	if r.header.Tail != 4 || r.header.Waiting != 0 {
		t.Errorf("tail %d, waiting %d after Commit", r.header.Tail, r.header.Waiting)
	}
}

// Its words may be overwritten by the program: a producer that waits although nothing is there to be read is sent the
// position again.
func TestAProducerThatWaitsAtAnEmptyRingIsToldAgain(t *testing.T) {
	r := newRing(t, 512)
	for i := range 400 {
		put(r, 7, Enter, 1, uint32(i))
	}
	if _, err := r.Read(nil, 0); err != nil {
		t.Fatal(err)
	}
	r.Commit()
	r.header.Tail, r.header.Waiting = 3, 1
	r.Commit()
	if r.header.Tail != 400 || r.header.Waiting != 0 {
		t.Errorf("tail %d, waiting %d, want 400 and 0", r.header.Tail, r.header.Waiting)
	}
}

// A producer that is woken for each bit of room falls asleep again at once.
func TestAProducerIsWokenWhenHalfOfTheRingIsFree(t *testing.T) {
	r := newRing(t, 512)
	for i := range 400 {
		put(r, 7, Enter, 1, uint32(i))
	}
	r.header.Waiting = 1
	for _, want := range []uint32{1, 0} {
		if _, err := r.Read(nil, 100); err != nil {
			t.Fatal(err)
		}
		r.Commit()
		if r.header.Waiting != want {
			t.Errorf("with %d of 512 slots taken, waiting is %d, want %d", r.Pending(), r.header.Waiting, want)
		}
	}
}

func TestAThreadThatIsBeingStartedIsNotForgotten(t *testing.T) {
	r := newRing(t, 512)
	r.header.Users[1] = 17
	if tids, all := r.Users(); !all || len(tids) != 1 || tids[0] != 17 {
		t.Errorf("users are %v, all of them: %v; want 17 alone", tids, all)
	}
	r.header.Users[3] = Starting
	if tids, all := r.Users(); all || len(tids) != 1 {
		t.Errorf("users are %v, all of them: %v; want that there is one more", tids, all)
	}
}

// Most records are whole and as they were written; what is not stands among them, and at the ring's end.
func TestRecordsInPartsAndPadsAreReadAmongOthers(t *testing.T) {
	r := newRing(t, 512)
	var dst []Record
	for stamp := uint32(0); stamp < 1000; stamp += 2 {
		put(r, 7, Enter, 1, stamp)
		put(r, 0, Pad, 1, 0)
		put(r, 8, Part, 1, 5)
		put(r, 8, Part, 2, 6)
		put(r, 8, Exit, 3, stamp+1)
		for _, limit := range []int{1, 3} {
			var err error
			if dst, err = r.Read(dst[:0], limit); err != nil || len(dst) != 1 {
				t.Fatalf("%d records at %d, %v, want one", len(dst), stamp, err)
			}
			rec := &dst[0]
			switch {
			case limit == 1 && (rec.Func != 7 || rec.Kind != Enter || rec.Stamp != stamp ||
				len(rec.Words) != WordsFirst):
				t.Fatalf("%+v, want an Enter record of one slot, stamp %d", rec, stamp)
			case limit == 3 && (rec.Func != 8 || rec.Kind != Exit || rec.Stamp != stamp+1 ||
				len(rec.Words) != 6*WordsNext-3*2 || rec.Words[0] != 5):
				t.Fatalf("%+v, want an Exit record of six slots in three parts, stamp %d", rec, stamp+1)
			}
		}
		r.Commit()
	}
}

func TestReadDoesNotAllocate(t *testing.T) {
	r := newRing(t, 512)
	dst := make([]Record, 0, 512)
	got := testing.AllocsPerRun(100, func() {
		for range 300 {
			put(r, 7, Enter, 1, 1)
		}
		var err error
		if dst, err = r.Read(dst[:0], 0); err != nil || len(dst) != 300 {
			t.Fatal(len(dst), err)
		}
		r.Commit()
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func TestHostileContentIsAnErrorNotAPanic(t *testing.T) {
	for name, spoil := range map[string]func(*Ring){
		"no slots":     func(r *Ring) { put(r, 1, Enter, 0, 1) },
		"bad kind":     func(r *Ring) { put(r, 1, 9, 1, 1) },
		"too many":     func(r *Ring) { put(r, 1, Enter, 9, 1); r.header.Head = 2 },
		"head too far": func(r *Ring) { r.header.Head = 513 },
		"head goes back": func(r *Ring) {
			put(r, 1, Enter, 1, 1)
			r.Read(nil, 0)
			r.Commit()
			r.header.Head = 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRing(t, 512)
			spoil(r)
			if _, err := r.Read(nil, 0); err == nil || !strings.Contains(err.Error(), r.Path) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestRandomContentNeverPanics(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		r := newRing(t, 512)
		for i := range r.words {
			r.words[i] = random.Uint64() & 0xffffffff_0103ffff
		}
		r.header.Head = random.Uint64() % 600
		r.Read(nil, 0)
		r.Commit()
		r.Close()
	}
}

func TestOpenRefusesWhatIsNotARing(t *testing.T) {
	header := func(change func(*RingHeader)) []byte {
		file := make([]byte, RingBytes(512))
		h := (*RingHeader)(unsafe.Pointer(&file[0]))
		h.Magic, h.Version, h.Slots = Magic, Version, 512
		change(h)
		return file
	}
	for want, file := range map[string][]byte{
		"bytes, expected":         make([]byte, 100),
		"magic":                   header(func(h *RingHeader) { h.Magic++ }),
		"version 999, expected":   header(func(h *RingHeader) { h.Version = 999 }),
		"capacity 500":            header(func(h *RingHeader) { h.Slots = 500 }),
		"expected 69632 for 1024": header(func(h *RingHeader) { h.Slots = 1024 }),
		"capacity 0 is not a p":   header(func(h *RingHeader) { h.Slots = 0 }),
	} {
		path := filepath.Join(t.TempDir(), "ring.1.1")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSessionGoesWhereThereIsRoom(t *testing.T) {
	dir := t.TempDir()
	s, err := NewSession(Options{Ranks: 3, Dirs: []string{"/nonexistent", dir}})
	if err != nil || filepath.Dir(s.Dir) != dir {
		t.Fatalf("%v, %v", s, err)
	}
	other, err := OpenSession(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "ring.1.1"), []byte("no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Discover(); found != nil || err != nil {
		t.Errorf("looked without being told: %v, %v", found, err)
	}
	s.control.Rings++
	if found, err := s.Discover(); len(found) != 0 || err == nil {
		t.Errorf("a bad ring gives %v, %v", found, err)
	}
	s.control.Rings++
	if _, err := s.Discover(); err != nil {
		t.Errorf("a bad ring is reported twice: %v", err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if other.control.State != StateGone {
		t.Errorf("state %d, want %d", other.control.State, StateGone)
	}
	if _, err := os.Stat(s.Dir); err == nil {
		t.Errorf("%s is still there", s.Dir)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	_, err = NewSession(Options{Ranks: 1 << 40, Dirs: []string{dir}})
	if err == nil || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("no room: %v", err)
	}
}

func BenchmarkRead(b *testing.B) {
	r := newRing(b, 1<<14)
	dst := make([]Record, 0, 1<<14)
	for i := 0; i < b.N; i += 1 << 13 {
		for range 1 << 13 {
			put(r, 7, Enter, 1, 1)
		}
		dst, _ = r.Read(dst[:0], 0)
		r.Commit()
	}
}

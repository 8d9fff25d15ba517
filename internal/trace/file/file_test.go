package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Whatever log is written is read back as it was.
func TestLogsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.unk")
	rapid.Check(t, func(t *rapid.T) {
		want := someLog(t)
		if err := Write(path, want); err != nil {
			t.Fatal(err)
		}
		have, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatalf("it comes back with (- written, + read):\n%s", diff)
		}
	})
}

// someLog makes up a log of a few threads that wait for each other's parts as well.
func someLog(t *rapid.T) *trace.Log {
	n := rapid.IntRange(1, 4).Draw(t, "ranks")
	log := &trace.Log{Head: trace.Head{Ranks: n, Command: []string{"./app"}}, Funcs: []string{"MPI_Send", "MPI_Recv"},
		Sites: []trace.Site{{}, {Function: "main", File: "a.c", Line: 3},
			{Module: "libx.so", Offset: 1 << 40, Stack: 1}},
		Stacks: [][]finding.Frame{nil, {{Function: "put", Module: "libx.so", Offset: 1 << 40, Library: "x"},
			{Function: "swap", File: "a.h", Line: 2, Inlined: true},
			{Function: "main", File: "a.c", Line: 3}}},
		Comms: []trace.Comm{{ID: 1, Name: "MPI_COMM_WORLD"},
			{ID: 1 << 63, Name: "window", Members: []op.Rank{op.Rank(n - 1)}, Remote: []op.Rank{0}, Inner: true}}}
	for r := range n {
		log.Comms[0].Members = append(log.Comms[0].Members, op.Rank(r))
		for i := range rapid.IntRange(1, 2).Draw(t, "threads") {
			log.Threads = append(log.Threads, trace.Thread{Rank: op.Rank(r), Index: op.Thread(i)})
		}
	}
	for i := range log.Threads {
		someCalls(t, log, i)
	}
	told := builder{threads: log.Threads} // what is done has met its source, told or not
	told.meet()
	for range rapid.IntRange(0, 3).Draw(t, "notes") {
		log.Interactions = append(log.Interactions, trace.Interaction{Rank: op.Rank(rapid.IntRange(0, n-1).Draw(t, "rank")),
			Kind:    ring.InteractionKind(rapid.Uint64().Draw(t, "kind")),
			Changed: rapid.Bool().Draw(t, "changed"), Dev: rapid.Uint64().Draw(t, "device"),
			Ino: rapid.Uint64().Draw(t, "inode"), Func: "open",
			Path: rapid.String().Draw(t, "path"), Site: uint32(rapid.IntRange(0, 2).Draw(t, "at"))})
	}
	log.Cut = rapid.SampledFrom([]string{"", "the disk is full"}).Draw(t, "cut")
	return log
}

func someCalls(t *rapid.T, log *trace.Log, thread int) {
	k := &log.Threads[thread]
	calls := rapid.IntRange(0, 8).Draw(t, "calls")
	for at := range calls {
		o := trace.Op{Fn: uint16(rapid.IntRange(0, 1).Draw(t, "fn")),
			Site:     uint32(rapid.IntRange(0, 2).Draw(t, "site")),
			Blocking: rapid.Bool().Draw(t, "blocking"), Choice: rapid.Bool().Draw(t, "choice"),
			Any: rapid.Bool().Draw(t, "any"), Opaque: rapid.Bool().Draw(t, "opaque"),
			Final: rapid.Bool().Draw(t, "final"), Returned: at < calls-1 || rapid.Bool().Draw(t, "returned"),
			First: uint32(len(k.Parts)), WaitAt: uint32(len(k.Waits))}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			k.Parts = append(k.Parts, somePart(t, log.Head.Ranks))
			o.Started++
		}
		for range rapid.IntRange(0, 3).Draw(t, "waits") {
			u := rapid.IntRange(0, thread).Draw(t, "of thread")
			if n := len(log.Threads[u].Parts); n > 0 {
				k.Waits = append(k.Waits,
					trace.Wait{Thread: uint32(u), Part: uint32(rapid.IntRange(0, n-1).Draw(t, "part")),
						Done: o.Any && rapid.Bool().Draw(t, "done") || !o.Any && o.Returned})
				o.Waiting++
			}
		}
		if o.Choice {
			for i := range k.Waits[o.WaitAt:] {
				k.Waits[int(o.WaitAt)+i].At = rapid.Int32Min(0).Draw(t, "at")
			}
			o.Nth = rapid.Uint32().Draw(t, "nth")
		}
		k.Ops = append(k.Ops, o)
	}
	for before := range calls + 1 {
		for range rapid.IntRange(0, 2).Draw(t, "polls") {
			k.Polls = append(k.Polls, somePoll(t, log, thread, uint32(before)))
		}
	}
}

func somePoll(t *rapid.T, log *trace.Log, thread int, before uint32) trace.Poll {
	k := &log.Threads[thread]
	p := trace.Poll{Before: before, Fn: uint16(rapid.IntRange(0, 1).Draw(t, "fn")), Any: rapid.Bool().Draw(t, "any"),
		Probe: rapid.Bool().Draw(t, "probe"), Count: rapid.Uint32Min(1).Draw(t, "count"),
		Nth:  rapid.Uint32().Draw(t, "first"),
		Site: uint32(rapid.IntRange(0, 2).Draw(t, "site")), WaitAt: uint32(len(k.Waits))}
	if p.Probe {
		p.Comm, p.Peer = uint32(rapid.IntRange(0, 1).Draw(t, "comm")),
			op.Rank(rapid.IntRange(int(op.Unknown), log.Head.Ranks-1).Draw(t, "peer"))
		p.Tag = rapid.Int32Min(op.AnyTag).Draw(t, "tag")
		return p
	}
	started := uint32(len(k.Parts))
	if int(before) < len(k.Ops) {
		started = k.Ops[before].First
	}
	for range rapid.IntRange(0, 2).Draw(t, "waits") {
		u, most := rapid.IntRange(0, thread).Draw(t, "of thread"), started
		if u != thread {
			most = uint32(len(log.Threads[u].Parts))
		}
		if most > 0 {
			k.Waits = append(k.Waits, trace.Wait{Thread: uint32(u), Part: rapid.Uint32Max(most-1).Draw(t, "part"),
				At: rapid.Int32Min(0).Draw(t, "at")})
			p.Waiting++
		}
	}
	return p
}

func somePart(t *rapid.T, ranks int) trace.Part {
	p := trace.Part{Kind: op.PartKind(rapid.IntRange(0, int(op.Served)).Draw(t, "kind")), Bytes: -1,
		Gone: rapid.Bool().Draw(t, "gone"), Matched: op.Unknown, MatchedTag: int32(op.Unknown),
		Comm: uint32(rapid.IntRange(0, 1).Draw(t, "comm")),
		Peer: op.Rank(rapid.IntRange(int(op.Unknown), ranks-1).Draw(t, "peer"))}
	switch p.Kind {
	case op.Send:
		p.Mode = op.SendMode(rapid.IntRange(0, int(op.Buffered)).Draw(t, "mode"))
		p.Bytes = rapid.Int64Min(-1).Draw(t, "bytes")
	case op.Recv, op.Probe:
		p.Wild = rapid.Bool().Draw(t, "wild")
		if rapid.Bool().Draw(t, "met") {
			p.Matched = op.Rank(rapid.IntRange(0, ranks-1).Draw(t, "from"))
			p.MatchedTag = rapid.Int32Min(0).Draw(t, "its tag")
		}
	case op.Coll:
		p.Sync = op.Sync(rapid.IntRange(0, int(op.SyncLower)).Draw(t, "sync"))
		p.Seq, p.What = rapid.Uint64().Draw(t, "seq"), rapid.Uint64().Draw(t, "what")
	}
	if p.Kind <= op.Probe {
		p.Tag = rapid.Int32Min(op.AnyTag).Draw(t, "tag")
	}
	if p.Wild || p.Kind == op.Send && p.Mode == op.Standard {
		p.Nth = rapid.Uint32().Draw(t, "nth")
	}
	return p
}

// Recording costs at most 12 bytes a call; these programs need far less. The long form streams 10^8 calls.
func TestBytesOfACall(t *testing.T) {
	const budget = 12.0
	calls := 1_000_000
	if testkit.Nightly() {
		calls = 100_000_000
	}
	for _, l := range workloads {
		path := recorded(t, l.name, calls)
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := Scan(path, All, func(*Block) error { return nil })
		if err != nil || info.Cut != "" || info.Calls < uint64(calls) {
			t.Fatalf("%s: %d calls, cut %q, %v", l.name, info.Calls, info.Cut, err)
		}
		each := float64(fi.Size()) / float64(info.Calls)
		t.Logf("%s: %d calls, %.2f bytes each", l.name, info.Calls, each)
		if each > budget {
			t.Errorf("%s: %.2f bytes a call, want at most %g", l.name, each, budget)
		}
	}
}

// oneGoroutine skips a test in the runs with the race detector, which are short: it makes the test ten times slower and
// has nothing to see.
func oneGoroutine(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine, in which the race detector has nothing to see")
	}
}

// What a writer holds does not grow with the number of threads beyond a bound.
func TestThousandsOfThreadsShareTheMemory(t *testing.T) {
	oneGoroutine(t)
	const threads = 4096
	k := newWorkload(t, filepath.Join(t.TempDir(), "many.unk"), threads)
	most := 0
	for n := range 1000 { // without a bound, they would hold twice the limit
		k.exchange(n)
		if n%100 == 99 {
			held := 0
			for _, s := range k.streams {
				for i := range s.cols {
					held += cap(s.cols[i])
				}
			}
			most = max(most, held)
		}
	}
	if limit := 9 * allHeld / 8; most > limit {
		t.Errorf("%d bytes are held for %d threads, want at most %d", most, threads, limit)
	}
	if err := k.w.Close(""); err != nil {
		t.Fatal(err)
	}
}

// A call that has been held for a second is in the file after the next tick.
func TestATickWritesWhatIsOld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tick.unk")
	k := newWorkload(t, path, 2)
	k.exchange(0)
	now := time.Unix(100, 0)
	for _, s := range k.streams {
		s.Tick(now)
		s.Tick(now.Add(2 * time.Second))
	}
	log, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(log.Threads[0].Ops) + len(log.Threads[1].Ops); n != 4 {
		t.Errorf("%d calls are in the file, want 4", n)
	}
	if want := "the file ends after 4 calls; the run was probably killed"; log.Cut != want {
		t.Errorf("cut %q, want %q", log.Cut, want)
	}
}

// A file that ends anywhere gives what came before, and says so.
func TestATruncatedFileIsReadUpToItsLastWholeBlock(t *testing.T) {
	whole, err := os.ReadFile(smallFile(t))
	if err != nil {
		t.Fatal(err)
	}
	before := uint64(0)
	for n := range len(whole) {
		info, err := (&scanner{want: All, visit: func(*Block) error { return nil }}).scan(bytes.NewReader(whole[:n]),
			int64(n), "x.unk")
		if err != nil {
			if before > 0 || !strings.Contains(err.Error(), "hint: ") {
				t.Fatalf("%d bytes: %v, after %d calls", n, err, before)
			}
			continue
		}
		end := int64(len(whole) - fileHeaderSize) // of the index; what follows it is a pointer to it
		if want := fmt.Sprintf("after %s; the run was probably killed",
			trace.Count(info.Calls, "call")); !strings.HasSuffix(info.Cut, want) && int64(n) < end {
			t.Fatalf("%d bytes: cut %q, want %q", n, info.Cut, want)
		}
		if info.Calls < before {
			t.Fatalf("%d bytes: %d calls, and %d of fewer bytes", n, info.Calls, before)
		}
		before = info.Calls
	}
	if before < 30 {
		t.Errorf("%d calls of the longest", before)
	}
}

// smallFile holds a few blocks.
func smallFile(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "small.unk")
	k := newWorkload(t, path, 3)
	for n := range 5 {
		k.exchange(n)
		for _, s := range k.streams {
			s.Poll(trace.Poll{Fn: fnWaitall, Any: true, Count: 3, Nth: uint32(4 * n), Site: 1},
				[]trace.Wait{{Thread: s.Number}, {Thread: 0, Part: uint32(n)}})
			s.Poll(trace.Poll{Fn: fnRecv, Probe: true, Count: 1, Nth: uint32(4*n + 3), Peer: op.AnySource, Tag: 7}, nil)
			s.Flush()
		}
	}
	if err := k.w.Close(""); err != nil {
		t.Fatal(err)
	}
	return path
}

// No byte of a file can change without being noticed: what is read is the beginning of what was written.
func TestADamagedFileIsNoticed(t *testing.T) {
	path := smallFile(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sound, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(whole) - fileHeaderSize {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x10
		var b builder
		info, err := (&scanner{want: All, visit: b.add}).scan(bytes.NewReader(damaged), int64(len(damaged)), "x.unk")
		if err != nil {
			continue
		}
		if i >= len(magic)+4 && i < fileHeaderSize {
			continue // spare
		}
		if info.Cut == "" || !strings.Contains(info.Cut, "damaged") && !strings.Contains(info.Cut, "ends") {
			t.Fatalf("byte %d: cut %q", i, info.Cut)
		}
		log := b.log(info)
		for k := range log.Threads {
			ops := log.Threads[k].Ops
			for j := range ops {
				have := ops[j]
				have.Returned = true // the last one of a part may not be known to have
				if want := sound.Threads[k].Ops[j]; have.Fn != want.Fn || have.Site != want.Site {
					t.Fatalf("byte %d: call %d of rank %d is %+v, want %+v", i, j, k, have, want)
				}
			}
		}
	}
}

// What cannot be read at all says what it is and what to do.
func TestWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	future := append([]byte(magic), binary.LittleEndian.AppendUint64(nil, 7)...)
	for _, c := range []struct{ name, text, want string }{
		{"empty.unk", "",
			"empty.unk is empty; hint: the run that should have written it never started; record it again"},
		{"foreign.unk", "\x7fELF and more than a header",
			`foreign.unk is not a trace of unknot: it begins with "\x7fELF and"; hint: give a file written by`},
		{"short.unk", "P0", `short.unk is not a trace of unknot: it begins with "P0"; hint: give a file written by`},
		{"future.unk", string(future), "future.unk has version 7 of the format, this unknot reads version 4; hint: " +
			"read it with the version of unknot that wrote it"},
		{"head.unk", magic + "\x03\x00\x00\x00\x00\x00\x00\x00rubbish",
			"head.unk: the file ends in the middle of a block before its head; hint: record the run again"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none.unk")); err == nil ||
		!strings.Contains(err.Error(), "none.unk: no such file or directory; hint: check the path") {
		t.Errorf("%v", err)
	}
	if _, err := Create(filepath.Join(dir, "none", "x.unk"), trace.Head{}); err == nil ||
		!strings.Contains(err.Error(), "no such file or directory; hint: choose a path that you may write to") {
		t.Errorf("%v", err)
	}
}

// fullDisk is a file that takes so many bytes.
type fullDisk struct {
	*os.File
	room  int64
	short bool // says nothing about what it has not written
}

func (d *fullDisk) WriteAt(b []byte, off int64) (int, error) {
	if off+int64(len(b)) <= d.room {
		return d.File.WriteAt(b, off)
	}
	n, err := d.File.WriteAt(b[:max(0, d.room-off)], off)
	if err == nil && !d.short {
		err = &os.PathError{Op: "write", Path: d.Name(), Err: syscall.ENOSPC}
	}
	return n, err
}

// A disk that fills ends the record, not the run: what was written can be read, and one sentence tells.
func TestAFullDiskLeavesWhatWasWritten(t *testing.T) {
	for _, short := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "full.unk")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		k := newWorkload(t, filepath.Join(t.TempDir(), "other.unk"), 2)
		k.w.mu.Lock()
		head, pending := k.w.head, k.w.pending
		k.w.mu.Unlock()
		full := newWriter(path, &fullDisk{f, 1500, short}, head)
		full.pending = bytes.Clone(pending)
		full.streams = k.streams
		for _, s := range k.streams {
			s.w = full
		}
		for n := range 200 {
			k.exchange(n)
			for _, s := range k.streams {
				s.Flush()
			}
		}
		err = full.Close("")
		reason := "no space left on device"
		if short {
			reason = "bytes written"
		}
		if err == nil || !errors.Is(err, syscall.ENOSPC) && !short ||
			!strings.Contains(err.Error(), "the trace "+path+" is incomplete: ") ||
			!strings.Contains(err.Error(), reason) ||
			!strings.Contains(err.Error(), "; hint: free some space, or choose another path") {
			t.Fatalf("%v", err)
		}
		log, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(log.Threads[0].Ops); n == 0 || n >= 420 {
			t.Errorf("%d calls of the first rank were read", n)
		}
		if !strings.Contains(log.Cut, "the rest could not be written") && !strings.Contains(log.Cut,
			"the file ends after") {
			t.Errorf("cut %q", log.Cut)
		}
	}
}

// Several goroutines write one file, each its own threads, and make the same things known.
func TestAgentsShareAFile(t *testing.T) {
	const agents, calls = 8, 5000
	path := filepath.Join(t.TempDir(), "shared.unk")
	w, err := Create(path, trace.Head{Ranks: agents})
	if err != nil {
		t.Fatal(err)
	}
	w.Comm(Comm{Comm: trace.Comm{ID: 1, Name: "MPI_COMM_WORLD"}})
	var all sync.WaitGroup
	for r := range agents {
		all.Go(func() {
			s := w.Stream(op.Rank(r), 0)
			for n := range calls {
				comm := w.Comm(Comm{Comm: trace.Comm{ID: op.CommID(2 + n%10)}})
				part, _ := s.Op(trace.Op{Fn: w.Func("MPI_Recv"), Site: w.Site(trace.Site{File: "a.c", Line: n % 20})},
					[]trace.Part{{Kind: op.Recv, Comm: comm, Peer: op.AnySource, Wild: true, Nth: uint32(n)}}, nil)
				s.Matched(part, op.Rank(r), int32(n))
				if n%100 == 0 {
					s.Flush()
				}
			}
			s.End()
		})
	}
	all.Wait()
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	log, err := Read(path)
	if err != nil || log.Cut != "" {
		t.Fatalf("%v, cut %q", err, log.Cut)
	}
	for i := range log.Threads {
		k := &log.Threads[i]
		for n := range k.Ops {
			p, site := k.Parts[n], log.Sites[k.Ops[n].Site]
			if log.Comms[p.Comm].ID != op.CommID(2+n%10) || site.Line != n%20 || p.MatchedTag != int32(n) ||
				p.Nth != uint32(n) {
				t.Fatalf("call %d of rank %d: %+v at %+v", n, k.Rank, p, site)
			}
		}
		if len(k.Ops) != calls {
			t.Errorf("%d calls of rank %d, want %d", len(k.Ops), k.Rank, calls)
		}
	}
	if len(log.Comms) != 11 || len(log.Sites) != 21 || len(log.Funcs) != 1 {
		t.Errorf("%d communicators, %d sites, %d functions; want 11, 21, 1", len(log.Comms), len(log.Sites),
			len(log.Funcs))
	}
}

// FuzzRead feeds the reader what is not a trace: it must neither crash nor take memory for what is not there, and what
// it accepts can be written again.
func FuzzRead(f *testing.F) {
	whole, err := os.ReadFile(smallFile(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(magic))
	again := filepath.Join(f.TempDir(), "again.unk")
	f.Fuzz(func(t *testing.T, text []byte) {
		fixSums(text)
		var b builder
		info, err := (&scanner{want: All, visit: b.add}).scan(bytes.NewReader(text), int64(len(text)), "x.unk")
		if err != nil {
			return
		}
		log := b.log(info)
		if err := Write(again, log); err != nil {
			t.Fatal(err)
		}
		back, err := Read(again)
		if err != nil || back.Cut != log.Cut || len(back.Threads) != len(log.Threads) {
			t.Fatalf("cannot be written again: %v, cut %q, want %q", err, back.Cut, log.Cut)
		}
	})
}

// fixSums sets the checksums right, so that what lies behind them is reached.
func fixSums(text []byte) {
	for at := fileHeaderSize; at+blockHeaderSize <= len(text); {
		h := text[at : at+blockHeaderSize]
		packed := int(binary.LittleEndian.Uint32(h[48:]))
		if end := at + blockHeaderSize + packed; packed >= 0 && end <= len(text) {
			binary.LittleEndian.PutUint32(h[52:], checksum(text[at+blockHeaderSize:end]))
		}
		binary.LittleEndian.PutUint32(h[60:], checksum(h[:60]))
		if packed < 0 || packed > len(text) {
			return
		}
		at += blockHeaderSize + packed
	}
}

// FuzzDefsAndCalls feeds what lies in the blocks, which compression would hide from the fuzzer of files.
func FuzzDefsAndCalls(f *testing.F) {
	f.Add([]byte{defFunc, 1, 'f', defComm, 1, 0, 0, 2, 0, 0, defThread, 0, 0}, []byte{}, uint8(0), uint8(0),
		uint8(0), uint8(0))
	f.Add([]byte{defFunc, 1, 'f', defComm, 1, 0, 0, 2, 0, 0, defThread, 1, 0},
		[]byte{1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 2, 0, 0, 0, 0, 1, 1, 0, 1, 4, 2, 0, 0}, uint8(1),
		uint8(1), uint8(1), uint8(1))
	path := filepath.Join(f.TempDir(), "again.unk")
	f.Fuzz(func(t *testing.T, defs, calls []byte, ops, parts, waits, outcomes uint8) {
		s := scanner{want: All}
		s.info.Defs.Head.Ranks, s.info.Defs.Sites, s.block.Defs = 2, []trace.Site{{}}, &s.info.Defs
		h := header{ops: uint32(ops), parts: uint32(parts), waits: uint32(waits), outcomes: uint32(outcomes)}
		if s.info.Defs.add(defs) != nil || s.calls(&h, calls) != nil {
			return
		}
		var b builder
		if err := b.add(&s.block); err != nil {
			t.Fatal(err)
		}
		s.info.Defs.name()
		log := b.log(&s.info)
		if err := Write(path, log); err != nil {
			t.Fatal(err)
		}
		if back, err := Read(path); err != nil || back.Cut != "" {
			t.Fatalf("%v, cut %q", err, back.Cut)
		}
	})
}

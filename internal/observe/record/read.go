package record

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"unknot/internal/vocab/mpi"
)

// ErrNone says that a process has no record: it was started without the recorder, or has not reached MPI_Init.
var ErrNone = errors.New("the process has no record")

const memorySize = int64(unsafe.Sizeof(StateMemory{}))

// Read reads the record of a process on this host.
func Read(pid int) (*Rank, error) {
	src, err := find(pid)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	r, err := read(src, 0)
	if err != nil {
		return nil, fmt.Errorf("record of process %d: %w", pid, err)
	}
	if own := innerPID(pid); own != 0 && own != r.PID {
		return nil, ErrNone // a child that has its parent's
	}
	return r, nil
}

// ReadFile reads a record that is kept in a file, which may be that of a process that has ended.
func ReadFile(path string) (*Rank, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := read(f, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// source is where a record is read.
type source interface {
	io.ReaderAt
	io.Closer
}

// within is the memory of a process from an address on.
type within struct {
	*os.File
	at int64
}

func (w within) ReadAt(b []byte, off int64) (int, error) { return w.File.ReadAt(b, w.at+off) }

// find opens the record of a process: by its descriptor, else, if the program has closed that, by what is mapped. The
// former needs no right to trace the process beyond that to look at it.
func find(pid int) (source, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	switch {
	case err != nil:
		return nil, err
	case !bytes.Contains(text, []byte(FileName)): // which is sooner seen than that no descriptor is one
		return nil, ErrNone
	}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		target, err := os.Readlink(path)
		if err == nil && strings.HasPrefix(target, "/memfd:"+FileName) {
			if f, err := os.Open(path); err == nil {
				return f, nil
			}
		}
	}
	return mapped(pid, text)
}

// mapped opens the record that a process has mapped, by the text of its maps.
func mapped(pid int, text []byte) (source, error) {
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) < 6 || string(words[2]) != "00000000" || !strings.HasPrefix(filepath.Base(
			strings.TrimPrefix(string(words[5]), "/memfd:")), FileName) {
			continue
		}
		bounds := string(words[0])
		if f, err := os.Open(fmt.Sprintf("/proc/%d/root%s", pid, words[5])); err == nil {
			return f, nil
		}
		if f, err := os.Open(fmt.Sprintf("/proc/%d/map_files/%s", pid, bounds)); err == nil {
			return f, nil
		}
		from, _, _ := strings.Cut(bounds, "-")
		at, err := strconv.ParseInt(from, 16, 64)
		if err != nil {
			continue
		}
		f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
		if err != nil {
			return nil, err
		}
		return within{f, at}, nil
	}
	return nil, ErrNone
}

// innerPID is the number of a process in its own namespace, 0 if that is unknown.
func innerPID(pid int) int {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if list, ok := strings.CutPrefix(s.Text(), "NSpid:"); ok {
			words := strings.Fields(list)
			if len(words) == 0 {
				return 0
			}
			n, _ := strconv.Atoi(words[len(words)-1])
			return n
		}
	}
	return 0
}

// Files are the records of the ranks that keep them in a directory (EnvDirectory).
func Files(dir string) (paths []string, err error) {
	names, err := fs.Glob(os.DirFS(dir), FileName+"-*")
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths, err
}

// snapshot is a copy of a record.
type snapshot struct {
	StateMemory
	torn bool
}

// attempts are how often a record is read until it stays as it is meanwhile; pause is the time between two of them.
const (
	attempts = 5
	pause    = 2 * time.Millisecond
)

// take copies a record, if possible at a time when the rank does not change it.
func take(src io.ReaderAt, offset int64) (*snapshot, error) {
	var a, b StateMemory
	if err := copyTo(&a, src, offset); err != nil {
		return nil, err
	}
	for range attempts {
		if err := copyTo(&b, src, offset); err != nil {
			return nil, err
		}
		if settled(&a, &b) {
			return &snapshot{a, false}, nil // all of which was read between the threads' words here and there
		}
		a = b
		time.Sleep(pause)
	}
	return &snapshot{b, true}, nil
}

func copyTo(m *StateMemory, src io.ReaderAt, offset int64) error {
	buf := unsafe.Slice((*byte)(unsafe.Pointer(m)), memorySize)
	if n, err := src.ReadAt(buf, offset); int64(n) < memorySize {
		if err == nil || errors.Is(err, io.EOF) {
			return fmt.Errorf("it has %d bytes, not %d", n, memorySize)
		}
		return err
	}
	h := &m.Header
	switch {
	case h.Magic != Magic:
		return errors.New("it is not a record, or not complete yet")
	case h.Version != Version:
		return fmt.Errorf("it has version %d, this unknot reads %d; hint: use the unknot that made the recorder",
			h.Version, Version)
	}
	return nil
}

// settled says that two copies show the same calls, and no entry that moves.
func settled(a, b *StateMemory) bool {
	if a.Header.Changes != b.Header.Changes || b.Header.Changes%2 != 0 {
		return false
	}
	for i := range b.Threads {
		s, u := &a.Threads[i], &b.Threads[i]
		if s.Word != u.Word || s.TID != u.TID {
			return false
		}
	}
	return true
}

func read(src io.ReaderAt, offset int64) (*Rank, error) {
	m, err := take(src, offset)
	if err != nil {
		return nil, err
	}
	t, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	h := &m.Header
	library, _, _ := bytes.Cut(h.Library[:], []byte{0})
	modules, _, _ := bytes.Cut(h.Modules[:], []byte{0})
	lost := func(flag uint32) bool { return h.Lost&flag != 0 }
	r := &Rank{
		PID: int(h.PID), Rank: int(h.Rank), Ranks: int(h.Ranks), Level: int(h.Level), Library: string(library),
		Modules: string(modules),
		State:   State(h.State), Torn: m.torn,
		Lost: Lost{Threads: lost(lostThreads), Requests: lost(lostRequests), Channels: lost(lostChannels),
			Comms: lost(lostComms), Receives: lost(lostReceives)},
		Constants: Constants{AnySource: h.AnySource, AnyTag: h.AnyTag, ProcNull: h.ProcNull, Root: h.Root,
			World: h.World, Self: h.Self, NoRequest: h.NoRequest, Complete: h.Complete},
	}
	for i, handle := range h.Freed {
		if handle != 0 {
			r.Freed, r.Gone = append(r.Freed, handle), append(r.Gone, h.Gone[i])
		}
	}
	m.threads(t, r)
	m.requests(t, r)
	for _, c := range m.Channels {
		if c.Comm != 0 {
			r.Channels = append(r.Channels, Channel{c.Comm, c.Peer, c.Tag, c.Sent, c.Received})
		}
	}
	for i := range m.StateMemory.Comms {
		if c := &m.StateMemory.Comms[i]; c.Handle != 0 {
			r.Comms = append(r.Comms, m.comm(t, c))
		}
	}
	m.calls(t, r)
	return r, nil
}

// row is that of a function, which may be none of the standard.
func row(t *mpi.T, id uint64) *mpi.Func {
	if id < mpi.FirstUnknown {
		if f := t.ByID(uint16(id)); f != nil {
			return f
		}
	}
	return &mpi.Func{ID: uint16(id), Name: "a function that the table of MPI does not have"}
}

func (m *snapshot) threads(t *mpi.T, r *Rank) {
	for i := range m.Threads {
		s := &m.Threads[i]
		in, calls := s.Word&(1<<funcBits-1), s.Word>>funcBits
		r.Completed += calls - s.Misses
		if in != 0 {
			r.Completed--
		}
		if s.TID == 0 {
			continue
		}
		th := Thread{TID: int(s.TID), Index: i, Calls: calls, Misses: s.Misses}
		if in != 0 {
			c := &Call{Func: row(t, in), Site: s.Site, Order: s.Order}
			if !brief(c.Func) {
				c.Args = slices.Clone(s.Args[:min(len(c.Func.Params), mostArgs)])
			}
			if c.Func.Class.Completes() && !c.Func.Class.Keeps() {
				kept := min(int(s.Waited), mostWaited)
				c.Requests = slices.Clone(s.Requests[:kept])
				c.Whole = kept == int(s.Waited)
			}
			th.In = c
		}
		r.Threads = append(r.Threads, th)
	}
}

func (m *snapshot) requests(t *mpi.T, r *Rank) {
	for i := range m.Requests {
		q := &m.Requests[i]
		if q.Handle == 0 {
			continue
		}
		has := func(flag uint8) bool { return q.Flags&flag != 0 }
		r.Requests = append(r.Requests, Request{
			Handle: q.Handle, Func: row(t, uint64(q.Func)), Site: q.Site, Order: q.Order, Comm: q.Comm, Peer: q.Peer,
			Tag: q.Tag, Count: q.Count, Type: q.Type,
			Active: has(requestActive), Persistent: has(requestPersistent), Cancelled: has(requestCancelled),
			Complete: has(requestComplete) || has(requestShared), Waiting: int(q.Waiting) - 1,
		})
	}
	slices.SortFunc(r.Requests, func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Handle, b.Handle))
	})
}

func (m *snapshot) comm(t *mpi.T, c *StateComm) Comm {
	out := Comm{Serial: c.Serial, Handle: c.Handle, Kind: CommKind(c.Kind), Identity: c.Identity, Parent: c.Parent,
		Rank: int(c.Rank), Collectives: c.Collectives, Local: m.group(&c.Local)}
	for n := c.Collectives - min(c.Collectives, mostLast); n < c.Collectives; n++ {
		word := c.Last[n%mostLast]
		out.Last = append(out.Last, Collective{row(t, word>>32), int32(word)})
	}
	switch c.Kind {
	case kindInter:
		out.Remote = m.group(&c.Remote)
	case kindWin:
		out.Posted, out.Started = m.group(&c.Remote), m.group(&c.Access)
	}
	return out
}

// mostAffine bounds the ranks that are made of a group's first member and stride, if a record is damaged.
const mostAffine = 1 << 24

func (m *snapshot) group(g *StateGroup) Group {
	out := Group{Size: int(g.Size)}
	switch n := int(g.Size); {
	case g.Place == placeAffine && n >= 0 && n <= mostAffine:
		out.Ranks = make([]int32, n)
		for i := range out.Ranks {
			out.Ranks[i] = g.First + int32(i)*g.Stride
		}
	case g.Place >= 0 && n >= 0 && int(g.Place)+n <= mostMembers:
		out.Ranks = slices.Clone(m.Members[g.Place : int(g.Place)+n])
	}
	return out
}

func (m *snapshot) calls(t *mpi.T, r *Rank) {
	next := m.Header.CallsNext
	r.Noted = next
	for at := next - min(next, mostCalls); at != next; at++ {
		c := &m.StateMemory.Calls[at%mostCalls]
		r.Calls = append(r.Calls, Past{Func: row(t, uint64(c.Func)), Site: c.Site, Thread: int(c.Thread), Comm: c.Comm,
			Peer: c.Peer, Tag: c.Tag, Count: c.Count, Result: int(c.Result), Open: m.open(c, at)})
	}
}

// open says whether a thread is still in the call that is the one of a number.
func (m *snapshot) open(c *StateCall, number uint64) bool {
	s := &m.Threads[int(c.Thread)%mostThreads]
	return s.Order == number && s.Word&(1<<funcBits-1) == uint64(c.Func)
}

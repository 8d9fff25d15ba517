package streams

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"unknot/internal/upc/layout"
)

// Mark has the programs of a session record. The text says what of it (races.Sampling).
func Mark(session, text string) error {
	return os.WriteFile(filepath.Join(session, layout.RacesName), []byte(text), 0o600)
}

// Unmark has them record no more. Threads that wait for a reader notice within a moment, and go on.
func Unmark(session string) { _ = os.Remove(filepath.Join(session, layout.RacesName)) }

// Stream is the file of a thread, for its reader.
type Stream struct {
	mapping []byte
	head    *layout.Stream
	records []layout.Record // the ring
	read    uint64
}

const (
	headSize   = unsafe.Sizeof(layout.Stream{})
	recordSize = unsafe.Sizeof(layout.Record{})
	streamSize = headSize + layout.StreamRecords*recordSize
)

// Open maps a stream. It gives nil, without an error, if its thread has not begun to write.
func Open(path string) (*Stream, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || fi.Size() < int64(streamSize) {
		return nil, err
	}
	s, err := mapped(f)
	if err != nil {
		return nil, err
	}
	mark := atomic.LoadUint64(&s.head.Mark)
	if mark == layout.StreamMark && s.head.Threads >= 1 && s.head.Threads <= mostThreads &&
		s.head.Thread < s.head.Threads {
		return s, nil
	}
	s.Close()
	if mark == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("%s: it is no stream of accesses; hint: compile the program with this version of unknot",
		path)
}

// Copied says whether the file of a stream is that of a thread on another host (Paster).
func Copied(path string) bool {
	return strings.Contains(strings.TrimPrefix(filepath.Base(path), layout.StreamPrefix), ".")
}

// mostThreads bounds what is made for each thread of a stream's job.
const mostThreads = 1 << 16

func mapped(f *os.File) (*Stream, error) {
	m, err := unix.Mmap(int(f.Fd()), 0, int(streamSize), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &Stream{mapping: m, head: (*layout.Stream)(unsafe.Pointer(&m[0])),
		records: unsafe.Slice((*layout.Record)(unsafe.Pointer(&m[headSize])), layout.StreamRecords)}, nil
}

// Job is a number that the threads of a job share, Thread which of them it is, and Threads how many there are.
func (s *Stream) Job() uint64  { return s.head.Job }
func (s *Stream) Thread() int  { return int(s.head.Thread) }
func (s *Stream) Threads() int { return int(s.head.Threads) }

// PID is its process, and Looks how often it has found that it has to wait on.
func (s *Stream) PID() int      { return int(s.head.PID) }
func (s *Stream) Looks() uint64 { return atomic.LoadUint64(&s.head.Looks) }

// Calls is how many calls it has made.
func (s *Stream) Calls() uint64 { return atomic.LoadUint64(&s.head.Calls) }

// Death is what has ended the thread before its time; without a cause if nothing is known to have.
type Death struct {
	Cause  int // layout.DiedSignal or layout.DiedExit
	Code   int // the signal, or the exit status
	Sender int // the process that has sent the signal, 0 if none has
	PC     uint64
	Nanos  uint64
}

// Death is how the thread has ended, if it has said so.
func (s *Stream) Death() Death {
	d := atomic.LoadUint64(&s.head.Death)
	if d == 0 {
		return Death{}
	}
	return Death{Cause: int(d >> 56), Code: int(d >> 32 & (1<<24 - 1)), Sender: int(uint32(d)), PC: s.head.DeathPC,
		Nanos: s.head.Nanos}
}

// Behind says whether there are records that were not taken.
func (s *Stream) Behind() bool { return atomic.LoadUint64(&s.head.Written) != s.read }

// Take appends the records that have come to a list.
func (s *Stream) Take(to []layout.Record) []layout.Record {
	written := atomic.LoadUint64(&s.head.Written)
	if written < s.read || written-s.read > layout.StreamRecords {
		return to // not ours any more
	}
	for ; s.read < written; s.read++ {
		to = append(to, s.records[s.read%layout.StreamRecords])
	}
	atomic.StoreUint64(&s.head.Read, s.read)
	return to
}

// Closed says whether the thread has come to its end.
func (s *Stream) Closed() bool { return atomic.LoadUint64(&s.head.Closed) != 0 }

// Close unmaps it.
func (s *Stream) Close() { _ = unix.Munmap(s.mapping) }

// asBytes are records as they are in memory.
func asBytes(records []layout.Record) []byte {
	if len(records) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&records[0])), len(records)*int(recordSize))
}

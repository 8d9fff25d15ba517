package races

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"unknot/internal/upc/layout"
)

// stream is the file of a thread.
type stream struct {
	pid     int
	mapping []byte
	head    *layout.Stream
	records []layout.Record
	read    uint64
}

const (
	headSize   = unsafe.Sizeof(layout.Stream{})
	recordSize = unsafe.Sizeof(layout.Record{})
	streamSize = headSize + layout.StreamRecords*recordSize
)

// openStream maps a stream. It gives nil, without an error, if its thread has not begun to write.
func openStream(path string) (*stream, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || fi.Size() < int64(streamSize) {
		return nil, err
	}
	m, err := unix.Mmap(int(f.Fd()), 0, int(streamSize), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	s := &stream{mapping: m, head: (*layout.Stream)(unsafe.Pointer(&m[0]))}
	mark := atomic.LoadUint64(&s.head.Mark)
	if mark == layout.StreamMark && s.head.Threads >= 1 && s.head.Threads <= mostThreads && s.head.Thread < s.head.Threads {
		s.pid = int(s.head.PID)
		s.records = unsafe.Slice((*layout.Record)(unsafe.Pointer(&m[headSize])), layout.StreamRecords)
		return s, nil
	}
	_ = unix.Munmap(m)
	if mark == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("%s: it is no stream of accesses; hint: compile the program with this version of unknot", path)
}

// mostThreads bounds what is made for each thread of a stream's job.
const mostThreads = 1 << 16

// take appends the records that have come to a list.
func (s *stream) take(to []layout.Record) []layout.Record {
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

// closed says whether the thread has come to its end.
func (s *stream) closed() bool { return atomic.LoadUint64(&s.head.Closed) != 0 }

func (s *stream) close() { _ = unix.Munmap(s.mapping) }

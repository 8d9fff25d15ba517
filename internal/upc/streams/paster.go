package streams

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"unknot/internal/upc/layout"
)

// Paster puts the copies of a host into the session directory of the reader, as if its threads wrote there. Its methods
// are for one goroutine at a time.
type Paster struct {
	session string
	host    int
	streams map[string]*Stream
}

// NewPaster pastes what comes from a host, which has a number above 0.
func NewPaster(session string, host int) *Paster {
	return &Paster{session: session, host: host, streams: make(map[string]*Stream)}
}

// Paste puts a copy there. It waits where the reader has still to make room, until the context ends.
func (p *Paster) Paste(ctx context.Context, c *Copy) error {
	if len(c.Sites) > 0 {
		if err := replace(filepath.Join(p.session, fmt.Sprintf("%s%d", layout.SitesPrefix, p.host)),
			c.Sites); err != nil {
			return err
		}
	}
	for i := range c.Threads {
		t := &c.Threads[i]
		s, err := p.stream(t)
		if err != nil {
			return err
		}
		records := make([]layout.Record, len(t.Records)/int(recordSize))
		copy(asBytes(records), t.Records)
		if err := s.add(ctx, records); err != nil {
			return err
		}
		if t.Closed {
			atomic.StoreUint64(&s.head.Closed, 1)
		}
	}
	return nil
}

// stream is that of a thread, which is made when it is heard of first.
func (p *Paster) stream(t *Thread) (*Stream, error) {
	if s := p.streams[t.ID]; s != nil {
		return s, nil
	}
	if _, err := strconv.Atoi(t.ID); err != nil || t.Threads < 1 || t.Threads > mostThreads || t.Thread < 0 ||
		t.Thread >= t.Threads {
		return nil, fmt.Errorf("thread %d of %d, of process %q: it is no stream of accesses", t.Thread, t.Threads, t.ID)
	}
	f, err := os.OpenFile(filepath.Join(p.session, fmt.Sprintf("%s%d.%s", layout.StreamPrefix, p.host, t.ID)),
		os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Truncate(int64(streamSize)); err != nil {
		return nil, err
	}
	s, err := mapped(f)
	if err != nil {
		return nil, err
	}
	s.head.Job, s.head.Thread, s.head.Threads = t.Job, uint64(t.Thread), uint64(t.Threads)
	atomic.StoreUint64(&s.head.Mark, layout.StreamMark)
	p.streams[t.ID] = s
	return s, nil
}

// add writes records to the ring as a thread does.
func (s *Stream) add(ctx context.Context, records []layout.Record) error {
	const nap = 200 * time.Microsecond
	written := s.head.Written
	for i := range records {
		for written-atomic.LoadUint64(&s.head.Read) >= layout.StreamRecords {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(nap):
			}
		}
		s.records[written%layout.StreamRecords] = records[i]
		written++
		atomic.StoreUint64(&s.head.Written, written)
	}
	return nil
}

// Close unmaps what was made.
func (p *Paster) Close() {
	for _, s := range p.streams {
		s.Close()
	}
}

// replace writes a file at once, for who reads it at any time.
func replace(name string, text []byte) error {
	next := filepath.Join(filepath.Dir(name), "next-"+filepath.Base(name))
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, name)
}

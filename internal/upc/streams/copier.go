package streams

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"unknot/internal/upc/layout"
)

// Copy is what the threads of a host have recorded since the last one.
type Copy struct {
	Sites   []byte // the file of sites, if it has grown
	Threads []Thread
	Bad     []string // what is wrong with files, once
}

// Thread is the part of one thread.
type Thread struct {
	ID      string // of its file
	Job     uint64
	Thread  int
	Threads int
	Records []byte // as they are in memory: all hosts of a job are of one kind
	Closed  bool   // nothing more comes
}

// Copier makes the copies of a session. Its methods are for one goroutine at a time.
type Copier struct {
	session string
	looked  time.Time
	streams map[string]*Stream // by their ids; nil for those that are no streams
	closed  map[string]bool
	sites   int // bytes of the file of sites that were copied
	bad     []string
}

// NewCopier copies what is in a session directory.
func NewCopier(session string) *Copier {
	return &Copier{session: session, streams: make(map[string]*Stream), closed: make(map[string]bool)}
}

// discoverEvery is how often new files are looked for.
const discoverEvery = 50 * time.Millisecond

// Take copies what has come since the last time; nil if nothing has. At the end all files are looked for once more.
func (c *Copier) Take(end bool) *Copy {
	if now := time.Now(); end || now.Sub(c.looked) >= discoverEvery {
		c.looked = now
		c.discover()
	}
	var out Copy
	for id, s := range c.streams {
		if s == nil || c.closed[id] {
			continue
		}
		closed := s.Closed()
		records := s.Take(nil)
		if len(records) == 0 && !closed {
			continue
		}
		c.closed[id] = closed
		out.Threads = append(out.Threads, Thread{ID: id, Job: s.Job(), Thread: s.Thread(), Threads: s.Threads(),
			Records: asBytes(records), Closed: closed})
	}
	if len(c.streams) > 0 {
		out.Sites = c.newSites()
	}
	out.Bad, c.bad = c.bad, nil
	if len(out.Threads) == 0 && len(out.Sites) == 0 && len(out.Bad) == 0 {
		return nil
	}
	return &out
}

func (c *Copier) discover() {
	names, _ := filepath.Glob(filepath.Join(c.session, layout.StreamPrefix+"*")) // the pattern is well-formed
	for _, name := range names {
		id := strings.TrimPrefix(filepath.Base(name), layout.StreamPrefix)
		if _, known := c.streams[id]; known {
			continue
		}
		s, err := Open(name)
		if err != nil {
			c.bad = append(c.bad, err.Error())
		}
		if s != nil || err != nil {
			c.streams[id] = s
		}
	}
}

// newSites is the file of sites, which one of the threads of a host writes at its beginning.
func (c *Copier) newSites() []byte {
	names, _ := filepath.Glob(filepath.Join(c.session, layout.SitesPrefix+"*")) // the pattern is well-formed
	if len(names) == 0 {
		return nil
	}
	if fi, err := os.Stat(names[0]); err != nil || fi.Size() == int64(c.sites) {
		return nil
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		return nil
	}
	c.sites = len(text)
	return text
}

// Close unmaps what was opened.
func (c *Copier) Close() {
	for _, s := range c.streams {
		if s != nil {
			s.Close()
		}
	}
}

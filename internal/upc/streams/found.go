package streams

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Found are the streams of a session whose files have names that begin with a prefix.
type Found struct {
	session, prefix string
	Streams         map[string]*Stream // by file
	Bad             map[string]error   // files that are no streams
}

// Find is to find them.
func Find(session, prefix string) *Found {
	return &Found{session: session, prefix: prefix, Streams: make(map[string]*Stream), Bad: make(map[string]error)}
}

// Discover opens those that have appeared, and hands each on once; it says whether some is not complete yet.
func (f *Found) Discover(take func(name string, s *Stream)) (incomplete bool) {
	names, _ := filepath.Glob(filepath.Join(f.session, f.prefix+"*")) // the pattern is well-formed
	for _, name := range names {
		if f.Streams[name] != nil || f.Bad[name] != nil {
			continue
		}
		s, err := Open(name)
		if err != nil {
			f.Bad[name] = err
		}
		if s == nil {
			incomplete = incomplete || err == nil
			continue
		}
		f.Streams[name] = s
		take(name, s)
	}
	return incomplete
}

// Close closes them all.
func (f *Found) Close() {
	for _, s := range f.Streams {
		s.Close()
	}
}

// How often streams are looked at. Where there are none, nothing is looked at until a file appears in the session.
const (
	busy   = time.Millisecond
	idle   = 20 * time.Millisecond
	unsure = 250 * time.Millisecond // how often new ones are looked for if nobody says that a file has appeared
)

// Follow reads until the context ends. discover looks for new streams, and says whether some is not complete yet; turn
// reads what has come, and says whether anything has.
func (f *Found) Follow(ctx context.Context, discover, turn func() bool) {
	var appeared <-chan fsnotify.Event
	var missed <-chan error // some may have, more than could be reported
	if w, err := fsnotify.NewWatcher(); err == nil {
		defer w.Close()
		if w.Add(f.session) == nil {
			appeared, missed = w.Events, w.Errors
		}
	}
	next := time.NewTimer(idle)
	defer next.Stop()
	for fresh := true; ; {
		if fresh {
			fresh = discover() || appeared == nil
		}
		switch {
		case turn():
			next.Reset(busy)
		case len(f.Streams) > 0 || fresh && appeared != nil:
			next.Reset(idle)
		case appeared == nil:
			next.Reset(unsure)
		default:
			next.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-appeared:
			fresh = true
		case <-missed:
			fresh = true
		case <-next.C:
		}
	}
}

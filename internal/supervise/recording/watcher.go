package recording

import (
	"maps"
	"time"

	"unknot/internal/observe/record"
)

// watcher sees by the records of a job whether it stands still. It reads them twice in the time that it is given, and
// sleeps in between.
type watcher struct {
	dir   string
	stall time.Duration
	calls map[string]uint64 // completed by each rank when some rank last was seen to have completed one
	since time.Time
	said  bool
}

// stands says whether no rank has completed a call for as long as that, once each time.
func (w *watcher) stands(now time.Time) bool {
	files, err := record.Files(w.dir)
	if err != nil || len(files) == 0 {
		return false
	}
	calls := make(map[string]uint64, len(files))
	alive := false
	for _, file := range files {
		r, err := record.ReadFile(file)
		if err != nil {
			continue
		}
		alive = alive || r.State == record.Alive
		calls[file] = r.Completed
		if r.Torn {
			calls[file]-- // it makes calls
		}
	}
	if !maps.Equal(calls, w.calls) {
		w.calls, w.since, w.said = calls, now, false
		return false
	}
	if !alive || w.said || now.Sub(w.since) < w.stall {
		return false
	}
	w.said = true
	return true
}

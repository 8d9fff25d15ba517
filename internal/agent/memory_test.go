package agent

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
)

// What an agent holds is bounded by what is open, however long the run: no call that all have left may keep another
// alive.
func TestMemoryDoesNotGrowWithTheRun(t *testing.T) {
	for name, iteration := range map[string]func(s *script, left, right uint64, barrier bool){
		"isend-recv-wait": (*script).exchange, "sendrecv": (*script).sendrecv, "wildcard": (*script).wildcard,
		"sendrecv, barrier": func(s *script, left, right uint64, _ bool) { s.sendrecv(left, right, true) },
	} {
		a, tapes := watched(t, 3, 1<<12, iteration)
		most, first := uint64(0), alive()
		for range 40 {
			for _, p := range tapes {
				p.replay()
			}
			for a.readRings() {
			}
			most = max(most, alive())
		}
		runtime.KeepAlive(a)
		if limit := first + 1<<20; most > limit {
			t.Errorf("%s: %d bytes are alive, want at most %d", name, most, limit)
		}
	}
}

// alive is what the heap holds after a collection, in bytes.
func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A program that overwrites its records is not held up by a ring that nobody empties, and the loss is reported.
func TestARingThatWasOverwrittenIsGivenUp(t *testing.T) {
	a, tapes := watched(t, 2, 1<<12, (*script).sendrecv)
	for _, p := range tapes {
		p.replay()
	}
	tapes[1].words[40*ring.WordsNext] = 0
	for a.readRings() {
	}
	if n := a.order[0].sources[0].ring.Pending(); n != 0 {
		t.Errorf("%d slots of rank 0 are left", n)
	}
	for i, want := range []uint32{ring.ReaderThere, ring.ReaderUnread} {
		if got := tapes[i].header.Reader; got != want {
			t.Errorf("reader of rank %d's ring is %d, want %d", i, got, want)
		}
	}
	if want := "what rank 1 did could not be followed to the end"; a.broken == nil ||
		!strings.Contains(explain.Unfollowed(a.broken), want) {
		t.Errorf("told %+v, want %q", a.broken, want)
	}
	if !a.order[1].usersFree(time.Now()) {
		t.Error("rank 1 still counts as known")
	}
}

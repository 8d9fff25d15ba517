package agent

import (
	"runtime"
	"testing"
)

// What an agent holds is bounded by what is open, however long the run: no call that all have left may keep another alive.
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

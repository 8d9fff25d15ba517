package agent

import (
	"sync/atomic"
	"testing"

	"unknot/internal/observe/decode"
)

// TestCallsThatARingOnlyCountsAreCountedOnce has calls left out before the agent has opened the ring, and, behind a
// thread, by the next one that has its ring.
func TestCallsThatARingOnlyCountsAreCountedOnce(t *testing.T) {
	a, _ := watched(t, 1, 1<<9, func(s *script, _, _ uint64, _ bool) {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	})
	p := newTape(t, 1<<9)
	left := func(n uint64) {
		atomic.StoreUint64(&p.header.EchoesSeen, n+1)
		atomic.StoreUint64(&p.header.EchoesLeft, n)
	}
	left(4)
	a.adopt(&Adoption{Ring: p.ring, Hello: decode.Hello{Rank: 1, Size: 2}})
	r := a.order[1]
	s := r.sources[0]
	before, first := a.follow.Calls, s.thread
	a.heed(first)
	a.heed(first)
	left(6)
	a.begin(r, s, 1, 1)
	a.heed(s.thread)
	left(7)
	a.heed(s.thread)
	if n := a.follow.Calls - before; n != 7 || first.Calls != 6 || s.thread.Calls != 1 || a.folding.Calls != 7 {
		t.Errorf("%d calls, %d of the first thread, %d of the second, %d left out, want 7, 6, 1, 7", n, first.Calls,
			s.thread.Calls, a.folding.Calls)
	}
}

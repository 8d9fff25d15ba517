package agent

import (
	"testing"
	"time"

	"unknot/internal/agent/kernel"
)

// timed says what processor time all threads have had.
type timed struct {
	kernel.Processes
	cpu    time.Duration
	asleep bool
}

func (p *timed) Time(int, int) (time.Duration, bool) { return p.cpu, p.asleep }

// A thread that had the processor early in its call does not count as stuck because of that: each round says
// after which one it has had enough of it.
func TestARoundSaysAfterWhichOneAThreadHadTheProcessor(t *testing.T) {
	p := &timed{}
	th := &thread{rank: newRank(0, p)}
	for _, step := range []struct {
		round       int
		cpu         time.Duration
		asleep      bool
		since, last int
	}{
		{1, 0, false, 1, 0},
		{2, 5 * time.Millisecond, false, 1, 1},
		{3, 5 * time.Millisecond, false, 1, 1}, // nothing since round 2
		{4, 8 * time.Millisecond, false, 1, 1},
		{5, 9 * time.Millisecond, false, 1, 3}, // 4 ms since round 3
		{6, 9 * time.Millisecond, true, 1, 6},
		{7, 9 * time.Millisecond, false, 1, 3},
	} {
		p.cpu, p.asleep = step.cpu, step.asleep
		if since, last := th.stayed(step.round); since != step.since || last != step.last {
			t.Errorf("round %d: since %d, shown %d, want %d and %d", step.round, since, last, step.since, step.last)
		}
	}
	th.blocks = evidence{} // it has come to another call
	if since, last := th.stayed(8); since != 8 || last != 0 {
		t.Errorf("another call: since %d, shown %d", since, last)
	}
}

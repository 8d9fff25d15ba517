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
		since, last := th.stayed(step.round, time.Unix(int64(step.round), 0))
		if since != step.since || last != step.last {
			t.Errorf("round %d: since %d, shown %d, want %d and %d", step.round, since, last, step.since, step.last)
		}
	}
	th.blocks = evidence{} // it has come to another call
	if since, last := th.stayed(8, time.Unix(8, 0)); since != 8 || last != 0 {
		t.Errorf("another call: since %d, shown %d", since, last)
	}
}

// Where many ranks share a processor, each has little of it in a round: it adds up.
func TestProcessorTimeAddsUpOverManyRounds(t *testing.T) {
	p := &timed{}
	th := &thread{rank: newRank(0, p)}
	const each = 100 * time.Microsecond
	for round := 1; round <= 200; round++ {
		p.cpu = time.Duration(round) * each
		_, shown := th.stayed(round, time.Unix(int64(round), 0))
		if round > 60 && (shown == 0 || round-shown > 60) {
			t.Fatalf("round %d: shown %d", round, shown)
		}
		if had := time.Duration(round-shown) * each; shown > 0 && had < pollTime*7/8 {
			t.Fatalf("round %d: after round %d it has had %v", round, shown, had)
		}
	}
}

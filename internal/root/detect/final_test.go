package detect

import (
	"io"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// final is a root whose job has ended, and round has it hear in a round that took so long how many calls a thread is
// behind.
func final(t *testing.T) (r *Root, round func(took time.Duration, lag int)) {
	t.Helper()
	r = New(encoded(t, 1).Member(tree.Root), proto.NewWriter(io.Discard), 1, Options{}, nil)
	r.now = time.Unix(1000, 0)
	r.ended(&Ended{})
	r.message(message.Idle{Agent: 0})
	return r, func(took time.Duration, lag int) {
		t.Helper()
		if !r.wantsRound() {
			t.Fatalf("no round after %v", r.now.Sub(r.endedAt))
		}
		r.begin()
		r.now = r.now.Add(took)
		r.message(message.Settled{Agent: 0, Round: r.round.number})
		r.message(message.Report{Agent: 0, Round: r.round.number,
			Threads: []message.Fold{{Ranks: op.FirstRanks(1), Wait: message.Wait{State: message.Finished, Lag: lag}}}})
	}
}

// TestThreadsThatCatchUpAreLeftTimeBetweenRounds: a round stops what agents tell each other, so where that is slow, one
// round upon the other would leave no time for it.
func TestThreadsThatCatchUpAreLeftTimeBetweenRounds(t *testing.T) {
	r, round := final(t)
	round(time.Second, 5)
	if r.pace.settled {
		t.Fatal("settled though a thread is behind")
	}
	r.now = r.now.Add(time.Second)
	if r.wantsRound() {
		t.Error("the next round begins while the thread catches up")
	}
	r.now = r.now.Add(time.Second)
	round(time.Millisecond, 3)
	r.now = r.now.Add(2 * time.Millisecond)
	round(time.Millisecond, 0)
	if !r.pace.settled {
		t.Error("not settled though all has been heard")
	}
	if _, complete, why := r.Verdict(1); !complete {
		t.Error(why)
	}
}

// TestThreadsThatCatchUpForTooLongAreSaidToBeBehind: nobody waits forever for what agents send each other after the
// end.
func TestThreadsThatCatchUpForTooLongAreSaidToBeBehind(t *testing.T) {
	r, round := final(t)
	for lag := 1000; !r.pace.settled; lag-- {
		if r.now.Sub(r.endedAt) > time.Minute {
			t.Fatal("still not settled after a minute")
		}
		round(time.Second, lag)
		r.now = r.now.Add(2 * time.Second)
	}
	const want = "the agents could not tell each other all calls in time"
	if _, complete, why := r.Verdict(1); complete || !strings.Contains(why, want) {
		t.Errorf("complete %v: %q, want %q", complete, why, want)
	}
}

// TestWhatIsDescribedAtTheEndDoesNotPutTheLastRoundsOff: how long the root waits for threads goes by the round that has
// just ended, not by one of long ago.
func TestWhatIsDescribedAtTheEndDoesNotPutTheLastRoundsOff(t *testing.T) {
	r, _ := final(t)
	r.pace.begun = r.now.Add(-time.Hour)
	r.pace.progressed = true // as threads were behind in that round
	r.askOrigins()
	r.now = r.now.Add(time.Second)
	r.message(message.Places{Agent: 0, Round: r.round.number})
	r.now = r.now.Add(2 * time.Second)
	if r.pace.settled || !r.wantsRound() {
		t.Errorf("two seconds later: settled %v, the next round is due in %v", r.pace.settled, r.pace.next.Sub(r.now))
	}
}

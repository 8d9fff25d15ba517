package detect

import (
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestAMismatchAfterAFailedCallIsToldOnlyIfItHangs: on a communicator where a member's call came back with an error,
// the members may be out of step without a fault of theirs.
func TestAMismatchAfterAFailedCallIsToldOnlyIfItHangs(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
	r.message(message.Failed{Ctx: 7})
	clash := waitstate.Clash{Ctx: 7, Seq: 3, Voices: []waitstate.Voice{{}, {}}}
	r.message(message.Clash{Clash: clash})
	if len(r.collectives.pending) != 0 {
		t.Fatalf("told after a failed call: %v", r.collectives.pending)
	}
	r.message(message.Failed{Ctx: 7})
	r.collectives.reportKept(7)
	if len(r.collectives.pending) != 1 || r.collectives.pending[0].Seq != 3 {
		t.Errorf("a hang in it tells %v, want the mismatch at 3", r.collectives.pending)
	}
	clash.Ctx = 8
	r.message(message.Clash{Clash: clash})
	if len(r.collectives.pending) != 2 {
		t.Errorf("on another communicator nothing failed, but %d mismatches are told, want 2",
			len(r.collectives.pending))
	}
}

func TestAThreadThatNeverCatchesUpDoesNotKeepTheEndBack(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 1, Options{}, nil)
	r.ending = true
	for round := 0; ; round++ {
		r.pace.progressed = false
		r.round.reports = []*message.Report{
			{Threads: []message.Fold{{Ranks: op.FirstRanks(1), Wait: message.Wait{State: message.Dead, Lag: 2}}}}}
		r.detect()
		if want := round < mostStalled; r.pace.progressed != want {
			t.Fatalf("round %d: progress %v, want %v", round+1, r.pace.progressed, want)
		}
		if round > mostStalled {
			return
		}
	}
}

// TestThreadsThatTakeTurnsGetOn has, in each round, another thread wait for nothing, and always one that is as far
// behind as the one before was.
func TestThreadsThatTakeTurnsGetOn(t *testing.T) {
	r := New(encoded(t, 1).Member(tree.Root), nil, 2, Options{}, nil)
	r.ending = true
	waiting := message.Wait{State: message.Finished, HasStrict: true, Lag: 90}
	for round := range 3 * mostStalled {
		r.pace.progressed = false
		able := message.Wait{State: message.Finished, Lag: 5}
		waiting.Lag--
		threads := []message.Fold{{Ranks: op.Between(0, 0), Wait: able}, {Ranks: op.Between(1, 1), Wait: waiting}}
		if round%2 == 1 {
			threads[0].Wait, threads[1].Wait = threads[1].Wait, threads[0].Wait
		}
		r.round.reports = []*message.Report{{Threads: threads}}
		r.detect()
		if !r.pace.progressed {
			t.Fatalf("round %d is taken for the last, though threads get on", round+1)
		}
	}
}

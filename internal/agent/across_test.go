package agent

import (
	"strings"
	"testing"

	"unknot/internal/vocab/message"
)

// promising is an agent with one of two ranks, which has gone through periods of a group with the other one. It has
// promised not to hand them on.
func promising(t *testing.T) (*repeater, *source) {
	t.Helper()
	net := encoded(t, 2)
	a, _ := watchedOn(t, net, 0, 1, nil, nil, nil)
	tape := a.watchTape(t, 0, 2, 1<<12, func(s *script, _, _ uint64, _ bool) {
		s.call("MPI_Barrier", []uint64{tapeWorld}, nil)
	})
	p := repeaterOf(t, a, tape, 1)
	s := a.order[0].sources[0]
	a.folding.Publish()
	repeats, is := net.Member(0).Take(nil)[0].(message.Repeats)
	if !is || len(repeats.Ranks) != 1 {
		t.Fatal("the agent that leads does not get to know that the rank repeats")
	}
	a.folding.Message(message.Join{Group: 1,
		Ranks: []message.Joined{{Rank: 0, Since: repeats.Ranks[0].Since, Times: 1}}})
	p.head += 40
	p.tape.header.Head = p.head
	p.a.folding.Message(message.Count{Group: 1})
	if !s.repeats.Promised() || s.repeats.Ahead() != 40 {
		t.Fatalf("promised %v, %d periods are ahead", s.repeats.Promised(), s.repeats.Ahead())
	}
	return p, s
}

// TestWhatIsPromisedIsLeftOutBeforeAConsistentState: else some agents would have left out more than others in it.
func TestWhatIsPromisedIsLeftOutBeforeAConsistentState(t *testing.T) {
	p, s := promising(t)
	a, before := p.a, s.thread.Calls
	a.consistent(5)
	a.readRings()
	if a.sync.holding || s.thread.Calls != before {
		t.Fatalf("holding %v, %d calls were followed, though others may leave them out", a.sync.holding,
			s.thread.Calls-before)
	}
	a.folding.Message(message.LeaveOut{Group: 1, Periods: 30})
	if !a.sync.holding || a.sync.round != 5 {
		t.Errorf("holding %v, round %d", a.sync.holding, a.sync.round)
	}
	if a.folding.Calls != 30 || s.thread.Calls != before+40 || s.repeats.Ahead() != 0 {
		t.Errorf("%d calls were left out, %d counted, %d are ahead, want 30, 40, 0", a.folding.Calls,
			s.thread.Calls-before, s.repeats.Ahead())
	}
	a.folding.Message(message.Count{Group: 1})
	if s.repeats.Promised() {
		t.Error("something is promised in a consistent state")
	}
}

// TestRanksOfWhichSomethingIsPromisedAreGivenUpWithTheLeader: nobody knows then whether others have left their part
// out.
func TestRanksOfWhichSomethingIsPromisedAreGivenUpWithTheLeader(t *testing.T) {
	p, s := promising(t)
	p.a.consistent(5)
	p.a.message(message.Gone{Agent: 0})
	if r := p.a.order[0]; !r.Lost || p.a.broken == nil || !strings.Contains(p.a.broken.Why, "lost touch") {
		t.Errorf("lost %v, broken %v", r.Lost, p.a.broken)
	}
	if s.repeats.Promised() || !p.a.sync.holding {
		t.Errorf("promised %v, holding %v", s.repeats.Promised(), p.a.sync.holding)
	}
}

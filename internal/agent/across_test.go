package agent

import (
	"strings"
	"testing"

	"unknot/internal/vocab/message"
)

// promising is an agent whose rank has gone through periods of a group, which it has promised not to hand on.
func promising(t *testing.T) (*repeater, *source) {
	t.Helper()
	p := newRepeater(t, 1, func(s *script, _, _ uint64, _ bool) { s.call("MPI_Barrier", []uint64{tapeWorld}, nil) })
	s := p.a.order[0].sources[0]
	p.a.folding.groups = nil // as if the group had ranks of others
	p.a.joinGroup(&message.Join{Group: 1, Ranks: []message.Joined{{Rank: 0, Since: s.repeats.since, Times: 1}}})
	p.head += 40
	p.tape.header.Head = p.head
	p.a.count(&message.Count{Group: 1})
	if !s.promised() || s.repeats.stream.Ahead() != 40 {
		t.Fatalf("%d periods are promised of %d", s.repeats.joint.promised, s.repeats.stream.Ahead())
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
	a.leaveOutOf(&message.LeaveOut{Group: 1, Periods: 30})
	if !a.sync.holding || a.sync.round != 5 {
		t.Errorf("holding %v, round %d", a.sync.holding, a.sync.round)
	}
	if a.folding.calls != 30 || s.thread.Calls != before+40 || s.repeats.stream.Ahead() != 0 {
		t.Errorf("%d calls were left out, %d counted, %d are ahead, want 30, 40, 0", a.folding.calls,
			s.thread.Calls-before, s.repeats.stream.Ahead())
	}
	a.count(&message.Count{Group: 1})
	if s.promised() {
		t.Error("something is promised in a consistent state")
	}
}

// TestRanksOfWhichSomethingIsPromisedAreGivenUpWithTheLeader: nobody knows then whether others have left their part
// out.
func TestRanksOfWhichSomethingIsPromisedAreGivenUpWithTheLeader(t *testing.T) {
	p, s := promising(t)
	p.a.consistent(5)
	p.a.message(message.Gone{Agent: leadingAgent})
	if r := p.a.order[0]; !r.Lost || p.a.broken == nil || !strings.Contains(p.a.broken.Why, "lost touch") {
		t.Errorf("lost %v, broken %v", r.Lost, p.a.broken)
	}
	if s.promised() || s.repeats.joint != nil || !p.a.sync.holding {
		t.Errorf("promised %v, joint %v, holding %v", s.promised(), s.repeats.joint, p.a.sync.holding)
	}
}

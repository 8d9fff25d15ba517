package detect

import (
	"testing"

	"unknot/internal/vocab/message"
)

// A sender that waits for room has to have the processor after its receiver had it: all of a group must have had it
// twice, and the group must not have moved meanwhile.
func TestAGroupStaysIfAllHadTheProcessorTwice(t *testing.T) {
	at := func(stamp uint32, since, shown int) *message.Wait {
		w := &message.Wait{State: message.Blocked, Since: since, Shown: shown}
		w.Real.Stamp = stamp
		return w
	}
	var s stayed
	for _, step := range []struct {
		round   int
		a, b    *message.Wait
		decided bool
	}{
		{3, at(7, 1, 2), at(9, 3, 0), false},
		{4, at(7, 1, 3), at(9, 3, 0), false},  // the second one has not had it yet
		{5, at(7, 1, 4), at(9, 3, 4), false},  // for the first time
		{6, at(7, 1, 5), at(9, 3, 6), false},  // the first one has not had it since
		{7, at(7, 1, 6), at(9, 3, 6), true},   // both have
		{8, at(7, 1, 7), at(10, 8, 0), false}, // the second one is in another call
		{9, at(7, 1, 9), at(10, 8, 9), false},
		{10, at(7, 1, 9), at(10, 8, 9), false},
		{11, at(7, 1, 10), at(10, 8, 10), true},
	} {
		s.next(step.round)
		if got := s.twice(necessary, []*message.Wait{step.a, step.b}); got != step.decided {
			t.Errorf("round %d: %v, want %v", step.round, got, step.decided)
		}
	}
}

// What nobody asks for in a round is proven anew.
func TestAGroupThatIsGoneIsForgotten(t *testing.T) {
	var s stayed
	w := []*message.Wait{{State: message.Blocked, Since: 1, Shown: 2}}
	s.next(2)
	s.twice(necessary, w)
	s.next(3)
	s.next(4)
	w[0].Shown = 3
	if s.twice(necessary, w) {
		t.Error("the first time is remembered from before the group was gone")
	}
}

// Threads stay where they are only if each has had the processor after the round in which the last of them was found.
func TestThreadsStayOnlyIfTheyHadTheProcessorOnceAllWereThere(t *testing.T) {
	for _, c := range []struct {
		what    string
		threads []*message.Wait
		want    bool
	}{
		{"none is blocked", []*message.Wait{{State: message.Asleep}, {State: message.Polling}}, true},
		{"both had it", []*message.Wait{{State: message.Blocked, Since: 2, Shown: 4},
			{State: message.Blocked, Since: 3, Shown: 5}}, true},
		{"one had it before the other came", []*message.Wait{{State: message.Blocked, Since: 1, Shown: 2},
			{State: message.Blocked, Since: 3, Shown: 5}}, false},
		{"one had it in the round in which the other was found", []*message.Wait{
			{State: message.Blocked, Since: 1, Shown: 3}, {State: message.Blocked, Since: 3, Shown: 5}}, false},
		{"one never had it", []*message.Wait{{State: message.Blocked, Since: 1},
			{State: message.Blocked, Since: 1, Shown: 5}}, false},
		{"what sleeps outside of MPI does not count", []*message.Wait{{State: message.Asleep, Since: 9},
			{State: message.Blocked, Since: 1, Shown: 2}}, true},
	} {
		if got := hadTheProcessor(c.threads, lastCame(c.threads)); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

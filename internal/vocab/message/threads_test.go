package message

import "testing"

// Threads stay where they are if each has had the processor after the round in which the last of them was found.
func TestThreadsStayOnlyIfTheyHadTheProcessorOnceAllWereThere(t *testing.T) {
	for _, c := range []struct {
		what    string
		threads []*Wait
		want    bool
	}{
		{"none is blocked", []*Wait{{State: Asleep}, {State: Polling}}, true},
		{"both had it", []*Wait{{State: Blocked, Since: 2, Shown: 4}, {State: Blocked, Since: 3, Shown: 5}}, true},
		{"one had it before the other came", []*Wait{{State: Blocked, Since: 1, Shown: 2},
			{State: Blocked, Since: 3, Shown: 5}}, false},
		{"one had it in the round in which the other was found", []*Wait{{State: Blocked, Since: 1, Shown: 3},
			{State: Blocked, Since: 3, Shown: 5}}, false},
		{"one never had it", []*Wait{{State: Blocked, Since: 1}, {State: Blocked, Since: 1, Shown: 5}}, false},
		{"what sleeps outside of MPI does not count", []*Wait{{State: Asleep, Since: 9},
			{State: Blocked, Since: 1, Shown: 2}}, true},
	} {
		if got := Stay(c.threads); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

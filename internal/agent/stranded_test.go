package agent

import (
	"testing"
	"time"

	"unknot/internal/message"
	"unknot/internal/waitstate"
)

// The data of all stranded calls counts for each of them: one that has little to move may wait for another's.
func TestStrandedCallsAreGivenTimeForAllData(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls []*message.Stranded
		want  bool
	}{
		{"no data", []*message.Stranded{{Spare: 0}, {Spare: time.Second}}, true},
		{"enough", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6}, {Spare: 2 * time.Second}}, true},
		{"another's data", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6}, {Spare: time.Second}}, false},
		{"data together", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6}, {Spare: 3 * time.Second, Bytes: 100e6}}, false},
	} {
		if got := longEnough(c.calls); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A call has what it needs if all of it is there, or for a completion of any request one.
func TestWhatACallNeedsIsThere(t *testing.T) {
	free, open := waitstate.Need{Free: true}, waitstate.Need{}
	for _, c := range []struct {
		any   bool
		needs []waitstate.Need
		want  bool
	}{
		{false, []waitstate.Need{free, free}, true}, {false, []waitstate.Need{free, open}, false}, {false, nil, true},
		{true, []waitstate.Need{open, free}, true}, {true, []waitstate.Need{open, open}, false},
	} {
		if got := met(&waitstate.Wait{Any: c.any, Needs: c.needs}); got != c.want {
			t.Errorf("any %v, %v: %v, want %v", c.any, c.needs, got, c.want)
		}
	}
}

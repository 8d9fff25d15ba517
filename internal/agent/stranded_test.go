package agent

import (
	"testing"

	"unknot/internal/model/waitstate"
)

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

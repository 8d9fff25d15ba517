package detect

import (
	"testing"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/tree"
)

// A launcher that kills the ranks that are still in MPI_Finalize, because one has returned from main with a status other than
// 0, is not a rank's death; a rank that was killed before that is.
func TestAKillAfterAFailedEndIsTheLaunchers(t *testing.T) {
	for _, c := range []struct {
		name        string
		killed, end uint64
		told        int
	}{{"killed after it", 100, 50, 0}, {"killed before it", 50, 100, 1}, {"nobody failed", 100, 0, 1}} {
		r := New(encoded(t, 1).Member(tree.Root), nil, 4, Options{}, nil)
		r.message(message.Death{Rank: 2, Kind: ring.DeathNone, Nanos: c.killed, Place: finding.Place{Rank: 2, WaitsFor: []int{}}})
		if c.end > 0 {
			r.message(message.Death{Rank: op.Rank(0), Final: true, Nanos: c.end})
		}
		r.tellDeaths(4)
		if len(r.told) != c.told {
			t.Errorf("%s: %d findings, want %d", c.name, len(r.told), c.told)
		}
	}
}

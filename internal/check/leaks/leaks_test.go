package leaks

import (
	"testing"

	"unknot/internal/check/feed"
	"unknot/internal/model/objects"
)

func TestACommunicatorWhoseRequestMayHaveFailedIsNoLeak(t *testing.T) {
	f := feed.New(t, Checkers())
	f.Rank.Certain = func() bool { return true }
	f.Rank.AddComm(&objects.Comm{Handle: 5,
		Derivation: objects.Derivation{Made: objects.Made{Func: f.Table.ByName("MPI_Comm_idup"), Site: 1}}}, false)
	for _, failed := range []bool{true, false} {
		f.Rank.Lost = failed
		leaks()[0].look(f.Rank, f.Watch.Earlier(f.Rank, 0, f.Table.ByName("MPI_Finalize"), 0, nil), nil)
		if told := len(f.Watch.Reports) > 0; told == failed {
			t.Errorf("a wait has failed: %v; the communicator is told: %v", failed, told)
		}
	}
}

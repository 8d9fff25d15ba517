package threads

import (
	"fmt"
	"testing"

	"unknot/internal/check/feed"
	"unknot/internal/objects"
)

// TestTheHintOnThreadLevelsFollowsFromHowMPIWasInitialised: by MPI_Init, with a level that is too low, or with one that the library does not provide.
func TestTheHintOnThreadLevelsFollowsFromHowMPIWasInitialised(t *testing.T) {
	const enough = "MPI_THREAD_SERIALIZED if only one thread at a time calls MPI, else MPI_THREAD_MULTIPLE"
	for _, c := range []struct {
		init     string
		required int64
		hint     string
	}{
		{"MPI_Init", 0, "call MPI_Init_thread instead of MPI_Init, with " + enough + ", and check that it is provided"},
		{"MPI_Init_thread", 1, "request " + enough + " in MPI_Init_thread, and check that it is provided"},
		{"MPI_Init_thread", 3, "the program requested a higher level, which this MPI library does not provide: check `provided`, and with MPI_THREAD_FUNNELED call MPI as it allows"},
	} {
		f := feed.New(t, Checkers())
		l := &f.Rank.Limits
		l.Single, l.Funneled, l.Serialized, l.Multiple, l.LevelKnown = 0, 1, 2, 3, true
		l.Level, l.Required, l.Init = 1, c.required, objects.Made{Func: f.Table.ByName(c.init), Site: 77}
		f.Watch.Enter(f.Watch.Earlier(f.Rank, 1, f.Table.ByName("MPI_Barrier"), 5, []uint64{1}))
		if len(f.Watch.Reports) != 1 {
			t.Fatalf("%s: %d reports", c.init, len(f.Watch.Reports))
		}
		r := f.Watch.Reports[0]
		if r.Hint != c.hint {
			t.Errorf("%s of level %d: hint %q, want %q", c.init, c.required, r.Hint, c.hint)
		}
		if len(r.Related) != 1 || r.Related[0].Site != 77 || fmt.Sprint(r.Related[0].Text, " by ", r.Related[0].Func.Name) != "MPI was initialised by "+c.init {
			t.Errorf("%s: related %+v", c.init, r.Related)
		}
	}
}

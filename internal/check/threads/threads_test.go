package threads

import (
	"fmt"
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// TestTheHintOnThreadLevelsFollowsFromHowMPIWasInitialised: by MPI_Init, with a level that is too low, or with one that
// the library does not provide.
func TestTheHintOnThreadLevelsFollowsFromHowMPIWasInitialised(t *testing.T) {
	const enough = "MPI_THREAD_SERIALIZED if only one thread at a time calls MPI, else MPI_THREAD_MULTIPLE"
	for _, c := range []struct {
		init     string
		required int64
		hint     string
	}{
		{"MPI_Init", 0, "call MPI_Init_thread instead of MPI_Init, with " + enough + ", and check that it is provided"},
		{"MPI_Init_thread", 1, "request " + enough + " in MPI_Init_thread, and check that it is provided"},
		{"MPI_Init_thread", 3, "the program requested a higher level, which this MPI library does not provide: check " +
			"`provided`, and with MPI_THREAD_FUNNELED call MPI as it allows"},
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
		if len(r.Related) != 1 || r.Related[0].Site != 77 || fmt.Sprint(r.Related[0].Text, " by ",
			r.Related[0].Func.Name) != "MPI was initialised by "+c.init {
			t.Errorf("%s: related %+v", c.init, r.Related)
		}
	}
}

// probeAndReceive has a thread of a feeder's rank probe for any source with a tag, and receive what it has found, up to
// a number of calls.
func probeAndReceive(f *feed.Feeder, thread op.Thread, tag int, calls int) {
	const any, source, number, integer = ^uint64(0), 1, 1, 9
	for i, c := range []*check.Call{
		f.Made("MPI_Probe", 10+uint64(thread), any, uint64(tag), 1),
		f.Made("MPI_Recv", 20+uint64(thread), 1, number, integer, source, uint64(tag), 1),
	} {
		if c.Thread = thread; i < calls {
			f.Enter(c)
		}
	}
}

// TestThreadsThatProbeAreReportedUnlessSomethingOrdersThem: starting and joining them, or a call of MPI in between. It
// is a prediction where they have not met.
func TestThreadsThatProbeAreReportedUnlessSomethingOrdersThem(t *testing.T) {
	const manifest, predicted, nothing = finding.Manifest, finding.Predicted, finding.Standing("")
	other := func(f *feed.Feeder, thread op.Thread) {
		c := f.Made("MPI_Barrier", 30, 1)
		c.Thread = thread
		f.Enter(c)
	}
	for name, c := range map[string]struct {
		locked bool
		do     func(f *feed.Feeder, started, joined func(by, thread op.Thread))
		want   finding.Standing
	}{
		"at the same time": {true, func(f *feed.Feeder, _, _ func(by, thread op.Thread)) {
			probeAndReceive(f, 1, 5, 1)
			probeAndReceive(f, 2, 5, 2)
			c := f.Made("MPI_Recv", 21, 1, 1, 9, 1, 5, 1)
			c.Thread = 1
			f.Enter(c)
		}, manifest},
		"one after the other": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			started(0, 2)
			probeAndReceive(f, 1, 5, 2)
			probeAndReceive(f, 1, 5, 2)
			probeAndReceive(f, 2, 5, 2)
		}, predicted},
		"with a lock in the program": {true, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			probeAndReceive(f, 1, 5, 2)
			probeAndReceive(f, 0, 5, 2)
		}, nothing},
		"started late, but not by what has received": {false,
			func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
				started(0, 1)
				probeAndReceive(f, 1, 5, 2)
				started(0, 2)
				probeAndReceive(f, 2, 5, 2)
			}, predicted},
		"started by what has received": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			probeAndReceive(f, 0, 5, 2)
			started(0, 1)
			probeAndReceive(f, 1, 5, 2)
		}, nothing},
		"joined before the other one was started": {false,
			func(f *feed.Feeder, started, joined func(by, thread op.Thread)) {
				started(0, 1)
				probeAndReceive(f, 1, 5, 2)
				joined(0, 1)
				started(0, 2)
				probeAndReceive(f, 2, 5, 2)
			}, nothing},
		"one of another thread was joined": {false, func(f *feed.Feeder, started, joined func(by, thread op.Thread)) {
			started(0, 1)
			started(0, 2)
			probeAndReceive(f, 1, 5, 2)
			joined(0, 1)
			probeAndReceive(f, 2, 5, 2)
		}, predicted},
		"a thread was joined that may have joined it": {false,
			func(f *feed.Feeder, started, joined func(by, thread op.Thread)) {
				started(0, 1)
				started(0, 2)
				probeAndReceive(f, 1, 5, 2)
				joined(0, 2)
				started(0, 3)
				probeAndReceive(f, 3, 5, 2)
			}, nothing},
		"another call of MPI in between": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			probeAndReceive(f, 0, 5, 2)
			other(f, 1)
			probeAndReceive(f, 1, 5, 2)
		}, nothing},
		"a receive without a probe in between": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			probeAndReceive(f, 0, 5, 2)
			c := f.Made("MPI_Recv", 40, 1, 1, 9, 1, 6, 1)
			c.Thread = 1
			f.Enter(c)
			probeAndReceive(f, 1, 5, 2)
		}, nothing},
		"in turns": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			probeAndReceive(f, 0, 5, 2)
			probeAndReceive(f, 1, 5, 2)
			probeAndReceive(f, 0, 5, 2)
		}, nothing},
		"of other tags": {false, func(f *feed.Feeder, started, _ func(by, thread op.Thread)) {
			started(0, 1)
			probeAndReceive(f, 0, 5, 2)
			probeAndReceive(f, 1, 6, 2)
		}, nothing},
		"a thread whose start was not seen": {false, func(f *feed.Feeder, _, _ func(by, thread op.Thread)) {
			probeAndReceive(f, 0, 5, 2)
			probeAndReceive(f, 1, 5, 2)
		}, nothing},
	} {
		f := feed.New(t, Checkers())
		f.Rank.Unlocked = !c.locked
		c.do(f, func(by, thread op.Thread) { f.Watch.Started(f.Rank, by, thread) }, func(by, thread op.Thread) {
			f.Watch.Joined(f.Rank, by, thread)
		})
		f.Watch.EndRank(f.Rank)
		switch n := len(f.Watch.Reports); {
		case n > 1 || (n == 1) != (c.want != nothing):
			t.Errorf("%s: %d reports, want %q", name, n, c.want)
		case n == 1 && f.Watch.Reports[0].Standing != c.want:
			t.Errorf("%s: %s, want %s", name, f.Watch.Reports[0].Standing, c.want)
		}
	}
}

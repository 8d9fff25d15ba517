package threads

import (
	"fmt"
	"slices"
	"strings"
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

// team are threads of a feeder's rank, the order of which is followed.
type team struct {
	*feed.Feeder
	stamp uint32
	turns map[op.Thread][]uint64
}

func newTeam(f *feed.Feeder, followed bool) *team {
	t := &team{Feeder: f, turns: make(map[op.Thread][]uint64)}
	if followed {
		f.Rank.Order = new(check.Order)
		t.knows(0, []uint64{1, 0, 0, 0})
	}
	return t
}

func (t *team) knows(thread op.Thread, turns []uint64) {
	t.turns[thread] = turns
	t.Rank.Order.Know(thread, 0, slices.Clone(turns))
}

// hands has one thread hand on what it knows to another one.
func (t *team) hands(from, to op.Thread) {
	if t.Rank.Order == nil {
		return
	}
	knows := slices.Clone(t.turns[from])
	for i, n := range t.turns[to] {
		knows[i] = max(knows[i], n)
	}
	knows[to] = max(knows[to], 1)
	t.knows(to, knows)
	t.turns[from][from]++
	t.knows(from, t.turns[from])
}

// call has a thread make a call, which returns at once.
func (t *team) call(thread op.Thread, c *check.Call) {
	t.stamp++
	c.Thread, c.Stamp = thread, t.stamp
	t.Rank.Order.Begin(c)
	t.Enter(c)
	t.stamp++
	t.Rank.Order.End(thread, t.stamp)
}

// probeAndReceive has a thread probe for any source with a tag, and receive what it has found, up to a number of calls.
func (t *team) probeAndReceive(thread op.Thread, tag, calls int) {
	const any, source, number, integer = ^uint64(0), 1, 1, 9
	for i, c := range []*check.Call{
		t.Made("MPI_Probe", 10+uint64(thread), any, uint64(tag), 1),
		t.Made("MPI_Recv", 20+uint64(thread), 1, number, integer, source, uint64(tag), 1),
	} {
		if i < calls {
			t.call(thread, c)
		}
	}
}

// TestThreadsThatProbeAreReportedUnlessSomethingOrdersThem: what one hands on to the other, or a call of MPI in between.
// It is a prediction where they have not met.
func TestThreadsThatProbeAreReportedUnlessSomethingOrdersThem(t *testing.T) {
	const manifest, predicted, nothing = finding.Manifest, finding.Predicted, finding.Standing("")
	for name, c := range map[string]struct {
		unknown bool
		do      func(t *team)
		want    finding.Standing
	}{
		"at the same time": {true, func(t *team) {
			t.probeAndReceive(1, 5, 1)
			t.probeAndReceive(2, 5, 2)
			t.call(1, t.Made("MPI_Recv", 21, 1, 1, 9, 1, 5, 1))
		}, manifest},
		"one after the other": {false, func(t *team) {
			t.hands(0, 1)
			t.hands(0, 2)
			t.probeAndReceive(1, 5, 2)
			t.probeAndReceive(1, 5, 2)
			t.probeAndReceive(2, 5, 2)
		}, predicted},
		"with means that are not followed": {true, func(t *team) {
			t.probeAndReceive(1, 5, 2)
			t.probeAndReceive(0, 5, 2)
		}, nothing},
		"started late, but not by what has received": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(1, 5, 2)
			t.hands(0, 2)
			t.probeAndReceive(2, 5, 2)
		}, predicted},
		"started by what has received": {false, func(t *team) {
			t.probeAndReceive(0, 5, 2)
			t.hands(0, 1)
			t.probeAndReceive(1, 5, 2)
		}, nothing},
		"joined before the other one was started": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(1, 5, 2)
			t.hands(1, 0)
			t.hands(0, 2)
			t.probeAndReceive(2, 5, 2)
		}, nothing},
		"one of another thread was joined": {false, func(t *team) {
			t.hands(0, 1)
			t.hands(0, 2)
			t.probeAndReceive(1, 5, 2)
			t.hands(1, 0)
			t.probeAndReceive(2, 5, 2)
		}, predicted},
		"another call of MPI in between": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(0, 5, 2)
			t.call(1, t.Made("MPI_Barrier", 30, 1))
			t.probeAndReceive(1, 5, 2)
		}, nothing},
		"a receive without a probe in between": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(0, 5, 2)
			t.call(1, t.Made("MPI_Recv", 40, 1, 1, 9, 1, 6, 1))
			t.probeAndReceive(1, 5, 2)
		}, nothing},
		"in turns": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(0, 5, 2)
			t.probeAndReceive(1, 5, 2)
			t.probeAndReceive(0, 5, 2)
		}, nothing},
		"of other tags": {false, func(t *team) {
			t.hands(0, 1)
			t.probeAndReceive(0, 5, 2)
			t.probeAndReceive(1, 6, 2)
		}, nothing},
		"a thread whose start was not seen": {false, func(t *team) {
			t.probeAndReceive(0, 5, 2)
			t.probeAndReceive(1, 5, 2)
		}, nothing},
	} {
		f := newTeam(feed.New(t, Checkers()), !c.unknown)
		c.do(f)
		f.Watch.EndRank(f.Rank)
		switch n := len(f.Watch.Reports); {
		case n > 1 || (n == 1) != (c.want != nothing):
			t.Errorf("%s: %d reports, want %q", name, n, c.want)
		case n == 1 && f.Watch.Reports[0].Standing != c.want:
			t.Errorf("%s: %s, want %s", name, f.Watch.Reports[0].Standing, c.want)
		}
	}
}

// TestCallsThatCameByChanceArePredicted: what orders them, or may have done so, is what another thread has handed on,
// and what it may have learned by MPI in between.
func TestCallsThatCameByChanceArePredicted(t *testing.T) {
	send := func(t *team, thread op.Thread) { t.call(thread, t.Made("MPI_Send", 5, 1, 1, 9, 1, 5, 1)) }
	for name, c := range map[string]struct {
		do   func(t *team)
		want int
	}{
		"nothing between them": {func(t *team) {
			t.hands(0, 1)
			send(t, 1)
			send(t, 0)
		}, 1},
		"handed on": {func(t *team) {
			t.hands(0, 1)
			send(t, 1)
			t.hands(1, 0)
			send(t, 0)
		}, 0},
		"by a third thread": {func(t *team) {
			t.hands(0, 1)
			t.hands(0, 2)
			send(t, 1)
			t.hands(1, 2)
			t.hands(2, 0)
			send(t, 0)
		}, 0},
		"to a third thread only": {func(t *team) {
			t.hands(0, 1)
			t.hands(0, 2)
			send(t, 1)
			t.hands(1, 2)
			send(t, 0)
		}, 1},
		"a thread that may have heard of it by MPI": {func(t *team) {
			t.hands(0, 1)
			t.hands(0, 2)
			send(t, 1)
			t.call(2, t.Made("MPI_Recv", 40, 1, 1, 9, 1, 6, 1)) // by chance itself
			t.hands(2, 0)
			send(t, 0)
		}, 1},
		"a call that lasted until then": {func(t *team) {
			t.hands(0, 1)
			long := t.Made("MPI_Recv", 40, 1, 1, 9, 1, 6, 1)
			t.stamp++
			long.Stamp = t.stamp
			t.Rank.Order.Begin(long)
			send(t, 1)
			t.stamp++
			t.Rank.Order.End(0, t.stamp)
			send(t, 0)
		}, 0},
		"lost": {func(t *team) {
			t.hands(0, 1)
			send(t, 1)
			t.knows(1, nil)
			send(t, 0)
		}, 0},
		"lost, by a record whose last slot is not full": {func(t *team) {
			t.hands(0, 1)
			send(t, 1)
			t.knows(1, []uint64{0, 0, 0, 0, 0})
			send(t, 0)
		}, 0},
	} {
		f := newTeam(feed.New(t, Checkers()), true)
		l := &f.Rank.Limits
		l.Single, l.Funneled, l.Serialized, l.Multiple, l.LevelKnown, l.Level = 0, 1, 2, 3, true, 2
		c.do(f)
		f.Watch.Reports = slices.DeleteFunc(f.Watch.Reports, func(r *check.Report) bool { return r.Code == threadOrder })
		if n := len(f.Watch.Reports); n != c.want {
			t.Errorf("%s: %d reports, want %d", name, n, c.want)
		}
		for _, r := range f.Watch.Reports {
			if r.Standing != finding.Predicted {
				t.Errorf("%s: it is %s", name, r.Standing)
			}
		}
	}
}

// TestWhyTheOrderOfThreadsIsNotFollowedIsSaidOnce: of a rank in which several threads call MPI.
func TestWhyTheOrderOfThreadsIsNotFollowedIsSaidOnce(t *testing.T) {
	because := func(by string) func(t *team) { return func(t *team) { t.Rank.Unfollowed = &by } }
	loop := func(at finding.Frame) func(t *team) {
		return func(t *team) {
			t.Rank.OwnOrder = func() (finding.Frame, bool) { return at, true }
			t.hands(0, 1)
		}
	}
	for name, c := range map[string]struct {
		before  func(t *team)
		threads []op.Thread
		want    string // in a note; nothing is said if it is empty
	}{
		"followed":            {func(t *team) { t.hands(0, 1) }, []op.Thread{0, 1, 0, 1}, ""},
		"one thread":          {because("sched_yield"), []op.Thread{0, 0}, ""},
		"a function":          {because("sched_yield"), []op.Thread{0, 1, 0, 1}, "the program calls sched_yield"},
		"a library":           {because("libtbb.so.12"), []op.Thread{0, 1, 1}, "uses the library libtbb.so.12"},
		"threads before":      {because(""), []op.Thread{0, 1, 2}, "there before MPI was initialised"},
		"what is not known":   {because("?"), []op.Thread{0, 1}, "by means that are not known"},
		"a loop":              {loop(finding.Frame{Function: "take", File: "q.c", Line: 7}), []op.Thread{1, 0, 0, 1}, "take (q.c:7)"},
		"a loop not found":    {loop(finding.Frame{}), []op.Thread{1, 0, 0}, "by means that are not known"},
		"a loop, no question": {loop(finding.Frame{}), []op.Thread{1, 1}, ""},
	} {
		f := newTeam(feed.New(t, Checkers()), true)
		l := &f.Rank.Limits
		l.Single, l.Funneled, l.Serialized, l.Multiple, l.LevelKnown, l.Level = 0, 1, 2, 3, true, 2
		c.before(f)
		if f.Rank.Unfollowed != nil {
			f.Rank.Order = nil
		}
		for _, thread := range c.threads {
			f.call(thread, f.Made("MPI_Send", 5, 1, 1, 9, 1, 5, 1))
		}
		var said []string
		for _, r := range f.Watch.Reports {
			if r.Code == threadOrder {
				said = append(said, fmt.Sprint(r.Notes))
			} else if c.want != "" {
				t.Errorf("%s: %s is reported", name, r.Code)
			}
		}
		if c.want == "" && len(said) > 0 || c.want != "" && (len(said) != 1 || !strings.Contains(said[0], c.want)) {
			t.Errorf("%s: it says %q, want %q once", name, said, c.want)
		}
	}
}

package repeat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// repeating is two ranks of one agent, or of one each, that exchange messages, and whose calls are left out. They have
// gone through 30 periods of 4 calls.
func repeating(t *testing.T, apart bool) *loop {
	t.Helper()
	l := newLoop(t, 2, apart, true)
	for range 3 {
		for i := range 2 {
			l.write(i, 10, fmt.Sprintf(exchange, 1-i))
		}
		l.read()
	}
	for i, r := range l.ranks {
		if !r.s.Repeating() || l.leftOut() == 0 {
			t.Fatalf("calls of rank %d do not repeat, or none were left out", i)
		}
	}
	return l
}

// skim has an agent read what repeats.
func (l *loop) skim(agent int) bool { return l.agents[agent].fd.Skim() }

// TestAsMuchIsLeftOutAsAllRanksOfAGroupHaveGoneThrough.
func TestAsMuchIsLeftOutAsAllRanksOfAGroupHaveGoneThrough(t *testing.T) {
	l := repeating(t, false)
	before := l.leftOut()
	l.write(0, 7, fmt.Sprintf(exchange, 1))
	l.write(1, 4, fmt.Sprintf(exchange, 0))
	l.skim(0)
	if n := l.leftOut() - before; n != 2*4*4 {
		t.Errorf("%d calls were left out, want four periods of both ranks", n)
	}
	if a, b := l.ranks[0].s.Ahead(), l.ranks[1].s.Ahead(); a != 3*8 || b != 0 {
		t.Errorf("%d and %d records are ahead, want three periods of rank 0", a, b)
	}
	if l.ranks[0].left != l.ranks[1].left || l.ranks[0].left*2 != l.leftOut() {
		t.Errorf("the sources say that %d and %d calls were left out", l.ranks[0].left, l.ranks[1].left)
	}
	fd := l.agents[0].fd
	if !fd.HandOn(l.ranks[0].s) || l.ranks[0].s.Ahead() != 3*8 {
		t.Error("what is ahead was handed on in the turn in which periods were left out")
	}
	if l.skim(0) {
		t.Error("there is something in rings that are empty")
	}
	for want := 3 * 8; want > 0; want -= min(want, BatchSize) {
		if !fd.HandOn(l.ranks[0].s) {
			t.Error("there is nothing to hand on")
		}
		if got := l.ranks[0].s.Ahead(); got != max(0, want-BatchSize) {
			t.Errorf("%d records are ahead after a batch, want %d", got, max(0, want-BatchSize))
		}
	}
	if fd.HandOn(l.ranks[0].s) {
		t.Error("there is something to hand on at the end")
	}
}

// TestABatchIsHandedOnAtOnce, and that there is more is said.
func TestABatchIsHandedOnAtOnce(t *testing.T) {
	l := repeating(t, false)
	l.write(0, 10, fmt.Sprintf(exchange, 1)) // rank 1 does nothing meanwhile
	l.skim(0)
	l.ranks[0].s.skipped = false
	a := l.agents[0]
	for _, want := range []int{48, 16, 0} {
		if a.more = false; !a.fd.HandOn(l.ranks[0].s) || l.ranks[0].s.Ahead() != want || a.more != (want > 0) {
			t.Errorf("%d records are ahead, more: %t, want %d", l.ranks[0].s.Ahead(), a.more, want)
		}
	}
	l.write(0, 10, fmt.Sprintf(exchange, 1))
	l.skim(0)
	if a.fd.HandOnAll(); l.ranks[0].s.Ahead() != 0 {
		t.Errorf("%d records are ahead when all were handed on", l.ranks[0].s.Ahead())
	}
}

// TestARankThatHasEndedIsReadToItsEnd, also in the middle of a period.
func TestARankThatHasEndedIsReadToItsEnd(t *testing.T) {
	l := repeating(t, false)
	r := l.ranks[0]
	l.write(0, 3, fmt.Sprintf(exchange, 1))
	l.write(0, 1, "MPI_Irecv(buf 1 int 1 5 world) = r1\nMPI_Send(buf 1 int 1 5 world)")
	before := r.t.Calls
	l.agents[0].fd.ReadOut(r.s, func() bool { return l.agents[0].fd.HandOn(r.s) })
	if n := r.t.Calls - before; n != 14 || r.s.Ahead() != 0 || r.t.Func.Name != "MPI_Send" || !r.t.Inside {
		t.Errorf("%d calls were read, the last is %s, inside: %t, %d records are ahead", n, r.t.Func.Name, r.t.Inside,
			r.s.Ahead())
	}
}

// TestWhatMayNotBeLeftOutAnyMore has ranks that repeat their calls lose what makes that possible.
func TestWhatMayNotBeLeftOutAnyMore(t *testing.T) {
	for what, change := range map[string]func(l *loop){
		"a second thread": func(l *loop) { l.ranks[0].single = false },
		"lost records":    func(l *loop) { l.ranks[0].t.Rank.Lost = true },
		"switched off":    func(l *loop) { l.agents[0].fd.On = false },
	} {
		l := repeating(t, false)
		change(l)
		before := l.leftOut()
		for i := range 2 {
			l.write(i, 10, fmt.Sprintf(exchange, 1-i))
		}
		l.skim(0)
		if n := l.leftOut() - before; n != 0 {
			t.Errorf("%s: %d calls were left out", what, n)
		}
	}
}

// TestTheProbeMayHaveComparedForTheAgent: what it has counted need not be compared again.
func TestTheProbeMayHaveComparedForTheAgent(t *testing.T) {
	l := repeating(t, false)
	before := l.leftOut()
	for i, r := range l.ranks {
		r.s.Ring = counted{r, 5 * 8}
		l.write(i, 0, "")
	}
	l.skim(0)
	if n := l.leftOut() - before; n != 2*5*4 {
		t.Errorf("%d calls were left out, want five periods of both ranks", n)
	}
	if at := l.ranks[0].t.Stamp; at != (30+5)*8-1 {
		t.Errorf("the last call has the stamp %d, want %d", at, (30+5)*8-1)
	}
}

// counted is a ring in which the probe has counted so many records.
type counted struct {
	*looping
	n int
}

func (c counted) SkimRepeated(period, limit int) int {
	if period != 8 || limit > ring.FoldAhead {
		c.a.Errorf("asked for at most %d records of a period of %d", limit, period)
	}
	return c.n
}

// TestAReportWhileAPeriodIsLearnedRulesItOut: it has to be counted each time.
func TestAReportWhileAPeriodIsLearnedRulesItOut(t *testing.T) {
	l := newLoop(t, 1, false, true)
	hand := l.ranks[0].s.Hand
	l.ranks[0].s.Hand = func(r *ring.Record) {
		l.agents[0].reported++
		hand(r)
	}
	l.write(0, 60, "MPI_Send(buf 1 int nobody 5 world) =\nMPI_Comm_size(world) =")
	l.read()
	if n := l.leftOut(); n != 0 {
		t.Errorf("%d calls were left out", n)
	}
}

// TestRanksThatAreTooFarFromEachOtherBelongToNoGroup until they have come closer.
func TestRanksThatAreTooFarFromEachOtherBelongToNoGroup(t *testing.T) {
	l := newLoop(t, 2, false, true)
	l.write(0, 40, "MPI_Send(buf 1 int 1 5 world) =\nMPI_Comm_size(world) =")
	for range 20 {
		l.agents[0].turn()
	}
	l.write(0, 1, "MPI_Barrier(self) =") // it begins to repeat anew, with many messages on their way
	l.write(0, 300, "MPI_Send(buf 1 int 1 5 world) =\nMPI_Comm_size(world) =")
	l.write(1, 12, "MPI_Recv(buf 1 int 0 5 world) = 0 5 4\nMPI_Comm_size(world) =")
	l.read()
	if n := l.leftOut(); n != 0 {
		t.Errorf("%d calls were left out, though messages are on their way that others have sent", n)
	}
	if fd := l.agents[0].fd; !fd.apart || fd.stale {
		t.Errorf("ranks are too far from each other: %t, and are looked at: %t", fd.apart, fd.stale)
	}
	l.agents[0].fd.LookAgain()
	if !l.agents[0].fd.stale {
		t.Error("they are not looked at again")
	}
}

// TestPromises: what an agent has said that its ranks have gone through is not followed before all leave it out.
func TestPromises(t *testing.T) {
	l := repeating(t, true)
	a, r := l.agents[0], l.ranks[0]
	group := func() (number uint32) {
		for n := range a.fd.joints {
			number = n
		}
		return number
	}()
	l.write(0, 6, fmt.Sprintf(exchange, 1))
	sent := func() string {
		var all []string
		for _, m := range l.net.Member(0).Take(nil) {
			all = append(all, strings.TrimPrefix(fmt.Sprintf("%T%+v", m, m), "message."))
		}
		return strings.Join(all, " ")
	}
	sent()
	a.fd.Message(message.Count{Group: group})
	if got, want := sent(), fmt.Sprintf("Counted{From:0 Group:%d Periods:6 Over:false}", group); got != want {
		t.Errorf("the leader was sent %s, want %s", got, want)
	}
	if !r.s.Promised() || !a.fd.Defer(5) || len(a.rounds) != 0 {
		t.Errorf("promised: %t, rounds %v were begun", r.s.Promised(), a.rounds)
	}
	before, calls := l.leftOut(), r.t.Calls
	if a.fd.HandOn(r.s); r.t.Calls != calls {
		t.Error("what was promised is handed on")
	}
	a.fd.Message(message.Count{Group: group})
	if got, want := sent(), fmt.Sprintf("Counted{From:0 Group:%d Periods:0 Over:false}", group); got != want {
		t.Errorf("with a consistent state ahead the leader was sent %s, want %s", got, want)
	}
	a.fd.Message(message.LeaveOut{Group: group, Periods: 4})
	if n := l.leftOut() - before; n != 4*4 || r.s.Promised() || fmt.Sprint(a.rounds) != "[5]" {
		t.Errorf("%d calls were left out, promised: %t, rounds %v were begun", n, r.s.Promised(), a.rounds)
	}
	if a.fd.Defer(6) {
		t.Error("a consistent state waits though nothing is promised")
	}
	a.holding = true
	a.fd.Message(message.Count{Group: group})
	if got := sent(); !strings.Contains(got, "Periods:0") || r.s.Promised() {
		t.Errorf("while a state is taken the leader was sent %s", got)
	}
	a.holding = false
	a.fd.Message(message.Count{Group: 4711})
	if got := sent(); got != "Counted{From:0 Group:4711 Periods:0 Over:true}" {
		t.Errorf("of a group that is not known the leader was sent %s", got)
	}
	a.fd.Message(message.Disband{Group: group})
	if r.s.joint != nil || len(a.fd.joints) != 0 {
		t.Error("the rank still belongs to the group")
	}
	a.fd.Message(message.Sent{From: 1, Group: group})
	if len(a.fd.sent) != 0 {
		t.Error("what is said of a group that has ended is kept")
	}
}

// TestTheLeaderIsLost: nobody knows whether others have left out what was promised.
func TestTheLeaderIsLost(t *testing.T) {
	for _, promised := range []bool{false, true} {
		l := repeating(t, true)
		a, r := l.agents[1], l.ranks[1]
		l.write(1, 6, fmt.Sprintf(exchange, 0))
		if promised {
			for n := range a.fd.joints {
				a.fd.Message(message.Count{Group: n})
			}
			a.fd.Defer(3)
		}
		a.fd.Lost(0)
		if errors.Is(r.gaveUp, errPromised) != promised || r.s.joint != nil || !a.fd.off {
			t.Errorf("promised: %t, given up with %v, still in a group: %t", promised, r.gaveUp, r.s.joint != nil)
		}
		if promised != (fmt.Sprint(a.rounds) == "[3]") {
			t.Errorf("promised: %t, the rounds %v were begun", promised, a.rounds)
		}
		l.net.Member(0).Take(nil)
		a.fd.stale = true
		if a.fd.Publish(); len(l.net.Member(0).Take(nil)) > 0 {
			t.Error("it tells the leader what repeats, though that is lost")
		}
	}
	l := repeating(t, true)
	if l.agents[0].fd.Lost(1); l.agents[0].fd.off {
		t.Error("the loss of another agent ends all groups")
	}
	l.agents[1].fd.Defer(3)
	l.agents[1].fd.Forget()
	if l.agents[1].fd.due != nil {
		t.Error("a consistent state still waits")
	}
}

// TestAnAgentPublishesWhatItsRanksRepeat once, and only what may belong to a group with others.
func TestAnAgentPublishesWhatItsRanksRepeat(t *testing.T) {
	published := func(l *loop) (list []message.Repeats) {
		for _, m := range l.net.Member(leadingAgent).Take(nil) {
			if m, is := m.(message.Repeats); is {
				list = append(list, m)
			}
		}
		return list
	}
	l := newLoop(t, 2, true, true)
	l.write(1, 12, "MPI_Recv(buf 1 int 0 5 world) = 0 5 4\nMPI_Send(buf 1 int 0 6 world) =\nMPI_Barrier(world) =")
	for range 10 {
		l.agents[1].turn()
	}
	list := published(l)
	if len(list) != 1 || list[0].From != 1 || len(list[0].Ranks) != 1 {
		t.Fatalf("the leader gets %+v", list)
	}
	r := list[0].Ranks[0]
	if fmt.Sprintf("%+v", r.Sent) != "[{Src:1 Dst:0 Ctx:1 Tag:6 N:1}]" ||
		fmt.Sprintf("%+v", r.Got) != "[{Src:0 Dst:1 Ctx:1 Tag:5 N:1}]" || len(r.Waves) != 1 || r.Waves[0].N != 1 ||
		r.Waves[0].Members.Len() != 2 || r.Rank != 1 {
		t.Errorf("of rank 1 it gets %+v", r)
	}
	if r.Since == 1 || (r.Since-1)%6 != 0 {
		t.Errorf("it has repeated itself since record %d, want the first one of a period of 6 but the first", r.Since)
	}
	l.agents[1].fd.Publish()
	if list := published(l); len(list) > 0 {
		t.Errorf("it gets again %+v", list)
	}
	l.write(1, 1, "MPI_Comm_size(world) =")
	for range 3 {
		l.agents[1].turn()
	}
	if list := published(l); len(list) != 1 || len(list[0].Ranks) != 0 {
		t.Errorf("when it repeats no more the leader gets %+v", list)
	}
	l = newLoop(t, 2, true, true)
	l.write(1, 60, "MPI_Comm_size(world) =\nMPI_Send(buf 1 int nobody 5 world) =")
	for range 10 {
		l.agents[1].turn()
	}
	if list := published(l); len(list) > 0 {
		for _, r := range list[len(list)-1].Ranks {
			t.Errorf("of a rank by itself it gets %+v", r)
		}
	}
}

// TestRanksOfOthersJoinAGroupOnlyAsTheLeaderKnowsThem.
func TestRanksOfOthersJoinAGroupOnlyAsTheLeaderKnowsThem(t *testing.T) {
	for what, c := range map[string]struct {
		change func(l *loop, w *message.Joined)
		near   bool
	}{
		"as it is":            {func(*loop, *message.Joined) {}, true},
		"another beginning":   {func(_ *loop, w *message.Joined) { w.Since++ }, false},
		"another rank":        {func(_ *loop, w *message.Joined) { w.Rank = 7 }, false},
		"more than one ring":  {func(l *loop, _ *message.Joined) { l.ranks[0].single = false }, false},
		"records are lost":    {func(l *loop, _ *message.Joined) { l.ranks[0].t.Rank.Lost = true }, false},
		"in another group":    {func(l *loop, _ *message.Joined) { l.ranks[0].s.joint = &joint{} }, false},
		"it repeats no more":  {func(l *loop, _ *message.Joined) { l.ranks[0].s.summary = nil }, false},
		"the leader was lost": {func(l *loop, _ *message.Joined) { l.agents[0].fd.off = true }, false},
	} {
		l := repeating(t, true)
		a := l.agents[0]
		for n := range a.fd.joints {
			a.fd.Message(message.Disband{Group: n})
		}
		l.net.Member(0).Take(nil)
		l.net.Member(1).Take(nil)
		w := message.Joined{Rank: 0, Since: l.ranks[0].s.since, Times: 1}
		c.change(l, &w)
		a.fd.Message(message.Sent{From: 1, Group: 90, Flows: []message.Flow{{Src: 1, Dst: 0, Ctx: 1, Tag: 5, N: 1000}}})
		a.fd.Message(message.Join{Group: 90, Ranks: []message.Joined{w}})
		near := false
		for _, m := range l.net.Member(0).Take(nil) {
			if m, is := m.(message.Near); is && m.Group == 90 {
				near = m.Near
			}
		}
		if near != c.near {
			t.Errorf("%s: near to the others: %t, want %t", what, near, c.near)
		}
		told := 0
		for _, m := range l.net.Member(1).Take(nil) {
			if m, is := m.(message.Sent); is && m.Group == 90 && len(m.Flows) == 1 && m.Flows[0].Dst == 1 {
				told++
			}
		}
		if c.near && told != 1 {
			t.Errorf("%s: agent 1 gets %d times what was sent to its rank", what, told)
		}
	}
}

// TestAnAgentKeepsWhatItHasComparedForAWhile, as it may soon be left out.
func TestAnAgentKeepsWhatItHasComparedForAWhile(t *testing.T) {
	l := repeating(t, true)
	a, r := l.agents[0], l.ranks[0]
	l.write(0, 3, fmt.Sprintf(exchange, 1))
	a.fd.Skim()
	if ahead := r.s.Ahead(); ahead != 24 || !a.fd.HandOn(r.s) || r.s.Ahead() != 24 {
		t.Errorf("%d of %d records are left", r.s.Ahead(), ahead)
	}
	a.job.Follower.Now = a.job.Follower.Now.Add(keptFor + time.Millisecond)
	if !a.fd.HandOn(r.s) || r.s.Ahead() != 0 {
		t.Errorf("%d records are kept longer than %v", r.s.Ahead(), keptFor)
	}
}

// TestAnAgentAsksOnce for what its ranks have gone through to be left out, and not too often.
func TestAnAgentAsksOnce(t *testing.T) {
	l := repeating(t, true)
	a := l.agents[1]
	asked := func() (n int) {
		for _, m := range l.net.Member(leadingAgent).Take(nil) {
			if _, is := m.(message.Full); is {
				n++
			}
		}
		return n
	}
	var group uint32
	for n, j := range a.fd.joints {
		group, j.rested = n, a.job.Follower.Now
	}
	asked()
	l.write(1, 1, fmt.Sprintf(exchange, 0))
	if a.fd.Skim(); asked() != 0 {
		t.Error("it asks at once after the last turn")
	}
	a.job.Follower.Now = a.job.Follower.Now.Add(betweenAsks)
	for n, want := range []int{1, 0} {
		if a.fd.Skim(); asked() != want {
			t.Errorf("in turn %d it does not ask %d times", n, want)
		}
	}
	a.fd.Message(message.Count{Group: group})
	if !a.fd.Defer(1) {
		t.Error("a consistent state does not wait for one period that is promised")
	}
	a.fd.Message(message.LeaveOut{Group: group, Periods: 0})
	if !a.fd.HandOn(l.ranks[1].s) || l.ranks[1].s.Ahead() != 0 {
		t.Error("what others have not gone through is kept")
	}
}

// TestNothingIsPublished where there are no groups over agents: of one agent, or of too many.
func TestNothingIsPublished(t *testing.T) {
	l := repeating(t, false)
	if got := l.net.Member(0).Take(nil); len(got) > 0 {
		t.Errorf("the only agent gets %v", got)
	}
	for agents, want := range map[int]bool{mostJoined: true, mostJoined + 1: false} {
		l := repeating(t, true)
		net := tree.New[message.Message](tree.NewShape(agents, 0), nil)
		fd := l.agents[1].fd
		fd.net, fd.announced = net.Member(1), nil
		fd.Publish()
		if got := len(net.Member(leadingAgent).Take(nil)) > 0; got != want {
			t.Errorf("of %d agents the leader gets what repeats: %t, want %t", agents, got, want)
		}
		fd.On = false
		fd.announced = nil
		if fd.Publish(); len(net.Member(leadingAgent).Take(nil)) > 0 {
			t.Error("it gets something without folding")
		}
	}
}

package detect

import (
	"testing"
	"time"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// TestTheLedgerKeepsWhatALostAgentHadCounted: its calls count on, its rank is unwatched, and a second word of the loss
// changes nothing.
func TestTheLedgerKeepsWhatALostAgentHadCounted(t *testing.T) {
	l := newLedger(encoded(t, 3).Member(tree.Root))
	for agent, m := range []message.Progress{{Calls: 10, Idle: 4, Folded: 1}, {Calls: 20, Folded: 2}, {Calls: 30}} {
		m.Agent = agent
		l.progress[agent] = m
	}
	if got := l.calls(); got != 60 {
		t.Errorf("%d calls, want 60", got)
	}
	if got := l.moving(); got != 56 {
		t.Errorf("%d calls that show progress, want 56", got)
	}
	if got := l.folded(); got != 3 {
		t.Errorf("%d calls were left out, want 3", got)
	}
	lost := &Lost{Agents: []int{1}, Host: "n1", Ranks: op.RanksOf(5).List(), Since: time.Unix(1, 0)}
	if l.lose(lost) {
		t.Error("a relay was lost with it")
	}
	if got := l.sum().Calls; got != 60 {
		t.Errorf("after the loss %d calls, want 60", got)
	}
	if got := l.calls(); got != 40 {
		t.Errorf("after the loss %d calls of those that are left, want 40", got)
	}
	if len(l.unwatched) != 1 || l.unwatched[0] != 5 || len(l.lost) != 1 {
		t.Errorf("unwatched %v, lost %v", l.unwatched, l.lost)
	}
	l.lose(lost)
	if got := l.moving(); got != 56 {
		t.Errorf("after a second word of the loss %d calls, want 56", got)
	}
}

// TestTheLedgerIsIdleWhenAllAgentsAre, each of which says so once or more.
func TestTheLedgerIsIdleWhenAllAgentsAre(t *testing.T) {
	l := newLedger(encoded(t, 2).Member(tree.Root))
	l.idles(&message.Idle{Agent: 0})
	l.idles(&message.Idle{Agent: 0})
	if l.idle() {
		t.Error("idle though an agent is not")
	}
	l.idles(&message.Idle{Agent: 1})
	if !l.idle() {
		t.Error("not idle though all agents are")
	}
}

// TestNotesOfEndedThreadsComeInOrder of ranks and threads.
func TestNotesOfEndedThreadsComeInOrder(t *testing.T) {
	l := newLedger(encoded(t, 1).Member(tree.Root))
	l.unused = append(l.unused, []message.Unused{{Rank: 2}, {Rank: 1, Thread: 1}, {Rank: 1}}...)
	got := l.ended()
	if got[0].Rank != 1 || got[0].Thread != 0 || got[1].Thread != 1 || got[2].Rank != 2 {
		t.Errorf("%v", got)
	}
}

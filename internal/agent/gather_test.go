package agent

import (
	"slices"
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

func TestLargeMessagesAreGivenTimeToArrive(t *testing.T) {
	for bytes, want := range map[int64]time.Duration{-1: 0, 0: 0, 50e6: time.Second, 2e9: 40 * time.Second} {
		if got := carrying([]waitstate.Need{{Carried: bytes}, {}}); got != want {
			t.Errorf("%d bytes: %v, want %v", bytes, got, want)
		}
	}
}

// TestOnlyLinksThatWereUsedAreFlushed: an agent has those answer to whom it has sent something since the last
// consistent state.
func TestOnlyLinksThatWereUsedAreFlushed(t *testing.T) {
	net := encoded(t, 3)
	a := firstAgent(t, net)
	flushed := func(round int) (agents []int) {
		a.message(message.Consistent{Round: round})
		for phase := 1; a.sync.phase == phase; phase++ {
			for to := 1; to < 3; to++ {
				for _, m := range net.Member(to).Take(nil) {
					if p, is := m.(message.Ping); is {
						agents = append(agents, to)
						a.message(message.Pong{From: to, Round: p.Round, Phase: p.Phase})
					}
				}
			}
		}
		if list := net.Member(tree.Root).Take(nil); len(list) != 1 {
			t.Fatalf("round %d: the root has got %v", round, list)
		}
		return agents
	}
	if got := flushed(1); got != nil {
		t.Errorf("nothing was sent, and %v were asked", got)
	}
	a.post(waitstate.Message{Kind: waitstate.PassSend, To: 2})
	a.mail()
	for _, round := range []int{2, 3} { // what a round has asked for that had no result, the next asks for again
		if got := flushed(round); !slices.Equal(got, []int{2, 2}) {
			t.Errorf("agent 2 was sent something, and %v were asked", got)
		}
	}
	a.message(message.Gather{Round: 3})
	net.Member(tree.Root).Take(nil)
	if got := flushed(4); got != nil {
		t.Errorf("nothing was sent since, and %v were asked", got)
	}
}

// TestAnAgentThatIsAloneGoesOn: held for a consistent state while the root is out of reach, it keeps its state for the
// root if it is settled, else it begins again when the root is there. Pongs of before do not count then.
func TestAnAgentThatIsAloneGoesOn(t *testing.T) {
	net := encoded(t, 2)
	a := firstAgent(t, net)
	asked := func() (pings []message.Ping) {
		for _, m := range net.Member(1).Take(nil) {
			if p, is := m.(message.Ping); is {
				pings = append(pings, p)
			}
		}
		return pings
	}
	pong := func(p message.Ping) { a.message(message.Pong{From: 1, Round: p.Round, Phase: p.Phase, Try: p.Try}) }
	told := func() []message.Message { return net.Member(tree.Root).Take(nil) }

	a.message(message.Consistent{Round: 1})
	a.setAlone(true)
	a.letGo()
	if list := told(); len(list) != 1 || a.sync.holding || a.sync.kept == nil {
		t.Fatalf("settled and alone: the root has got %v, the agent stands still: %v, keeps %v", list,
			a.sync.holding, a.sync.kept)
	}
	kept := a.sync.kept
	a.setAlone(false)
	a.message(message.Gather{Round: 1})
	if list := told(); len(list) != 1 || list[0].(message.Report).Round != 1 || kept.Round != 1 {
		t.Fatalf("the root has got %v, want what was kept", list)
	}

	a.post(waitstate.Message{Kind: waitstate.PassSend, To: 1})
	a.mail()
	a.message(message.Consistent{Round: 2})
	before := asked()
	a.setAlone(true)
	a.letGo()
	for _, p := range before {
		pong(p)
	}
	if list := told(); len(before) != 1 || len(list) != 0 || a.sync.holding {
		t.Fatalf("not settled and alone: %v were asked, the root has got %v, the agent stands still: %v", before, list,
			a.sync.holding)
	}
	a.setAlone(false)
	again := asked()
	pong(before[0])
	if list := told(); len(again) != 1 || len(list) != 0 || !a.sync.holding || a.sync.phase != 1 {
		t.Fatalf("begun again: %v were asked, the root has got %v, phase %d", again, list, a.sync.phase)
	}
	pong(again[0])
	for _, p := range asked() {
		pong(p)
	}
	if list := told(); len(list) != 1 || list[0].(message.Settled).Round != 2 {
		t.Errorf("the root has got %v, want that the agent is settled", list)
	}
}

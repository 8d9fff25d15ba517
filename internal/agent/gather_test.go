package agent

import (
	"slices"
	"testing"
	"time"

	"unknot/internal/check"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/waitstate"
)

func TestLargeMessagesAreGivenTimeToArrive(t *testing.T) {
	for bytes, want := range map[int64]time.Duration{-1: 0, 0: 0, 50e6: time.Second, 2e9: 40 * time.Second} {
		if got := carrying([]waitstate.Need{{Carried: bytes}, {}}); got != want {
			t.Errorf("%d bytes: %v, want %v", bytes, got, want)
		}
	}
}

// TestOnlyLinksThatWereUsedAreFlushed: an agent has those answer to whom it has sent something since the last consistent state.
func TestOnlyLinksThatWereUsedAreFlushed(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	net := encoded(t, 3)
	a := newAgent(net.Member(0), table, World{}, func(r op.Rank) int { return int(r) }, Options{Checks: check.Selection{{Name: "all"}}})
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
	for _, round := range []int{2, 3} { // what a round has asked for that came to nothing, the next asks for again
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

package host

import (
	"testing"
	"testing/synctest"
	"time"

	"unknot/internal/agent"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestNobodyIsToldAnythingBeforeWhoWatchesWhom has the agent of one host tell that of another one something before this
// one has learned that there are others.
func TestNobodyIsToldAnythingBeforeWhoWatchesWhom(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	l := spread(2, 0, [][]op.Rank{nil, {0}, {1}})
	faster := newCarrier(table, func(int, []byte) {})
	faster.begin(&l, 1)
	said := faster.text(1, message.Ping{From: 0, Round: 1, Phase: 1})

	synctest.Test(t, func(t *testing.T) {
		handedOn := 0
		h := &hosts{carrier: newCarrier(table, func(process int, _ []byte) { handedOn = process }),
			begun: make(chan struct{})}
		h.carrier.begin(&l, supervisorsHost)
		go func() {
			if err := h.take(&remote{number: 1}, said); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if handedOn != 0 {
			t.Error("handed on though the receiver has not been told who watches whom")
		}
		close(h.begun)
		synctest.Wait()
		if handedOn != 2 {
			t.Errorf("handed on to process %d, want 2", handedOn)
		}
	})
}

// TestRanksAreAwaitedAsLongAsOthersCome has the hosts of a job join one after another, over a longer time than a rank is
// waited for.
func TestRanksAreAwaitedAsLongAsOthersCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hosts{p: emptyProcess(agent.Options{}, nil, nil, agent.World{})}
		if time.Sleep(time.Hour); h.overdue() {
			t.Error("before a rank has been heard of, it waits no more")
		}
		const nodes = 64
		for rank := range op.Rank(nodes) {
			r := &remote{number: int(rank)}
			h.remotes = append(h.remotes, r)
			time.Sleep(rankPatience * 2 / 3)
			h.hear() // the host has joined
			if time.Sleep(rankPatience * 2 / 3); rank > 0 && h.overdue() {
				t.Fatalf("rank %d is waited for no more, though its host has just joined", rank)
			}
			h.here(r, &here{Rank: rank, Size: nodes + 1, Library: "test"})
		}
		if time.Sleep(rankPatience + 1); !h.overdue() {
			t.Error("a rank where no agent is, is waited for without end")
		}
	})
}

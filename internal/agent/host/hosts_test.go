package host

import (
	"testing"
	"testing/synctest"

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

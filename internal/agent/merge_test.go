package agent

import (
	"testing"
	"time"

	"unknot/internal/ring"
)

func TestAStampThatWasDrawnTwiceIsNotWaitedFor(t *testing.T) {
	one, two := &thread{}, &thread{}
	batches := []*batch{{thread: one}, {thread: two}}
	// The second thread began to draw stamps while the first one was drawing the fourth.
	for _, stamp := range []uint32{1, 2, 3, 4, 6} {
		batches[0].records = append(batches[0].records, ring.Record{Stamp: stamp})
	}
	for _, stamp := range []uint32{4, 5, 7} {
		batches[1].records = append(batches[1].records, ring.Record{Stamp: stamp})
	}
	var m merger
	var got []uint32
	if !m.order(batches, time.Now(), func(_ *thread, r *ring.Record) { got = append(got, r.Stamp) }) {
		t.Errorf("waits after %v", got)
	}
	if len(got) != 8 {
		t.Errorf("handed on %v", got)
	}
}

package agent

import (
	"testing"
	"time"

	"unknot/internal/ring"
)

func TestAStampThatWasDrawnTwiceIsNotWaitedFor(t *testing.T) {
	sources := []*source{{}, {}}
	// The second thread began to draw stamps while the first one was drawing the fourth.
	for _, stamp := range []uint32{1, 2, 3, 4, 6} {
		sources[0].records = append(sources[0].records, ring.Record{Stamp: stamp})
	}
	for _, stamp := range []uint32{4, 5, 7} {
		sources[1].records = append(sources[1].records, ring.Record{Stamp: stamp})
	}
	var m merger
	var got []uint32
	if !m.order(sources, time.Now(), func(_ *source, r *ring.Record) { got = append(got, r.Stamp) }) {
		t.Errorf("waits after %v", got)
	}
	if len(got) != 8 {
		t.Errorf("handed on %v", got)
	}
}

package agent

import (
	"testing"
	"time"

	"unknot/internal/waitstate"
)

func TestLargeMessagesAreGivenTimeToArrive(t *testing.T) {
	for bytes, want := range map[int64]time.Duration{-1: 0, 0: 0, 50e6: time.Second, 2e9: 40 * time.Second} {
		if got := carrying([]waitstate.Need{{Carried: bytes}, {}}); got != want {
			t.Errorf("%d bytes: %v, want %v", bytes, got, want)
		}
	}
}

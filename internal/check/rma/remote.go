package rma

import (
	"unknot/internal/check"
)

// remote is what the windows of several ranks have in common.
type remote struct {
	ranks   check.Ranks
	pulses  check.Slot[pulse]
	targets targets
	windows *windows
	doubts  []doubt
	asides  []pointless // flushes that have completed nothing
	ending  bool        // no more calls will come
}

// pulse is that of a rank.
func (m *remote) pulse(r *check.Rank) *pulse { return m.pulses.Of(r) }

package rma

import (
	"unknot/internal/check"
)

// remote is what the windows of several ranks have in common.
type remote struct {
	ranks      check.Ranks
	knowledges check.Slot[knowledge]
	targets    targets
	windows    *windows
	doubts     []doubt
	asides     []pointless // flushes that have completed nothing
	ending     bool        // no more calls will come
	unjudged   []unjudged
	locking    bool // some rank has locked a window
}

// knowledge is that of a rank.
func (m *remote) knowledge(r *check.Rank) *knowledge { return m.knowledges.Of(r) }

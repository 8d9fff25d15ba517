package message

import (
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Ledger is what an agent leaves beside its answers when the root is lost: with it, answers of several agents can be
// compared that were not given in a consistent state.
type Ledger struct {
	Agent   int
	Counted waitstate.Ledger
	Spans   []Span
}

// Span is for how long a thread had been in its last call when its agent looked last.
type Span struct {
	Rank   op.Rank
	Thread op.Thread
	For    time.Duration
}

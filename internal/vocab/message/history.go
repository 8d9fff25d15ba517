package message

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// History is what the threads of one agent's ranks called last.
type History struct {
	Kept   int // calls of each thread, at most
	Calls  []finding.PastCall
	Tracks []Track
}

// Track is that of one thread.
type Track struct {
	Rank    op.Rank
	Thread  op.Thread
	Earlier uint64 // calls before the first that is here
	Open    bool   // it has not returned from the last one
	Steps   []Step
	Matched []Matched
}

// Step is a call.
type Step struct {
	Call    uint32 // in Calls of its History
	Matches bool   // it is one that messages or collectives are matched by, under the number TS
	TS      uint64
	Wave    WaveID // the collective that it starts; 0 if none
	Sync    op.Sync
	Root    op.Rank
	Calls   uint64 // that follow it and were left out as they repeat those before, and how often these were made again
	Times   uint64
}

// WaveID names a collective: members agree on it.
type WaveID struct {
	Ctx op.CommID
	Seq uint64
}

// Matched is a message that the thread has received: the call that sent it, and the step that completed the receive.
type Matched struct {
	Rank   op.Rank
	Thread op.Thread
	TS     uint64
	Step   uint32
}

// Topology is a Cartesian topology, as one of its ranks knows it.
type Topology struct {
	Comm     op.CommID
	Name     string
	Dims     []int64
	Periodic []bool
	Members  op.Ranks
}

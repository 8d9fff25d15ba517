package message

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Report is an agent's answer to Gather.
type Report struct {
	Agent     int
	Round     int
	Threads   []Fold
	Waves     []Wave
	Groups    map[op.CommID]op.Ranks // members of the contexts that waits and waves name
	Locks     []Held
	Users     op.Ranks  // ranks with threads that may still call MPI and are not known to be stuck
	Murky     op.Ranks  // ranks of which not all collective calls may be known
	Processes []Process // of its ranks, if they were asked for
	Told      bool      // it has sent other agents something since: another round is to bring it to them
}

// Process is that of a rank.
type Process struct {
	Rank op.Rank
	PID  int
	Host string
}

// Wave is what an agent knows of an open collective.
type Wave struct {
	Ctx     op.CommID
	Seq     uint64
	Arrived op.Ranks // made the call
	Active  op.Ranks // are there in the strict view
	Voices  []waitstate.Voice
}

// Lock names a lock: one target of a window, or all (op.AnySource).
type Lock struct {
	Win    op.CommID
	Target op.Rank
}

// Held is a lock that a rank may hold.
type Held struct {
	Lock
	Rank      op.Rank
	Exclusive bool
}

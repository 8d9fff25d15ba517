// Package windows holds unknot to an oracle on random programs with one-sided communication, whose ranks load from the
// memory of windows and store to it themselves. The oracle has the program as data. It works out from the rules of
// MPI-4.0, chapter 12, what orders two accesses, and knows nothing of how unknot does that.
package windows

import "slices"

// Program is a program of rounds, each on a separate window.
type Program struct {
	Ranks  int
	Rounds []Round
}

// Round is what the ranks do with one window, from its creation to its end, which are both barriers.
type Round struct {
	Flavour Flavour
	Style   Style
	Cells   int // the integers of each rank's part of the window
	// Steps are in an order in which they can be made, one after the other: so no program hangs. What else orders them
	// is for the oracle to say.
	Steps []Step
}

// Flavour is how the window is created.
type Flavour int

// The flavours.
const (
	Created Flavour = iota
	Allocated
	Shared
)

// Style is the kind of synchronisation of a round.
type Style int

// The styles.
const (
	Fences     Style = iota
	Posts            // MPI_Win_post, MPI_Win_start, MPI_Win_complete, MPI_Win_wait
	Locks            // shared ones
	Exclusives       // exclusive and shared ones
	LockAll
)

func (s Style) String() string {
	return []string{"fences", "posts", "shared locks", "exclusive locks", "locks of all"}[s]
}

// Kind is what a step does.
type Kind int

// The kinds.
const (
	Acts       Kind = iota
	Barrier         // of all ranks
	Message         // from Rank to Peer
	Sync            // MPI_Win_sync
	Fence           // of all ranks
	Post            // lets Group in
	Start           // of the memory of Group
	Complete        // of MPI_Win_start
	Wait            // for MPI_Win_complete
	Lock            // of Peer's memory, or with Everyone of all
	Unlock          // the same
	Flush           // the same
	FlushLocal      // the same
)

// Everyone is, as a rank, all of them.
const Everyone = -1

// Step is something that one rank does, or all do.
type Step struct {
	Kind      Kind
	Rank      int // who; Everyone of Barrier and Fence
	Peer      int
	Exclusive bool   // of Lock
	Assert    string // of Fence
	Group     []int  // of Post and Start
	Act       Act    // of Acts
}

// by says whether a rank takes part in a step.
func (s *Step) by(rank int) bool {
	return s.Rank == rank || s.Rank == Everyone || s.Kind == Message && s.Peer == rank
}

// on says whether a step is about the memory of a rank.
func (s *Step) on(target int) bool {
	if s.Kind == Start || s.Kind == Post {
		return slices.Contains(s.Group, target)
	}
	return s.Peer == target || s.Peer == Everyone
}

// Manner is how an act accesses memory.
type Manner int

// The manners. The first are accesses without a call.
const (
	Load Manner = iota
	Store
	CopyFrom // memcpy
	CopyTo
	Put
	Get
	Accumulate
	GetAccumulate
	Rput // with MPI_Wait
	Rget
)

// Act is an access to cells of a rank's part of the window.
type Act struct {
	Manner Manner
	Op     string // of Accumulate and GetAccumulate, as "SUM"
	Target int
	At, N  int
	// Lent is the first cell of the rank's own part that is the local buffer of the call; -1 if that is elsewhere.
	Lent   int
	Helper bool // of an access without a call: made in a separate function
}

// Plain says whether an act is made without a call of MPI.
func (a *Act) Plain() bool { return a.Manner < Put }

// writes says whether an act changes the memory that it accesses.
func (a *Act) writes() bool {
	switch a.Manner {
	case Load, CopyFrom, Get, Rget:
		return false
	case GetAccumulate:
		return a.Op != noOp
	}
	return true
}

// updates says whether an act is an accumulate.
func (a *Act) updates() bool { return a.Manner == Accumulate || a.Manner == GetAccumulate }

// fills says whether the call writes to its local buffer.
func (a *Act) fills() bool { return a.Manner == Get || a.Manner == Rget || a.Manner == GetAccumulate }

const noOp = "NO_OP"

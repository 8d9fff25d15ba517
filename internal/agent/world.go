package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/root/parts"
	"unknot/internal/vocab/op"
)

// World is all that the agent learns of the job other than from the session directory, and all that it does to it.
// Whoever answers in the place of living processes, as a recording does, hands in another one.
type World struct {
	Processes kernel.Processes
	Symbols   place.Symbols
	Now       func() time.Time // nil stands for time.Now
	// Await sleeps until a probe rings the session's bell, which was seen to have been rung so often; nil if none does.
	Await func(s *ring.Session, seen uint32)
}

// Living is the world as it is.
func Living() World {
	return World{Processes: kernel.Living(), Symbols: files{symbol.New()}, Await: (*ring.Session).AwaitBell}
}

// files reads the symbols of the files that are mapped.
type files struct{ *symbol.Resolver }

func (f files) Data(m *symbol.Maps) place.Variables { return f.Resolver.Data(m) }

// Source is where the records of a thread come from, and what its process says beside them: a ring, or what stands in
// for one where ranks are simulated. Its methods are those of ring.Ring.
type Source interface {
	Of() *ring.Owner
	Read(dst []ring.Record, limit int) ([]ring.Record, error)
	Skim(match func(*ring.Record) bool, limit int) (n int, other bool)
	SkimRepeated(period, limit int) int
	Commit()
	Refuse()
	Left() bool
	Pending() uint64
	Taken() uint64
	Capacity() uint64
	Returned() uint32
	Polls() uint64
	Echoes() (seen, left uint64)
	Untold() uint64
	Death() (ring.Death, bool)
	Fault() (ring.Fault, bool)
	End() (stack []uint64, how uint32, said []byte)
	Final() bool
	Between() bool
	Users() (tids []int, all bool)
	Alarmed() bool
	RequestStack(tid int) error
	Stack(end time.Time) ([]uint64, error)
}

// Adoption is a new ring, with what its process said first; or, without a ring, why one of a known rank cannot be read.
type Adoption struct {
	Ring   Source
	Hello  decode.Hello
	Damage error
}

// Instruction is what the process tells an agent: one of the parts that can be nil or, without any, that the launcher
// has ended, or that all ranks have returned from MPI_Finalize and wait: what is left is to be read.
type Instruction struct {
	Adopt *Adoption
	Final bool
	Alone *bool              // whether the root is out of reach for now
	Away  func(op.Rank) bool // the root is out of reach for good, and so are these ranks
	Share chan<- parts.Share // is to get what the agent knows, once it has read everything
}

// Ranks says where the ranks of a job are.
type Ranks struct {
	Home   func(op.Rank) int    // the agent of a rank
	Spread func(op.Ranks) []int // how many of some ranks an agent has, and each relay above it has below
}

package agent

import (
	"unknot/internal/agent/log"
	"unknot/internal/observe/decode"
	"unknot/internal/root/parts"
	"unknot/internal/root/tree"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// What the process of an agent has to do with it (package host).

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

// Instructions is where the process puts what it tells the agent.
func (a *Agent) Instructions() *tree.Box[Instruction] { return a.process }

// Record has the agent record a trace, which all agents of the process share; nil if none is asked for.
func (a *Agent) Record(trace *tracefile.Writer) {
	a.log = log.New(trace, a.table, &a.Places)
	a.follow.Records, a.folding.Log = a.log != nil, a.log
}

// NoRoom lets the agent know whether some thread could not be given a ring.
func (a *job) NoRoom(some func() bool) { a.follow.NoRoom = some }

// KeepShare has the agent keep what it tells the root, for the case that the root is lost.
func (a *Agent) KeepShare() {
	a.rootLoss.calls = make(map[message.Key]message.Described)
	a.node.Count()
}

// Turn has the agent do what there is to do now, for one whose process does not run it; more is whether it has left
// records unread, over whether it will never have anything to do again.
func (a *Agent) Turn() (more, over bool) {
	over = a.turn()
	return a.more || a.congested, over
}

// Adopt has the agent take a ring in at once.
func (a *Agent) Adopt(n *Adoption) { a.adopt(n) }

// Calls is how many MPI calls the agent has followed.
func (a *job) Calls() uint64 { return a.follow.Calls }

// Lag is by how many calls of all its threads the strict view is behind the run.
func (a *job) Lag() int {
	lag := 0
	for _, r := range a.order {
		for _, t := range r.threads {
			lag += t.WS.Lag()
		}
	}
	return lag
}

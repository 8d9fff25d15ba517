package agent

import (
	"unknot/internal/agent/log"
	"unknot/internal/root/tree"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/message"
)

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

// Package detect is the root of a job: it gathers what the agents know when somebody is stuck, looks for deadlocks in
// the wait-for graph of a consistent state, and decides what is reported about them and about all else that agents
// send. turn.go is its loop, round.go the protocol of a round of detection, steps.go what the root does in each step of
// it. The method is that of Hilbrich et al., SC 2013, sections 4 and 5.
package detect

import (
	"unknot/internal/agent/proto"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Root gathers what the agents know when somebody is stuck, finds the deadlocks, and ends the job if asked to. Its
// parts have their own state each; the methods of Root connect them.
type Root struct {
	job

	net     *tree.Member[message.Message]
	process *tree.Box[Event]
	out     *proto.Writer

	ledger      ledger
	round       round
	findings    findings
	deaths      deaths
	collectives collectives
	pace        pace
	search      search
	absences    absences
	surveys     surveys
	status      status

	unforced bool // that a plan is not in force was reported

	done   chan struct{}
	inbox  []message.Message
	events []Event
}

// renew has what is asked next be a new round.
func (r *Root) renew() {
	r.round.renew()
	r.pace.begun = r.now
}

// Event is what the process tells the root. One of its parts is there.
type Event struct {
	Ended  *Ended
	Lost   *Lost
	Survey string // a signal is about to end the run
}

// Ended is what the process tells the root when the launcher has ended.
type Ended struct {
	Outside []message.Outside // calls that ranks made outside of MPI's life
	Freed   []op.Rank         // ranks that have freed info objects after MPI_Finalize
	Orphan  bool              // unknot itself was killed, and the launcher with it, or it has ended the job
	Exit    int               // the launcher's exit status
}

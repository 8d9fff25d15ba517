// Package agent is one agent: it reads the rings of its ranks, turns their records into operations, lets the wait-state
// system follow them, and sends the root (package detect) what it asks for. An Agent owns its ranks alone; all that it
// knows of others comes through the tree.
//
// The main loop is Agent.Run. What an Agent consists of, from the bottom up, each knowing only those before:
//
//   - package place: where calls are, and what their arguments are called
//   - package calls: a record becomes an operation of the wait-state system
//   - package usage: the usage checks see the calls; package log: the trace
//   - rank, thread (rank.go) and job: what is known of them; what happens in a thread is handed to the others in one
//     order (events.go)
//   - package repeat: calls that repeat are left out
//   - describer, standings: what the root is sent of threads
//   - reader, mailer, consistency, rootLoss, ending: rings, links, rounds, the loss of the root, the end of the job
//
// Package kernel is what it knows of processes, package host the process that it runs in. The protocol of rounds is in
// detect/round.go, and the agent's part of it in rounds.go.
package agent

import (
	"time"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
)

// Agent has some ranks of a job, and is their part of a consistent state.
type Agent struct {
	*job
	describer
	standings
	reader
	mailer
	ending

	process  *tree.Box[Instruction]
	words    []Instruction
	sync     consistency
	rootLoss rootLoss
	toldAt   time.Time
	quiet    bool            // no rank waits for long
	broken   *message.Broken // why some rank could not be followed to the end
}

// ending is how far an agent is with the end of its job.
type ending struct {
	ended   bool // the launcher has ended
	final   bool // it need not have, as all ranks have returned from MPI_Finalize and wait
	endedAt time.Time
	idle    bool // all has been read
}

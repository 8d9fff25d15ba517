// Package agent is one agent: it reads the rings of its ranks, turns their records into operations, lets the wait-state
// system follow them, and sends the root (package detect) what it asks for. An Agent owns its ranks alone; all that it
// knows of others comes through the tree.
//
// The main loop is Agent.Run. What an Agent consists of, from the bottom up, each knowing only those before:
//
//   - rank, thread: what is known of them, by stages
//   - package place: where calls are, and what their arguments are called
//   - follower: a record becomes an operation, which the wait state, the checks and the trace are shown (take.go, enter.go,
//     exit.go, data.go)
//   - reader, mailer, consistency, folding, rootLoss, ending: rings, links, rounds, calls that repeat, the loss of the root,
//     the end of the job
//
// Package kernel is what it knows of processes, package log the trace, package host the process that it runs in. The
// protocol of rounds is in detect/round.go, and the agent's part of it in gather.go.
package agent

import (
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// Agent has some ranks of a job, and is their part of a consistent state.
type Agent struct {
	follower
	reader
	mailer
	ending

	process   *tree.Box[Instruction]
	words     []Instruction
	processes kernel.Processes
	clock     func() time.Time
	order     []*rank // in the order of their world ranks
	sync      consistency
	rootLoss  rootLoss
	folding   folding
	toldAt    time.Time
	quiet     bool            // no rank waits for long
	broken    *message.Broken // why some rank could not be followed to the end
}

// ending is how far an agent is with the end of its job.
type ending struct {
	ended   bool // the launcher has ended
	final   bool // it need not have, as all ranks have returned from MPI_Finalize and wait
	endedAt time.Time
	idle    bool // all has been read
	heard   bool // what the checks of other agents had to tell has been heard
	judged  bool // what ranks have done in all has been judged
}

// New is an agent of a job, as a member of the network of its agents.
func New(net *tree.Member[message.Message], table *mpi.T, world World, ranks Ranks, o Options) *Agent {
	a := &Agent{
		follower:  newFollower(net, table, world.Symbols, ranks, o),
		mailer:    mailer{out: make(map[int][]waitstate.Message)},
		process:   tree.NewBox[Instruction](),
		processes: world.Processes,
		sync:      newConsistency(),
		clock:     world.Now,
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.now = a.clock()
	net.Up = a.goesUp
	a.wrote = a.sync.wrote
	a.folding.on = o.Fold() > 0
	return a
}

// Run is the main loop: rings and messages in, messages out, sleep when there is nothing to do.
func (a *Agent) Run() {
	timer := time.NewTimer(minNap)
	for !a.turn() {
		if a.more {
			continue
		}
		timer.Reset(a.nap())
		select {
		case <-a.net.Wake():
		case <-a.process.Wake():
		case <-timer.C:
		}
	}
}

// turn does what there is to do now; true if nothing is left to do ever.
func (a *Agent) turn() (over bool) {
	a.now = a.clock()
	a.messages()
	if a.sync.quit {
		a.finishLog()
		a.logPrepared()
		return true
	}
	a.crowded = a.net.Crowded()
	if a.more = false; !a.sync.holding && !a.crowded {
		a.readRings()
	}
	a.flush()
	a.tickLog()
	a.tell()
	a.formGroups()
	a.handShare()
	return false
}

// record handles one record of a ring.
func (a *Agent) record(s *source, rec *ring.Record) {
	if rec.Kind == ring.Data && ring.DataID(rec.Func) == ring.DataThreadBegin {
		a.pass(s, rec.Words)
		return
	}
	a.take(s.thread, rec)
}

// catchUp says of every thread whether its last call has returned, as its ring's header tells.
func (a *Agent) catchUp() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if t.op != nil && !t.op.Returned() && t.joins < 0 && t.ring.Returned() == t.stamp {
				a.node.Return(t.ws)
			}
		}
	}
}

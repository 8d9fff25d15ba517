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

	"unknot/internal/agent/repeat"
	"unknot/internal/agent/usage"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
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

// New is an agent of a job, as a member of the network of its agents.
func New(net *tree.Member[message.Message], table *mpi.T, world World, ranks Ranks, o Options) *Agent {
	j := newJob(net, table, world, ranks, o)
	a := &Agent{job: j, describer: describer{j}, standings: standings{j},
		mailer:  mailer{out: make(map[int][]waitstate.Message)},
		process: tree.NewBox[Instruction](),
		sync:    newConsistency(),
	}
	a.checks = usage.New(o.Checks, a.follow, &a.Places, a.resolve, net, a.home, a.sync.wrote)
	a.folding = repeat.New(host{a}, a.follow, net, a.home)
	a.folding.On = o.Fold() > 0
	net.Up = a.goesUp
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
	a.readClock()
	a.messages()
	if a.sync.quit {
		a.finishLog()
		a.logPrepared()
		return true
	}
	a.congested = a.net.Congested()
	if a.more = false; !a.sync.holding && !a.congested {
		a.readRings()
	}
	a.flush()
	a.tickLog()
	a.tell()
	a.folding.FormGroups()
	a.handShare()
	return false
}

// record handles one record of a ring: it becomes an event of its thread (events.go), or says something besides.
func (a *Agent) record(s *source, rec *ring.Record) {
	t := s.thread
	switch rec.Kind {
	case ring.Data:
		if id := ring.DataID(rec.Func); id == ring.DataThreadBegin {
			a.pass(s, rec.Words)
		} else if !a.follow.Take(t.Thread, rec) && !t.checked.Data(id, rec.Words) {
			a.data(t, id, rec.Words)
		}
	case ring.Enter:
		t.entered = a.now
		a.countPassed(t, rec)
		a.follow.Take(t.Thread, rec)
		t.checked.Forget()
	default:
		a.follow.Take(t.Thread, rec)
	}
}

// Package agent is one agent: it reads the rings of its ranks, turns their records into operations, lets the wait-state
// system follow them, and sends the root (package detect) what it asks for. An Agent owns its ranks alone; all that it
// knows of others comes through the tree.
//
// The main loop is Agent.Run. What an Agent consists of, from the bottom up, each knowing only those before:
//
//   - package place: where calls are, and what their arguments are called
//   - package calls: a record becomes an operation of the wait-state system
//   - package usage: the usage checks see the calls; package log: the trace
//   - rank, thread (rank.go); what happens in a thread is handed to the others in one order (events.go)
//   - package repeat: calls that repeat are left out
//   - reader, mailer, consistency, rootLoss, ending: rings, links, rounds, the loss of the root, the end of the job
//
// Package kernel is what it knows of processes, package host the process that it runs in. The protocol of rounds is in
// detect/round.go, and the agent's part of it in gather.go.
package agent

import (
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/log"
	"unknot/internal/agent/place"
	"unknot/internal/agent/repeat"
	"unknot/internal/agent/usage"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Agent has some ranks of a job, and is their part of a consistent state.
type Agent struct {
	place.Places
	surroundings
	reader
	mailer
	ending

	follow *calls.Follower
	checks *usage.Checks
	log    *log.Log // nil if no trace is recorded
	ranks  map[op.Rank]*rank
	order  []*rank // in the order of their world ranks

	process  *tree.Box[Instruction]
	words    []Instruction
	sync     consistency
	rootLoss rootLoss
	folding  *repeat.Folding
	toldAt   time.Time
	quiet    bool            // no rank waits for long
	broken   *message.Broken // why some rank could not be followed to the end
}

// surroundings is what an agent has got from the process that runs it.
type surroundings struct {
	opts      Options
	table     *mpi.T
	resolve   place.Symbols
	processes kernel.Processes
	clock     func() time.Time
	now       time.Time // what the clock said last

	id   int
	home func(op.Rank) int
	net  *tree.Member[message.Message]
	node *waitstate.Node
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
	a := &Agent{
		surroundings: surroundings{opts: o, table: table, resolve: world.Symbols, processes: world.Processes,
			clock: world.Now, id: net.ID, home: ranks.Home, net: net, node: waitstate.NewNode(net.ID, ranks.Home)},
		Places:  place.New(table, world.Symbols, &o.Owners),
		ranks:   make(map[op.Rank]*rank),
		mailer:  mailer{out: make(map[int][]waitstate.Message)},
		process: tree.NewBox[Instruction](),
		sync:    newConsistency(),
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.node.Spread = ranks.Spread
	a.node.Observed = o.Sends == "observed"
	a.follow = calls.New(table, a.node)
	a.checks = usage.New(o.Checks, a.follow, &a.Places, a.resolve, net, a.home, a.sync.wrote)
	a.readClock()
	net.Up = a.goesUp
	a.folding = repeat.New(host{a}, a.follow, net, a.home)
	a.folding.On = o.Fold() > 0
	return a
}

// readClock takes the time, by which all goes that is done in one turn.
func (a *Agent) readClock() {
	a.now = a.clock()
	a.follow.Now = a.now
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
	a.crowded = a.net.Crowded()
	if a.more = false; !a.sync.holding && !a.crowded {
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

// catchUp says of every thread whether its last call has returned, as its ring's header tells.
func (a *Agent) catchUp() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if t.Op != nil && !t.Op.Returned() && t.Joins < 0 && t.ring.Returned() == t.Stamp {
				a.node.Return(t.WS)
			}
		}
	}
}

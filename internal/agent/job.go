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
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// job is what an agent knows: its ranks, what follows their calls, and what it has got from the process that runs it.
type job struct {
	place.Places
	surroundings

	follow  *calls.Follower
	checks  *usage.Checks
	folding *repeat.Folding
	log     *log.Log // nil if no trace is recorded
	ranks   map[op.Rank]*rank
	order   []*rank // in the order of their world ranks
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

func newJob(net *tree.Member[message.Message], table *mpi.T, world World, ranks Ranks, o Options) *job {
	a := &job{
		surroundings: surroundings{opts: o, table: table, resolve: world.Symbols, processes: world.Processes,
			clock: world.Now, id: net.ID, home: ranks.Home, net: net, node: waitstate.NewNode(net.ID, ranks.Home)},
		Places: place.New(table, world.Symbols, &o.Owners),
		ranks:  make(map[op.Rank]*rank),
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.node.Spread = ranks.Spread
	a.node.Observed = o.Sends == "observed"
	a.follow = calls.New(table, a.node)
	a.readClock()
	return a
}

// readClock takes the time, by which all goes that is done in one turn.
func (a *job) readClock() {
	a.now = a.clock()
	a.follow.Now = a.now
}

// catchUp says of every thread whether its last call has returned, as its ring's header tells.
func (a *job) catchUp() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if t.Op != nil && !t.Op.Returned() && !t.inOperation() {
				a.node.Return(t.WS)
			}
		}
	}
}

package agent

import (
	"time"

	"unknot/internal/agent/log"
	"unknot/internal/agent/place"
	"unknot/internal/check"
	"unknot/internal/check/messages"
	"unknot/internal/check/registry"
	"unknot/internal/kit/slab"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// follower turns the records of ranks into operations: it knows the objects behind the program's handles, lets the
// wait-state system follow the operations, shows calls to the checks, and has them recorded. It neither reads rings nor
// knows of rounds, of calls that are left out as they repeat, or of what the root wants.
type follower struct {
	place.Places
	made
	judging

	table   *mpi.T
	opts    Options
	resolve place.Symbols
	ranks   map[op.Rank]*rank
	// formats are the elements of arrays of Python by their formats, nil of one that is not known.
	formats map[string]*symbol.Declared

	id    int
	home  func(op.Rank) int
	net   *tree.Member[message.Message]
	wrote func(to int) // is called when something was sent to another agent
	node  *waitstate.Node
	log   *log.Log // nil if no trace is recorded
	now   time.Time

	calls  uint64
	idles  uint64 // of these, those that show no progress
	remade uint64 // of these, those that made something again in a way that was judged before
}

// made is what the objects of all ranks have in common, and space for them.
type made struct {
	basics   objects.Basics
	models   objects.Models
	same     objects.Known
	follow   *objects.Follower
	uniform  uniforms
	colls    slab.Slab[waitstate.Collective]
	reqs     slab.Slab[objects.Request]
	statuses []status
	noRoom   func() bool // whether some thread could not be given a ring; nil if nobody knows
}

// judging is what the usage checks have to do with calls.
type judging struct {
	checks  *check.Watch                        // nil if none is on
	misused []misusedOften                      // reported so far
	reaches map[*waitstate.Origin]check.Filling // of receives whose counts reach beyond the ends of their buffers
}

func newFollower(
	net *tree.Member[message.Message], table *mpi.T, symbols place.Symbols, ranks Ranks, o Options,
) follower {
	f := follower{
		table: table, opts: o, resolve: symbols, ranks: make(map[op.Rank]*rank),
		made: made{basics: make(objects.Basics), models: make(objects.Models), uniform: make(uniforms),
			follow: objects.Follow(table)},
		id:   net.ID,
		home: ranks.Home,
		net:  net,
		node: waitstate.NewNode(net.ID, ranks.Home),
	}
	f.Places = place.New(table, symbols, &o.Owners)
	f.node.Spread = ranks.Spread
	f.node.Observed = o.Sends == "observed"
	if !o.Checks.None() {
		f.checks = registry.New(table, f.follow, o.Checks)
		if f.checks.Enabled(messages.MessageRace) {
			f.node.WatchRaces(net.Agents() > 1)
		}
	}
	return f
}

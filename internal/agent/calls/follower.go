// Package calls turns the records of ranks into operations of the wait-state system: a record comes in, the objects of
// its rank and the wait-state system follow it, and an Observer is given what has happened. It knows nothing of traces,
// checks, calls that are left out as they repeat, or words.
package calls

import (
	"time"

	"unknot/internal/kit/slab"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
)

// Follower follows the calls of the ranks of one agent.
type Follower struct {
	Table  *mpi.T
	Node   *waitstate.Node
	Follow *objects.Follower
	Now    time.Time

	// Contents has what messages and collectives carry followed, for those who compare it.
	Contents bool
	// Moments has the moments of calls followed as soon as there is a window.
	Moments bool
	// Records has polls followed that found something, for a trace.
	Records bool
	// NoRoom says whether some thread could not be given a ring; nil if nobody knows.
	NoRoom func() bool

	Calls  uint64
	Idles  uint64 // of these, those that show no progress
	Remade uint64 // of these, those that made something again in a way that was judged before

	made
}

// made is what the objects of all ranks have in common, and space for them.
type made struct {
	basics   objects.Basics
	models   objects.Models
	same     objects.Known
	uniform  uniforms
	colls    slab.Slab[waitstate.Collective]
	reqs     slab.Slab[objects.Request]
	statuses []Status
}

// New is a follower whose operations go into a node of the wait-state system.
func New(table *mpi.T, node *waitstate.Node) *Follower {
	return &Follower{Table: table, Node: node, Follow: objects.Follow(table),
		made: made{basics: make(objects.Basics), models: make(objects.Models), uniform: make(uniforms)}}
}

// Know prepares what is known of a new rank's objects. tagUB and level are what its process said first (MPI_TAG_UB, and
// the thread level that it was given).
func (a *Follower) Know(r *Rank, tagUB, level int64) {
	o := r.Objects
	o.Limits.TagUB, o.Limits.Level = tagUB, level
	o.Rules, o.Basics, o.Models, o.Same = rulesOf(r.Library), a.basics, a.models, &a.same
	o.Certain = func() bool { return r.Certain() && (a.NoRoom == nil || !a.NoRoom()) }
}

package agent

import (
	"unknot/internal/agent/calls"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// What each thread called last is kept for the time line of the reports, if there is one: calls, the messages between
// them, the collectives that they belong to, and how often calls were left out that repeat others.

// Bounds of what is kept.
const (
	mostSteps  = 256     // of a thread
	leastSteps = 8       // of a thread, unless there are too many of them
	mostKept   = 1 << 14 // of a job that has one thread a rank
	mostTracks = 16      // of a rank: threads that end are many in some programs
	mostGrids  = 16      // Cartesian communicators of a rank
)

// keeps is how many calls of each thread are kept in a job of so many ranks; 0 if there are too many ranks for that.
func keeps(ranks int) int {
	if ranks > mostKept {
		return 0
	}
	return min(mostSteps, max(leastSteps, mostKept/max(1, ranks)))
}

// track is what a thread called last.
type track struct {
	index op.Thread
	steps circle[step]
	met   circle[received] // messages that its calls received
	over  circle[finished] // receives that later calls completed
}

// step is a call that was kept.
type step struct {
	origin  *waitstate.Origin
	matches bool // it was entered into the wait-state system
	blocks  bool // until what it starts is complete
	wave    message.WaveID
	sync    op.Sync
	root    op.Rank
	calls   uint64 // left out behind it, as they repeat what comes before
	times   uint64
}

// received is a message that was matched: the number of the call that posted the receive, and the call that has sent
// it.
type received struct {
	recv   uint64
	rank   op.Rank
	thread op.Thread
	sent   uint64
}

// finished is the number of a call that posted a receive, and the place of the call that completed it.
type finished struct{ recv, by uint64 }

// circle keeps the last things of many. There is room for none before it is made.
type circle[T any] struct {
	list []T
	most int
	n    uint64 // that there were in all
}

func (c *circle[T]) add(v T) {
	if len(c.list) < c.most {
		c.list = append(c.list, v)
	} else if c.most > 0 {
		c.list[c.n%uint64(c.most)] = v
	}
	c.n++
}

// first is the number of the oldest that is kept, of all that there were.
func (c *circle[T]) first() uint64 { return c.n - uint64(len(c.list)) }

// at is the one of a number, which is kept.
func (c *circle[T]) at(n uint64) *T { return &c.list[n%uint64(c.most)] }

// last is the newest; nil if there is none.
func (c *circle[T]) last() *T {
	if len(c.list) == 0 {
		return nil
	}
	return c.at(c.n - 1)
}

// call keeps a call. A poll that is made once more is only counted.
func (k *track) call(o *waitstate.Origin, f *mpi.Func) {
	if last := k.steps.last(); last != nil && calls.IsPoll(f) && last.origin.Fn == o.Fn && last.origin.Site == o.Site &&
		last.origin.Words == o.Words {
		last.calls++
		last.times++
		return
	}
	k.steps.add(step{origin: o})
}

// operation takes in what the last call starts, before the call is entered into the wait-state system.
func (k *track) operation(o *waitstate.Op) {
	if len(k.steps.list) == 0 {
		return
	}
	s := k.steps.last()
	s.matches, s.blocks = true, o.Blocking
	for _, p := range o.Posts {
		if p.Kind == op.Coll && o.Blocking {
			s.wave, s.sync, s.root = message.WaveID{Ctx: p.Member.Group.Ctx, Seq: p.Member.Seq() + 1}, p.Sync, p.Root
			break
		}
	}
}

// completed takes in that the last call has completed the operations of a request.
func (k *track) completed(parts []*waitstate.Part) {
	if len(k.steps.list) == 0 {
		return
	}
	for _, p := range parts {
		if p.Kind == op.Recv && p.Origin != nil && p.Origin.Thread == k.index {
			k.over.add(finished{p.Origin.TS, k.steps.n - 1})
		}
	}
}

// leftOut takes in that periods were left out behind the last call.
func (k *track) leftOut(times, calls uint64) {
	if len(k.steps.list) == 0 {
		return
	}
	s := k.steps.last()
	s.times += times
	s.calls += calls
}

// grid is a Cartesian communicator that a rank has made.
type grid struct {
	comm *objects.Comm
	topo *objects.Topology
}

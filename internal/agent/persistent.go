package agent

import (
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

// partedKey names the partitioned operations that are matched in the order of their initialisation (MPI-4.0, 4.2).
type partedKey struct {
	ctx      op.CommID
	src, dst op.Rank
	tag      int32
}

// parted is a partitioned send: it goes out when the program has released all of its partitions.
type parted struct {
	partitions int64
	ready      int64
}

// start starts a persistent request (MPI-4.0, 3.9), at a position among those that are started together.
func (c *call) start(handle uint64, position int64) {
	q := c.r.requests.get(handle)
	if q == nil {
		c.loseTrack()
		return
	}
	if q.make == nil {
		return
	}
	q.use.Active, q.use.Started, q.use.Canceled = true, true, false
	c.a.holdStarted(c.t, q)
	q.parts = q.make()
	nth := c.t.countStart(q)
	for _, p := range q.parts {
		p.Nth = nth
		p.Origin = c.op.Origin
		if p.Kind == op.Recv && p.Src == op.AnySource {
			p.Forced = c.forcedAt(position, q.comm)
		}
		c.op.Post(p)
	}
	if q.parted != nil {
		q.parted.ready = 0
	}
}

// loseTrack takes in that a request was started which nothing is known of. MPI_Start may give a new handle for the old one
// (its argument is INOUT, MPI-4.0, 3.9), as Open MPI does for a buffered send that it has not finished. What this rank does
// is not known in full from here on: it counts as able to act, and the order of its calls is not judged.
func (c *call) loseTrack() {
	if c.r.untold {
		return
	}
	c.r.untold = true
	c.r.use.LoseTrack()
	for _, comm := range c.r.comms {
		c.a.net.Send(tree.Root, message.Failed{Ctx: comm.id})
	}
}

// persistentRequest makes the request of a *_init call, whose handle has just become known.
func (c *call) persistentRequest() *request {
	comm := c.r.comm(c.word(mpi.RComm))
	q := &request{use: usage.Request{Persistent: true}, comm: comm}
	if c.f.Class == mpi.PsendInit || c.f.Class == mpi.PrecvInit {
		q.use.Partitions = &usage.Partitions{Count: c.num(mpi.RPartitions)}
	}
	q.standard = c.f.Class == mpi.SendInit && c.f.Mode == op.Standard
	q.wild = c.f.Class == mpi.RecvInit && c.anySource(mpi.RPeer)
	if comm == nil || comm.foreign {
		q.make = func() []*waitstate.Part { return []*waitstate.Part{{Kind: op.Observed}} }
		return q
	}
	var model *waitstate.Part
	switch c.f.Class {
	case mpi.SendInit, mpi.PsendInit:
		model = c.sendPart(comm)
	default:
		model = c.recvPart(comm, op.Recv, c.num(mpi.RPeer), c.num(mpi.RTag))
	}
	if (c.f.Class == mpi.PsendInit || c.f.Class == mpi.PrecvInit) && (model.Kind == op.Send || model.Kind == op.Recv) {
		key := partedKey{comm.id, model.Src, model.Dst, model.Tag}
		model.Ctx = ident(comm.id, saltParted, uint64(uint32(model.Src)), uint64(uint32(model.Dst)), uint64(uint32(model.Tag)), c.r.parted[key])
		c.r.parted[key]++
		if model.Kind == op.Send {
			q.parted = &parted{partitions: c.num(mpi.RPartitions)}
			model.Held = q.parted.partitions > 0
		}
	}
	q.make = func() []*waitstate.Part { return []*waitstate.Part{model.Copy()} }
	return q
}

// pready counts released partitions; the last one lets the message go.
func (c *call) pready() {
	q := c.r.requests.get(c.word(mpi.RRequest))
	if q == nil || q.parted == nil || len(q.parts) == 0 {
		return
	}
	switch c.f.Class {
	case mpi.Pready:
		q.parted.ready++
	case mpi.PreadyRange:
		q.parted.ready += c.num(mpi.RPartitionHigh) - c.num(mpi.RPartition) + 1
	case mpi.PreadyList:
		q.parted.ready += c.num(mpi.RCount)
	}
	if p := q.parts[0]; p.Held && q.parted.ready >= q.parted.partitions {
		c.a.node.Release(p)
		c.op.Post(p)
	}
}

package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// start starts a persistent request (MPI-4.0, 3.9), at a position among those that are started together.
func (c *call) start(handle uint64, position int64) {
	q := c.r.Objects.Requests.Get(handle)
	if q == nil {
		c.t.loseTrack()
		return
	}
	if q.Make == nil {
		return
	}
	if q.Active { // wrong, and Open MPI may give a send another handle then
		c.r.Objects.Lost = true
	}
	q.Active, q.Started, q.Canceled = true, true, false
	c.t.See.Restarted(q)
	q.Parts = q.Make()
	nth := c.t.countStart(q)
	for _, p := range q.Parts {
		p.Nth = nth
		p.Origin = c.op.Origin
		if p.Kind == op.Recv && p.Src == op.AnySource {
			p.Forced = c.t.forcedAt(position, q.Comm)
		}
		c.op.Post(p)
	}
	if q.Partitions != nil {
		q.Partitions.Restart()
	}
}

// loseTrack takes in that a request was started which nothing is known of. MPI_Start may give a new handle for the old
// one (its argument is INOUT, MPI-4.0, 3.9), as Open MPI does for a buffered send that it has not finished. What this
// rank does is not known in full from here on: it counts as able to act, and the order of its calls is not judged.
func (t *Thread) loseTrack() {
	if t.Rank.Unmodelled {
		return
	}
	t.Rank.Unmodelled = true
	t.See.LostTrack()
	for comm := range t.Rank.Objects.Comms() {
		t.See.Unordered(comm.ID)
	}
}

// persistentRequest makes the request of a *_init call, whose handle has just become known.
func (c *call) persistentRequest() *objects.Request {
	comm := c.r.Objects.Comm(c.Word(mpi.RComm))
	q := &objects.Request{Persistent: true, Comm: comm}
	if c.Func.Class == mpi.PsendInit || c.Func.Class == mpi.PrecvInit {
		q.Partitions = &objects.Partitions{Count: c.Num(mpi.RPartitions)}
	}
	q.Standard = c.Func.Class == mpi.SendInit && c.Func.Mode.Blocks() == op.Standard
	q.Wild = c.Func.Class == mpi.RecvInit && c.anySource(mpi.RPeer)
	if comm == nil || comm.Foreign {
		q.Make = func() []*waitstate.Part { return []*waitstate.Part{{Kind: op.Observed}} }
		return q
	}
	var model *waitstate.Part
	switch c.Func.Class {
	case mpi.SendInit, mpi.PsendInit:
		model = c.sendPart(comm)
	default:
		model = c.recvPart(comm, op.Recv, c.Num(mpi.RPeer), c.Num(mpi.RTag))
	}
	if (c.Func.Class == mpi.PsendInit || c.Func.Class == mpi.PrecvInit) &&
		(model.Kind == op.Send || model.Kind == op.Recv) {
		model.Ctx = c.r.Objects.PartitionedID(comm.ID, model.Src, model.Dst, model.Tag)
		model.Held = model.Kind == op.Send && q.Partitions.Count > 0
	}
	model.Init = c.maker()
	q.Make = func() []*waitstate.Part { return []*waitstate.Part{model.Copy()} }
	return q
}

// maker is the call as the one that made a persistent request. As it is no operation, it gets a number that none has.
func (c *call) maker() *waitstate.Origin {
	o := &waitstate.Origin{Rank: c.r.World, Thread: c.t.WS.Index, Fn: c.Func.ID, Site: c.t.Site, Stamp: c.t.Stamp,
		TS: noOperation | uint64(c.t.Stamp)}
	o.NWords = uint8(copy(o.Words[:], c.Words))
	return o
}

// noOperation is above the numbers of all operations of a thread.
const noOperation = 1 << 62

// pready counts released partitions; the last one lets the message go.
func (c *call) pready() {
	q := c.r.Objects.Requests.Get(c.Word(mpi.RRequest))
	if q == nil || q.Partitions == nil || len(q.Parts) == 0 {
		return
	}
	switch c.Func.Class {
	case mpi.Pready:
		q.Partitions.Ready++
	case mpi.PreadyRange:
		q.Partitions.Ready += c.Num(mpi.RPartitionHigh) - c.Num(mpi.RPartition) + 1
	case mpi.PreadyList:
		q.Partitions.Ready += c.Num(mpi.RCount)
	}
	if p := q.Parts[0]; p.Held && q.Partitions.Ready >= q.Partitions.Count {
		c.a.Node.Release(p)
		c.op.Post(p)
	}
}

package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// call is one record being taken in.
type call struct {
	arguments
	a  *Follower
	t  *Thread
	op *waitstate.Op
}

// Status is what MPI reported of one completed operation.
type Status struct {
	Source int32
	Tag    int32
	Bytes  int64
	// Ignored says that the program did not want to have the status.
	Ignored bool
}

// newStatus makes one of the three words of a record.
func newStatus(v []uint64) Status {
	return Status{int32(v[0]), mpi.StatusTag(v[1]), int64(v[2]), v[1]&mpi.StatusIgnored != 0}
}

// statuses are those of a call, until those of another one are asked for.
func (c *call) statuses() []Status {
	out := c.a.statuses[:0]
	for v := c.Outs(mpi.RStatuses); len(v) >= 3; v = v[3:] {
		out = append(out, newStatus(v))
	}
	c.a.statuses = out
	return out
}

// entered is the value that a role had at the call's entry.
func (c *call) entered(role mpi.Role) uint64 {
	if v, ok := c.Func.EnterWord(role, c.t.First()); ok {
		return uint64(v)
	}
	e := c.atEntry()
	return e.Word(role)
}

// atEntry is the call as it was entered, for its first words.
func (c *call) atEntry() call {
	e := *c
	o := c.t.Latest()
	e.Words = o.First()
	if e.op == nil {
		e.op = waitstate.NewOp()
		e.op.Fn, e.op.Site, e.op.Stamp = c.Func.ID, o.Site, c.t.Stamp
	}
	return e
}

func (c *call) newRequest(q *objects.Request) {
	h, ok := c.Out(mpi.RRequest)
	if !ok || uint64(h) == c.r.Objects.Limits.Nulls[mpi.ORequest] {
		return
	}
	for _, p := range q.Parts {
		if p.Origin == nil && c.op != nil {
			p.Origin = c.op.Origin
		}
	}
	c.t.See.Requested(q)
	q.Made = objects.Made{Func: c.Func, Site: c.t.Site}
	if q.Comm == nil {
		q.Comm = c.t.Call.Comm
	}
	c.r.Objects.NewRequest(uint64(h), q)
}

// decideParts tells the receives among the parts what MPI gave them. Only an operation that the program asked to cancel
// can have been: some libraries leave that mark of a status unset where it means nothing.
func (c *call) decideParts(parts []*waitstate.Part, comm *objects.Comm, st Status, cancel bool) {
	for _, p := range parts {
		if cancel && st.Bytes == mpi.StatusCancelled {
			c.a.Node.Cancelled(p)
			c.t.See.Gone(p)
			continue
		}
		c.a.Node.Seen(p)
		if (p.Kind != op.Recv && p.Kind != op.Probe) || comm == nil {
			continue
		}
		p.Status(st.Ignored)
		if src := comm.World(int64(st.Source)); src >= 0 {
			if p.Wildcard() {
				if c.t.wilds == nil {
					c.t.wilds = new(wilds)
				}
				c.t.wilds.add(Taken{src, st.Tag, p.Ctx, p.Origin.Site})
			}
			c.t.See.Matched(p, src, st.Tag)
			if c.a.Node.Decide(p, src, st.Tag) {
				c.a.Node.Settle(p.Dst, p.Ctx)
			}
		}
	}
}

// dropRequest forgets a request that the call has completed or freed.
func (c *call) dropRequest(handle uint64) {
	if q := c.r.Objects.EndRequest(handle, objects.Made{Func: c.Func, Site: c.t.Site}); q != nil {
		for _, p := range q.Parts {
			c.a.Node.Drop(p)
		}
		q.Parts = nil
	}
}

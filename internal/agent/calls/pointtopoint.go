package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func (c *call) pointToPoint() bool {
	comm := c.r.Objects.Comm(c.Word(mpi.RComm))
	f, o := c.Func, c.op
	nonblocking := f.Class == mpi.Isend || f.Class == mpi.Irecv || f.Class == mpi.Isendrecv
	o.Blocking = !nonblocking
	send, wild := c.ordinals()
	if comm == nil || comm.Foreign {
		o.Opaque = o.Blocking
		return o.Blocking
	}
	var room [2]*waitstate.Part
	parts := room[:0]
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv:
		parts = append(parts, c.sendPart(comm))
	}
	switch f.Class {
	case mpi.Recv, mpi.Irecv:
		parts = append(parts, c.recvPart(comm, op.Recv, c.Num(mpi.RPeer), c.Num(mpi.RTag)))
	case mpi.Mprobe:
		p := c.recvPart(comm, op.Recv, c.Num(mpi.RPeer), c.Num(mpi.RTag))
		if p.Kind == op.Recv && c.a.Contents {
			p.Taking = new(waitstate.Taking)
		}
		parts = append(parts, p)
	case mpi.Probe:
		parts = append(parts, c.recvPart(comm, op.Probe, c.Num(mpi.RPeer), c.Num(mpi.RTag)))
	case mpi.Sendrecv, mpi.Isendrecv:
		parts = append(parts, c.recvPart(comm, op.Recv, c.Num(mpi.RSource), c.Num(mpi.RRecvTag)))
	}
	for _, p := range parts {
		p.Nth = wild
		if p.Kind == op.Send {
			p.Nth = send
		}
		o.Post(p)
		if o.Blocking {
			o.Wait(p)
		}
	}
	return true
}

func (c *call) sendPart(comm *objects.Comm) *waitstate.Part {
	p := c.a.Node.NewPart()
	p.Kind, p.Mode, p.Origin, p.Src = op.Send, c.Func.Mode.Blocks(), c.op.Origin, c.r.World
	p.Tag, p.Ctx = int32(c.Num(mpi.RTag)), comm.ID
	p.Content, p.Bytes = c.carried()
	p.Presumes = c.Func.Mode == op.Ready
	if p.Mode == op.Buffered {
		c.r.Buffered += max(p.Bytes, 0)
	}
	peer := c.Num(mpi.RPeer)
	if int64(int32(peer)) == c.r.Objects.Limits.ProcNull {
		p.Kind = op.Served
		return p
	}
	if p.Dst = comm.World(int64(int32(peer))); p.Dst == op.Unknown {
		p.Kind = op.Observed
	}
	return p
}

func (c *call) recvPart(comm *objects.Comm, kind op.PartKind, source, tag int64) *waitstate.Part {
	k := &c.r.Objects.Limits
	p := c.a.Node.NewPart()
	p.Kind, p.Origin, p.Dst, p.Ctx, p.Tag, p.Bytes = kind, c.op.Origin, c.r.World, comm.ID, int32(tag), -1
	if int64(p.Tag) == k.AnyTag {
		p.Tag = op.AnyTag
	}
	switch src := int32(source); {
	case int64(src) == k.ProcNull:
		p.Kind = op.Served
	case int64(src) == k.AnySource:
		p.Src, p.Wild, p.Forced = op.AnySource, true, c.t.forcedAt(0, comm)
		if peers := comm.Peers(); peers.Len() == 1 {
			p.Src = peers.At(0)
		}
	default:
		if p.Src = comm.World(int64(src)); p.Src == op.Unknown {
			p.Kind = op.Observed
		}
	}
	p.Content = c.room()
	return p
}

// await adds the parts of a request, which may be nil if nothing is known of it, to a completion. index is its place in
// the user's array, or -1.
func (c *call) await(q *objects.Request, handle uint64, index int32) {
	add := func(p *waitstate.Part) {
		c.op.Wait(p)
		if index >= 0 {
			c.op.Indices = append(c.op.Indices, index)
		}
	}
	switch {
	case handle == c.r.Objects.Limits.Nulls[mpi.ORequest]:
	case q == nil:
		add(&waitstate.Part{Kind: op.Observed, Origin: c.op.Origin})
	case !q.Active && q.Persistent:
	case len(q.Parts) == 1 || !c.op.Any:
		for _, p := range q.Parts {
			add(p)
		}
	default: // an any-completion of a request with several parts: follow what is observed
		add(&waitstate.Part{Kind: op.Observed, Origin: c.op.Origin})
	}
}

// freeRequest forgets a request. A receive that was to be cancelled first may be so unseen (MPI-4.0, 3.8.4).
func (c *call) freeRequest(handle uint64) {
	if q := c.r.Objects.Requests.Get(handle); q != nil && q.Canceled {
		for _, p := range q.Parts {
			if p.Kind == op.Recv && !p.Matched() {
				c.a.Node.Cancelled(p)
				c.t.See.Gone(p)
			}
		}
	}
	c.dropRequest(handle)
}

// received takes in whose message a blocking receive or probe was given.
func (c *call) received() {
	if st, ok := c.status(); ok && c.op != nil {
		c.decideParts(c.op.Waits, c.r.Objects.Comm(c.entered(mpi.RComm)), st, false)
	}
}

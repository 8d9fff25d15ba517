package agent

import (
	"unknot/internal/check/rma"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// call is one record being taken in.
type call struct {
	decode.Call
	a  *follower
	t  *thread
	r  *rank
	op *waitstate.Op
}

// enter takes in an Enter record.
func (a *follower) enter(t *thread, f *mpi.Func, stamp uint32, site uint64, words []uint64) {
	a.settle(t)
	t.fn, t.stamp, t.site, t.inside, t.gave, t.crossed = f, stamp, site, false, false, false
	t.rank.advance(stamp)
	t.reqs, t.handles = t.reqs[:0], t.handles[:0]
	t.pending = creation{}
	t.calls++
	t.visits.add(visitedAt(f, site), 1)
	if t.op != nil && !t.op.Returned() {
		a.node.Return(t.ws)
	}
	t.op = nil
	if f == nil {
		t.polls.end(a.node)
		return
	}
	t.chooses(f)
	a.operate(t, f, site, words)
	a.follow.Enter(&t.use.Call)
}

// operate turns a call into an operation of the wait-state system, if it blocks, matches or makes something.
func (a *follower) operate(t *thread, f *mpi.Func, site uint64, words []uint64) {
	c := call{Call: decode.Call{Func: f, Words: words}, a: a, t: t, r: t.rank}
	c.requests()
	a.beginCall(t, f, site, words)
	if f.Class.Quiet() {
		c.attribute(site)
		return
	}
	t.caught.call(t.stamp)
	o := a.node.NewOp()
	o.Fn, o.Site, o.Stamp = f.ID, site, t.stamp
	o.NWords = uint8(copy(o.Words[:], words))
	c.op = o
	t.note(o.Origin)
	if t.track != nil {
		t.track.call(o.Origin, f)
	}
	if t.outcome.forced {
		c.Func = a.blocking(f)
	} else if c.poll() {
		if o != t.polls.op {
			a.node.Discard(o)
		}
		return
	}
	t.polls.end(a.node)
	if !c.build() {
		a.node.Discard(o)
		return
	}
	t.op = o
	a.askReceived(t, o)
	a.log.Enter(t.log, o, t.fn, t.choices.nth)
	if t.track != nil {
		t.track.operation(o)
	}
	if t.outcome.forced {
		c.narrow()
	}
	c.buffer()
	c.unorder(o)
	if t.lesson != nil {
		t.lesson.operation(o, f)
	}
	a.node.Enter(t.ws, o)
}

// requests finds out which requests a call names that completes some, in the user's order. Of several that share a
// handle a call that waits means the oldest.
func (c *call) requests() {
	if !c.Func.Class.Completes() {
		return
	}
	get := c.r.Objects.Request
	if isPoll(c.Func) && !c.t.outcome.forced {
		get = c.r.Objects.Requests.Get
	}
	t := c.t
	switch c.Func.Class {
	case mpi.Wait, mpi.Test, mpi.GetStatus:
		t.handles = append(t.handles, c.Word(mpi.RRequest))
	default:
		t.handles = append(t.handles, c.List(mpi.RRequests)...)
	}
	for _, h := range t.handles {
		t.reqs = append(t.reqs, get(h))
	}
}

// attribute notes an attribute of MPI_COMM_SELF: MPI_Finalize calls its delete function first of all, and that may
// communicate (MPI-4.0, 11.2.4). mpi4py has one of its own, which does not; its call has a Python site.
func (c *call) attribute(site uint64) {
	if c.Func.Caching != mpi.SetsAttribute || c.Func.EnterAt[mpi.RComm] < 0 || site&ring.PythonSite != 0 {
		return
	}
	if comm := c.r.Objects.Comm(c.Word(mpi.RComm)); comm != nil && comm.Size() == 1 {
		c.r.callbacks = true
	}
}

// build fills the operation in; false if the call neither blocks nor starts anything.
func (c *call) build() bool {
	switch c.Func.Class {
	case mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Isend, mpi.Irecv, mpi.Isendrecv, mpi.Probe, mpi.Mprobe:
		return c.pointToPoint()
	case mpi.SendInit, mpi.RecvInit, mpi.PsendInit, mpi.PrecvInit:
		return false // made at exit, when the request's handle is known
	case mpi.Start:
		c.start(c.Word(mpi.RRequest), 0)
	case mpi.Startall:
		for i, h := range c.List(mpi.RRequests) {
			c.start(h, int64(i))
		}
	case mpi.Pready, mpi.PreadyRange, mpi.PreadyList:
		c.pready()
	case mpi.Wait:
		c.op.Blocking = true
		c.await(c.t.reqs[0], c.t.handles[0], -1)
	case mpi.Waitall, mpi.Waitany, mpi.Waitsome:
		c.op.Blocking = true
		c.op.Any = c.Func.Class != mpi.Waitall
		for i, q := range c.t.reqs {
			c.await(q, c.t.handles[i], int32(i))
		}
	case mpi.Cancel:
		if q := c.r.Objects.Requests.Get(c.Word(mpi.RRequest)); q != nil {
			q.Canceled = true
			for _, p := range q.Parts {
				c.a.node.Suspend(p)
			}
		}
		return false
	case mpi.RequestFree:
		c.freeRequest(c.Word(mpi.RRequest))
		return false
	case mpi.Coll, mpi.CommCreate, mpi.CommCreateGroup, mpi.IntercommCreate, mpi.CommFree,
		mpi.WinCreate, mpi.WinColl, mpi.FileOpen, mpi.FileColl, mpi.FileIcoll:
		switch c.Func.Class {
		case mpi.WinColl:
			c.moves()
			c.op.Tells = c.fetched()
		case mpi.WinCreate:
			if c.a.checks != nil && c.a.checks.Enabled(rma.Conflict) {
				c.a.node.WatchMoments() // what is done with the window may have to be known
			}
		}
		return c.collective()
	case mpi.WinPost, mpi.WinStart, mpi.WinComplete, mpi.WinWait:
		return c.activeTarget()
	case mpi.WinLock, mpi.WinUnlock, mpi.WinFlush:
		c.passiveTarget()
	case mpi.Opaque, mpi.BufferDetach, mpi.BufferFlush:
		c.op.Blocking, c.op.Opaque = true, true
		if c.Func.Flushes() {
			c.fetched()
			_, c.op.Silent = c.lock()
		}
	case mpi.Finalize:
		c.op.Blocking, c.op.Terminal = true, true
	case mpi.CommSetName, mpi.TypeMake, mpi.Rrma, mpi.FileReq, mpi.GreqStart, mpi.BufferIflush, mpi.Mrecv, mpi.Imrecv:
		switch c.Func.Class {
		case mpi.CommSetName:
			c.setName()
		case mpi.Mrecv, mpi.Imrecv:
			c.take()
		case mpi.Rrma:
			c.moves()
			c.fetches()
		}
		return false
	case mpi.Rma:
		c.moves()
		c.fetches()
		return false
	default:
		return false
	}
	return true
}

// freeRequest forgets a request. A receive that was to be cancelled first may be so unseen (MPI-4.0, 3.8.4).
func (c *call) freeRequest(handle uint64) {
	if q := c.r.Objects.Requests.Get(handle); q != nil && q.Canceled {
		for _, p := range q.Parts {
			if p.Kind == op.Recv && !p.Matched() {
				c.a.node.Cancelled(p)
				c.a.log.Gone(p)
			}
		}
	}
	c.dropRequest(handle)
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
		if p.Kind == op.Recv && c.a.checks != nil {
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
	p := c.a.node.NewPart()
	p.Kind, p.Mode, p.Origin, p.Src = op.Send, c.Func.Mode.Blocks(), c.op.Origin, c.r.World
	p.Tag, p.Ctx = int32(c.Num(mpi.RTag)), comm.ID
	p.Content, p.Bytes = c.carried()
	p.Presumes = c.Func.Mode == op.Ready
	if p.Mode == op.Buffered {
		c.r.buffered += max(p.Bytes, 0)
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
	p := c.a.node.NewPart()
	p.Kind, p.Origin, p.Dst, p.Ctx, p.Tag, p.Bytes = kind, c.op.Origin, c.r.World, comm.ID, int32(tag), -1
	if int64(p.Tag) == k.AnyTag {
		p.Tag = op.AnyTag
	}
	switch src := int32(source); {
	case int64(src) == k.ProcNull:
		p.Kind = op.Served
	case int64(src) == k.AnySource:
		p.Src, p.Wild, p.Forced = op.AnySource, true, c.forcedAt(0, comm)
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

// bytes is the size of a send, or -1 if the datatype's is not known.
func (c *call) bytes() int64 {
	size := c.r.Objects.Size(c.Word(mpi.RType))
	if size < 0 {
		return -1
	}
	return size * c.Num(mpi.RCount)
}

package agent

import (
	"unknot/internal/op"
	"unknot/internal/probe/mpiapi"
	"unknot/internal/ring"
	"unknot/internal/waitstate"
)

// call is one Enter record being decoded.
type call struct {
	a     *Agent
	t     *thread
	r     *rank
	f     *mpiapi.Func
	words []uint64
	op    *waitstate.Op
}

// num is the value of a role, or 0 if the function has none.
func (c *call) num(role mpiapi.Role) int64 {
	if c.f.EnterAt[role] == -2 { // behind an array
		if v := c.list(role); len(v) > 0 {
			return int64(v[0])
		}
		return 0
	}
	v, _ := c.f.EnterWord(role, c.words)
	return v
}

func (c *call) word(role mpiapi.Role) uint64 { return uint64(c.num(role)) }

// list is the values of an array role.
func (c *call) list(role mpiapi.Role) []uint64 {
	var out []uint64
	_ = c.f.Walk(c.words, true, func(p *mpiapi.Param, v []uint64) {
		if p.Role == role {
			out = v
		}
	})
	return out
}

// enter turns an Enter record into an operation of the wait-state system, if it blocks, matches or makes something.
func (a *Agent) enter(t *thread, f *mpiapi.Func, stamp uint32, site uint64, words []uint64) {
	a.settle(t)
	t.fn, t.stamp, t.site, t.inside, t.gave = f, stamp, site, false, false
	t.rank.advance(stamp)
	t.reqs, t.handles = t.reqs[:0], t.handles[:0]
	t.pending = creation{}
	t.calls++
	if t.op != nil && !t.op.Returned() {
		a.node.Return(t.ws)
	}
	t.op = nil
	if f == nil {
		t.polls.end()
		return
	}
	t.chooses(f)
	late := completes(f)
	if !late {
		a.checkEnter(t, f, site, words)
	}
	if f.Class.Quiet() {
		c := call{a: a, t: t, r: t.rank, f: f, words: words}
		c.attribute(site)
		return
	}
	o := a.node.NewOp()
	o.Fn, o.Site, o.Stamp = f.ID, site, stamp
	o.NWords = uint8(copy(o.Words[:], words))
	t.note(f, o.Origin)
	c := call{a: a, t: t, r: t.rank, f: f, words: words, op: o}
	if t.outcome.forced {
		c.f = a.blocking(f)
	} else if c.poll() {
		if late {
			a.checkEnter(t, f, site, words)
		}
		return
	}
	t.polls.end()
	built := c.build()
	if late { // now it is known what its requests are
		a.checkEnter(t, f, site, words)
	}
	if !built {
		return
	}
	t.op = o
	a.askReceived(t, o)
	a.rec.enter(t, o)
	if t.outcome.forced {
		c.narrow()
	}
	c.buffer()
	a.node.Enter(t.ws, o)
}

// attribute notes an attribute of MPI_COMM_SELF: MPI_Finalize calls its delete function first of all, and that may
// communicate (MPI-4.0, 11.2.4). mpi4py has one of its own, which does not; its call has a Python site.
func (c *call) attribute(site uint64) {
	if c.f.Name != "MPI_Comm_set_attr" && c.f.Name != "MPI_Attr_put" || site&ring.PythonSite != 0 {
		return
	}
	if comm := c.r.comm(c.word(mpiapi.RComm)); comm != nil && len(comm.members) == 1 {
		c.r.callbacks = true
	}
}

// build fills the operation in; false if the call neither blocks nor starts anything.
func (c *call) build() bool {
	switch c.f.Class {
	case mpiapi.Send, mpiapi.Recv, mpiapi.Sendrecv, mpiapi.Isend, mpiapi.Irecv, mpiapi.Isendrecv, mpiapi.Probe, mpiapi.Mprobe:
		return c.pointToPoint()
	case mpiapi.SendInit, mpiapi.RecvInit, mpiapi.PsendInit, mpiapi.PrecvInit:
		return false // made at exit, when the request's handle is known
	case mpiapi.Start:
		c.start(c.word(mpiapi.RRequest), 0)
	case mpiapi.Startall:
		for i, h := range c.list(mpiapi.RRequests) {
			c.start(h, int64(i))
		}
	case mpiapi.Pready, mpiapi.PreadyRange, mpiapi.PreadyList:
		c.pready()
	case mpiapi.Wait:
		c.op.Blocking = true
		c.waitFor(c.word(mpiapi.RRequest), -1)
	case mpiapi.Waitall, mpiapi.Waitany, mpiapi.Waitsome:
		c.op.Blocking = true
		c.op.Any = c.f.Class != mpiapi.Waitall
		for i, h := range c.list(mpiapi.RRequests) {
			c.waitFor(h, int32(i))
		}
	case mpiapi.Cancel:
		if q := c.r.requests.get(c.word(mpiapi.RRequest)); q != nil {
			q.use.Canceled = true
			for _, p := range q.parts {
				c.a.node.Suspend(p)
			}
		}
		return false
	case mpiapi.RequestFree:
		c.freeRequest(c.word(mpiapi.RRequest))
		return false
	case mpiapi.Coll, mpiapi.CommCreate, mpiapi.CommCreateGroup, mpiapi.IntercommCreate, mpiapi.CommFree,
		mpiapi.WinCreate, mpiapi.WinColl, mpiapi.FileOpen, mpiapi.FileColl, mpiapi.FileIcoll:
		if c.f.Class == mpiapi.WinColl {
			c.moves()
		}
		return c.collective()
	case mpiapi.WinPost, mpiapi.WinStart, mpiapi.WinComplete, mpiapi.WinWait:
		return c.activeTarget()
	case mpiapi.WinLock, mpiapi.WinUnlock, mpiapi.WinFlush:
		c.passiveTarget()
	case mpiapi.Opaque, mpiapi.BufferDetach:
		c.op.Blocking, c.op.Opaque = true, true
	case mpiapi.Finalize:
		c.op.Blocking, c.op.Terminal = true, true
	case mpiapi.CommSetName, mpiapi.TypeMake, mpiapi.Rrma, mpiapi.FileReq, mpiapi.GreqStart, mpiapi.Mrecv, mpiapi.Imrecv:
		switch c.f.Class {
		case mpiapi.CommSetName:
			c.setName()
		case mpiapi.Mrecv, mpiapi.Imrecv:
			c.take()
		case mpiapi.Rrma:
			c.moves()
		}
		return false
	case mpiapi.Rma:
		c.moves()
		return false
	default:
		return false
	}
	return true
}

// freeRequest forgets a request. A receive that was to be cancelled first may be so unseen (MPI-4.0, 3.8.4).
func (c *call) freeRequest(handle uint64) {
	if q := c.r.requests.get(handle); q != nil && q.use.Canceled {
		for _, p := range q.parts {
			if p.Kind == waitstate.Recv && !p.Matched() {
				c.a.node.Cancelled(p)
				c.a.rec.gone(p)
			}
		}
	}
	c.dropRequest(handle)
}

// waitFor adds what a request stands for to a completion. index is its place in the user's array, or -1.
func (c *call) waitFor(handle uint64, index int32) {
	q := c.r.request(handle)
	c.t.reqs, c.t.handles = append(c.t.reqs, q), append(c.t.handles, handle)
	c.await(q, handle, index)
}

// await adds the parts of a request, which may be nil if nothing is known of it, to a completion.
func (c *call) await(q *request, handle uint64, index int32) {
	add := func(p *waitstate.Part) {
		c.op.Wait(p)
		if index >= 0 {
			c.op.Indices = append(c.op.Indices, index)
		}
	}
	switch {
	case handle == c.r.consts.requestNull:
	case q == nil:
		add(&waitstate.Part{Kind: waitstate.Observed, Origin: c.op.Origin})
	case !q.use.Active && q.use.Persistent:
	case len(q.parts) == 1 || !c.op.Any:
		for _, p := range q.parts {
			add(p)
		}
	default: // an any-completion of a request with several parts: follow what is observed
		add(&waitstate.Part{Kind: waitstate.Observed, Origin: c.op.Origin})
	}
}

func (c *call) pointToPoint() bool {
	comm := c.r.comm(c.word(mpiapi.RComm))
	f, o := c.f, c.op
	nonblocking := f.Class == mpiapi.Isend || f.Class == mpiapi.Irecv || f.Class == mpiapi.Isendrecv
	o.Blocking = !nonblocking
	send, wild := c.ordinals()
	if comm == nil || comm.foreign {
		o.Opaque = o.Blocking
		return o.Blocking
	}
	var room [2]*waitstate.Part
	parts := room[:0]
	switch f.Class {
	case mpiapi.Send, mpiapi.Isend, mpiapi.Sendrecv, mpiapi.Isendrecv:
		parts = append(parts, c.sendPart(comm))
	}
	switch f.Class {
	case mpiapi.Recv, mpiapi.Irecv:
		parts = append(parts, c.recvPart(comm, waitstate.Recv, c.num(mpiapi.RPeer), c.num(mpiapi.RTag)))
	case mpiapi.Mprobe:
		p := c.recvPart(comm, waitstate.Recv, c.num(mpiapi.RPeer), c.num(mpiapi.RTag))
		if p.Kind == waitstate.Recv && c.a.checks != nil {
			p.Taking = new(waitstate.Taking)
		}
		parts = append(parts, p)
	case mpiapi.Probe:
		parts = append(parts, c.recvPart(comm, waitstate.Probe, c.num(mpiapi.RPeer), c.num(mpiapi.RTag)))
	case mpiapi.Sendrecv, mpiapi.Isendrecv:
		parts = append(parts, c.recvPart(comm, waitstate.Recv, c.num(mpiapi.RSource), c.num(mpiapi.RRecvTag)))
	}
	for _, p := range parts {
		p.Nth = wild
		if p.Kind == waitstate.Send {
			p.Nth = send
		}
		o.Post(p)
		if o.Blocking {
			o.Wait(p)
		}
	}
	return true
}

func (c *call) sendPart(comm *comm) *waitstate.Part {
	p := c.a.node.NewPart()
	p.Kind, p.Mode, p.Origin, p.Src = waitstate.Send, sendMode(c.f.Mode), c.op.Origin, c.r.world
	p.Tag, p.Ctx = int32(c.num(mpiapi.RTag)), comm.id
	p.Content, p.Bytes = c.carried()
	peer := c.num(mpiapi.RPeer)
	if int32(peer) == c.r.consts.procNull {
		p.Kind = waitstate.Served
		return p
	}
	if p.Dst = comm.world(int64(int32(peer))); p.Dst == op.Unknown {
		p.Kind = waitstate.Observed
	}
	return p
}

func sendMode(m mpiapi.Mode) waitstate.SendMode {
	switch m {
	case mpiapi.Synchronous:
		return waitstate.Synchronous
	case mpiapi.Buffered, mpiapi.Ready:
		return waitstate.Buffered // a ready send finds its receive posted, or the program is wrong
	}
	return waitstate.Standard
}

func (c *call) recvPart(comm *comm, kind waitstate.PartKind, source, tag int64) *waitstate.Part {
	k := &c.r.consts
	p := c.a.node.NewPart()
	p.Kind, p.Origin, p.Dst, p.Ctx, p.Tag, p.Bytes = kind, c.op.Origin, c.r.world, comm.id, int32(tag), -1
	if p.Tag == k.anyTag {
		p.Tag = op.AnyTag
	}
	switch src := int32(source); {
	case src == k.procNull:
		p.Kind = waitstate.Served
	case src == k.anySource:
		p.Src, p.Wild, p.Forced = op.AnySource, true, c.forcedAt(0, comm)
		if peers := comm.peers(); len(peers) == 1 {
			p.Src = peers[0]
		}
	default:
		if p.Src = comm.world(int64(src)); p.Src == op.Unknown {
			p.Kind = waitstate.Observed
		}
	}
	p.Content = c.room()
	return p
}

// peers are the ranks that can send on a communicator to one of its members.
func (c *comm) peers() []op.Rank {
	if c.inter {
		return c.remote
	}
	return c.members
}

// bytes is the size of a send, or -1 if the datatype's is not known.
func (c *call) bytes() int64 {
	size, ok := c.r.sizes[c.word(mpiapi.RType)]
	if !ok || size < 0 {
		return -1
	}
	return size * c.num(mpiapi.RCount)
}

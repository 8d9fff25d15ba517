package calls

import (
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// enter takes in an Enter record.
func (a *Follower) enter(t *Thread, f *mpi.Func, stamp uint32, site uint64, words []uint64) {
	a.settle(t)
	t.Func, t.Stamp, t.Site, t.Inside, t.Gave, t.crossed = f, stamp, site, false, false, false
	t.Rank.advance(stamp)
	t.Requests, t.Handles = t.Requests[:0], t.Handles[:0]
	t.Pending = Creation{}
	t.Calls++
	t.Visits.Add(VisitedAt(f, site), 1)
	if t.Op != nil && !t.Op.Returned() {
		a.Node.Return(t.WS)
	}
	t.Op = nil
	if f == nil {
		t.Polls.end(a.Node)
		return
	}
	t.chooses(f)
	c := call{arguments: arguments{decode.Call{Func: f, Words: words}, t.Rank}, a: a, t: t}
	c.requests()
	c.begin(site)
	c.operate(site)
	a.Follow.Enter(t.Call)
}

// begin makes the call known to those who follow the objects of its rank.
func (c *call) begin(site uint64) {
	t, k, f := c.t, c.t.Call, c.Func
	k.Func, k.Site, k.Thread, k.Stamp, k.Words, k.Out, k.Failed = f, site, t.WS.Index, t.Stamp, c.Words, nil, false
	k.Rank, k.Comm = t.Rank.Objects, nil
	if at := f.EnterAt[mpi.RComm]; at >= 0 && int(at) < len(c.Words) {
		k.Comm = k.Rank.Comm(c.Words[at])
	}
	k.Requests, k.Handles = k.Requests[:0], k.Handles[:0]
	t.Inside = true
	switch {
	case f.Class.Completes():
		k.Handles, k.Requests = append(k.Handles, t.Handles...), append(k.Requests, t.Requests...)
	case f.Class == mpi.Startall:
		c.t.names(c.List(mpi.RRequests)...)
	case f.EnterAt[mpi.RRequest] >= 0:
		if at := int(f.EnterAt[mpi.RRequest]); at < len(c.Words) {
			c.t.names(c.Words[at])
		}
	}
	c.a.Follow.Begin(k)
	t.See.Began()
}

// names looks up the requests that a call names which completes none.
func (t *Thread) names(handles ...uint64) {
	k := t.Call
	k.Handles = append(k.Handles, handles...)
	for _, h := range k.Handles {
		k.Requests = append(k.Requests, t.Rank.Objects.Request(h))
	}
}

// operate turns the call into an operation of the wait-state system, if it blocks, matches or makes something.
func (c *call) operate(site uint64) {
	a, t, f := c.a, c.t, c.Func
	if f.Class.Quiet() {
		c.attribute(site)
		return
	}
	o := a.Node.NewOp()
	o.Rank, o.Thread, o.Fn, o.Site, o.Stamp = t.Rank.World, t.WS.Index, f.ID, site, t.Stamp
	o.NWords = uint8(copy(o.Words[:], c.Words))
	c.op = o
	t.note(o.Origin)
	t.See.Called(f, o.Origin)
	if t.outcome.forced {
		c.Func = a.blocking(f)
	} else if c.poll() {
		if o != t.Polls.Op {
			a.Node.Discard(o)
		}
		return
	}
	t.Polls.end(a.Node)
	if !c.build() {
		a.Node.Discard(o)
		return
	}
	t.Op = o
	t.See.Started(o)
	if t.outcome.forced {
		c.narrow()
	}
	c.buffer()
	c.unorder(o)
	t.See.Entering(o, f)
	a.Node.Enter(t.WS, o)
}

// requests finds out which requests a call names that completes some, in the user's order. Of several that share a
// handle a call that waits means the oldest.
func (c *call) requests() {
	if !c.Func.Class.Completes() {
		return
	}
	get := c.r.Objects.Request
	if IsPoll(c.Func) && !c.t.outcome.forced {
		get = c.r.Objects.Requests.Get
	}
	t := c.t
	switch c.Func.Class {
	case mpi.Wait, mpi.Test, mpi.GetStatus:
		t.Handles = append(t.Handles, c.Word(mpi.RRequest))
	default:
		t.Handles = append(t.Handles, c.List(mpi.RRequests)...)
	}
	for _, h := range t.Handles {
		t.Requests = append(t.Requests, get(h))
	}
}

// attribute notes an attribute of MPI_COMM_SELF: MPI_Finalize calls its delete function first of all, and that may
// communicate (MPI-4.0, 11.2.4). mpi4py has one that does not; its call has a Python site.
func (c *arguments) attribute(site uint64) {
	if c.Func.Caching != mpi.SetsAttribute || c.Func.EnterAt[mpi.RComm] < 0 || site&ring.PythonSite != 0 {
		return
	}
	if comm := c.r.Objects.Comm(c.Word(mpi.RComm)); comm != nil && comm.Size() == 1 {
		c.r.Callbacks = true
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
		c.await(c.t.Requests[0], c.t.Handles[0], -1)
	case mpi.Waitall, mpi.Waitany, mpi.Waitsome:
		c.op.Blocking = true
		c.op.Any = c.Func.Class != mpi.Waitall
		for i, q := range c.t.Requests {
			c.await(q, c.t.Handles[i], int32(i))
		}
	case mpi.Cancel:
		if q := c.r.Objects.Requests.Get(c.Word(mpi.RRequest)); q != nil {
			q.Canceled = true
			for _, p := range q.Parts {
				c.a.Node.Suspend(p)
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
			if c.a.Moments {
				c.a.Node.WatchMoments() // what is done with the window may have to be known
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

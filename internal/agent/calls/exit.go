package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// exit takes an Exit record: what the call gave back.
func (a *Follower) exit(t *Thread, f *mpi.Func, code int32, words []uint64) {
	c := call{arguments: arguments{decode.Call{Func: f, Words: words}, t.Rank}, a: a, t: t, op: t.Op}
	c.settle(code)
	if code == 0 {
		c.results()
	} else {
		for _, q := range t.Requests { // which of them are complete is not known
			if q != nil {
				q.Release(false)
			}
		}
	}
	if t.Op != nil {
		if code != 0 {
			t.Rank.Failed = true
			a.failed(t)
		}
		a.Node.Return(t.WS)
		t.See.Returned(code != 0)
	}
	if IsPoll(f) {
		t.Polls.end(a.Node)
	}
}

// endCall has the objects of the rank follow what the call gave back. stamp is that of its Exit record.
func (a *Follower) endCall(t *Thread, f *mpi.Func, failed bool, stamp uint32, words []uint64) {
	k := t.Call
	if k.Func != f {
		return
	}
	t.Inside = false
	k.Out, k.Failed, k.Words = words, failed, t.First()
	a.Follow.Exit(k)
	t.See.CallEnded(stamp)
}

func (c *call) results() {
	// of requests, completed says what they tell
	if c.op == nil && IsPoll(c.Func) && !c.Func.Class.Completes() && c.flag() {
		c.a.Node.MakeImprecise(c.t.WS)
	}
	switch c.Func.Class {
	case mpi.Iprobe:
		if c.op != nil { // forced to wait
			c.received()
		} else if c.flag() {
			c.probeFound()
		}
	case mpi.Recv, mpi.Probe, mpi.Mprobe, mpi.Sendrecv:
		c.received()
		if c.Func.Class == mpi.Mprobe {
			c.message(c.matched())
		}
	case mpi.Improbe:
		if c.op != nil { // forced to wait
			c.received()
			c.message(c.matched())
		} else if c.flag() {
			c.improbed()
		}
	case mpi.BufferDetach, mpi.BufferFlush:
		c.r.Buffered = 0
	case mpi.GreqStart, mpi.BufferIflush:
		c.newRequest(&objects.Request{Parts: []*waitstate.Part{{Kind: op.Observed}}, Active: true})
	case mpi.Imrecv, mpi.Rrma, mpi.FileReq:
		served := waitstate.NewServed(c.Func.Class == mpi.FileReq || c.Func.Fetches() &&
			c.r.Objects.Windows[c.entered(mpi.RWin)] == nil)
		c.newRequest(&objects.Request{Parts: []*waitstate.Part{served}, Active: true})
	case mpi.Isend, mpi.Irecv, mpi.Isendrecv:
		q := c.a.reqs.Get()
		q.Active, q.Comm = true, c.r.Objects.Comm(c.entered(mpi.RComm))
		if c.op != nil {
			q.Hold(c.op)
		} else {
			q.Parts = []*waitstate.Part{{Kind: op.Observed}}
		}
		c.newRequest(q)
	case mpi.SendInit, mpi.RecvInit, mpi.PsendInit, mpi.PrecvInit:
		e := c.atEntry()
		c.newRequest(e.persistentRequest())
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome,
		mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome, mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny,
		mpi.GetStatusSome:
		c.completions()
	case mpi.Coll, mpi.FileIcoll:
		if c.Func.Nonblocking || c.Func.Persistent {
			c.collectiveRequest()
		}
	case mpi.CommCreate:
		if c.Func.Nonblocking {
			c.collectiveRequest()
		}
		c.idup()
	case mpi.WinCreate:
		if h, ok := c.Out(mpi.RNewWin); ok {
			c.newWin(uint64(h))
		}
	case mpi.FileOpen:
		if h, ok := c.Out(mpi.RNewFile); ok {
			c.newFile(uint64(h))
		}
	case mpi.WinTest:
		if c.flag() {
			c.windowTested()
		}
	}
}

// completions handles what Wait… and Test… report.
func (c *call) completions() {
	reqs := c.t.Requests
	if IsPoll(c.Func) && c.op == nil {
		c.testFound()
	}
	switch c.Func.Class {
	case mpi.Wait, mpi.Test, mpi.GetStatus:
		if c.Func.Class != mpi.Wait && !c.flag() {
			return
		}
		if st, ok := c.status(); ok && len(reqs) > 0 {
			c.completed(reqs[0], c.entered(mpi.RRequest), st)
		}
	case mpi.Waitany, mpi.Testany, mpi.GetStatusAny:
		if c.Func.Class != mpi.Waitany && !c.flag() {
			return
		}
		i, ok := c.Out(mpi.RIndex)
		st, ok2 := c.status()
		if ok && ok2 && i >= 0 && int(i) < len(reqs) {
			c.t.See.Done(int32(i))
			c.completed(reqs[i], c.t.Handles[i], st)
		}
	case mpi.Waitall, mpi.Testall, mpi.GetStatusAll:
		if c.Func.Class != mpi.Waitall && !c.flag() {
			return
		}
		sts := c.statuses()
		for i, q := range reqs {
			if i < len(sts) {
				c.completed(q, c.t.Handles[i], sts[i])
			}
		}
	case mpi.Waitsome, mpi.Testsome, mpi.GetStatusSome:
		sts := c.statuses()
		for k, v := range c.Outs(mpi.RIndices) {
			if i := int(int32(v)); k < len(sts) && i >= 0 && i < len(reqs) {
				c.t.See.Done(int32(i))
				c.completed(reqs[i], c.t.Handles[i], sts[k])
			}
		}
	}
}

func (c *call) completed(q *objects.Request, handle uint64, st Status) {
	if q == nil {
		if handle != c.r.Objects.Limits.Nulls[mpi.ORequest] {
			c.t.See.LostTrack() // of what it stands for
			c.a.Node.MakeImprecise(c.t.WS)
		}
		return
	}
	if q.Persistent && !q.Active {
		return // it was complete before, or has not been started: its status is empty (MPI-4.0, 3.7.3)
	}
	if !c.Func.Class.Keeps() {
		bytes := st.Bytes
		if q.Shared {
			bytes = -1 // it may be another one with this handle that has got them
		}
		c.t.See.Filled(q, bytes, objects.Made{Func: c.Func, Site: c.t.Site})
	}
	q.Release(false)
	c.t.See.Completed(q.Parts)
	c.decideParts(q.Parts, q.Comm, st, q.Canceled)
	if c.op == nil && IsPoll(c.Func) {
		for _, p := range q.Parts {
			c.a.Node.Learn(c.t.WS, p)
		}
	}
	switch {
	case c.Func.Class.Keeps():
		q.Seen = true
		if q.Shared {
			c.r.Objects.Requests.Get(handle).ReleaseShared()
		}
	case q.Persistent:
		q.Active = false
	default:
		c.dropRequest(handle)
	}
}

// matched is the part of a matched probe that has just returned; nil if it is not modelled.
func (c *call) matched() *waitstate.Part {
	if c.op == nil || len(c.op.Waits) != 1 {
		return nil
	}
	return c.op.Waits[0]
}

// message notes the part of a matched probe that got a message, which the program can now receive.
func (c *arguments) message(p *waitstate.Part) {
	if h, ok := c.Out(mpi.RMessage); ok && p != nil && p.Taking != nil {
		p.Keep()
		objects.Set(&c.r.Objects.Messages, uint64(h), p)
	}
}

// pastAll tells calls that are not entered into the wait-state system from those that are, which it counts.
const pastAll = 1 << 63

// take takes in that the program receives the message of a matched probe.
func (c *call) take() {
	h := c.Word(mpi.RMessage)
	if p := c.r.Objects.Messages[h]; p != nil {
		delete(c.r.Objects.Messages, h)
		o := c.op.Origin
		o.Rank, o.Thread, o.TS = c.r.World, c.t.WS.Index, pastAll+uint64(o.Stamp) // as the call is not entered
		c.a.Node.Take(p, c.content(mpi.RCount, mpi.RType), o)
		c.a.Node.Drop(p)
	}
}

// improbed enters the receive that a successful Improbe stands for.
func (c *call) improbed() {
	c.probeFound()
	e := c.atEntry()
	comm := c.r.Objects.Comm(e.Word(mpi.RComm))
	st, ok := c.status()
	if comm == nil || comm.Foreign || !ok {
		return
	}
	o := &waitstate.Op{Origin: e.op.Origin}
	p := &waitstate.Part{Kind: op.Recv, Origin: o.Origin, Src: comm.World(int64(st.Source)), Dst: c.r.World,
		Ctx: comm.ID, Tag: st.Tag, Bytes: -1, Taking: new(waitstate.Taking),
		Marks: waitstate.Marks{Unordered: c.t.crossed}}
	if p.Src < 0 {
		return
	}
	o.Post(p)
	c.unorder(o)
	c.a.Node.Enter(c.t.WS, o)
	c.a.Node.Return(c.t.WS)
	c.message(p)
}

// windowTested enters the tokens that a successful MPI_Win_test has collected.
func (c *call) windowTested() {
	e := c.atEntry()
	w := c.r.Objects.Windows[e.Word(mpi.RWin)]
	if w == nil {
		return
	}
	o := &waitstate.Op{Origin: e.op.Origin}
	e.op = o
	e.collect(w.Exposed, objects.Ident(w.ID, objects.SaltComplete))
	c.t.See.Found(o)
	c.a.Node.Enter(c.t.WS, o)
	c.a.Node.Return(c.t.WS)
}

func (c *call) collectiveRequest() {
	q := &objects.Request{Active: true}
	switch {
	case c.Func.Persistent:
		e := c.atEntry()
		comm := c.r.Objects.Comm(e.Word(mpi.RComm))
		q.Persistent, q.Active = true, false
		if comm == nil || comm.Foreign {
			q.Make = func() []*waitstate.Part { return []*waitstate.Part{{Kind: op.Observed}} }
			break
		}
		m := c.a.Node.Join(c.r.World, objects.Ident(comm.ID, objects.SaltPersistent, comm.NextPersistent()), comm.All())
		e.Func, e.Words = c.Func, append([]uint64(nil), e.Words...)
		m.Init = e.maker()
		model := e.collPart(m, comm)
		q.Make = func() []*waitstate.Part { return []*waitstate.Part{model.Copy()} }
	case c.op != nil:
		q.Hold(c.op)
	default:
		q.Parts = []*waitstate.Part{{Kind: op.Observed}}
	}
	c.newRequest(q)
}

func (c *call) newWin(handle uint64) {
	e := c.atEntry()
	comm := c.r.Objects.Comm(e.Word(mpi.RComm))
	if comm == nil || comm.Foreign {
		delete(c.r.Objects.Windows, handle)
		return
	}
	w := &objects.Window{ID: objects.Ident(comm.ID, objects.SaltWin, c.t.Pending.Seq), Comm: comm, Site: c.t.Site}
	w.Member = c.a.Node.Join(c.r.World, w.ID, comm.All())
	objects.Set(&c.r.Objects.Windows, handle, w)
}

func (c *call) newFile(handle uint64) {
	e := c.atEntry()
	comm := c.r.Objects.Comm(e.Word(mpi.RComm))
	if comm == nil || comm.Foreign {
		delete(c.r.Objects.Files, handle)
		return
	}
	f := &objects.File{ID: objects.Ident(comm.ID, objects.SaltFile, c.t.Pending.Seq), Comm: comm}
	f.Member = c.a.Node.Join(c.r.World, f.ID, comm.All())
	objects.Set(&c.r.Objects.Files, handle, f)
}

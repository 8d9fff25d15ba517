package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// data takes in a Data record, if it says something of a call or of the objects of its rank.
func (a *Follower) data(t *Thread, id ring.DataID, stamp uint32, site uint64, v []uint64) bool {
	r := t.Rank
	switch id {
	case ring.DataConst:
		r.Objects.SetConstants(a.Table, v)
	case ring.DataType:
		decode.Sizes(v, r.Objects.SetSize)
	case ring.DataBasics:
		decode.Basics(v, r.Objects.Basic)
	case ring.DataComm:
		a.newComm(t, decode.ReadComm(v))
	case ring.DataName:
		u := decode.ReadUnknown(v)
		objects.Set(&r.Unknown, u.ID, u.Name)
	case ring.DataJoin:
		a.join(t, op.Thread(decode.Number(v)))
	case ring.DataThread: // what the other thread knows then, it says itself
	case ring.DataJoined:
		a.Node.Return(t.WS)
		t.See.Returned(false)
		t.Joins = -1
	case ring.DataThreadEnd:
		a.settle(t)
		t.Ended = true
		t.See.ThreadEnded(stamp)
		t.Polls = nil
	case ring.DataForced:
		t.forced = append(t.forced, decode.ReadForced(v))
	case ring.DataOutcome:
		t.outcome.forced, t.outcome.done = true, decode.AppendOutcome(t.outcome.done[:0], v)
	case ring.DataBuffered:
		t.buffered = append(t.buffered, int64(decode.Number(v)))
	case ring.DataPolled:
		t.choices.polled(decode.Number(v))
	case ring.DataRemade:
		q := decode.ReadRemade(v)
		r.remade(q.From, q.To)
	case ring.DataLimits:
		r.Limits = decode.ReadLimits(v)
		r.Objects.Limits.TagUB, r.Objects.Limits.Required = r.Limits.TagUB, r.Limits.Required
		r.Objects.Limits.Init = objects.Made{Func: a.Table.ByID(r.Limits.Init), Site: site}
	case ring.DataSessions:
		r.Objects.Sessions = decode.Number(v) != 0
	case ring.DataNeighbours:
		n := decode.ReadNeighbours(v)
		r.Objects.Arrange(n.Handle, n.Sources, n.Destinations)
	case ring.DataError:
		failure := decode.ReadError(v)
		t.Failure = &failure
	case ring.DataKnown:
		a.known(t, site, decode.ReadKnown(v))
	case ring.DataAgain:
		a.remake(t, site, decode.ReadAgain(v))
	default:
		return false
	}
	return true
}

// newComm records a communicator that the thread's last call has made, or a predefined one.
func (a *Follower) newComm(t *Thread, d decode.Comm) {
	r := t.Rank
	c := &objects.Comm{Handle: d.Handle, Inter: d.Inter, Members: d.Members, Remote: d.Remote}
	for _, run := range c.All().Runs {
		if run.First < 0 || int(run.Last) >= r.Size {
			c.Foreign = true
		}
	}
	switch from := t.Pending; {
	case c.All().Repeat():
		c.Foreign = true
	case c.Handle == r.Objects.Limits.World:
		c.ID, c.Name = objects.WorldID, "MPI_COMM_WORLD"
	case c.Handle == r.Objects.Limits.Self:
		c.ID, c.Name = objects.Ident(objects.WorldID, objects.SaltSelf, uint64(r.World)), "MPI_COMM_SELF"
	case from.of != nil:
		c.ID, c.Grouped, c.Tag, c.Since = from.of.id, true, from.of.tag, t.Stamp
	case from.Parent == nil:
		c.Foreign = true // made by a call that is not modelled, or by another world
	default:
		c.ID = objects.Ident(from.Parent.ID, append(objects.MemberWords(c.Members, c.Remote), from.Seq, from.salt)...)
		c.Parent, c.How, c.Since = from.Parent, from.how, t.Stamp
	}
	if from := t.Pending; from.salt != 0 && from.kind == mpi.IntercommCreate {
		// The two sides have different local communicators: only what both know may count.
		c.ID = objects.Ident(objects.WorldID, append(objects.MemberWords(c.Members, c.Remote), from.salt,
			r.Objects.NextIntercomm(c))...)
	}
	if !c.Foreign {
		c.Member = a.Node.Join(r.World, c.ID, c.All())
	}
	a.addComm(t, c)
}

// idup makes the communicator of MPI_Comm_idup known, which is described by its parent: it may not be used before the
// request completes, nor asked.
func (c *call) idup() {
	if !c.Func.Nonblocking {
		return
	}
	h, ok := c.Out(mpi.RNewComm)
	from := c.t.Pending
	if !ok || from.Parent == nil {
		return
	}
	p := from.Parent
	n := &objects.Comm{Handle: uint64(h), Members: p.Members, Remote: p.Remote, Inter: p.Inter, Foreign: p.Foreign,
		Derivation: objects.Derivation{Parent: p, How: from.how, Since: c.t.Stamp}}
	n.ID = objects.Ident(p.ID, append(objects.MemberWords(n.Members, n.Remote), from.Seq, from.salt)...)
	if !n.Foreign {
		n.Member = c.a.Node.Join(c.r.World, n.ID, n.All())
	}
	if q, ok := c.Out(mpi.RRequest); ok {
		n.MadeBy(uint64(q), c.r.Objects.Requests.Get(uint64(q)))
	}
	c.a.addComm(c.t, n)
}

func (c *call) setName() {
	if comm := c.r.Objects.Comm(c.Word(mpi.RComm)); comm != nil {
		_ = c.Func.Walk(c.Words, true, func(p *mpi.Param, v []uint64) {
			if p.Role == mpi.RName {
				comm.Name = decode.Text(v)
				c.t.See.Named(comm)
			}
		})
	}
}

// addComm takes in a communicator, which the thread's last call has made unless it is predefined.
func (a *Follower) addComm(t *Thread, c *objects.Comm) {
	r := t.Rank
	predefined := c.Handle == r.Objects.Limits.World || c.Handle == r.Objects.Limits.Self
	c.Topology = mpi.NoTopology
	if !predefined {
		c.Made, c.Topology = objects.Made{Func: t.Func, Site: t.Site}, topologyOf(t)
	}
	if c.Foreign {
		c.ID = 0
	}
	c.Rank = c.Members.Index(r.World)
	r.Objects.AddComm(c, predefined)
	t.See.Made(c)
}

// topologyOf is the topology of the communicator that the thread's last call has made (MPI-4.0, 7.4.2, 8.5).
func topologyOf(t *Thread) mpi.Topology {
	switch {
	case t.Func == nil:
		return mpi.UnknownTopology
	case t.Func.Duplicates() && t.Call.Comm != nil:
		return t.Call.Comm.Topology
	}
	return t.Func.Topology
}

// join notes that a thread waits for the end of another one of its process.
func (a *Follower) join(t *Thread, other op.Thread) {
	a.settle(t)
	t.Joins = other
	o := waitstate.NewOp()
	o.Blocking, o.Opaque = true, true
	t.Op = o
	t.See.Joining(o)
	a.Node.Enter(t.WS, o)
}

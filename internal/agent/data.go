package agent

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// data takes a Data record: what a process says about itself.
func (a *follower) data(t *thread, id ring.DataID, site uint64, v []uint64) {
	r := t.rank
	switch id {
	case ring.DataConst:
		r.Objects.SetConstants(a.table, v)
	case ring.DataType:
		decode.Sizes(v, r.Objects.SetSize)
	case ring.DataBasics:
		decode.Basics(v, r.Objects.Basic)
	case ring.DataComm:
		a.newComm(t, decode.ReadComm(v))
	case ring.DataName:
		u := decode.ReadUnknown(v)
		objects.Set(&r.unknown, u.ID, u.Name)
	case ring.DataSite:
		s := decode.ReadStack(v)
		objects.Set(&r.Python, s.Site, s.Frames)
	case ring.DataCallers:
		c := decode.ReadCallers(v)
		objects.Set(&r.Callers, c.Number, c.PCs)
	case ring.DataMaps:
		r.Maps = symbol.ParseMaps(r.PID, decode.Text(v))
		a.resolve.Hold(r.Maps)
	case ring.DataJoin:
		a.join(t, op.Thread(decode.Number(v)))
	case ring.DataThread:
		if a.checks != nil {
			a.checks.Started(r.use, t.ws.Index, op.Thread(decode.Number(v)))
		}
	case ring.DataJoined:
		a.node.Return(t.ws)
		a.log.Returned(t.log)
		if a.checks != nil {
			a.checks.Joined(r.use, t.ws.Index, t.joins)
		}
		t.joins = -1
	case ring.DataThreadEnd:
		a.settle(t)
		t.ended = true
		a.log.End(t.log)
		t.polls = nil
	case ring.DataPlan:
		if why := decode.Text(v); why != "" {
			a.net.SendUp(message.Unforced{Why: why})
		}
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
	case ring.DataUnused:
		u := decode.ReadUnused(v)
		a.net.SendUp(message.Unused{Rank: r.World, Thread: t.ws.Index, Receives: u.Receives, Decide: u.Decided,
			Sends: u.Sends, Named: u.Named, Choices: u.Choices, Unmet: u.Unmet})
	case ring.DataLimits:
		r.limits = decode.ReadLimits(v)
		r.Objects.Limits.TagUB, r.Objects.Limits.Required = r.limits.TagUB, r.limits.Required
		r.Objects.Limits.Init = objects.Made{Func: a.table.ByID(r.limits.Init), Site: site}
	case ring.DataSessions:
		r.Objects.Sessions = decode.Number(v) != 0
	case ring.DataNeighbours:
		n := decode.ReadNeighbours(v)
		r.Objects.Arrange(n.Handle, n.Sources, n.Destinations)
	case ring.DataNull:
		t.nulls = append(t.nulls, decode.ReadNull(v))
	case ring.DataError:
		failure := decode.ReadError(v)
		t.failure = &failure
	case ring.DataStack, ring.DataBelow, ring.DataMemory, ring.DataArray, ring.DataFreed, ring.DataChanged,
		ring.DataTouched, ring.DataAccessed, ring.DataShared, ring.DataHeard:
		a.ground(t, id, v)
	case ring.DataKnown:
		a.known(r, site, decode.ReadKnown(v))
	case ring.DataAgain:
		a.remake(t, site, decode.ReadAgain(v))
	case ring.DataNoted:
		a.log.Noted(r.log, decode.ReadNoted(v))
	case ring.DataCaught:
		t.caught.add(decode.ReadCaught(v), r.except, &a.opts.Owners)
	case ring.DataUnlocked:
		if r.use != nil {
			r.use.Unlocked = true
		}
	case ring.DataExcept:
		e := decode.ReadException(v)
		r.except = &message.Exception{Kind: e.Kind, Text: e.Text, Line: e.Line, File: e.File}
	}
}

// newComm records a communicator that the thread's last call has made, or a predefined one.
func (a *follower) newComm(t *thread, d decode.Comm) {
	r := t.rank
	c := &objects.Comm{Handle: d.Handle, Inter: d.Inter, Members: d.Members, Remote: d.Remote}
	for _, run := range c.All().Runs {
		if run.First < 0 || int(run.Last) >= r.size {
			c.Foreign = true
		}
	}
	switch from := t.pending; {
	case c.All().Repeat():
		c.Foreign = true
	case c.Handle == r.Objects.Limits.World:
		c.ID, c.Name = objects.WorldID, "MPI_COMM_WORLD"
	case c.Handle == r.Objects.Limits.Self:
		c.ID, c.Name = objects.Ident(objects.WorldID, objects.SaltSelf, uint64(r.World)), "MPI_COMM_SELF"
	case from.of != nil:
		c.ID, c.Grouped, c.Tag, c.Since = from.of.id, true, from.of.tag, t.stamp
	case from.parent == nil:
		c.Foreign = true // made by a call that is not modelled, or by another world
	default:
		c.ID = objects.Ident(from.parent.ID, append(objects.MemberWords(c.Members, c.Remote), from.seq, from.salt)...)
		c.Parent, c.How, c.Since = from.parent, from.how, t.stamp
	}
	if from := t.pending; from.salt != 0 && from.kind == mpi.IntercommCreate {
		// The two sides have different local communicators: only what both know may count.
		c.ID = objects.Ident(objects.WorldID, append(objects.MemberWords(c.Members, c.Remote), from.salt,
			r.Objects.NextIntercomm(c))...)
	}
	if !c.Foreign {
		c.Member = a.node.Join(r.World, c.ID, c.All())
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
	from := c.t.pending
	if !ok || from.parent == nil {
		return
	}
	p := from.parent
	n := &objects.Comm{Handle: uint64(h), Members: p.Members, Remote: p.Remote, Inter: p.Inter, Foreign: p.Foreign,
		Parent: p, How: from.how, Since: c.t.stamp}
	n.ID = objects.Ident(p.ID, append(objects.MemberWords(n.Members, n.Remote), from.seq, from.salt)...)
	if !n.Foreign {
		n.Member = c.a.node.Join(c.r.World, n.ID, n.All())
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
				c.a.log.Named(c.r.log, comm)
			}
		})
	}
}

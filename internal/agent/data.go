package agent

import (
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/tree"
)

// words reads the words of a Data record one after the other; what is missing reads as zero.
type words []uint64

func (w *words) next() uint64 {
	if len(*w) == 0 {
		return 0
	}
	v := (*w)[0]
	*w = (*w)[1:]
	return v
}

// text reads a string: its length in bytes, then the bytes in whole words.
func (w *words) text() string {
	n := int(min(w.next(), uint64(len(*w)*8)))
	b := make([]byte, 0, n+7)
	for len(b) < n {
		v := w.next()
		for i := range 8 {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return string(b[:n])
}

func (w *words) ranks() []op.Rank {
	n := int(min(w.next(), uint64(len(*w))))
	out := make([]op.Rank, n)
	for i := range out {
		if out[i] = op.Rank(int32(w.next())); out[i] < 0 {
			out[i] = op.Unknown
		}
	}
	return out
}

// data takes a Data record: what a process says about itself.
func (a *Agent) data(t *thread, id ring.DataID, v []uint64) {
	r, w := t.rank, words(v)
	switch id {
	case ring.DataConst:
		r.objects.SetConstants(a.table, v)
	case ring.DataType:
		for len(w) >= 2 {
			h := w.next()
			if size := int64(w.next()); h != 0 {
				r.objects.SetSize(h, size)
			}
		}
	case ring.DataBasics:
		for len(w) >= 4 {
			r.objects.Basic(w.next(), int64(w.next()), int64(w.next()), int64(w.next()))
		}
	case ring.DataComm:
		a.newComm(t, &w)
	case ring.DataName:
		id := uint16(w.next())
		r.unknown[id] = w.text()
	case ring.DataSite:
		site := w.next()
		var stack []frame
		for n := min(w.next(), 1000); n > 0; n-- {
			f := frame{line: int(w.next())}
			f.file, f.function = w.text(), w.text()
			stack = append(stack, f)
		}
		r.python[site] = stack
	case ring.DataMaps:
		r.maps = symbol.ParseMaps(r.pid, w.text())
		a.resolve.Hold(r.maps)
	case ring.DataJoin:
		a.join(t, op.Thread(w.next()))
	case ring.DataJoined:
		a.node.Return(t.ws)
		a.rec.returned(t)
		t.joins = -1
	case ring.DataThreadEnd:
		a.settle(t)
		t.ended = true
		a.rec.end(t)
		t.polls = pollStreak{}
	case ring.DataPlan:
		if why := w.text(); why != "" {
			a.net.Send(tree.Root, message.Unforced{Why: why})
		}
	case ring.DataForced:
		t.forced = append(t.forced, forcing{int64(w.next()), int64(w.next()), int32(w.next())})
	case ring.DataOutcome:
		t.outcome.take(w)
	case ring.DataBuffered:
		t.buffered = append(t.buffered, int64(w.next()))
	case ring.DataPolled:
		t.choices.polled(w.next())
	case ring.DataRemade:
		r.remade(w.next(), w.next())
	case ring.DataUnused:
		a.net.Send(tree.Root, message.Unused{Rank: r.world, Thread: t.ws.Index, Receives: w.next(), Decide: w.next(),
			Sends: w.next(), Named: w.next(), Choices: w.next(), Unmet: w.next()})
	case ring.DataLimits:
		r.facts.limits = limits{int64(w.next()), int64(w.next()), int64(w.next()), w.next() != 0}
	case ring.DataNull:
		t.nulls = append(t.nulls, nullArg{uint16(w.next()), int(w.next())})
	case ring.DataError:
		t.failure = mpiError{uint16(w.next()), int64(w.next()), w.text()}
	case ring.DataStack, ring.DataBelow, ring.DataMemory, ring.DataFreed, ring.DataChanged:
		a.ground(t, id, w)
	case ring.DataExcept:
		e := &message.Exception{Kind: w.text(), Text: w.text()}
		e.Line = int(w.next())
		e.File = w.text()
		r.except = e
	}
}

// newComm records a communicator that the thread's last call has made, or a predefined one.
func (a *Agent) newComm(t *thread, w *words) {
	r := t.rank
	c := &objects.Comm{Handle: w.next(), Inter: w.next() == 1}
	c.Members = w.ranks()
	c.Remote = w.ranks()
	for _, m := range c.All() {
		if m < 0 {
			c.Foreign = true
		}
	}
	switch from := t.pending; {
	case c.Handle == r.objects.Limits.World:
		c.ID, c.Name = objects.WorldID, "MPI_COMM_WORLD"
	case c.Handle == r.objects.Limits.Self:
		c.ID, c.Name = objects.Ident(objects.WorldID, objects.SaltSelf, uint64(r.world)), "MPI_COMM_SELF"
	case from.parent == nil:
		c.Foreign = true // made by a call that is not modelled, or by another world
	default:
		c.ID = objects.Ident(from.parent.ID, append(objects.MemberWords(c.Members, c.Remote), from.seq, from.salt)...)
		c.Parent, c.How, c.Since = from.parent, from.how, t.stamp
	}
	if from := t.pending; from.salt != 0 && from.kind == mpi.IntercommCreate {
		// The two sides have different local communicators: only what both know may count.
		c.ID = objects.Ident(objects.WorldID, append(objects.MemberWords(c.Members, c.Remote), from.salt, r.objects.NextIntercomm(c))...)
	}
	if !c.Foreign {
		c.Member = a.node.Join(r.world, c.ID, c.All())
	}
	a.addComm(t, c)
}

// idup makes the communicator of MPI_Comm_idup known, which is described by its parent: it may not be used before the
// request completes, nor asked.
func (c *call) idup() {
	if !c.f.Nonblocking {
		return
	}
	h, ok := c.out(mpi.RNewComm)
	from := c.t.pending
	if !ok || from.parent == nil {
		return
	}
	p := from.parent
	n := &objects.Comm{Handle: uint64(h), Members: p.Members, Remote: p.Remote, Inter: p.Inter, Foreign: p.Foreign,
		Parent: p, How: from.how, Since: c.t.stamp}
	n.ID = objects.Ident(p.ID, append(objects.MemberWords(n.Members, n.Remote), from.seq, from.salt)...)
	if !n.Foreign {
		n.Member = c.a.node.Join(c.r.world, n.ID, n.All())
	}
	c.a.addComm(c.t, n)
}

func (c *call) setName() {
	if comm := c.r.objects.Comm(c.word(mpi.RComm)); comm != nil {
		_ = c.f.Walk(c.words, true, func(p *mpi.Param, v []uint64) {
			if p.Role == mpi.RName {
				w := words(v)
				comm.Name = w.text()
				c.a.rec.named(c.r, comm)
			}
		})
	}
}

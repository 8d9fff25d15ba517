package repeat

import (
	"unknot/internal/agent/calls"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func (fd *Folding) beginSummary(s *Source) {
	s.following = &summary{sent: make(map[flow]int), got: make(map[flow]int), waves: make(map[op.CommID]*turns),
		sites: make(map[uint64]uint64), before: fd.standing(s.Thread), start: s.Thread.Counts(),
		log: fd.Log.Follow(s.Log)}
}

// endSummary says whether periods like the one that has just been followed can be left out.
func (fd *Folding) endSummary(s *Source) (l *summary, good bool) {
	t := s.Thread
	l, s.following = s.following, nil
	fd.Log.Leave(s.Log)
	was, is := l.start, t.Counts()
	l.grows = calls.Counts{Sends: is.Sends - was.Sends, Probes: is.Probes - was.Probes,
		Choices: is.Choices - was.Choices}
	return l, !l.barred && !l.log.Barred() && fd.standing(t) == l.before
}

func (fd *Folding) standing(t *calls.Thread) standing {
	fd.host.Flush()
	s := standing{polls: t.Polls.Active() || t.Polling(), reported: fd.host.Reported()}
	t.Rank.Objects.Pending(func(*objects.Request) { s.requests++ })
	return s
}

// takesPart says of which functions calls can be left out: those that make and free nothing but requests, and whose
// effect is known.
func takesPart(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv:
		return f.Mode != op.Buffered
	case mpi.Local, mpi.Recv, mpi.Irecv, mpi.Start, mpi.Startall, mpi.Probe, mpi.Wait, mpi.Waitall, mpi.Waitany,
		mpi.Waitsome,
		mpi.WinPost, mpi.WinStart, mpi.WinComplete, mpi.WinWait, mpi.Rma, mpi.Rrma:
		return true
	case mpi.Coll, mpi.WinColl:
		return !f.Persistent && f.Freed == mpi.NoObject
	}
	return passive(f)
}

// passive says whether a call waits for what others do not have to call anything for (MPI-4.0, 12.5.3, 12.5.4).
func passive(f *mpi.Func) bool {
	switch f.Class {
	case mpi.WinLock, mpi.WinUnlock, mpi.WinFlush:
		return true
	case mpi.Opaque:
		return f.Flushes()
	}
	return false
}

// record takes in a record of the period.
func (l *summary) record(r *calls.Rank, f *mpi.Func, rec *ring.Record) {
	l.log.Next()
	switch rec.Kind {
	case ring.Enter:
		l.calls++
		l.sites[calls.VisitedAt(f, rec.Site)]++
		l.barred = l.barred || f == nil || !takesPart(f)
	case ring.Exit:
		l.barred = l.barred || int32(rec.Site) != 0 // an error
	case ring.Data:
		switch ring.DataID(rec.Func) {
		case ring.DataNull, ring.DataMemory, ring.DataArray, ring.DataStack, ring.DataBelow, ring.DataFreed,
			ring.DataCallers:
		case ring.DataAgain:
			l.again(r, rec)
		default:
			l.barred = true
		}
	}
}

// operation takes in what a call of the period starts.
func (l *summary) operation(o *waitstate.Op, f *mpi.Func) {
	l.barred = l.barred || o.Opaque && o.Blocking && !passive(f) || o.Terminal
	for _, p := range o.Posts {
		switch p.Kind {
		case op.Send, op.Recv:
			// Buffered sends are the model's own, except for those that are started.
			l.barred = l.barred || p.Wild || p.Src < 0 || p.Dst < 0 || p.Tag == op.AnyTag || p.Unclear ||
				p.Mode == op.Buffered && (f.Class == mpi.Start || f.Class == mpi.Startall)
			way := l.sent
			if p.Kind == op.Recv {
				way = l.got
			}
			way[flow{p.Src, p.Dst, p.Ctx, p.Tag}]++
		case op.Probe:
			l.barred = l.barred || p.Wild || p.Src < 0 || p.Tag == op.AnyTag
		case op.Coll:
			g := p.Member.Group
			w := l.waves[g.Ctx]
			if w == nil {
				w = &turns{member: p.Member, members: g.Members}
				l.waves[g.Ctx] = w
			}
			w.n++
		case op.Served:
		default:
			l.barred = true
		}
	}
}

// again takes in a record of the period by which an object was made again.
func (l *summary) again(r *calls.Rank, rec *ring.Record) {
	d := decode.ReadAgain(rec.Words)
	x := r.Again(d.Number)
	if x == nil {
		l.barred = true
		return
	}
	x.Calls(d.Func != 0, rec.Site, func(site uint64) {
		l.calls++
		l.sites[site]++
	})
}

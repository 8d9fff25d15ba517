package rma

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// originBuffers are, of all ranks, the origin buffers that belong to pending RMA operations, and what else uses them.
type originBuffers struct {
	contested check.Slot[used.Contested]
	locals    map[*check.Rank]*locals
	pending   int                  // how many there are, of all ranks
	asked     map[*check.Rank]bool // the rank has made RMA operations with a request since its last completion call
	judged    used.Area            // of the call that is looked at
	bytes     *datatype.Type       // MPI_BYTE
}

// locals are the origin buffers of a rank that RMA operations under way use.
type locals struct {
	list []originBuffer
}

// originBuffer is memory of the origin that an RMA operation reads or writes until it is complete at the origin.
type originBuffer struct {
	stretch
	request bool // it may be completed by its request
	win     *window
	target  int64
	call    check.Past
	aside   *aside // a flush of another rank since; nil if there was none
}

// maxOriginBuffers bounds what is remembered of a rank.
const maxOriginBuffers = 256

// stretch is the memory that a call uses by one of its arguments.
type stretch struct {
	at      int64
	layout  used.Covering
	written bool
	param   int
}

// stretchOf is the memory at an address argument, for a count (-1: one) of a datatype.
func stretchOf(c *check.Call, addr, count, datatype int, written bool) (stretch, bool) {
	if addr < 0 || datatype < 0 {
		return stretch{}, false
	}
	at, ok := c.Int(addr)
	l := &c.Rank.Limits
	if !ok || uint64(at) == l.InPlace || uint64(at) == l.Bottom || at == 0 {
		return stretch{}, false
	}
	covered, ok := extent(c, count, datatype)
	if !ok || covered.None() {
		return stretch{}, false
	}
	return stretch{at, covered, written, addr}, true
}

// lend notes which memory of the origin an RMA call uses from now on, after a look at what others use.
func (o *originBuffers) lend(c *check.Call, w *window, t int64, p *rmaParams, how mpi.Access) {
	o.borrow(c, w, t, p.origin, p.originCount, p.originType, how == mpi.Reads)
	o.borrow(c, w, t, p.compare, -1, p.originType, false)
	o.borrow(c, w, t, p.result, p.resultCount, p.resultType, true)
	if c.Func.Class == mpi.Rrma {
		o.asked[c.Rank] = true
	}
}

func (o *originBuffers) borrow(c *check.Call, w *window, t int64, addr, count, datatype int, written bool) {
	s, ok := stretchOf(c, addr, count, datatype, written)
	if !ok {
		return
	}
	all := o.locals[c.Rank]
	if all == nil {
		all = &locals{}
		o.locals[c.Rank] = all
	}
	if o.clash(all, c, s) || len(all.list) >= maxOriginBuffers {
		return
	}
	o.pending++
	all.list = append(all.list, originBuffer{stretch: s, request: c.Func.Class == mpi.Rrma, win: w, target: t,
		call: check.Remember(c)})
}

// clash reports a use of memory that an RMA operation under way writes, or a write to what it reads (MPI-4.0, 12.3).
func (o *originBuffers) clash(all *locals, c *check.Call, s stretch) bool {
	for i := range all.list {
		l := &all.list[i]
		if !l.written && !s.written || l.win.unsure || !s.layout.Meets(s.at, &l.layout, l.at) {
			continue
		}
		o.contested.Of(c.Rank).Add(l.call.Made())
		c.Say(rmaLocalBuffer, s.param, func() check.Words {
			does, under := "reads", "reads"
			if s.written {
				does = "writes"
			}
			if l.written {
				under = "writes"
			}
			words := check.Words{
				Sentence: finding.Wordf("Rank %d calls %s, which %s memory at {%s} that a pending %s %s.", c.Rank.World,
					c.Func.Name, does, c.Func.Params[s.param].Name, l.call.Fn.Name, under),
				Related: []check.Related{{Text: "that operation was started", Func: l.call.Fn, Site: l.call.Site}},
				Hint:    firstComplete}
			l.aside.explain(&words)
			return words
		})
		return true
	}
	return false
}

// firstComplete is the hint for a buffer that is used while an RMA operation needs it (MPI-4.0, 12.3).
const firstComplete = "first end the epoch, or complete the operation (MPI_Win_flush_local under a lock, or a wait " +
	"for its request)"

// touch reports an access of the program's own to memory that an RMA operation under way writes, or a store to what it
// reads.
func (o *originBuffers) touch(r *check.Rank, t *check.Touch) {
	all := o.locals[r]
	if all == nil {
		return
	}
	touched := used.Covering{To: t.Bytes, Datatype: o.bytes, Count: t.Bytes}
	for i := range all.list {
		l := &all.list[i]
		if !l.written && !t.Store || l.win.unsure || !touched.Meets(t.At, &l.layout, l.at) {
			continue
		}
		o.contested.Of(r).Add(l.call.Made())
		c := t.Watch.Again(r, &l.call)
		c.SayWith(rmaLocalBuffer, l.param, t.Site, func() check.Words {
			does, done := "reads", "read"
			if t.Store {
				does, done = "writes to", "written to"
			}
			w := check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} and %s that memory before the operation "+
					"is completed.", r.World, l.call.Fn.Name, l.call.Fn.Params[l.param].Name, does),
				Related: []check.Related{{Text: "it is " + done, Site: t.Site}}, Hint: firstComplete}
			if t.Outside {
				w.Notes = finding.Remarks("by a thread that has not called MPI")
			}
			l.aside.explain(&w)
			return w
		})
	}
}

// settle gives the memory of operations back that are complete at the origin: of those to a target, or to all with -1.
func (o *originBuffers) settle(w *window, target int64) {
	o.giveBack(w.rank, func(l *originBuffer) bool { return l.win == w && (target < 0 || l.target == target) })
}

func (o *originBuffers) giveBack(r *check.Rank, done func(*originBuffer) bool) {
	all := o.locals[r]
	if all == nil || len(all.list) == 0 {
		return
	}
	kept := all.list[:0]
	for i := range all.list {
		if !done(&all.list[i]) {
			kept = append(kept, all.list[i])
		}
	}
	o.pending -= len(all.list) - len(kept)
	all.list = kept
}

// watchOriginBuffers looks at what other calls do with memory that RMA operations use.
func (m *windows) watchOriginBuffers(h *check.Hooks) {
	h.Touched(m.origin.touch)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
			mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome, mpi.RequestFree:
			return m.completions
		case mpi.Send, mpi.Isend, mpi.Recv, mpi.Irecv, mpi.Sendrecv, mpi.Isendrecv:
			return m.origin.uses(used.DataBuffers(f))
		case mpi.Coll:
			return m.origin.usesAll(used.Of(f))
		}
		return nil
	})
}

// meets says whether some of the memory may be between two addresses.
func (x *locals) meets(from, to int64) bool {
	return slices.ContainsFunc(x.list, func(l originBuffer) bool {
		return l.at+l.layout.From < to && from < l.at+l.layout.To
	})
}

// usesAll is uses of a function with buffers of several blocks.
func (o *originBuffers) usesAll(list []mpi.Buffer) func(*check.Call) {
	if len(list) == 0 {
		return nil
	}
	return func(c *check.Call) {
		if o.pending == 0 {
			return
		}
		all := o.locals[c.Rank]
		if all == nil || len(all.list) == 0 {
			return
		}
		a := &o.judged
		for i := range list {
			if !a.Read(c, &list[i]) || !all.meets(a.From, a.To) {
				continue
			}
			for _, b := range a.All() {
				from, to := b.Type.Type.Bounds(b.Count)
				o.clash(all, c, stretch{b.At, used.Covering{From: from, To: to, Datatype: b.Type.Type, Count: b.Count},
					a.Write, a.Param})
			}
		}
	}
}

func (o *originBuffers) uses(list []mpi.Buffer) func(*check.Call) {
	return func(c *check.Call) {
		if o.pending == 0 {
			return
		}
		all := o.locals[c.Rank]
		if all == nil || len(all.list) == 0 {
			return
		}
		for i := range list {
			if s, ok := stretchOf(c, list[i].At, list[i].Count, list[i].Type, list[i].Access != mpi.Reads); ok {
				o.clash(all, c, s)
			}
		}
	}
}

// completions takes every operation of the rank with a request for complete at the origin: which ones a call completes
// is not looked at. At the target that says something of those only that read there: a put or an accumulate may still
// be under way (MPI-4.0, 12.3.5).
func (m *windows) completions(c *check.Call) {
	if !m.origin.asked[c.Rank] {
		return
	}
	delete(m.origin.asked, c.Rank)
	m.origin.giveBack(c.Rank, func(l *originBuffer) bool { return l.request })
	for _, w := range m.of[c.Rank] {
		for _, b := range w.batches {
			b.complete(m.far.knowledge(w.rank).round, now(w.rank),
				func(a *act) bool { return a.call.Fn.Class == mpi.Rrma })
		}
	}
}

// complete notes of some operations that are complete at the origin, in a round of that and from a moment on, that
// those which only read are complete at the target, too.
func (b *batch) complete(round uint64, done *waitstate.Moment, some func(*act) bool) {
	for i := range b.acts {
		if a := &b.acts[i]; some(a) && a.looks() && a.until == 0 {
			a.until, a.under.to, a.under.done = uint64(len(b.acts)), round, done
		}
	}
}

package past

import (
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/trace/reduce"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// writer writes the calls of a rank into the log.
type writer struct {
	*job
	r *rank
	t trace.Thread
}

// write writes a rank whose calls have completed what is given.
func (j *job) write(r *rank, completed map[*call][]*start) {
	w := &writer{job: j, r: r, t: trace.Thread{Rank: r.number}}
	var last *call
	for i, c := range r.calls {
		if c.open && last == nil {
			last = c
			w.rest(completed)
		}
		switch {
		case i < r.cut:
			w.starts(c)
		case c.fn.Class.Completes():
			w.waits(c, completed[c])
		default:
			if !w.starts(c) && c.left() {
				w.call(c)
			}
		}
	}
	if last == nil {
		w.rest(completed)
	}
	w.outside()
	j.log.Threads = append(j.log.Threads, w.t)
}

// outside adds that a rank was outside of MPI for as long as it was watched: it makes no more calls.
func (w *writer) outside() {
	threads := w.r.seen.Threads
	if len(threads) == 0 || w.r.record.State != record.Alive {
		return
	}
	if t := &threads[0]; t.Call == nil && t.Kept != look.Left && !slices.ContainsFunc(w.r.record.Threads,
		func(t record.Thread) bool { return t.In != nil }) {
		o := w.call(&call{fn: &mpi.Func{Name: reduce.Outside}, open: true})
		f := t.Outside()
		o.Opaque, o.Site = true, w.place(trace.Site{Function: f.Function, File: f.File, Line: f.Line})
	}
}

// left says whether a call is one that such a program cannot have: of others, the other side is not in the records, or
// they concern no other rank and are not needed.
func (c *call) left() bool {
	switch c.fn.Class {
	case mpi.Start, mpi.Startall, mpi.SendInit, mpi.RecvInit, mpi.Imrecv, mpi.Mrecv, mpi.Finalize, mpi.Cancel,
		mpi.RequestFree, mpi.TypeMake, mpi.TypeFree, mpi.CommSetName, mpi.BufferDetach, mpi.QueryThread:
		return false
	}
	return len(c.parts()) == 0 && !c.failed
}

// call adds a call that starts and waits for nothing yet.
func (w *writer) call(c *call) *trace.Op {
	fn, known := w.funcs[c.fn.Name]
	if !known {
		fn = uint16(len(w.log.Funcs))
		w.funcs[c.fn.Name] = fn
		w.log.Funcs = append(w.log.Funcs, c.fn.Name)
	}
	w.t.Ops = append(w.t.Ops, trace.Op{Fn: fn, Site: w.site(w.r, c.site), Returned: !c.open,
		First: uint32(len(w.t.Parts)), WaitAt: uint32(len(w.t.Waits))})
	return &w.t.Ops[len(w.t.Ops)-1]
}

// starts adds what a call starts, as far as it is in the log; false if nothing is.
func (w *writer) starts(c *call) bool {
	var kept []*part
	for _, p := range c.parts() {
		if p.kept {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return false
	}
	o := w.call(c)
	o.Blocking = c.blocks()
	for _, p := range kept {
		if p.Kind == op.Send {
			p.Bytes = w.sizes.bytes(o.Site, p.count)
		}
		p.at = uint32(len(w.t.Parts))
		w.t.Parts = append(w.t.Parts, p.Part)
		o.Started++
		if o.Blocking {
			w.wait(o, p, !c.open)
		}
	}
	return true
}

// blocks says whether a call waits for what it starts.
func (c *call) blocks() bool {
	switch c.fn.Class {
	case mpi.Isend, mpi.Irecv, mpi.Isendrecv, mpi.Start, mpi.Startall, mpi.SendInit, mpi.RecvInit:
		return false
	}
	return !c.fn.Nonblocking && !c.fn.Persistent
}

func (w *writer) wait(o *trace.Op, p *part, done bool) {
	w.t.Waits = append(w.t.Waits, trace.Wait{Thread: uint32(w.r.number), Part: p.at, Done: done})
	o.Waiting++
}

// waits adds a call that completes requests: some, or of one that has not returned those that are open.
func (w *writer) waits(c *call, done []*start) {
	if c.open {
		done = w.r.awaited()
	} else if len(done) > 0 {
		w.guessed = true
	}
	var kept []*part
	for _, s := range done {
		for _, p := range s.parts {
			if p.kept {
				kept = append(kept, p)
			}
		}
	}
	if len(kept) == 0 {
		return
	}
	o := w.call(c)
	o.Blocking, o.Any = true, c.open && (c.fn.Class == mpi.Waitany || c.fn.Class == mpi.Waitsome)
	for _, p := range kept {
		w.wait(o, p, !c.open)
	}
}

// rest completes what is complete and was completed by no call that is known, other than sends.
func (w *writer) rest(completed map[*call][]*start) {
	done := make(map[*start]bool)
	for _, list := range completed {
		for _, s := range list {
			done[s] = true
		}
	}
	c := &call{fn: &mpi.Func{Name: "MPI_Waitall", Class: mpi.Waitall}}
	var list []*start
	for i, o := range w.r.calls {
		for _, s := range o.starts {
			if i >= w.r.cut && !o.open && !o.blocks() && s.request == nil && !done[s] &&
				slices.ContainsFunc(s.parts, func(p *part) bool { return p.kept && p.Kind != op.Send && !p.open }) {
				list = append(list, s)
			}
		}
	}
	w.waits(c, list)
}

// awaited are the open requests of the call that a rank is in.
func (r *rank) awaited() (list []*start) {
	var in *record.Call
	index := 0
	for i := range r.record.Threads {
		if t := &r.record.Threads[i]; t.In != nil {
			in, index = t.In, t.Index
		}
	}
	if in == nil {
		return nil
	}
	waited := make(map[*record.Request]bool)
	for _, h := range in.Requests {
		if q := r.request(h); q != nil {
			waited[q] = true
		}
	}
	for i := range r.record.Requests {
		if q := &r.record.Requests[i]; !in.Whole && q.Waiting == index {
			waited[q] = true
		}
	}
	for _, c := range r.calls {
		for _, s := range c.starts {
			if s.request != nil && waited[s.request] {
				list = append(list, s)
			}
		}
	}
	return list
}

// site is the number of a place in the log.
func (j *job) site(r *rank, address uint64) uint32 {
	f := r.seen.Sites[address]
	return j.place(trace.Site{Function: f.Function, File: f.File, Line: f.Line, Module: f.Module, Offset: f.Offset})
}

func (j *job) place(s trace.Site) uint32 {
	n, known := j.sites[s]
	if !known {
		n = uint32(len(j.log.Sites))
		j.sites[s] = n
		j.log.Sites = append(j.log.Sites, s)
	}
	return n
}

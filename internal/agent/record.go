package agent

import (
	"slices"
	"time"

	"unknot/internal/decode"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/waitstate"
)

// recorder writes what an agent's ranks do to the trace, which all agents share. A nil one does nothing.
type recorder struct {
	a       *Agent
	w       *tracefile.Writer
	threads []*thread // of this agent, by number in the trace; nil for those of others
	funcs   []uint16  // by id, 1 more than the number in the trace
	joinFn  uint16
	recent  [64]numbered // communicators, by the low bits of their identities
	known   map[op.CommID]uint32
	open    map[uint32]place // sites whose file and line are looked up in the end
	looked  time.Time
	posts   []trace.Part
	waits   []trace.Wait
	marked  []uint32 // parts of the call in hand that stand for sends which the program wants cancelled
}

// numbered is a communicator's number in the trace.
type numbered struct {
	id     op.CommID
	number uint32
}

// place is a call site of a rank.
type place struct {
	r    *rank
	site uint64
}

// sites are a rank's call sites by number in the trace.
type sites struct {
	recent [64]struct {
		site   uint64
		number uint32
	}
	all map[uint64]uint32
}

// logged is the thread's last call in the trace.
type logged struct {
	indices []int32        // of what it waits for in the user's array, nil if there is none
	wait    uint32         // number of its first wait
	seqs    map[uint32]seq // of the thread's collectives, by communicator
	polls   polls
}

func newRecorder(a *Agent, w *tracefile.Writer) *recorder {
	if w == nil {
		return nil
	}
	return &recorder{a: a, w: w, funcs: make([]uint16, mpi.FirstUnknown), joinFn: w.Func("pthread_join"),
		known: make(map[op.CommID]uint32), open: make(map[uint32]place)}
}

// begin starts the record of a thread.
func (r *recorder) begin(t *thread, index op.Thread) {
	if r == nil {
		return
	}
	t.stream, t.logged = r.w.Stream(t.rank.world, index), new(logged)
	for int(t.stream.Number) >= len(r.threads) {
		r.threads = append(r.threads, nil)
	}
	r.threads[t.stream.Number] = t
}

// enter records a call that is about to be entered into the wait-state system.
func (r *recorder) enter(t *thread, o *waitstate.Op) {
	if r != nil {
		r.call(t, o, r.fn(o.Fn), t.fn.Chooses())
	}
}

// found records a poll that succeeded: it is over.
func (r *recorder) found(t *thread, o *waitstate.Op) {
	if r != nil {
		r.call(t, o, r.fn(o.Fn), t.fn.Chooses())
		t.stream.Returned()
	}
}

// join records that a thread waits for the end of another.
func (r *recorder) join(t *thread, o *waitstate.Op) {
	if r != nil {
		r.call(t, o, r.joinFn, false)
	}
}

func (r *recorder) fn(id uint16) uint16 {
	if int(id) >= len(r.funcs) {
		return r.joinFn
	}
	n := r.funcs[id]
	if n == 0 {
		n = r.w.Func(r.a.table.ByID(id).Name) + 1
		r.funcs[id] = n
	}
	return n - 1
}

// call records a call with what it starts and waits for. A poll that succeeded blocks: the program went on only then.
// Choice says that MPI may choose what it reports.
func (r *recorder) call(t *thread, o *waitstate.Op, fn uint16, choice bool) {
	r.flushPolls(t)
	t.logged.polls.since = 0
	r.posts, r.waits = r.posts[:0], r.waits[:0]
	for _, p := range o.Posts {
		// The program may still hold the data of a partitioned send back: it starts when it is let go.
		if !p.Held && p.Traced.Part == 0 {
			r.post(t, p)
		}
	}
	for i, p := range o.Waits {
		if p.Traced.Part == 0 { // what started it is not modelled
			r.post(t, p)
		}
		at := p.Traced
		// that it might have been cancelled is said of a part of the wait's own, which waits for nobody
		if p.Marked && p.Kind == op.Send {
			r.posts = append(r.posts, trace.Part{Kind: op.Served})
			at = waitstate.Traced{Thread: t.stream.Number, Part: t.stream.Parts() + uint32(len(r.posts))}
			r.marked = append(r.marked, at.Part-1)
		}
		w := trace.Wait{Thread: at.Thread, Part: at.Part - 1}
		if choice && o.Indices != nil {
			w.At = o.Indices[i]
		}
		r.waits = append(r.waits, w)
	}
	t.logged.indices = o.Indices
	q := trace.Op{Fn: fn, Blocking: o.Blocking || len(r.waits) > 0, Any: o.Any, Opaque: o.Opaque, Final: o.Terminal,
		Site: r.site(t.rank, o.Site)}
	if choice {
		q.Choice, q.Nth = true, t.choices.nth
	}
	t.lesson.keepCall(t, q, r.posts, r.waits)
	_, t.logged.wait = t.stream.Op(q, r.posts, r.waits)
	for _, part := range r.marked {
		t.lesson.bar()
		t.stream.Gone(part)
	}
	r.marked = r.marked[:0]
}

// post numbers a part that the call in hand starts.
func (r *recorder) post(t *thread, p *waitstate.Part) {
	r.posts = append(r.posts, r.part(t, p))
	p.Traced = waitstate.Traced{Thread: t.stream.Number, Part: t.stream.Parts() + uint32(len(r.posts))}
}

func (r *recorder) part(t *thread, p *waitstate.Part) trace.Part {
	q := trace.Part{Kind: op.Served}
	switch p.Kind {
	case op.Send:
		q.Kind, q.Mode, q.Peer, q.Tag, q.Bytes, q.Nth = op.Send, p.Mode, p.Dst, p.Tag, p.Bytes, p.Nth
	case op.Recv, op.Probe:
		q.Kind, q.Peer, q.Tag, q.Wild, q.Nth = op.Recv, p.Src, p.Tag, p.Wild, p.Nth
		if p.Kind == op.Probe {
			q.Kind = op.Probe
		}
		if p.Wild {
			q.Peer = op.AnySource
		}
	case op.Coll:
		q.Kind, q.Sync, q.Peer, q.What = op.Coll, p.Sync, p.Root, what(p)
		q.Comm = r.comm(t.rank, p.Member.Group.Ctx, p)
		q.Seq = t.logged.seqOf(q.Comm, p)
		return q
	default:
		return q
	}
	q.Comm = r.comm(t.rank, p.Ctx, p)
	return q
}

// what is a collective and its operator in one number. Blocking and non-blocking ones do not match (MPI-4.0, 6.12).
func what(p *waitstate.Part) uint64 {
	v := uint64(p.Sig.Op)<<32 | p.Sig.Fold<<1&0xffffffff
	if p.Nonblock {
		v |= 1
	}
	return v
}

// met says whose message a receive or probe was given.
func (r *recorder) met(p *waitstate.Part, from op.Rank, tag int32) {
	if r != nil && p.Traced.Part > 0 {
		t := r.threads[p.Traced.Thread]
		t.lesson.keepOutcome(tracefile.Event{Kind: tracefile.Met, Before: t.stream.Parts() - (p.Traced.Part - 1),
			Rank: from, Tag: tag})
		t.stream.Met(p.Traced.Part-1, from, tag)
	}
}

// gone says that a part was cancelled.
func (r *recorder) gone(p *waitstate.Part) {
	if r != nil && p.Traced.Part > 0 {
		t := r.threads[p.Traced.Thread]
		t.lesson.bar()
		t.stream.Gone(p.Traced.Part - 1)
	}
}

// done says that the thread's last call, which waits for any of several, reported the one at a place in the user's
// array.
func (r *recorder) done(t *thread, index int32) {
	if r == nil || t.logged.indices == nil {
		return
	}
	if k, ok := slices.BinarySearch(t.logged.indices, index); ok {
		t.lesson.keepOutcome(tracefile.Event{Kind: tracefile.Done,
			Before: t.stream.Waits() - (t.logged.wait + uint32(k))})
		t.stream.Done(t.logged.wait + uint32(k))
	}
}

func (r *recorder) failed(t *thread) {
	if r != nil {
		t.stream.Failed()
	}
}

func (r *recorder) returned(t *thread) {
	if r != nil {
		t.stream.Returned()
	}
}

// end says that a thread has ended.
func (r *recorder) end(t *thread) {
	if r != nil {
		r.flushPolls(t)
		*t.logged = logged{}
		t.stream.End()
	}
}

// tickEvery is how often what is old is looked for.
const tickEvery = 100 * time.Millisecond

// tick writes what a crash would lose.
func (r *recorder) tick() {
	if r == nil || r.a.now.Sub(r.looked) < tickEvery {
		return
	}
	r.looked = r.a.now
	r.look()
	for _, t := range r.threads {
		if t != nil {
			t.stream.Tick(r.a.now)
		}
	}
}

// look asks the headers of the rings whether the last calls have returned: many tell it only there.
func (r *recorder) look() {
	for _, k := range r.a.order {
		for _, t := range k.threads {
			if t.op == nil || t.op.Returned() || t.joins < 0 && t.ring.Returned() == t.stamp {
				t.stream.Returned()
			}
		}
	}
}

// finish is called when all records have been read: now there is time to look up where the calls are.
func (r *recorder) finish() {
	if r == nil {
		return
	}
	r.look()
	for _, k := range r.a.order {
		for _, t := range k.threads {
			r.a.settleLast(t)
			r.flushPolls(t)
		}
	}
	for number, p := range r.open {
		s := trace.Site{}
		s.Module, s.Offset = p.r.maps.Locate(ring.Address(p.site))
		f := r.a.frame(p.r, p.site)
		if p.r.recordsCallers(p.site) {
			s.Stack = r.w.Stack(r.a.trail(p.r, p.site))
		}
		s.Function, s.File, s.Line = f.Function, f.File, f.Line
		if s.Function != "" || s.File != "" {
			r.w.Place(number, s)
		}
	}
}

// noted records what a rank has had to do with others by other ways than MPI's.
func (r *recorder) noted(k *rank, n decode.Noted) {
	if r != nil {
		r.w.Note(trace.Noted{Rank: k.world, Kind: n.Kind, Changed: n.Changed, Dev: n.Dev, Ino: n.Ino, Func: n.Func,
			Path: n.Path, Site: r.site(k, n.Site)})
	}
}

// site is the number of a call site.
func (r *recorder) site(k *rank, site uint64) uint32 {
	if k.sites == nil {
		k.sites = &sites{all: make(map[uint64]uint32)}
	}
	slot := &k.sites.recent[(site^site>>6)%uint64(len(k.sites.recent))]
	if slot.site == site {
		return slot.number
	}
	n, known := k.sites.all[site]
	if !known {
		n = r.newSite(k, site)
		k.sites.all[site] = n
	}
	slot.site, slot.number = site, n
	return n
}

// recordsCallers says whether the call stack of a site is known, and one of the program's.
func (k *rank) recordsCallers(site uint64) bool {
	return k.knowsCallers(site) && !k.ofInterpreter(site)
}

// located is the call stack of a site that is not Python's, by module and offset.
func (k *rank) located(site uint64) []finding.Frame {
	var out []finding.Frame
	for _, pc := range append([]uint64{ring.Address(site)}, k.callers[ring.Callers(site)]...) {
		var f finding.Frame
		f.Module, f.Offset = k.maps.Locate(pc)
		out = append(out, f)
	}
	return out
}

// newSite makes a site known: one of Python by file and line, others by module and offset, until there is time for
// more.
func (r *recorder) newSite(k *rank, site uint64) uint32 {
	if site&ring.PythonSite != 0 {
		stack := r.a.trail(k, site)
		f := symbol.Written(stack)
		return r.w.Site(trace.Site{Function: f.Function, File: f.File, Line: f.Line, Stack: r.w.Stack(stack)})
	}
	if site == 0 || k.maps == nil {
		return 0
	}
	var s trace.Site
	s.Module, s.Offset = k.maps.Locate(ring.Address(site))
	if k.recordsCallers(site) {
		s.Stack = r.w.Stack(k.located(site))
	}
	n := r.w.Site(s)
	if n > 0 {
		r.open[n] = place{k, site}
	}
	return n
}

// Package log writes what the ranks of an agent do to the trace: their calls, what these start and wait for, what they
// were given, and where they are made. It learns of calls when they are understood as operations, and knows nothing of
// records and checks.
//
// Log is the trace's writer for one agent, Rank and Thread are what it keeps of each of these, and Period is what a
// thread that repeats its calls does in one period.
package log

import (
	"slices"
	"time"

	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Log writes the trace, which the agents of a process share. A nil one does nothing.
type Log struct {
	table   *mpi.T
	places  *place.Places
	w       *tracefile.Writer
	threads []*Thread // of this agent, by number in the trace; nil for those of others
	funcs   []uint16  // by id, 1 more than the number in the trace
	joinFn  uint16
	recent  [64]numbered // communicators, by the low bits of their identities
	known   map[op.CommID]uint32
	open    map[uint32]calledAt // sites whose file and line are looked up in the end
	ticked  time.Time
	posts   []trace.Part
	waits   []trace.Wait
	marked  []uint32 // parts of the call in hand that stand for sends which the program wants cancelled
}

// New writes to a trace; nil if there is none. places says where calls are.
func New(w *tracefile.Writer, table *mpi.T, places *place.Places) *Log {
	if w == nil {
		return nil
	}
	return &Log{table: table, places: places, w: w, funcs: make([]uint16, mpi.FirstUnknown),
		joinFn: w.Func("pthread_join"),
		known:  make(map[op.CommID]uint32), open: make(map[uint32]calledAt)}
}

// numbered is a communicator's number in the trace.
type numbered struct {
	id     op.CommID
	number uint32
}

// Rank is what is kept of a rank: its call sites by number in the trace.
type Rank struct {
	*place.Process

	recent [64]struct {
		site   uint64
		number uint32
	}
	all map[uint64]uint32
}

// recordsCallers says whether the call stack of a site is known, and one of the program's.
func (k *Rank) recordsCallers(site uint64) bool {
	return k.KnowsCallers(site) && !k.OfInterpreter(site)
}

// calledAt is a call site of a rank.
type calledAt struct {
	r    *Rank
	site uint64
}

// Thread is what is kept of a thread: its stream in the trace, and its last call there.
type Thread struct {
	rank    *Rank
	stream  *tracefile.Stream
	indices []int32        // of what it waits for in the user's array, nil if there is none
	wait    uint32         // number of its first wait
	seqs    map[uint32]seq // of the thread's collectives, by communicator
	polls   polls
	period  *Period // that is followed at present; nil if none is
}

// Begin starts the record of a thread.
func (l *Log) Begin(r *Rank, index op.Thread) *Thread {
	if l == nil {
		return nil
	}
	t := &Thread{rank: r, stream: l.w.Stream(r.World, index)}
	for int(t.stream.Number) >= len(l.threads) {
		l.threads = append(l.threads, nil)
	}
	l.threads[t.stream.Number] = t
	return t
}

// Enter records a call that is about to be entered into the wait-state system; nth counts the thread's choices.
func (l *Log) Enter(t *Thread, o *waitstate.Op, f *mpi.Func, nth uint32) {
	if l != nil {
		l.call(t, o, l.fn(o.Fn), f.Chooses(), nth)
	}
}

// Found records a poll that succeeded: it is over.
func (l *Log) Found(t *Thread, o *waitstate.Op, f *mpi.Func, nth uint32) {
	if l != nil {
		l.call(t, o, l.fn(o.Fn), f.Chooses(), nth)
		t.stream.Returned()
	}
}

// Join records that a thread waits for the end of another.
func (l *Log) Join(t *Thread, o *waitstate.Op) {
	if l != nil {
		l.call(t, o, l.joinFn, false, 0)
	}
}

func (l *Log) fn(id uint16) uint16 {
	if int(id) >= len(l.funcs) {
		return l.joinFn
	}
	n := l.funcs[id]
	if n == 0 {
		n = l.w.Func(l.table.ByID(id).Name) + 1
		l.funcs[id] = n
	}
	return n - 1
}

// call records a call with what it starts and waits for. A poll that succeeded blocks: the program went on only then.
// Choice says that MPI may choose what it reports.
func (l *Log) call(t *Thread, o *waitstate.Op, fn uint16, choice bool, nth uint32) {
	l.flushPolls(t)
	t.polls.since = 0
	l.posts, l.waits = l.posts[:0], l.waits[:0]
	for _, p := range o.Posts {
		// The program may still hold the data of a partitioned send back: it starts when it is let go.
		if !p.Held && p.Traced.Part == 0 {
			l.post(t, p)
		}
	}
	for i, p := range o.Waits {
		if p.Traced.Part == 0 { // what started it is not modelled
			l.post(t, p)
		}
		at := p.Traced
		// that it might have been cancelled is said of a part of the wait's own, which waits for nobody
		if p.Marked && p.Kind == op.Send {
			l.posts = append(l.posts, trace.Part{Kind: op.Served})
			at = waitstate.Traced{Thread: t.stream.Number, Part: t.stream.Parts() + uint32(len(l.posts))}
			l.marked = append(l.marked, at.Part-1)
		}
		w := trace.Wait{Thread: at.Thread, Part: at.Part - 1}
		if choice && o.Indices != nil {
			w.At = o.Indices[i]
		}
		l.waits = append(l.waits, w)
	}
	t.indices = o.Indices
	q := trace.Op{Fn: fn, Blocking: o.Blocking || len(l.waits) > 0, Any: o.Any, Opaque: o.Opaque, Final: o.Terminal,
		Site: l.site(t.rank, o.Site)}
	if choice {
		q.Choice, q.Nth = true, nth
	}
	t.period.keepCall(t, q, l.posts, l.waits)
	_, t.wait = t.stream.Op(q, l.posts, l.waits)
	for _, part := range l.marked {
		t.period.bar()
		t.stream.Gone(part)
	}
	l.marked = l.marked[:0]
}

// post numbers a part that the call in hand starts.
func (l *Log) post(t *Thread, p *waitstate.Part) {
	l.posts = append(l.posts, l.part(t, p))
	p.Traced = waitstate.Traced{Thread: t.stream.Number, Part: t.stream.Parts() + uint32(len(l.posts))}
}

func (l *Log) part(t *Thread, p *waitstate.Part) trace.Part {
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
		q.Comm = l.comm(t.rank, p.Member.Group.Ctx, p)
		q.Seq = t.seqOf(q.Comm, p)
		return q
	default:
		return q
	}
	q.Comm = l.comm(t.rank, p.Ctx, p)
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

// Matched says whose message a receive or probe was given.
func (l *Log) Matched(p *waitstate.Part, from op.Rank, tag int32) {
	if l != nil && p.Traced.Part > 0 {
		t := l.threads[p.Traced.Thread]
		t.period.keepOutcome(tracefile.Event{Kind: tracefile.Matched, Before: t.stream.Parts() - (p.Traced.Part - 1),
			Rank: from, Tag: tag})
		t.stream.Matched(p.Traced.Part-1, from, tag)
	}
}

// Gone says that a part was cancelled.
func (l *Log) Gone(p *waitstate.Part) {
	if l != nil && p.Traced.Part > 0 {
		t := l.threads[p.Traced.Thread]
		t.period.bar()
		t.stream.Gone(p.Traced.Part - 1)
	}
}

// Done says that the thread's last call, which waits for any of several, reported the one at a place in the user's
// array.
func (l *Log) Done(t *Thread, index int32) {
	if l == nil || t.indices == nil {
		return
	}
	if k, ok := slices.BinarySearch(t.indices, index); ok {
		t.period.keepOutcome(tracefile.Event{Kind: tracefile.Done,
			Before: t.stream.Waits() - (t.wait + uint32(k))})
		t.stream.Done(t.wait + uint32(k))
	}
}

// Failed says that the thread's last call returned an error.
func (l *Log) Failed(t *Thread) {
	if l != nil {
		t.stream.Failed()
	}
}

// Returned says that the thread's last call has returned.
func (l *Log) Returned(t *Thread) {
	if l != nil {
		t.stream.Returned()
	}
}

// End says that a thread has ended.
func (l *Log) End(t *Thread) {
	if l != nil {
		l.flushPolls(t)
		t.indices, t.wait, t.seqs, t.polls = nil, 0, nil, polls{}
		t.stream.End()
	}
}

// tickEvery is how often what is old is looked for.
const tickEvery = 100 * time.Millisecond

// Due says whether it is time for Tick.
func (l *Log) Due(now time.Time) bool { return l != nil && now.Sub(l.ticked) >= tickEvery }

// Tick writes what a crash would lose.
func (l *Log) Tick(now time.Time) {
	l.ticked = now
	for _, t := range l.threads {
		if t != nil {
			t.stream.Tick(now)
		}
	}
}

// Finish is called when all records have been read: now there is time to look up where the calls are.
func (l *Log) Finish() {
	if l == nil {
		return
	}
	for _, t := range l.threads {
		if t != nil {
			l.flushPolls(t)
		}
	}
	for number, p := range l.open {
		s, trail := trace.Site{}, l.places.Trail(p.r.Process, p.site)
		s.Module, s.Offset = p.r.Maps.Locate(ring.Address(p.site))
		if p.r.recordsCallers(p.site) {
			s.Stack = l.w.Stack(trail)
		}
		f := symbol.Written(trail)
		s.Function, s.File, s.Line = f.Function, f.File, f.Line
		if s.Function != "" || s.File != "" {
			l.w.Place(number, s)
		}
	}
}

// Interacted records what a rank has had to do with others by other ways than MPI's.
func (l *Log) Interacted(k *Rank, n decode.Interaction) {
	if l != nil {
		l.w.Note(trace.Interaction{Rank: k.World, Kind: n.Kind, Changed: n.Changed, Dev: n.Dev, Ino: n.Ino,
			Func: n.Func,
			Path: n.Path, Site: l.site(k, n.Site)})
	}
}

// site is the number of a call site.
func (l *Log) site(k *Rank, site uint64) uint32 {
	slot := &k.recent[(site^site>>6)%uint64(len(k.recent))]
	if slot.site == site {
		return slot.number
	}
	n, known := k.all[site]
	if !known {
		n = l.newSite(k, site)
		objects.Set(&k.all, site, n)
	}
	slot.site, slot.number = site, n
	return n
}

// located is the call stack of a site that is not Python's, by module and offset.
func (k *Rank) located(site uint64) []finding.Frame {
	var out []finding.Frame
	for _, pc := range append([]uint64{ring.Address(site)}, k.Callers[ring.Callers(site)]...) {
		var f finding.Frame
		f.Module, f.Offset = k.Maps.Locate(pc)
		out = append(out, f)
	}
	return out
}

// newSite makes a site known: one of Python by file and line, others by module and offset, until there is time for
// more.
func (l *Log) newSite(k *Rank, site uint64) uint32 {
	if site&ring.PythonSite != 0 {
		stack := l.places.Trail(k.Process, site)
		f := symbol.Written(stack)
		return l.w.Site(trace.Site{Function: f.Function, File: f.File, Line: f.Line, Stack: l.w.Stack(stack)})
	}
	if site == 0 || k.Maps == nil {
		return 0
	}
	var s trace.Site
	s.Module, s.Offset = k.Maps.Locate(ring.Address(site))
	if k.recordsCallers(site) {
		s.Stack = l.w.Stack(k.located(site))
	}
	n := l.w.Site(s)
	if n > 0 {
		l.open[n] = calledAt{k, site}
	}
	return n
}

package agent

import (
	"fmt"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/check/written"
	"unknot/internal/decode"
	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/waitstate"
)

// describeAll describes those of the threads that are this agent's.
func (a *Agent) describeAll(keys []message.Key) []message.Described {
	a.now = a.clock()
	for _, r := range a.order {
		a.readRank(r)
	}
	a.catchUp()
	a.flush()
	a.askStacks(keys)
	end := time.Now().Add(stackPatience)
	var out []message.Described
	a.threadsOf(keys, func(t *thread, k message.Key) {
		out = append(out, a.describeThread(t, k, end))
	})
	return out
}

// stackPatience is how long call stacks are waited for, of all threads together.
const stackPatience = 400 * time.Millisecond

// askStacks asks all threads at once, as each needs a processor to answer.
func (a *Agent) askStacks(keys []message.Key) {
	a.threadsOf(keys, func(t *thread, k message.Key) {
		t.asked = !k.Strict && t.rank.alive() && t.site&ring.PythonSite == 0 &&
			(k.Asleep || !t.rank.knowsCallers(t.site)) && t.rank.processes.AskStack(t.ring, t.tid) == nil
	})
}

// threadsOf calls visit for those of the threads that are this agent's.
func (a *Agent) threadsOf(keys []message.Key, visit func(*thread, message.Key)) {
	for _, k := range keys {
		r := a.ranks[k.Rank]
		if r == nil {
			continue
		}
		for _, t := range r.threads {
			if t.ws.Index == k.Thread {
				visit(t, k)
			}
		}
	}
}

// foldedThreads is the same for threads that are named together.
func (a *Agent) foldedThreads(list []message.Keys, visit func(*thread, message.Key)) {
	for i := range list {
		k := list[i].Key
		for _, r := range a.order {
			if !list[i].Ranks.Has(r.world) {
				continue
			}
			for _, t := range r.threads {
				if t.ws.Index == k.Thread {
					k.Rank = r.world
					visit(t, k)
				}
			}
		}
	}
}

// moved are those of the threads that are not where they were.
func (a *Agent) moved(list []message.Keys) (out []message.Key) {
	a.foldedThreads(list, func(t *thread, k message.Key) {
		if !t.stays(k) {
			out = append(out, k)
		}
	})
	return out
}

// stays says whether a thread is where a key names it.
func (t *thread) stays(k message.Key) bool {
	if k.Asleep {
		return uint64(t.stamp) == k.TS
	}
	o := t.doing(k)
	if o == nil {
		return !k.Strict && t.fn != nil && t.inCall()
	}
	return o.TS == k.TS && (k.Strict || t.polls.active() || !o.Returned())
}

// doing is the operation that a key of a thread means; nil if there is none.
func (t *thread) doing(k message.Key) *waitstate.Op {
	switch {
	case k.Strict:
		return t.ws.Strict()
	case t.polls.active():
		return t.polls.op
	}
	return t.op
}

func (a *Agent) describeThread(t *thread, k message.Key, end time.Time) message.Described {
	d := message.Described{Key: k}
	if k.Asleep {
		return a.describeSleeper(t, k, end)
	}
	o := t.doing(k)
	if o == nil {
		if !k.Strict && t.fn != nil && t.inCall() {
			a.describeQuiet(t, &d, end)
		}
		return d
	}
	d.Still = t.stays(k)
	f := a.table.ByID(o.Fn)
	site, words := o.Site, o.First()
	if !k.Strict && t.polls.active() {
		f, site, words = t.polls.fn, t.polls.site, t.polls.words
	}
	d.Place = a.place(t.rank, f, site, words, o.Stamp)
	d.Place.Thread = int(k.Thread)
	d.Place.State = "blocked"
	// the end of a process has the place of its last MPI_Session_finalize
	if o == t.op && !(o.Terminal && t.rank.objects.Sessions) {
		d.Place.Nth = t.nth()
	}
	switch {
	case k.Strict && o.Returned():
		d.Place.State = "returned"
	// or a plan has it wait until the program would have found it
	case !k.Strict && t.polls.active(), o.Blocking && isPoll(f):
		d.Place.State = "polling"
	case o.Terminal:
		d.Place.State = "finished"
	}
	d.Shape = a.shapeOf(t, f, words, o.Stamp)
	if !k.Strict {
		d.Shape.Collectives = a.collectiveCalls(t.rank)
	}
	if t.joins >= 0 && !k.Strict {
		d.Place.Call = "pthread_join"
		d.Place.SetArgs(finding.Plain(fmt.Sprintf("thread %d", t.joins)))
	}
	if !k.Strict {
		d.Place.Stack = a.stack(t, end)
	}
	d.Place.Last = a.history(t, k.Strict)
	d.Shape.Misses, d.Shape.More = a.misses(t, o)
	d.Shape.Posted = a.posted(t, o)
	if d.Shape.Ate = a.ate(t, o); len(d.Shape.Misses) == 0 && d.Shape.Ate == nil {
		if d.Shape.Sought = a.sought(t, o); d.Shape.Sought != nil {
			d.Shape.Strays = a.astray(d.Shape.Sought)
		}
	}
	return d
}

// inMethod adds to the arguments of a call by which method of mpi4py it is made.
func inMethod(args finding.Phrase, method string) finding.Phrase {
	in := finding.Plain("in mpi4py's " + method)
	if args.Text == "" {
		return in
	}
	return args.Then(finding.Plain(", ")).Then(in)
}

// describeQuiet describes a thread in a call that waits for nobody.
func (a *Agent) describeQuiet(t *thread, d *message.Described, end time.Time) {
	d.Still = true
	d.Place = a.place(t.rank, t.fn, t.site, t.use.Words, t.stamp)
	d.Place.Thread, d.Place.State, d.Place.Nth = int(d.Key.Thread), "blocked", t.nth()
	d.Place.Stack = a.stack(t, end)
	d.Place.Last = a.history(t, false)
}

// posted tells of the calls that started what a completion waits for, or sent what is in a buffer.
func (a *Agent) posted(t *thread, o *waitstate.Op) map[message.Key]message.Posted {
	out := make(map[message.Key]message.Posted)
	add := func(by *waitstate.Origin) {
		if by == nil || by == o.Origin || by.TS == o.TS || len(out) == 64 {
			return
		}
		if f := a.table.ByID(by.Fn); f != nil {
			out[message.CallKey(by)] = message.Posted{Call: f.Name, Ready: f.Mode == op.Ready,
				At: a.frame(t.rank, by.Site)}
		}
	}
	for _, p := range o.Waits {
		add(p.Origin)
	}
	if o == t.op && o.Opaque {
		w, _ := a.realWait(t)
		for i := range w.Needs {
			add(w.Needs[i].Origin)
		}
	}
	return out
}

// place describes a call without its thread's state.
func (a *Agent) place(r *rank, f *mpi.Func, site uint64, words []uint64, stamp uint32) finding.Place {
	p := finding.Place{Rank: int(r.world), PID: r.pid, Host: kernel.Hostname(), Moment: r.moment(stamp),
		WaitsFor: []int{}}
	stack := a.trail(r, site)
	if f != nil && f.Class == mpi.Finalize && r.ofInterpreter(site) {
		stack = nil // called at the end of the script
	}
	if p.Frame = symbol.Written(stack); r.knowsCallers(site) {
		p.Stack = stack
	}
	if f != nil {
		p.Call = f.Name
		if f.Class == mpi.Finalize && r.objects.Sessions {
			p.Call = explain.SessionFinalize
		}
		p.SetArgs(a.args(r, f, words, stamp))
		if site&ring.PythonSite != 0 && len(stack) > 0 {
			if method := written.Method(stack[0].File, stack[0].Line, f.Name); method != "" {
				p.SetArgs(inMethod(p.ArgWords(), method))
			}
		}
	}
	return p
}

func (a *Agent) shapeOf(t *thread, f *mpi.Func, words []uint64, stamp uint32) message.Shape {
	s := message.Shape{Library: t.rank.library, Bytes: -1, Except: t.rank.except, Caught: t.caught.at(stamp)}
	if f == nil {
		return s
	}
	s.Class, s.Name, s.Ready = f.Class, f.Name, f.Mode == op.Ready
	c := call{Call: decode.Call{Func: f, Words: words}, a: a, t: t, r: t.rank}
	if f.EnterAt[mpi.RComm] >= 0 {
		s.Comm = a.commWords(t.rank, t.rank.objects.CommAt(c.Word(mpi.RComm), stamp))
	}
	if f.EnterAt[mpi.RType] >= 0 && f.EnterAt[mpi.RCount] >= 0 {
		s.Bytes = c.bytes()
	}
	return s
}

// frame is the position of a call site in the user's own code, or else its innermost one.
func (a *Agent) frame(r *rank, site uint64) finding.Frame { return symbol.Written(a.trail(r, site)) }

// trail is what is known of the call stack of a call site, innermost first.
func (a *Agent) trail(r *rank, site uint64) []finding.Frame {
	frames := a.frames(r, site)
	n := ring.Callers(site)
	if n == 0 || r.maps == nil {
		return frames
	}
	for _, pc := range r.callers[n] {
		frames = append(frames, a.resolve.Frames(r.maps, pc, true)...)
	}
	return symbol.UpToMain(frames)
}

// knowsCallers says whether the trail of a site is its whole call stack.
func (r *rank) knowsCallers(site uint64) bool {
	return site&ring.PythonSite != 0 && len(r.python[site]) > 0 || ring.Callers(site) != 0
}

// ofInterpreter says whether a call of a script is the interpreter's own.
func (r *rank) ofInterpreter(site uint64) bool { return len(r.python) > 0 && site&ring.PythonSite == 0 }

// frames are the positions of a call site itself, or of Python the whole stack.
func (a *Agent) frames(r *rank, site uint64) []finding.Frame {
	if site&ring.PythonSite != 0 {
		var out []finding.Frame
		for _, f := range r.python[site] {
			out = append(out, finding.Frame{Function: f.Function, File: f.File, Line: f.Line,
				Library: a.opts.Owners.LibraryOf(f.File)})
		}
		return out
	}
	if site == 0 || r.maps == nil {
		return nil
	}
	return a.resolve.Frames(r.maps, ring.Address(site), true)
}

// stack is the full call stack of a blocked thread that was asked for it, or what is known of its call site.
func (a *Agent) stack(t *thread, end time.Time) []finding.Frame {
	if t.fn != nil && t.fn.Class == mpi.Finalize && t.rank.ofInterpreter(t.site) {
		return nil
	}
	if !t.asked {
		return a.trail(t.rank, t.site)
	}
	pcs, err := t.rank.processes.Stack(t.ring, end)
	if err != nil {
		return a.trail(t.rank, t.site)
	}
	frames := symbol.UpToMain(a.named(t.rank, pcs))
	if site := a.frames(t.rank, t.site); len(site) > 0 {
		frames = fromSite(frames, site[0])
	}
	return frames
}

// named are the frames of a call stack.
func (a *Agent) named(r *rank, pcs []uint64) []finding.Frame {
	var out []finding.Frame
	for i, pc := range pcs {
		frames := a.resolve.Frames(r.maps, pc, true)
		if i == 0 && len(frames) > 0 && frames[0].Function == "" {
			continue // the signal's own frame
		}
		out = append(out, frames...)
	}
	return out
}

// fromSite drops what stands above the call site: the language layers of the MPI library.
func fromSite(frames []finding.Frame, site finding.Frame) []finding.Frame {
	for i, f := range frames {
		if f == site {
			return frames[i:]
		}
	}
	return frames
}

// history is the thread's last calls, oldest first.
func (a *Agent) history(t *thread, strict bool) []finding.Event {
	var out []finding.Event
	n := min(t.nlast, len(t.last))
	for i := t.nlast - n; i < t.nlast; i++ {
		o := t.last[i%len(t.last)]
		f := a.table.ByID(o.Fn)
		if f == nil {
			continue
		}
		ev := finding.Event{Call: f.Name, Args: a.args(t.rank, f, o.First(), o.Stamp).Text,
			Frame: a.frame(t.rank, o.Site), State: "done"}
		if i == t.nlast-1 && !strict && t.op != nil && !t.op.Returned() {
			ev.State = "blocked"
		}
		out = append(out, ev)
	}
	return out
}

// args puts a call's arguments into MPI's terms.
func (a *Agent) args(r *rank, f *mpi.Func, v []uint64, stamp uint32) finding.Phrase {
	c := call{Call: decode.Call{Func: f, Words: v}, a: a, r: r}
	k := &r.objects.Limits
	var out []finding.Phrase
	add := func(format string, args ...any) { out = append(out, finding.Plain(fmt.Sprintf(format, args...))) }
	var cm *objects.Comm
	if f.EnterAt[mpi.RComm] >= 0 && int(f.EnterAt[mpi.RComm]) < len(v) {
		cm = r.objects.CommAt(c.Word(mpi.RComm), stamp)
	}
	of := cm // what peers are ranks of
	peer := func(prep string, role mpi.Role) {
		if f.EnterAt[role] < 0 || int(f.EnterAt[role]) >= len(v) {
			return
		}
		switch p := int32(c.Num(role)); {
		case int64(p) == k.AnySource && prep == "from":
			add("from any source")
		case int64(p) == k.ProcNull:
			add("%s MPI_PROC_NULL", prep)
		case of != nil && of.World(int64(p)) != op.Rank(p) && of.World(int64(p)) >= 0:
			out = append(out, finding.Naming(prep+" ", p, "").Then(finding.Naming(" (world ", of.World(int64(p)), ")")))
		default:
			out = append(out, finding.Naming(prep+" ", p, ""))
		}
	}
	tag := func(role mpi.Role) {
		if f.EnterAt[role] < 0 || int(f.EnterAt[role]) >= len(v) {
			return
		}
		if t := int32(c.Num(role)); int64(t) == k.AnyTag {
			add("any tag")
		} else {
			add("tag %d", t)
		}
	}
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.SendInit, mpi.PsendInit:
		peer("to", mpi.RPeer)
	case mpi.Sendrecv, mpi.Isendrecv:
		peer("to", mpi.RPeer)
		tag(mpi.RTag)
		peer("from", mpi.RSource)
		tag(mpi.RRecvTag)
	case mpi.WinLock, mpi.WinUnlock, mpi.WinFlush, mpi.Rma, mpi.Rrma:
		peer("of", mpi.RPeer)
	case mpi.IntercommCreate:
		peer("local leader", mpi.RRoot)
		// to others the remote leader means nothing (MPI-4.0, 7.6.2)
		if cm != nil && cm.World(int64(int32(c.Num(mpi.RRoot)))) == r.world {
			of = r.objects.CommAt(c.Word(mpi.RPeerComm), stamp)
			peer("remote leader", mpi.RPeer)
		}
	default:
		peer("from", mpi.RPeer)
	}
	if f.Class != mpi.Sendrecv && f.Class != mpi.Isendrecv {
		tag(mpi.RTag)
	}
	if f.EnterAt[mpi.RRoot] >= 0 && int(f.EnterAt[mpi.RRoot]) < len(v) && f.Class != mpi.IntercommCreate {
		switch root := int64(int32(c.Num(mpi.RRoot))); {
		case cm != nil && cm.Inter && root == k.Root:
			add("root MPI_ROOT")
		case cm != nil && cm.Inter && root == k.ProcNull:
			add("root MPI_PROC_NULL")
		default:
			add("root %d", root)
		}
	}
	if f.EnterAt[mpi.ROp] >= 0 && int(f.EnterAt[mpi.ROp]) < len(v) {
		switch name := r.objects.Name(mpi.OOp, c.Word(mpi.ROp)); {
		case name != "":
			add("%s", name)
		case c.Word(mpi.ROp) == 0: // in no MPI library a handle of an operator, nor of a datatype
			add("an invalid operator")
		default:
			add("a user-defined operator")
		}
	}
	if ofGroup(f) {
		if tag := f.Values("stringtag", v, true); tag != nil {
			add("tag %q", decode.Text(tag))
		}
	}
	if cm != nil {
		add("%s", a.commName(r, cm))
	} else if f.EnterAt[mpi.RComm] >= 0 && int(f.EnterAt[mpi.RComm]) < len(v) && r.objects.Null(mpi.OComm,
		c.Word(mpi.RComm)) {
		add("MPI_COMM_NULL")
	}
	if f.EnterAt[mpi.RCount] >= 0 && f.EnterAt[mpi.RType] >= 0 &&
		int(max(f.EnterAt[mpi.RType], f.EnterAt[mpi.RCount])) < len(v) {
		add("%d × %s", c.Num(mpi.RCount), a.typeName(r, c.Word(mpi.RType)))
	}
	if f.EnterAt[mpi.RRequests] >= 0 && int(f.EnterAt[mpi.RRequests]) < len(v) {
		switch n := v[f.EnterAt[mpi.RRequests]]; n {
		case 1:
			add("1 request")
		default:
			add("%d requests", n)
		}
	}
	return finding.JoinPhrases(out, ", ")
}

func (a *Agent) typeName(r *rank, h uint64) string {
	if n := r.objects.Name(mpi.OType, h); n != "" {
		return n
	}
	if h == 0 {
		return "an invalid datatype"
	}
	if size := r.objects.Size(h); size >= 0 {
		return fmt.Sprintf("a derived type of %d bytes", size)
	}
	return "a derived type"
}

// describeOrigins describes past calls of this agent's ranks.
func (a *Agent) describeOrigins(m *message.Locate) []message.Described {
	var out []message.Described
	for i := range m.Calls {
		o := &m.Calls[i]
		r := a.ranks[o.Rank]
		if r == nil {
			continue
		}
		f := a.table.ByID(o.Fn)
		d := message.Described{Key: message.CallKey(o), Still: true, Nth: i,
			Place: a.place(r, f, o.Site, o.First(), o.Stamp)}
		d.Place.State = "called"
		d.Place.Thread = int(o.Thread)
		for _, t := range r.threads {
			if t.ws.Index == o.Thread {
				d.Shape = a.shapeOf(t, f, o.First(), o.Stamp)
				d.Shape.Collectives = a.collectiveCalls(r)
				d.Place.Last = a.history(t, false)
			}
		}
		if i < len(m.Elements) {
			d.Field = a.field(r, o, m.Elements[i])
		}
		out = append(out, d)
	}
	return out
}

func (a *Agent) ctxName(r *rank, ctx op.CommID) string {
	if c := r.objects.CommByID(ctx); c != nil {
		return a.commName(r, c)
	}
	return "another communicator"
}

// ate tells of a wildcard receive that took a message of the rank that the thread now waits for in vain.
func (a *Agent) ate(t *thread, o *waitstate.Op) *message.Eaten {
	for _, p := range o.Waits {
		if p.Kind != op.Recv || p.Matched() || p.Wildcard() {
			continue
		}
		if t.wilds == nil {
			break
		}
		for i := range t.wilds.last {
			e := &t.wilds.last[(t.wilds.n+i)%len(t.wilds.last)]
			if e.site != 0 && e.src == p.Src && e.ctx == p.Ctx && (p.Tag == op.AnyTag || p.Tag == e.tag) {
				return &message.Eaten{Src: e.src, Tag: e.tag, At: a.frame(t.rank, e.site)}
			}
		}
	}
	return nil
}

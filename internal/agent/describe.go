package agent

import (
	"fmt"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// describer says what threads and ranks do, and did, for the root and for reports.
type describer struct{ *job }

// describeAll describes those of the threads that are this agent's.
func (a *Agent) describeAll(keys []message.Key) []message.Described {
	a.readClock()
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
func (a *describer) askStacks(keys []message.Key) {
	a.threadsOf(keys, func(t *thread, k message.Key) {
		t.asked = !k.Strict && t.rank.alive() && t.Site&ring.PythonSite == 0 &&
			(k.Asleep || !t.rank.KnowsCallers(t.Site)) && t.rank.processes.AskStack(t.ring, t.tid) == nil
	})
}

// threadsOf calls visit for those of the threads that are this agent's.
func (a *job) threadsOf(keys []message.Key, visit func(*thread, message.Key)) {
	for _, k := range keys {
		r := a.ranks[k.Rank]
		if r == nil {
			continue
		}
		for _, t := range r.threads {
			if t.WS.Index == k.Thread {
				visit(t, k)
			}
		}
	}
}

// foldedThreads is the same for threads that are named together.
func (a *job) foldedThreads(list []message.Keys, visit func(*thread, message.Key)) {
	for i := range list {
		k := list[i].Key
		for _, r := range a.order {
			if !list[i].Ranks.Has(r.World) {
				continue
			}
			for _, t := range r.threads {
				if t.WS.Index == k.Thread {
					k.Rank = r.World
					visit(t, k)
				}
			}
		}
	}
}

// moved are those of the threads that are not where they were.
func (a *describer) moved(list []message.Keys) (out []message.Key) {
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
		return uint64(t.Stamp) == k.TS
	}
	o := t.doing(k)
	if o == nil {
		return !k.Strict && t.Func != nil && t.inCall()
	}
	return o.TS == k.TS && (k.Strict || t.Polls.Active() || !o.Returned())
}

// doing is the operation that a key of a thread means; nil if there is none.
func (t *thread) doing(k message.Key) *waitstate.Op {
	switch {
	case k.Strict:
		return t.WS.Strict()
	case t.Polls.Active():
		return t.Polls.Op
	}
	return t.Op
}

func (a *describer) describeThread(t *thread, k message.Key, end time.Time) message.Described {
	d := message.Described{Key: k}
	if k.Asleep {
		return a.describeSleeper(t, k, end)
	}
	o := t.doing(k)
	if o == nil {
		if !k.Strict && t.Func != nil && t.inCall() {
			a.describeQuiet(t, &d, end)
		}
		return d
	}
	d.Still = t.stays(k)
	f := a.table.ByID(o.Fn)
	site, words := o.Site, o.First()
	if !k.Strict && t.Polls.Active() {
		f, site, words = t.Polls.Func, t.Polls.Site, t.Polls.Words
	}
	d.Place = a.Place(&t.rank.Process, f, site, words, o.Stamp)
	d.Place.Thread = int(k.Thread)
	d.Place.State = "blocked"
	// the end of a process has the place of its last MPI_Session_finalize
	if o == t.Op && !(o.Terminal && t.rank.Objects.Sessions) {
		d.Place.Nth = t.Nth()
	}
	switch {
	case k.Strict && o.Returned():
		d.Place.State = "returned"
	// or a plan has it wait until the program would have found it
	case !k.Strict && t.Polls.Active(), o.Blocking && calls.IsPoll(f):
		d.Place.State = "polling"
	case o.Terminal:
		d.Place.State = "finished"
	}
	d.Shape = a.shapeOf(t, f, words, o.Stamp)
	if !k.Strict {
		d.Shape.Collectives = a.CollectiveCalls(&t.rank.Process)
	}
	if t.Joins >= 0 && !k.Strict {
		d.Place.Call = "pthread_join"
		d.Place.SetArgs(finding.Plain(fmt.Sprintf("thread %d", t.Joins)))
	}
	if !k.Strict {
		d.Place.Stack = a.stack(t, end)
		d.Shape.Wanted = a.lockedOut(t, end.Add(stackPatience)) // they are asked one after the other
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

// describeQuiet describes a thread in a call that waits for nobody.
func (a *describer) describeQuiet(t *thread, d *message.Described, end time.Time) {
	d.Still = true
	d.Place = a.Place(&t.rank.Process, t.Func, t.Site, t.Call.Words, t.Stamp)
	d.Place.Thread, d.Place.State, d.Place.Nth = int(d.Key.Thread), "blocked", t.Nth()
	d.Place.Stack = a.stack(t, end)
	d.Place.Last = a.history(t, false)
}

// posted tells of the calls that started what a completion waits for, or sent what is in a buffer.
func (a *describer) posted(t *thread, o *waitstate.Op) map[message.Key]message.Posted {
	out := make(map[message.Key]message.Posted)
	add := func(by *waitstate.Origin) {
		if by == nil || by == o.Origin || by.TS == o.TS || len(out) == 64 {
			return
		}
		if f := a.table.ByID(by.Fn); f != nil {
			out[message.CallKey(by)] = message.Posted{Call: f.Name, Ready: f.Mode == op.Ready,
				At: a.Frame(&t.rank.Process, by.Site)}
		}
	}
	for _, p := range o.Waits {
		add(p.Origin)
	}
	if o == t.Op && o.Opaque {
		w, _ := a.realWait(t)
		for i := range w.Needs {
			add(w.Needs[i].Origin)
		}
	}
	return out
}

func (a *describer) shapeOf(t *thread, f *mpi.Func, words []uint64, stamp uint32) message.Shape {
	s := message.Shape{Library: t.rank.Library, Bytes: -1, Except: t.rank.except, Caught: t.caught.at(stamp)}
	if f == nil {
		return s
	}
	s.Class, s.Name, s.Ready = f.Class, f.Name, f.Mode == op.Ready
	if f.EnterAt[mpi.RComm] >= 0 {
		c := decode.Call{Func: f, Words: words}
		s.Comm = a.CommWords(&t.rank.Process, t.rank.Objects.CommAt(c.Word(mpi.RComm), stamp))
	}
	if f.EnterAt[mpi.RType] >= 0 && f.EnterAt[mpi.RCount] >= 0 {
		s.Bytes = t.rank.Bytes(f, words)
	}
	return s
}

// stack is the full call stack of a blocked thread that was asked for it, or what is known of its call site.
func (a *describer) stack(t *thread, end time.Time) []finding.Frame {
	if t.Func != nil && t.Func.Class == mpi.Finalize && t.rank.OfInterpreter(t.Site) {
		return nil
	}
	if !t.asked {
		return a.Trail(&t.rank.Process, t.Site)
	}
	pcs, err := t.rank.processes.Stack(t.ring, end)
	if err != nil {
		return a.Trail(&t.rank.Process, t.Site)
	}
	frames := symbol.UpToMain(a.Named(&t.rank.Process, pcs))
	if site := a.Frames(&t.rank.Process, t.Site); len(site) > 0 {
		frames = fromSite(frames, site[0])
	}
	return frames
}

// history is the thread's last calls, oldest first.
func (a *describer) history(t *thread, strict bool) []finding.Event {
	var out []finding.Event
	for o := range t.Recent.All {
		f := a.table.ByID(o.Fn)
		if f == nil {
			continue
		}
		ev := finding.Event{Call: f.Name, Args: a.Args(&t.rank.Process, f, o.First(), o.Stamp).Text,
			Frame: a.Frame(&t.rank.Process, o.Site), State: "done"}
		if o == t.Latest() && !strict && t.Op != nil && !t.Op.Returned() {
			ev.State = "blocked"
		}
		out = append(out, ev)
	}
	return out
}

// describeOrigins describes past calls of this agent's ranks.
func (a *describer) describeOrigins(m *message.Locate) []message.Described {
	var out []message.Described
	for i := range m.Calls {
		o := &m.Calls[i]
		r := a.ranks[o.Rank]
		if r == nil {
			continue
		}
		f := a.table.ByID(o.Fn)
		d := message.Described{Key: message.CallKey(o), Still: true, Nth: i,
			Place: a.Place(&r.Process, f, o.Site, o.First(), o.Stamp)}
		d.Place.State = "called"
		d.Place.Thread = int(o.Thread)
		for _, t := range r.threads {
			if t.WS.Index == o.Thread {
				d.Shape = a.shapeOf(t, f, o.First(), o.Stamp)
				d.Shape.Collectives = a.CollectiveCalls(&r.Process)
				d.Place.Last = a.history(t, false)
			}
		}
		if i < len(m.Elements) {
			d.Field = a.Field(&r.Process, o, m.Elements[i])
		}
		out = append(out, d)
	}
	return out
}

// ate tells of a wildcard receive that took a message of the rank that the thread now waits for in vain.
func (a *describer) ate(t *thread, o *waitstate.Op) *message.Eaten {
	for _, p := range o.Waits {
		if p.Kind != op.Recv || p.Matched() || p.Wildcard() {
			continue
		}
		e := t.Took(func(e *calls.Taken) bool {
			return e.Src == p.Src && e.Ctx == p.Ctx && (p.Tag == op.AnyTag || p.Tag == e.Tag)
		})
		if e != nil {
			return &message.Eaten{Src: e.Src, Tag: e.Tag, At: a.Frame(&t.rank.Process, e.Site)}
		}
	}
	return nil
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

package explore

import (
	"slices"

	"unknot/internal/explore/known"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// possible says whether MPI could have made a run by itself that was made with a plan. A receive from any source that
// the plan held for one source lets messages of others pass, which it would have taken: a later receive can have got
// such a message only if this one had met its own by then (MPI-4.0, 3.5). So the calls of the run must have an order in
// which each receive that takes a message finds the earlier ones that would have taken it matched. What the run does
// not tell is taken to be as it must be.
func possible(l *trace.Log, p plan.Plan) bool {
	c := newCourse(l, p.Synchronous, known.Matches(l, p))
	o := &ordering{walk: newWalk(c), held: make(map[key]bool), open: make([][]ref, len(l.Threads)),
		matched: make(map[ref]bool)}
	for _, d := range p.Decisions {
		o.held[key{d.Rank, d.Thread, d.Nth}] = true
	}
	o.goOn(o)
	for i := range l.Threads {
		if ops := l.Threads[i].Ops; o.at[i] < len(ops) && ops[o.at[i]].Returned {
			return false
		}
	}
	return true
}

// ordering looks for an order in which the calls of a run could have been made.
type ordering struct {
	walk
	held    map[key]bool // receives that the plan decided
	open    [][]ref      // by thread: those of them that are posted and have not met their message, in order
	matched map[ref]bool
}

func (o *ordering) enter(i int, call *trace.Op) {
	for k := range call.Started {
		r := ref{Thread: uint32(i), Part: call.First + k}
		if x := o.course.at(r); x.Kind == op.Recv && x.Wild && o.held[o.course.key(r)] {
			o.open[i] = append(o.open[i], r)
		}
	}
}

// complete closes receives that were cancelled: what is posted from now on need not wait for them.
func (o *ordering) complete(i int, call *trace.Op) {
	for _, w := range o.course.log.Threads[i].WaitsOf(call) {
		if r := (ref{Thread: w.Thread, Part: w.Part}); o.course.at(r).Gone {
			o.close(r)
		}
	}
}

func (o *ordering) over(r ref) bool {
	x := o.course.at(r)
	switch x.Kind {
	case op.Send:
		to, known := o.course.recv[r]
		return o.course.buffers(x) || !known || o.match(to)
	case op.Recv, op.Probe:
		_, known := o.course.send[r]
		return !known || o.match(r)
	case op.Coll:
		return o.gathered(x, o.course.rank(r))
	}
	return true
}

// match lets a receive or probe meet its message, if that can be by now.
func (o *ordering) match(r ref) bool {
	s := o.course.send[r]
	if o.matched[r] {
		return true
	}
	if !o.started(r) || !o.started(s) {
		return false
	}
	for _, e := range slices.Clone(o.open[r.Thread]) {
		if e.Part >= r.Part {
			break
		}
		if _, comes := o.course.send[e]; o.takes(e, s) && (!comes || !o.match(e)) {
			return false
		}
	}
	o.matched[r] = true
	o.close(r)
	return true
}

// takes says whether a receive from any source would take a message.
func (o *ordering) takes(e, s ref) bool {
	x, m := o.course.at(e), o.course.at(s)
	return x.Comm == m.Comm && (x.Tag == op.AnyTag || x.Tag == m.Tag)
}

func (o *ordering) close(r ref) {
	o.open[r.Thread] = slices.DeleteFunc(o.open[r.Thread], func(e ref) bool { return e == r })
}

package exact

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// rerun is a run of a log, as a reader of the standard would do it by hand. It shares nothing with the package but the
// description of a deadlock, and takes no shortcut.
type rerun struct {
	log   *trace.Log
	o     Options
	at    []uint32
	met   map[Ref]bool
	over  map[Ref]bool
	rigid []Ref // sends that are not buffered and members that synchronise
}

// verify says whether a schedule is legal and really ends stuck where it says.
func verify(l *trace.Log, o Options, d *Deadlock) error {
	r := &rerun{log: l, o: o, at: make([]uint32, len(l.Threads)), met: make(map[Ref]bool), over: make(map[Ref]bool),
		rigid: slices.Concat(d.Unbuffered, d.Synchronising)}
	exits := slices.Clone(d.Exits)
	r.advance(&exits)
	for i, m := range d.Matches {
		if err := r.legal(m); err != nil {
			return fmt.Errorf("match %d of %d, %v: %w", i, len(d.Matches), m, err)
		}
		r.met[m.Recv] = true
		if m.Recv.part(l).Kind == op.Recv {
			r.met[m.Send] = true
		}
		r.advance(&exits)
	}
	if len(exits) > 0 {
		return fmt.Errorf("exit %+v never happens; threads are at %v", exits[0], r.at)
	}
	for t := range l.Threads {
		i := slices.IndexFunc(d.Stuck, func(s Stuck) bool { return int(s.Thread) == t })
		switch {
		case r.ended(t) && i >= 0:
			return fmt.Errorf("thread %d is finished, not stuck in call %d", t, d.Stuck[i].Op)
		case !r.ended(t) && (i < 0 || d.Stuck[i].Op != r.at[t]):
			return fmt.Errorf("thread %d is in call %d, which is not what is said: %+v", t, r.at[t], d.Stuck)
		}
		for n := range l.Threads[t].Parts {
			for u := range l.Threads {
				for k := range l.Threads[u].Parts {
					m := Match{Ref{uint32(t), uint32(n)}, Ref{uint32(u), uint32(k)}}
					if r.legal(m) == nil {
						return fmt.Errorf("at the end %v could still meet", m)
					}
				}
			}
		}
	}
	if len(d.Stuck) == 0 || len(d.Core) == 0 {
		return fmt.Errorf("nobody is stuck")
	}
	return nil
}

func (r *rerun) ended(t int) bool {
	ops := r.log.Threads[t].Ops
	return int(r.at[t]) >= len(ops) || ops[r.at[t]].Final
}

// started says whether a part's call has been entered.
func (r *rerun) started(x Ref) bool {
	t := &r.log.Threads[x.Thread]
	for i := range t.Ops {
		if o := &t.Ops[i]; x.Part >= o.First && x.Part < o.First+o.Started {
			return uint32(i) <= r.at[x.Thread]
		}
	}
	return false
}

// legal says why a receive or probe may not meet a message now, by MPI-4.0, 3.5.
func (r *rerun) legal(m Match) error {
	if !r.open(m.Recv, m.Send) {
		return fmt.Errorf("they do not fit, are not both started or have met others")
	}
	for n := range m.Send.Part {
		if r.open(m.Recv, Ref{m.Send.Thread, n}) {
			return fmt.Errorf("message %d of thread %d would be overtaken", n, m.Send.Thread)
		}
	}
	for n := range m.Recv.Part {
		e := Ref{m.Recv.Thread, n}
		if e.part(r.log).Kind == op.Recv && r.open(e, m.Send) {
			return fmt.Errorf("receive %d of thread %d comes first", n, m.Recv.Thread)
		}
	}
	return nil
}

// open says whether two parts are started, fit and have not met.
func (r *rerun) open(recv, send Ref) bool {
	a, b := recv.part(r.log), send.part(r.log)
	from, to := r.log.Threads[send.Thread].Rank, r.log.Threads[recv.Thread].Rank
	return (a.Kind == op.Recv || a.Kind == op.Probe) && b.Kind == op.Send && !a.Gone && !b.Gone && b.Peer == to &&
		a.Comm == b.Comm &&
		(a.Peer == op.AnySource || a.Wild || a.Peer == from) && (a.Tag == op.AnyTag || a.Tag == b.Tag) &&
		r.started(recv) && r.started(send) && !r.met[recv] && !r.met[send]
}

// complete says whether a part may be reported as complete.
func (r *rerun) complete(x Ref) bool {
	p := x.part(r.log)
	switch {
	case p.Gone || p.Kind == op.Served || r.met[x] || r.over[x]:
		return true
	case p.Kind == op.Send:
		small := r.o.Buffering != BufferLimit || p.Bytes < 0 || p.Bytes <= r.o.Limit
		return p.Mode == op.Buffered || p.Mode == op.Standard && r.o.Buffering != BufferNone && small &&
			!slices.Contains(r.rigid, x)
	case p.Kind == op.Coll:
		c := &r.log.Comms[p.Comm]
		me := r.log.Threads[x.Thread].Rank
		for i, other := range c.Members {
			needed := slices.Contains(r.rigid, x) || r.o.Collectives == CollectStrict || p.Sync == op.SyncAll ||
				p.Sync == op.SyncFromRoot && other == p.Peer ||
				p.Sync == op.SyncToRoot && me == p.Peer || p.Sync == op.SyncLower && i < slices.Index(c.Members, me)
			if needed && !r.there(other, p) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *rerun) there(rank op.Rank, p *trace.Part) bool {
	for t := range r.log.Threads {
		for n, q := range r.log.Threads[t].Parts {
			if r.log.Threads[t].Rank == rank && q.Kind == op.Coll && q.Comm == p.Comm && q.Seq == p.Seq &&
				r.started(Ref{uint32(t), uint32(n)}) {
				return true
			}
		}
	}
	return false
}

// advance lets every thread leave what it may leave.
func (r *rerun) advance(exits *[]Exit) {
	for again := true; again; {
		again = false
		for t := range r.at {
			for !r.ended(t) && r.leaves(t, exits) {
				r.at[t]++
				again = true
			}
		}
	}
}

func (r *rerun) leaves(t int, exits *[]Exit) bool {
	l := &r.log.Threads[t]
	o := &l.Ops[r.at[t]]
	if !o.Blocking || o.Opaque {
		return true
	}
	if !o.Any {
		for _, w := range l.WaitsOf(o) {
			if !r.complete(Ref{w.Thread, w.Part}) {
				return false
			}
		}
		for _, w := range l.WaitsOf(o) {
			r.over[Ref{w.Thread, w.Part}] = true
		}
		return true
	}
	i := slices.IndexFunc(*exits, func(e Exit) bool { return int(e.Thread) == t && e.Op == r.at[t] })
	if i < 0 {
		return false
	}
	for _, x := range (*exits)[i].Done {
		if !r.complete(x) {
			return false
		}
	}
	for _, x := range (*exits)[i].Done {
		r.over[x] = true
	}
	*exits = slices.Delete(*exits, i, i+1)
	return true
}

package reduce

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// stalled is what is known of a log in which calls did not return that have all that they need: the MPI library has not
// completed them. Other ranks may wait for calls that would have come next, and which are in no log.
type stalled struct {
	log   *trace.Log
	cut   *cut
	moves []bool // by rank: it would continue if the library did
}

// settled leaves out what ranks wait for that would have continued if the library had completed calls which have all
// that they need. Where there are no such calls, or these would not help, the log stays: its ranks are deadlocked.
func settled(l *trace.Log) *trace.Log {
	s := &stalled{log: l, cut: newCut(l), moves: make([]bool, l.Head.Ranks)}
	s.any()
	for again := true; again; {
		again = false
		for i := range l.Threads {
			t := &l.Threads[i]
			if o := last(t); o != nil && !s.moves[t.Rank] && s.continues(i, o) {
				s.moves[t.Rank], again = true, true
			}
		}
	}
	if !slices.Contains(s.moves, true) {
		return l
	}
	out := *l
	out.Threads = slices.Clone(l.Threads)
	less := false
	for i := range out.Threads {
		if t := &out.Threads[i]; s.moves[t.Rank] {
			s.without(i, t)
			less = less || len(t.Parts) < len(l.Threads[i].Parts)
		}
	}
	if !less {
		return l
	}
	out.Notes = append(slices.Clone(l.Notes),
		"Some calls that did not return have all that they need. What waits for calls after these is left out.")
	return &out
}

// any has each receive from any source of which it is not known what it took have a message that nobody else takes, if
// there is one.
func (s *stalled) any() {
	for i := range s.log.Threads {
		t := &s.log.Threads[i]
		for k := range t.Parts {
			p, r := &t.Parts[k], pairing.Ref{Thread: uint32(i), Part: uint32(k)}
			if _, has := s.cut.pairs.Message[r]; p.Kind != op.Recv || p.Peer != op.AnySource || p.Gone || has {
				continue
			}
			if m, some := s.spare(t.Rank, p); some {
				s.cut.pairs.Message[r], s.cut.taker[m] = m, r
			}
		}
	}
}

// spare is a message that a receive of a rank may take, and that nobody takes.
func (s *stalled) spare(to op.Rank, p *trace.Part) (pairing.Ref, bool) {
	for i := range s.log.Threads {
		t := &s.log.Threads[i]
		for k := range t.Parts {
			q, r := &t.Parts[k], pairing.Ref{Thread: uint32(i), Part: uint32(k)}
			if q.Kind != op.Send || q.Peer != to || q.Comm != p.Comm || p.Tag != op.AnyTag && q.Tag != p.Tag || q.Gone {
				continue
			}
			if _, taken := s.cut.taker[r]; !taken {
				return r, true
			}
		}
	}
	return pairing.Ref{}, false
}

// last is the call that a thread is in, if that waits for something; nil if there is none.
func last(t *trace.Thread) *trace.Op {
	if len(t.Ops) == 0 {
		return nil
	}
	if o := &t.Ops[len(t.Ops)-1]; !o.Returned && o.Waiting > 0 {
		return o
	}
	return nil
}

// continues says whether a call has all that it needs, or would have it from ranks that continue.
func (s *stalled) continues(thread int, o *trace.Op) bool {
	have := func(w trace.Wait) bool {
		r := pairing.Ref{Thread: w.Thread, Part: w.Part}
		return w.Done || s.met(r) || s.comes(thread, r.In(s.log))
	}
	waits := s.log.Threads[thread].WaitsOf(o)
	if o.Any {
		return slices.ContainsFunc(waits, have)
	}
	return !slices.ContainsFunc(waits, func(w trace.Wait) bool { return !have(w) })
}

// met says whether the other side of a part is in the log.
func (s *stalled) met(r pairing.Ref) bool {
	p := r.In(s.log)
	switch p.Kind {
	case op.Send:
		_, taken := s.cut.taker[r]
		return taken || p.Peer == op.ProcNull
	case op.Recv, op.Probe:
		_, there := s.cut.pairs.Message[r]
		return there || p.Peer == op.ProcNull
	case op.Coll:
		c := &s.log.Comms[p.Comm]
		return len(s.cut.closed[meeting{p.Comm, p.Seq}]) == len(c.Members)+len(c.Remote)
	}
	return p.Kind == op.Served
}

// comes says whether the other side of a part may come from ranks that continue.
func (s *stalled) comes(thread int, p *trace.Part) bool {
	moves := func(r op.Rank) bool { return r >= 0 && int(r) < len(s.moves) && s.moves[r] }
	c := &s.log.Comms[p.Comm]
	switch {
	case p.Kind == op.Coll:
		for _, m := range slices.Concat(c.Members, c.Remote) {
			in := slices.ContainsFunc(s.cut.closed[meeting{p.Comm, p.Seq}], func(r pairing.Ref) bool {
				return s.log.Threads[r.Thread].Rank == m
			})
			if !in && !moves(m) {
				return false
			}
		}
		return true
	case p.Peer == op.AnySource:
		return slices.ContainsFunc(c.Peers(s.log.Threads[thread].Rank), moves)
	}
	return p.Kind != op.Observed && p.Peer >= 0 && moves(p.Peer)
}

// without leaves out the parts of a thread that have no other side, and what is left of calls that have only such.
func (s *stalled) without(thread int, t *trace.Thread) {
	old := *t
	t.Ops, t.Parts, t.Waits = nil, nil, nil
	now := make(map[uint32]uint32) // the parts that stay
	for _, o := range old.Ops {
		one := o
		one.First, one.WaitAt, one.Started, one.Waiting = uint32(len(t.Parts)), uint32(len(t.Waits)), 0, 0
		for k := range o.Started {
			at := o.First + k
			if r := (pairing.Ref{Thread: uint32(thread), Part: at}); s.met(r) || r.In(s.log).Kind == op.Observed {
				now[at] = uint32(len(t.Parts))
				t.Parts = append(t.Parts, old.Parts[at])
				one.Started++
			}
		}
		for _, w := range old.WaitsOf(&o) {
			if at, stays := now[w.Part]; stays && int(w.Thread) == thread {
				w.Part = at
				t.Waits = append(t.Waits, w)
				one.Waiting++
			}
		}
		if one.Started+one.Waiting > 0 || o.Started+o.Waiting == 0 {
			t.Ops = append(t.Ops, one)
		}
	}
}

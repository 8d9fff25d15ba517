package explore

import (
	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// ref names a part of a log.
type ref = pairing.Ref

// course is the recorded run as it went: which message each receive took, and in which order things could happen.
type course struct {
	log  *trace.Log
	sync bool        // sends of standard mode are not buffered
	send map[ref]ref // by receive or probe: the message
	recv map[ref]ref // by message: the receive that took it
	wild []ref       // completed receives and probes from any source, in an order in which they could have completed
}

func (c *course) at(r ref) *trace.Part { return r.In(c.log) }

func (c *course) rank(r ref) op.Rank { return c.log.Threads[r.Thread].Rank }

// follow finds out who met whom, by the order of messages (MPI-4.0, 3.5) and what the recorded run says of wildcards.
func follow(l *trace.Log, sync bool) *course {
	c := newCourse(l, sync, pairing.Of(l))
	c.wild = c.run(nil).wild
	return c
}

func newCourse(l *trace.Log, sync bool, pairs *pairing.Pairs) *course {
	return &course{log: l, sync: sync, send: pairs.Message, recv: pairs.Taker}
}

// buffers says whether a send is complete although nobody has received it.
func (c *course) buffers(send *trace.Part) bool {
	return send.Mode == op.Buffered || send.Mode == op.Standard && !c.sync
}

// progress is how far everybody gets as in the recorded run.
type progress struct {
	walk
	held map[ref]bool // receives that shall not complete
	wild []ref
	met  []ref // receives that have completed, in order
	told map[ref]bool
}

// run lets all threads go on as in the recorded run, with no collective waiting longer than it must, except for the
// receives in held, which complete never.
func (c *course) run(held []ref) *progress {
	p := &progress{walk: newWalk(c), held: make(map[ref]bool), told: make(map[ref]bool)}
	for _, r := range held {
		p.held[r] = true
	}
	p.goOn(p)
	return p
}

func (*progress) enter(int, *trace.Op) {}

// complete notes the receives from any source that a call has waited for.
func (p *progress) complete(i int, o *trace.Op) {
	for _, w := range p.course.log.Threads[i].WaitsOf(o) {
		r := ref{Thread: w.Thread, Part: w.Part}
		if x := p.course.at(r); x.Kind == op.Recv && x.Matched >= 0 && (!o.Any || w.Done) {
			p.met = append(p.met, r)
		}
		if x := p.course.at(r); x.Wild && x.Matched >= 0 && !p.told[r] && (!o.Any || w.Done) {
			p.told[r] = true
			p.wild = append(p.wild, r)
		}
	}
}

// over says whether a part that is started may be complete.
func (p *progress) over(r ref) bool {
	x := p.course.at(r)
	switch x.Kind {
	case op.Send:
		to, met := p.course.recv[r]
		return p.course.buffers(x) || met && p.started(to) && !p.held[to]
	case op.Recv, op.Probe:
		from, met := p.course.send[r]
		return x.Gone || met && !p.held[r] && p.started(from)
	case op.Coll:
		return p.gathered(x, p.course.rank(r))
	}
	return true
}

// alternatives are the messages that a completed wildcard receive could have met instead of its own, at most one of
// each source, if everything that does not wait for it continues as recorded (the candidates of POE, Sharma et al.,
// section 2.1).
func (c *course) alternatives(w ref) (list []ref, independent []ref) {
	p := c.run([]ref{w})
	x, to := c.at(w), c.rank(w)
	own := c.send[w]
	first := make(map[op.Rank]bool)
	first[c.rank(own)] = true
	for i := range c.log.Threads {
		t := &c.log.Threads[i]
		for k := range t.Parts[:p.posted[i]] {
			s, r := &t.Parts[k], ref{Thread: uint32(i), Part: uint32(k)}
			if s.Kind != op.Send || s.Gone || s.Peer != to || s.Comm != x.Comm || x.Tag != op.AnyTag &&
				x.Tag != s.Tag || first[t.Rank] {
				continue
			}
			if taker, met := c.recv[r]; met && p.before(taker, w) {
				continue
			}
			first[t.Rank] = true
			list = append(list, r)
		}
	}
	return list, p.wild
}

// before says whether a receive takes its message before another one of its rank can.
func (p *progress) before(taker, w ref) bool {
	if taker.Thread != w.Thread {
		return p.started(taker)
	}
	return taker.Part < w.Part
}

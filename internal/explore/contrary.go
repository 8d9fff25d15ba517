package explore

import (
	"slices"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// contrary is a run of the same calls in which as many wildcard receives as can be meet another source than in the recorded
// one: each takes the candidate that was met last there. If the program goes the same way under it, whom its receives meet
// does not seem to decide what it does. It is nil if no receive can meet another. It is blocked if the recorded calls do not
// get to their ends with these choices; then it has those that were made until then. Receives that stay meet the same message
// as before.
func contrary(c *course, stays func(w ref) bool) (list []choice, blocked bool) {
	m := &crossing{walk: newWalk(c), met: make(map[ref]ref), taken: make(map[ref]bool), sent: make(map[channel][]ref),
		open: make(map[mailbox][]ref), rankedLate: make(map[ref]int)}
	for i, w := range c.wild {
		m.rankedLate[c.send[w]] = i
	}
	changed := false
	for {
		m.goOn(m)
		w, s, found := m.choose(stays)
		if !found {
			break
		}
		m.join(w, s)
		changed = changed || c.rank(s) != c.rank(c.send[w])
		list = append(list, choice{w, s})
	}
	for i := range c.log.Threads {
		if t := &c.log.Threads[i]; m.at[i] < len(t.Ops) && (t.Ops[m.at[i]].Returned || t.Ops[m.at[i]].Final) {
			blocked = true
		}
	}
	if !changed {
		return nil, blocked
	}
	return list, blocked
}

// choice is the message that a wildcard receive shall meet.
type choice struct{ recv, send ref }

// mailbox is where the receives of a rank are posted.
type mailbox struct {
	rank op.Rank
	comm uint32
}

// crossing is the state of a run in which wildcards choose anew.
type crossing struct {
	walk
	met        map[ref]ref // receives
	taken      map[ref]bool
	sent       map[channel][]ref // not taken, in order
	open       map[mailbox][]ref // receives and probes that have not met anybody, in order
	rankedLate map[ref]int       // messages: how late they were met in the recorded run
}

func (m *crossing) enter(i int, o *trace.Op) {
	t := &m.course.log.Threads[i]
	for k := range t.Posts(o) {
		m.start(ref{uint32(i), o.First + uint32(k)}, &t.Posts(o)[k], t.Rank)
	}
	m.match()
}

func (*crossing) complete(int, *trace.Op) {}

func (m *crossing) start(r ref, x *trace.Part, rank op.Rank) {
	if x.Gone {
		return
	}
	switch x.Kind {
	case trace.Send:
		key := channel{rank, x.Peer, x.Comm}
		m.sent[key] = append(m.sent[key], r)
	case trace.Recv, trace.Probe:
		key := mailbox{rank, x.Comm}
		m.open[key] = append(m.open[key], r)
	}
}

// match joins what leaves no choice: a receive from a definite source and the first message that fits, if no earlier receive
// could take that.
func (m *crossing) match() {
	for again := true; again; {
		again = false
		for box, list := range m.open {
			for i, r := range list {
				x := m.course.at(r)
				if x.Peer == op.AnySource {
					continue
				}
				s, found := m.first(x, box, x.Peer)
				if found && !m.claimed(list[:i], s) {
					m.join(r, s)
					again = true
					break
				}
			}
			if again {
				break
			}
		}
	}
}

// first is the first message of a source that fits a receive.
func (m *crossing) first(x *trace.Part, box mailbox, from op.Rank) (ref, bool) {
	for _, s := range m.sent[channel{from, box.rank, box.comm}] {
		if x.Tag == op.AnyTag || x.Tag == m.course.at(s).Tag {
			return s, true
		}
	}
	return ref{}, false
}

func (m *crossing) claimed(earlier []ref, s ref) bool {
	p := m.course.at(s)
	return slices.ContainsFunc(earlier, func(e ref) bool {
		x := m.course.at(e)
		return x.Kind == trace.Recv && (x.Peer == op.AnySource || x.Peer == m.course.rank(s)) && (x.Tag == op.AnyTag || x.Tag == p.Tag)
	})
}

func (m *crossing) join(r, s ref) {
	m.met[r] = s
	x := m.course.at(r)
	box := mailbox{m.course.rank(r), x.Comm}
	m.open[box] = slices.DeleteFunc(m.open[box], func(e ref) bool { return e == r })
	if x.Kind == trace.Recv {
		m.taken[s] = true
		key := channel{m.course.rank(s), box.rank, box.comm}
		m.sent[key] = slices.DeleteFunc(m.sent[key], func(e ref) bool { return e == s })
	}
	m.match()
}

// choose takes the first wildcard, by rank, that has a candidate, and the candidate that was met last in the recorded run.
func (m *crossing) choose(stays func(w ref) bool) (w, s ref, found bool) {
	for i := range m.course.log.Threads {
		rank := m.course.log.Threads[i].Rank
		for comm := range m.course.log.Comms {
			box := mailbox{rank, uint32(comm)}
			for k, r := range m.open[box] {
				x := m.course.at(r)
				if x.Peer != op.AnySource {
					continue
				}
				best, late := ref{}, -1
				own, met := m.course.send[r]
				kept := met && stays(r)
				for _, from := range m.course.log.Comms[comm].Peers(rank) {
					c, fits := m.first(x, box, from)
					if !fits || kept && c != own || m.claimed(m.open[box][:k], c) {
						continue
					}
					if l, met := m.rankedLate[c]; met && l > late || late < 0 {
						best, late = c, max(l, 0)
					}
				}
				if late >= 0 {
					return r, best, true
				}
			}
		}
	}
	return w, s, false
}

func (m *crossing) over(r ref) bool {
	x := m.course.at(r)
	switch x.Kind {
	case trace.Send:
		return x.Mode == trace.Buffered || x.Mode == trace.Standard && !m.course.sync || m.taken[r]
	case trace.Recv, trace.Probe:
		_, met := m.met[r]
		return met || x.Gone
	case trace.Coll:
		return m.gathered(x, m.course.rank(r))
	}
	return true
}

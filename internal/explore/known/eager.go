package known

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/op"
)

// settle does whatever must happen and takes nothing from anybody: calls begin, receives from a named source meet the
// first message that fits, calls whose parts are all over return. It returns the way with what it did by choice, and
// where a rank reaches an edge that no run has shown, nil if it ends without that.
func (x *search) settle(s *state, path *step) (*step, *edge) {
	for moved := true; moved; {
		moved = false
		for r := range s.at {
			n := s.at[r]
			if n.call == nil {
				return path, &edge{from: n, uncall: true}
			}
			if !s.entered[r] {
				x.enter(s, op.Rank(r))
				moved = true
			}
			if x.meet(s, op.Rank(r)) {
				moved = true
			}
			c := n.call
			if c.final || c.choice && (len(c.waits) > 0 || c.probe) {
				continue
			}
			is, early := x.overAll(s, op.Rank(r))
			if !is && !(x.eager && early) {
				continue
			}
			if !is {
				path = x.buffered(s, move{rank: op.Rank(r), early: true}, &step{prev: path, rank: op.Rank(r)})
			}
			if e := x.leave(s, op.Rank(r), x.labelAll(s, op.Rank(r), nil)); e != nil {
				return path, e
			}
			moved = true
		}
	}
	return path, nil
}

// enter begins the call of a rank.
func (x *search) enter(s *state, r op.Rank) {
	n := s.at[r]
	s.entered[r] = true
	if n.call.probe {
		return // it starts nothing unless it finds something
	}
	for i := range n.call.posts {
		p := &n.call.posts[i]
		s.parts[r] = append(s.parts[r], live{n: n.parts + uint32(i), p: p, node: n.id})
		if p.kind == op.Coll {
			s.joined[member{p.comm, p.seq, r}] = n.id
		}
	}
}

// meet lets receives from named sources of a rank meet their messages.
func (x *search) meet(s *state, r op.Rank) bool {
	met := false
	for i := 0; i < len(s.parts[r]); i++ {
		l := &s.parts[r][i]
		if l.matched || l.p.gone || l.p.kind != op.Recv && l.p.kind != op.Probe || l.p.peer < 0 {
			continue
		}
		if m := x.first(s, r, l.p, l.p.peer, i); m != nil {
			x.join(s, r, l, l.p.peer, m)
			met = true
		}
	}
	return met
}

// first is the first message of a source that a receive may meet, if no receive before it in the list of its rank may
// take that: of place i.
func (x *search) first(s *state, r op.Rank, p *part, from op.Rank, i int) *live {
	for k := range s.parts[from] {
		m := &s.parts[from][k]
		if m.matched || m.p.kind != op.Send || m.p.peer != r || m.p.comm != p.comm || p.tag != op.AnyTag &&
			p.tag != m.p.tag {
			continue
		}
		if slices.ContainsFunc(s.parts[r][:i], func(e live) bool {
			return e.p.kind == op.Recv && !e.matched && !e.p.gone && e.p.comm == p.comm && (e.p.peer == op.AnySource ||
				e.p.peer == from) &&
				(e.p.tag == op.AnyTag || e.p.tag == m.p.tag)
		}) {
			return nil // it belongs to that one, or that one decides first
		}
		return m
	}
	return nil
}

func (x *search) join(s *state, r op.Rank, l *live, from op.Rank, m *live) {
	l.matched, l.met = true, source{from, m.n, m.node}
	if l.p.kind == op.Recv {
		m.matched = true
		s.drop(from)
	}
}

// over says whether a part must be over for its rank; early says that MPI may also have it over.
func (x *search) over(s *state, r op.Rank, n uint32) (is, early bool) {
	l := s.find(r, n)
	if l == nil {
		return true, true
	}
	switch l.p.kind {
	case op.Send:
		buffered := l.p.mode == op.Buffered || l.p.mode == op.Standard && x.buffers(l.p) == always
		return l.matched || buffered, l.matched || buffered || l.p.mode == op.Standard && x.buffers(l.p) == maybe
	case op.Recv, op.Probe:
		return l.matched || l.p.gone, l.matched || l.p.gone
	case op.Coll:
		c := x.p.comms[l.p.comm]
		if c == nil {
			return true, true
		}
		here := func(m op.Rank) bool { _, is := s.joined[member{l.p.comm, l.p.seq, m}]; return is }
		absent := func(m op.Rank) bool { return !here(m) }
		return !slices.ContainsFunc(c.Members, absent) && !slices.ContainsFunc(c.Remote, absent),
			!slices.ContainsFunc(required(c, l.p, r), absent)
	}
	return true, true
}

// labelAll is what the call of a rank gives when the requests in which are reported; nil for all.
func (x *search) labelAll(s *state, r op.Rank, which []int) string {
	var b strings.Builder
	c := s.at[r].call
	for i, w := range c.waits {
		if which != nil && !slices.Contains(which, i) {
			continue
		}
		if c.any {
			fmt.Fprintf(&b, "%d=", i)
		}
		b.WriteString(x.given(s, r, w.part))
		b.WriteByte(';')
	}
	return b.String()
}

// given is what a part has given its rank.
func (x *search) given(s *state, r op.Rank, n uint32) string {
	l := s.find(r, n)
	if l == nil {
		return ""
	}
	switch {
	case l.p.gone:
		return "cancelled"
	case l.p.kind == op.Recv || l.p.kind == op.Probe:
		return message(l.met.node, l.met.n)
	case l.p.kind == op.Coll:
		c := x.p.comms[l.p.comm]
		if c == nil {
			return ""
		}
		var ids []int
		for _, m := range contributors(c, l.p, r) {
			ids = append(ids, s.joined[member{l.p.comm, l.p.seq, m}])
		}
		return collected(ids)
	}
	return ""
}

// leave lets the call of a rank return with what it gives; which says what it has reported, nil for all it waits for.
func (x *search) leave(s *state, r op.Rank, label string, which ...int) *edge {
	n := s.at[r]
	next := n.next[label]
	if next == nil {
		return &edge{from: n, label: label}
	}
	for i, w := range n.call.waits {
		if n.call.any && !slices.Contains(which, i) || label == nothing {
			continue
		}
		if l := s.find(r, w.part); l != nil {
			l.done = true
		}
	}
	s.drop(r)
	s.at[r], s.entered[r] = next, false
	return nil
}

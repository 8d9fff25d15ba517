package known

import (
	"slices"

	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// move is a choice of MPI's.
type move struct {
	rank  op.Rank
	must  bool // it, or another move of the rank, has to happen some time
	match int  // place of a receive or probe in the rank's list that meets the message of from; -1 for none
	from  op.Rank
	// else the call of the rank returns: nil reports nothing, otherwise the requests with these places in its list of
	// waits, or the message of from if it is a poll for one.
	report []int
	quiet  bool
	early  bool // a send returns before it is received, or a member leaves a collective before it must
}

// moves are the choices of a rank.
func (x *search) moves(s *state, r op.Rank) []move {
	var out []move
	for i := range s.parts[r] {
		l := &s.parts[r][i]
		if l.matched || l.p.gone || l.p.peer != op.AnySource || l.p.kind != op.Recv && l.p.kind != op.Probe {
			continue
		}
		for _, from := range x.senders(s, r, l.p, i) {
			out = append(out, move{rank: r, must: true, match: i, from: from})
		}
	}
	n := s.at[r]
	c := n.call
	if c == nil || c.final || !s.entered[r] {
		return out
	}
	switch {
	case c.probe:
		p := &c.posts[0]
		sources := []op.Rank{p.peer}
		if p.peer == op.AnySource {
			sources = x.senders(s, r, p, len(s.parts[r]))
		} else if x.first(s, r, p, p.peer, len(s.parts[r])) == nil {
			sources = nil
		}
		for _, from := range sources {
			out = append(out, move{rank: r, must: true, match: -1, from: from, report: []int{}})
		}
	case c.choice && (c.any || c.several()):
		out = append(out, x.reports(s, r)...)
	default:
		is, early := x.overAll(s, r)
		if early && (!is || c.choice) {
			out = append(out, move{rank: r, must: is, match: -1, report: []int{}, early: !is})
		}
	}
	if c.poll && n.next[nothing] != n {
		out = append(out, move{rank: r, must: !n.turns, match: -1, quiet: true})
	}
	return out
}

// getsOn says whether a rank that polls in turns would find something in one of them.
func (x *search) getsOn(s *state, r op.Rank) bool {
	n := s.at[r]
	if n.call == nil || !n.turns {
		return false
	}
	t := &state{at: slices.Clone(s.at), entered: slices.Clone(s.entered), parts: s.parts, joined: s.joined}
	t.entered[r] = true
	for m := n.next[nothing]; m != n; m = m.next[nothing] {
		if m.call == nil || !m.call.poll || m.next[nothing] == nil {
			return true
		}
		t.at[r] = m
		if slices.ContainsFunc(x.moves(t, r), func(v move) bool { return v.must && !v.quiet }) {
			return true
		}
	}
	return false
}

// senders are those whose message a receive or probe from any source may meet.
func (x *search) senders(s *state, r op.Rank, p *part, i int) []op.Rank {
	var out []op.Rank
	c := x.p.comms[p.comm]
	if c == nil {
		return nil
	}
	for _, from := range c.Peers(r) {
		if x.first(s, r, p, from, i) != nil {
			out = append(out, from)
		}
	}
	return out
}

// overAll says whether all that the call of a rank waits for must be over; early says that MPI may also have it over.
func (x *search) overAll(s *state, r op.Rank) (is, early bool) {
	is, early = true, true
	for _, w := range s.at[r].call.waits {
		a, b := x.over(s, r, w.part)
		is, early = is && a, early && b
	}
	return is, early
}

// maxSeveral bounds the requests whose combinations are tried in a call that reports any number of them.
const maxSeveral = 4

// reports are the choices of a call that reports one or some of its requests.
func (x *search) reports(s *state, r op.Rank) []move {
	c := s.at[r].call
	var now []int
	sure := make(map[int]bool)
	for i, w := range c.waits {
		is, early := x.over(s, r, w.part)
		if early {
			now = append(now, i)
			sure[i] = is
		}
	}
	var out []move
	add := func(which []int) {
		must := !slices.ContainsFunc(which, func(i int) bool { return !sure[i] })
		out = append(out, move{rank: r, must: must, match: -1, report: which, early: !must})
	}
	switch {
	case !c.several():
		for _, i := range now {
			add([]int{i})
		}
	case len(now) <= maxSeveral:
		for bits := 1; bits < 1<<len(now); bits++ {
			var which []int
			for k, i := range now {
				if bits>>k&1 == 1 {
					which = append(which, i)
				}
			}
			add(which)
		}
	default:
		x.p.past.partial = true
		for _, i := range now {
			add([]int{i})
		}
		add(now)
	}
	return out
}

// do makes a move, and notes what a plan has to force for it. An edge is returned if no run has shown what comes of it.
func (x *search) do(s *state, m move, before *step) (*step, *edge) {
	n := s.at[m.rank]
	if m.match >= 0 {
		l := &s.parts[m.rank][m.match]
		took := x.first(s, m.rank, l.p, m.from, m.match)
		after := &step{prev: before, rank: m.rank, decision: x.decision(m.rank, l.p, l.p.nth, m.from)}
		x.join(s, m.rank, l, m.from, took)
		return after, nil
	}
	after := &step{prev: before, rank: m.rank}
	if n.call.choice {
		after.outcome = &plan.Outcome{Rank: m.rank, Nth: n.nth + s.again[m.rank], Nothing: m.quiet}
	}
	if m.quiet {
		if n.turns {
			s.again[m.rank] += n.again()
		}
		return after, x.leave(s, m.rank, nothing)
	}
	if n.call.probe {
		return after, x.found(s, m, after)
	}
	for _, i := range m.report {
		after.outcome.Done = append(after.outcome.Done, n.call.waits[i].at)
	}
	x.buffered(s, m, after)
	var which []int
	if n.call.any || n.call.several() {
		which = m.report
	}
	return after, x.leave(s, m.rank, x.labelAll(s, m.rank, which), which...)
}

// found lets a poll find the message of a source.
func (x *search) found(s *state, m move, after *step) *edge {
	n := s.at[m.rank]
	p := &n.call.posts[0]
	took := x.first(s, m.rank, p, m.from, len(s.parts[m.rank]))
	if p.peer == op.AnySource {
		after.decision = x.decision(m.rank, p, n.wilds, m.from)
	}
	l := live{n: n.parts, p: p, node: n.id}
	x.join(s, m.rank, &l, m.from, took)
	s.parts[m.rank] = append(s.parts[m.rank], l)
	return x.leave(s, m.rank, x.labelAll(s, m.rank, nil))
}

// buffered notes the sends that a call does not wait for although nobody has received them.
func (x *search) buffered(s *state, m move, after *step) *step {
	if !m.early {
		return after
	}
	c := s.at[m.rank].call
	for i, w := range c.waits {
		if c.any && !slices.Contains(m.report, i) {
			continue
		}
		if l := s.find(m.rank, w.part); l != nil && l.p.kind == op.Send && !l.matched {
			after.sends = append(after.sends, plan.Send{Rank: m.rank, Nth: l.p.nth, Buffered: true})
		}
	}
	return after
}

func (x *search) decision(r op.Rank, p *part, nth uint32, from op.Rank) *plan.Decision {
	i := slices.Index(x.p.comms[p.comm].Peers(r), from)
	return &plan.Decision{Rank: r, Nth: nth, Source: int32(i), Tag: -1}
}

package branching

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Accepts says whether a recorded run is the beginning of some behaviour of the program: the calls of each rank, whom
// its receives are said to have met, and what its calls reported. The sites of the log are lines of C, and its
// communicators are named as unknot names them.
func (p *Program) Accepts(l *trace.Log, limit int) error {
	x, exact := p.follow(l, limit)
	best, far := "", -1
	for _, n := range x.nodes {
		if x.whole(n.state) {
			return nil
		}
		sum := 0
		for r := range n.state.ranks {
			sum += int(n.state.ranks[r].count.ops)
		}
		if sum > far {
			far, best = sum, x.guide.position(n.state)
		}
	}
	if !exact {
		return fmt.Errorf("not decided within %d states", limit)
	}
	return fmt.Errorf("no behaviour is like this; one comes as far as %s", best)
}

// follow goes through the behaviours that look like a log, as far as that goes.
func (p *Program) follow(l *trace.Log, limit int) (x *exploration, exact bool) {
	g := &guide{log: l, ranks: make([]*trace.Thread, len(p.Ranks)), texts: make([][]string, len(p.Ranks))}
	for r := range p.Ranks {
		if g.ranks[r] = l.Thread(op.Rank(r), 0); g.ranks[r] == nil {
			g.ranks[r] = &trace.Thread{}
		}
		g.texts[r] = threadTexts(l, g.ranks[r])
	}
	x = newExploration(&machine{code: compile(p), guide: g}, limit)
	return x, x.run()
}

// shows says whether some behaviour looks like a log to its end: all ranks end, or it hangs there.
func (p *Program) shows(l *trace.Log, finished bool, limit int) bool {
	x, _ := p.follow(l, limit)
	if finished {
		return slices.ContainsFunc(x.nodes, func(n *node) bool { return n.done && x.whole(n.state) })
	}
	return slices.ContainsFunc(x.stuck(true), func(group []int) bool {
		return x.whole(x.nodes[group[0]].state) && !slices.ContainsFunc(group,
			func(n int) bool { return x.nodes[n].strays })
	})
}

// guide is a log that a run shall follow.
type guide struct {
	log   *trace.Log
	ranks []*trace.Thread
	texts [][]string
}

func (g *guide) called(r int, nth uint32, text string) bool {
	return int(nth) < len(g.texts[r]) && g.texts[r][nth] == text
}

// reported holds what a call that may report some of its requests has reported.
func (g *guide) reported(r int, nth uint32, done map[uint32]bool) bool {
	t := g.ranks[r]
	if int(nth) >= len(t.Ops) {
		return false // the log ends before
	}
	o := &t.Ops[nth]
	if !o.Any || !o.Returned {
		return o.Returned
	}
	return !slices.ContainsFunc(t.WaitsOf(o), func(w trace.Wait) bool { return w.Done != done[w.Part] })
}

func (g *guide) met(r int, part uint32, got content) bool {
	if int(part) >= len(g.ranks[r].Parts) {
		return false
	}
	p := &g.ranks[r].Parts[part]
	return !p.Gone && (p.Matched < 0 || p.Matched == op.Rank(got.from)) &&
		(p.MatchedTag < 0 || p.MatchedTag == int32(got.tag))
}

func (g *guide) gone(r int, part uint32) bool {
	return int(part) < len(g.ranks[r].Parts) && g.ranks[r].Parts[part].Gone
}

// whole says whether a state is as far as the log.
func (m *machine) whole(s *state) bool {
	for r := range s.ranks {
		k := &s.ranks[r]
		ops := m.guide.ranks[r].Ops
		if int(k.count.ops) != len(ops) {
			return false
		}
		within := k.inside && !k.over && !m.at(s, r).call.Kind.polls()
		if within && ops[len(ops)-1].Returned {
			return false
		}
	}
	return true
}

func (g *guide) position(s *state) string {
	text := ""
	for r := range s.ranks {
		n := int(s.ranks[r].count.ops)
		next := "the end"
		if n < len(g.texts[r]) {
			next = g.texts[r][n]
		}
		text += fmt.Sprintf("\nrank %d: %d of %d calls; next: %s", r, n, len(g.texts[r]), next)
	}
	return text
}

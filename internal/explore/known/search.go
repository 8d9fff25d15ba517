package known

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// keeping says whether MPI buffers a message.
type keeping uint8

const (
	never keeping = iota
	maybe
	always
)

// Options bound a search.
type Options struct {
	Buffered func(bytes int64) (may, must bool) // which standard sends MPI keeps; nil for any or none
	States   int                                // 0 for a million
	Goals    int                                // 0 for 64
	Failed   map[string]bool                    // goals that no run could be brought to, by name
}

// asideStates bounds what is gone through beside goals that were found more quickly.
const asideStates = 20_000

// Goal is where the runs that were made do not lead, and MPI may.
type Goal struct {
	Name string // the same in all searches
	Plan plan.Plan
	Rank op.Rank
	what *edge
}

// Stuck is a deadlock that follows from what is known.
type Stuck struct {
	Name  string // the calls in which ranks are stuck
	Ranks []int
	Plan  plan.Plan
	Tight bool // only if a collective waits for more than it must
}

// Result is the result of a search.
type Result struct {
	Goals     []Goal
	Deadlocks []Stuck
	States    int
	Why       string // why not everything was gone through; "" if it was, up to the goals
	More      bool   // there are further goals
	Failed    int    // edges that no run could be brought to
}

// edge is what no run has shown: what comes after a call gave something, or the call itself.
type edge struct {
	from   *node
	label  string
	uncall bool // what is called is not known
}

func (e *edge) name() string {
	if e.uncall {
		return fmt.Sprint(e.from.id)
	}
	return fmt.Sprintf("%d>%s", e.from.id, e.label)
}

// Known says whether a run has shown a goal since.
func (g *Goal) Known() bool {
	if g.what.uncall {
		return g.what.from.call != nil
	}
	return g.what.from.next[g.what.label] != nil
}

// step is a choice on the way to a state.
type step struct {
	prev     *step
	rank     op.Rank
	decision *plan.Decision
	outcome  *plan.Outcome
	sends    []plan.Send
}

type search struct {
	ctx   context.Context
	p     *Program
	o     Options
	seen  map[digest]bool
	goals map[string]bool
	out   *Result
	eager bool // no send waits to be received, and no member of a collective for others, if it need not
}

// digest stands for a state.
type digest [16]byte

// past is what earlier searches have gone through for good: states after which there are no goals, and what was found
// there.
type past struct {
	closed  map[digest]bool
	stuck   map[string]Stuck
	failed  map[string]bool
	partial bool
}

// Search goes through every run that follows from what is known.
func (p *Program) Search(ctx context.Context, o Options) *Result {
	if o.States == 0 {
		o.States = 1_000_000
	}
	if o.Goals == 0 {
		o.Goals = 64
	}
	x := &search{ctx: ctx, p: p, o: o, seen: make(map[digest]bool), goals: make(map[string]bool),
		out: &Result{}, eager: true}
	// Who does not wait takes nothing from anybody, so that nearly all choices are there, by far fewer ways. Those in
	// which some wait are gone through whole only when nothing else is left, and before that as far as it is quick.
	x.from(p.start(), nil)
	if x.out.Why == "" {
		x.eager = false
		aside := len(x.goals) > 0
		if aside {
			x.o.States = min(x.o.States, len(p.past.closed)+len(x.seen)+asideStates)
		}
		x.from(p.start(), nil)
		if aside && x.out.Why != "" {
			x.out.Why, x.out.More = "", true
		}
	}
	x.out.States = len(p.past.closed) + len(x.seen)
	for _, name := range slices.Sorted(maps.Keys(p.past.stuck)) {
		x.out.Deadlocks = append(x.out.Deadlocks, p.past.stuck[name])
	}
	x.out.Failed = len(p.past.failed)
	if x.out.Why == "" && p.past.partial {
		x.out.Why = fmt.Sprintf("a call may report more than %d requests at once, and not every combination was tried",
			maxSeveral)
	}
	return x.out
}

func (x *search) buffers(p *part) keeping {
	if x.o.Buffered == nil {
		return maybe
	}
	switch may, must := x.o.Buffered(p.bytes); {
	case must:
		return always
	case may:
		return maybe
	}
	return never
}

// from continues from a state, which it uses up. It says whether nothing is left to do there.
func (x *search) from(s *state, path *step) (closed bool) {
	if x.out.Why != "" {
		return false
	}
	path, e := x.settle(s, path)
	if e != nil {
		return x.goal(e, path)
	}
	sum := sha256.Sum256(append(s.key(), map[bool]byte{true: 'e', false: 'w'}[x.eager]))
	key := digest(sum[:16])
	if x.p.past.closed[key] {
		return true
	}
	if x.seen[key] {
		return false
	}
	x.seen[key] = true
	switch {
	case len(x.p.past.closed)+len(x.seen) >= x.o.States:
		x.out.Why = fmt.Sprintf("there are more than %d states", x.o.States)
		return false
	case len(x.seen)%64 == 0 && x.ctx.Err() != nil:
		x.out.Why = "the time limit was reached"
		return false
	}
	if x.try(s, path) {
		x.p.past.closed[key] = true
		delete(x.seen, key)
		return true
	}
	return false
}

// try continues from a state in which nothing must happen at once.
func (x *search) try(s *state, path *step) (closed bool) {
	all := make([][]move, len(s.at))
	moving := make([]bool, len(s.at))
	must, left := false, false
	for r := range s.at {
		all[r] = x.moves(s, op.Rank(r))
		moving[r] = len(all[r]) > 0
		must = must || slices.ContainsFunc(all[r], func(m move) bool { return m.must }) || x.getsOn(s, op.Rank(r))
		left = left || !s.finished(r)
	}
	if left && !must {
		x.deadlock(s, path)
	}
	for r := range all {
		// A rank that need not move may also stay forever, while others go on.
		if slices.ContainsFunc(all[r], func(m move) bool { return m.must }) && x.alone(s, op.Rank(r), moving) {
			all = all[r : r+1]
			break
		}
	}
	closed = true
	for _, list := range all {
		for _, m := range list {
			if x.eager && len(x.out.Goals) >= x.o.Goals {
				x.out.More = true
				return false
			}
			c := s.clone()
			if after, e := x.do(c, m, path); e != nil {
				closed = x.goal(e, after) && closed
			} else {
				closed = x.from(c, after) && closed
			}
		}
	}
	return closed
}

// goal notes an edge that no run has shown. It says whether none ever will.
func (x *search) goal(e *edge, path *step) (closed bool) {
	name := e.name()
	if x.o.Failed[name] {
		x.p.past.failed[name] = true
		return true
	}
	switch {
	case x.goals[name]:
	case len(x.out.Goals) >= x.o.Goals:
		x.out.More = true
	default:
		x.goals[name] = true
		x.out.Goals = append(x.out.Goals, Goal{Name: name, Plan: x.plan(path), Rank: e.from.rank, what: e})
	}
	return false
}

// plan forces all the choices on a way.
func (x *search) plan(path *step) plan.Plan {
	p := plan.Plan{Ranks: len(x.p.ranks)}
	for ; path != nil; path = path.prev {
		if path.decision != nil {
			p.Decisions = append(p.Decisions, *path.decision)
		}
		if path.outcome != nil {
			p.Outcomes = append(p.Outcomes, *path.outcome)
		}
		p.Sends = append(p.Sends, path.sends...)
	}
	p.Sort()
	return p
}

// deadlock notes a state in which nothing must happen any more.
func (x *search) deadlock(s *state, path *step) {
	var where []string
	d := Stuck{}
	tight := false
	end := &step{prev: path}
	for r := range s.at {
		if s.finished(r) {
			continue
		}
		c := s.at[r].call
		d.Ranks = append(d.Ranks, r)
		where = append(where, fmt.Sprintf("%d %s %s", r, c.fn.Name, c.site))
		for _, w := range c.waits {
			l := s.find(op.Rank(r), w.part)
			if l == nil {
				continue
			}
			is, early := x.over(s, op.Rank(r), w.part)
			switch {
			case l.p.kind == op.Coll && early && !is:
				tight = true
			case l.p.kind == op.Send && l.p.mode == op.Standard && !l.matched:
				end.sends = append(end.sends, plan.Send{Rank: op.Rank(r), Nth: l.p.nth})
			}
		}
	}
	d.Name, d.Tight = strings.Join(where, "; "), tight
	if _, known := x.p.past.stuck[d.Name]; known {
		return
	}
	d.Plan = x.plan(end)
	x.p.past.stuck[d.Name] = d
}

// Contrary says how a rank made another call after it had been given the same; "" if none did. What a search of such a
// program finds is not all.
func (p *Program) Contrary() string { return p.contrary }

// Unmodelled are the choices and results that are not followed, in words.
func (p *Program) Unmodelled() []string {
	var out []string
	for what := range p.unmodelled {
		out = append(out, what)
	}
	slices.Sort(out)
	return out
}

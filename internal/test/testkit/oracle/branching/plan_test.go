//go:build !quick

package branching

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// planOf is a plan that makes another run do what a recorded one did, as far as MPI chooses whom receives meet and what
// calls report.
func planOf(l *trace.Log) plan.Plan {
	p := plan.Plan{Ranks: len(l.Threads)}
	for i := range l.Threads {
		t := &l.Threads[i]
		for _, x := range t.Parts {
			if x.Wild && x.Matched >= 0 {
				source := slices.Index(l.Comms[x.Comm].Members, x.Matched)
				p.Decisions = append(p.Decisions, plan.Decision{Rank: t.Rank, Nth: x.Nth, Source: int32(source),
					Tag: x.MatchedTag})
			}
		}
		for _, x := range t.Polls {
			for n := range x.Count {
				p.Outcomes = append(p.Outcomes, plan.Outcome{Rank: t.Rank, Nth: x.Nth + n, Nothing: true})
			}
		}
		for k := range t.Ops {
			o := &t.Ops[k]
			if !o.Choice || !o.Returned || o.Waiting == 0 {
				continue
			}
			x := plan.Outcome{Rank: t.Rank, Nth: o.Nth}
			for _, w := range t.WaitsOf(o) {
				if o.Any && w.Done {
					x.Done = append(x.Done, w.At)
				}
			}
			p.Outcomes = append(p.Outcomes, x)
		}
	}
	slices.SortFunc(p.Decisions, func(a, b plan.Decision) int {
		return int(a.Rank-b.Rank)<<20 + int(a.Nth) - int(b.Nth)
	})
	slices.SortFunc(p.Outcomes, func(a, b plan.Outcome) int { return int(a.Rank-b.Rank)<<20 + int(a.Nth) - int(b.Nth) })
	return p
}

// TestARunUnderThePlanOfAnotherDoesTheSame makes a plan of all that MPI chose in a run. A run under it makes the same
// calls and meets the same messages as far as it comes, which differs with what is buffered and which collectives wait.
func TestARunUnderThePlanOfAnotherDoesTheSame(t *testing.T) {
	ForEach(t, 25, func(p *Program, seed uint64) error {
		if p.Cancels {
			return nil
		}
		for n := range uint64(10) {
			log, end := p.Run(plan.Plan{}, rand.New(rand.NewPCG(seed, 2*n)))
			pl := planOf(log)
			if err := pl.Check(); err != nil {
				return err
			}
			again, other := p.Run(pl, rand.New(rand.NewPCG(seed, 2*n+1)))
			for r := range log.Threads {
				if err := alike(log, again, r); err != nil {
					return fmt.Errorf("run %d (%s) and again (%s): rank %d: %w", n, end, other, r, err)
				}
			}
			if end.Finished && other.Left {
				return fmt.Errorf("run %d: %s", n, other)
			}
		}
		return nil
	})
}

func alike(a, b *trace.Log, r int) error {
	x, y := &a.Threads[r], &b.Threads[r]
	was, is := threadTexts(a, x), threadTexts(b, y)
	for k := range min(len(was), len(is)) {
		if was[k] != is[k] {
			return fmt.Errorf("call %d was %s, is %s", k, was[k], is[k])
		}
		for i := range x.Posts(&x.Ops[k]) {
			p, q := x.Posts(&x.Ops[k])[i], y.Posts(&y.Ops[k])[i]
			if p.Matched != q.Matched && p.Matched >= 0 && q.Matched >= 0 {
				return fmt.Errorf("call %d (%s) met %d, then %d", k, was[k], p.Matched, q.Matched)
			}
		}
	}
	for k := range min(len(x.Polls), len(y.Polls)) {
		if p, q := x.Polls[k], y.Polls[k]; p.Nth != q.Nth || p.Before != q.Before || p.Count != q.Count &&
			k < min(len(x.Polls), len(y.Polls))-1 {
			return fmt.Errorf("polls %d are %+v, then %+v", k, p, q)
		}
	}
	return nil
}

// TestRunsUnderAnyPlanAreBehavioursUnlessTheyLeaveIt has runs obey plans that were made at random.
func TestRunsUnderAnyPlanAreBehavioursUnlessTheyLeaveIt(t *testing.T) {
	ForEach(t, 25, func(p *Program, seed uint64) error {
		b := p.All(states)
		if b.Wrong != "" || !b.AllFlows {
			return fmt.Errorf("wrong %q, all flows %v", b.Wrong, b.AllFlows)
		}
		for n := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, n))
			pl := randomPlan(len(p.Ranks), rng)
			log, end := p.Run(pl, rng)
			switch {
			case end.Left:
				continue
			case end.Wrong != "":
				return fmt.Errorf("run %d: %s", n, end)
			case !b.Flows[FlowOf(log)]:
				return fmt.Errorf("run %d (%s) under %+v has a flow that is not known:\n%s", n, end, pl, FlowOf(log))
			case !end.Finished && b.Deadlocks[end.Stuck.String()].Stuck == nil:
				return fmt.Errorf("run %d under %+v: %s is not known", n, pl, end)
			}
			if err := obeyed(pl, log); err != nil {
				return fmt.Errorf("run %d (%s): %w", n, end, err)
			}
		}
		return nil
	})
}

func randomPlan(ranks int, rng *rand.Rand) plan.Plan {
	p := plan.Plan{Ranks: ranks, Synchronous: rng.IntN(6) == 0}
	for r := range ranks {
		for n := range uint32(4) {
			at := op.Rank(r)
			if rng.IntN(3) == 0 {
				p.Decisions = append(p.Decisions, plan.Decision{Rank: at, Nth: n, Source: int32(rng.IntN(ranks)),
					Tag: -1})
			}
			if rng.IntN(3) == 0 {
				p.Sends = append(p.Sends, plan.Send{Rank: at, Nth: n, Buffered: rng.IntN(2) == 0})
			}
			if rng.IntN(3) == 0 {
				p.Outcomes = append(p.Outcomes, plan.Outcome{Rank: at, Nth: n, Nothing: rng.IntN(2) == 0})
			}
		}
	}
	return p
}

// obeyed says where a run has met another rank than the plan wants.
func obeyed(p plan.Plan, l *trace.Log) error {
	for _, d := range p.Decisions {
		for _, x := range l.Threads[d.Rank].Parts {
			members := l.Comms[x.Comm].Members
			if x.Wild && x.Nth == d.Nth && x.Matched >= 0 && int(d.Source) < len(members) &&
				members[d.Source] != x.Matched {
				return fmt.Errorf("receive %d of rank %d met %d, the plan wants %d", d.Nth, d.Rank, x.Matched,
					members[d.Source])
			}
		}
	}
	return nil
}

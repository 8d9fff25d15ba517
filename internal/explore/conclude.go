package explore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"unknot/internal/explore/known"
	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/vocab/finding"
)

// conclude is the result of the exploration so far: the findings, what is claimed, and what that rests on.
func (x *explorer) conclude(ctx context.Context) *finding.Run {
	f := x.label()
	for _, r := range x.state.done {
		f.Calls += r.Calls
	}
	for _, g := range x.state.found {
		if g.Rejected == "" {
			f.Findings = append(f.Findings, g.Finding)
		}
	}
	f.Findings = append(f.Findings, x.state.decisive...)
	f.Coverage = x.coverage(ctx)
	f.Claim, f.Verdict = x.verdict(f)
	f.Notes = append(f.Notes, unobserved.Covered(f.Coverage))
	if x.ahead.peak > 1 {
		f.Notes = append(f.Notes, unobserved.AtOnce(x.ahead.peak, x.unneeded, x.o.Beside.Steps, x.o.Beside.Tight))
	}
	if o := f.Coverage.Orders; o != nil && f.Claim != finding.Free {
		f.Notes = append(f.Notes, unobserved.Tried(o))
	}
	for _, g := range x.state.found {
		if g.Rejected != "" {
			f.Notes = append(f.Notes, unobserved.Rejected(g.Rejected))
			break
		}
	}
	if exits := x.exits(); exits != "" {
		f.Notes = append(f.Notes, exits)
	}
	if x.stopped != "" {
		f.Complete = false
		f.Why = unobserved.Continue(x.stopped)
	}
	return f
}

// lastSearch bounds how long it takes to say what was not tried, when the budget is spent.
const lastSearch = 2 * time.Second

// coverage counts what was done, and what was not.
func (x *explorer) coverage(ctx context.Context) *finding.Coverage {
	c := &finding.Coverage{Runs: len(x.state.done) - x.state.clockRuns(), Clocks: x.state.clockRuns(), Waiting: len(x.state.queue),
		Shown: x.state.shown, Pruned: x.state.pruned.Alone}
	flows := make(map[uint64]bool)
	for _, r := range x.state.done {
		if r.Calls > 0 {
			flows[r.Flow] = true
		}
		switch r.fate() {
		case diverged:
			c.Diverged++
		case infeasible:
			c.Infeasible++
		case killed:
			c.Killed++
		case died:
			c.Crashed++
		}
	}
	c.Flows, c.Orders = len(flows), x.learned.orders.seen()
	for _, g := range x.state.found {
		switch {
		case g.Finding.Standing == finding.Confirmed:
			c.Confirmed++
		case g.Rejected != "":
			c.Refuted++
		case g.Open != "":
			c.Open++
		}
	}
	if p := x.learned.program; p != nil && x.o.searches() && !x.state.proven() {
		if x.stopped != "" { // there may be much to go through, and nobody wants to wait for it any more
			var end context.CancelFunc
			ctx, end = context.WithTimeout(ctx, lastSearch)
			defer end()
		}
		r := x.learned.search(ctx, x.o.keeps())
		c.Untried, c.Unforced, c.More = len(r.Goals), r.Failed+len(x.learned.missed), r.More
		c.Uncontrolled = p.Unmodelled()
	}
	return c
}

// verdict is what is claimed, and a line that says it (docs/explore.md, "What is claimed").
func (x *explorer) verdict(f *finding.Run) (finding.Claim, string) {
	c := f.Coverage
	stuck, made, wrong, open := 0, 0, 0, 0
	for i := range f.Findings {
		switch g := &f.Findings[i]; {
		case g.Standing == finding.Predicted && standstill(g.Code):
			open++
		case g.Severity == finding.Error && standstill(g.Code):
			stuck++
			if g.Standing == finding.Confirmed {
				made++
			}
		case g.Severity == finding.Error:
			wrong++
		}
	}
	switch {
	case stuck > 0:
		return finding.Broken, unobserved.NotFree(made, stuck-made)
	case len(x.state.done) == 0:
		return finding.NotDecided, unobserved.NotDecided(unobserved.NoRun)
	case x.first == nil:
		return finding.NotDecided, unobserved.NotDecided(unobserved.NoRecord)
	case x.first.Crashed:
		return finding.NotDecided, unobserved.NotDecided(unobserved.Crashed)
	case x.first.TimedOut:
		return finding.NotDecided, unobserved.NotDecided(unobserved.CutShort)
	case wrong > 0:
		return finding.Broken, unobserved.NotFreeOfErrors(wrong)
	}
	if gaps := x.unproven(c, open); len(gaps) > 0 {
		return finding.FreeAsTried, unobserved.AsFarAsTried(c.Runs, x.state.judged(), len(x.state.flows), gaps)
	}
	clocks := -1
	if x.state.wantsClocks() {
		clocks = x.state.clockRuns()
	}
	return finding.Free, unobserved.Free(c.Flows, c.Runs, clocks)
}

// unproven says what stands between what was tried and a proof.
func (x *explorer) unproven(c *finding.Coverage, open int) []string {
	gaps := unobserved.Gaps{Known: x.beside()}
	if n := x.state.chances(); n > 0 {
		gaps.Known = append(gaps.Known, unobserved.DiedOnce(n))
	}
	if x.state.proven() {
		return gaps.Known
	}
	if !x.o.searches() {
		return []string{unobserved.MatchesOnly(string(x.o.Strategy))}
	}
	gaps.Untried, gaps.More, gaps.Enough, gaps.Stopped = c.Untried, c.More, x.learned.enough, x.stopped
	gaps.Unforced, gaps.Open, gaps.Uncontrolled = c.Unforced, open, c.Uncontrolled
	if p := x.learned.program; p != nil {
		gaps.Contrary = p.Contrary()
		if r := x.learned.last; r != nil {
			if c.Untried == 0 {
				gaps.Unexplored = r.Why
			}
			gaps.Tight = slices.ContainsFunc(r.Deadlocks, func(d known.Stuck) bool { return d.Tight })
		}
	}
	return gaps.List()
}

// judged counts the control flows for which the predictor looked at all matches.
func (s *state) judged() (n int) {
	for _, s := range s.flows {
		if s.Verdict == exact.Free.String() {
			n++
		}
	}
	return n
}

// exits tells of runs that ended in another way than the first, without a finding.
func (x *explorer) exits() string {
	if x.first == nil {
		return ""
	}
	count := make(map[int]int)
	for _, r := range x.state.done {
		if r.Clocks == 0 && r.Exit != x.first.Exit && r.Left == "" && r.Exit >= 0 && r.Exit != 66 &&
			x.first.Exit != 66 {
			count[r.Exit]++
		}
	}
	if len(count) == 0 {
		return ""
	}
	type pair struct{ exit, n int }
	var list []pair
	for e, n := range count {
		list = append(list, pair{e, n})
	}
	slices.SortFunc(list, func(a, b pair) int { return cmp.Compare(a.exit, b.exit) })
	return unobserved.OtherStatus(list[0].exit, list[0].n, x.first.Exit)
}

package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"unknot/internal/explore/known"
	"unknot/internal/predict/exact"
	"unknot/internal/vocab/finding"
)

// conclude is the result of the exploration so far: the findings, what is claimed, and what that rests on.
func (x *explorer) conclude(ctx context.Context) *finding.Run {
	f := &finding.Run{Schema: finding.Schema, Unknot: x.o.Version, Command: x.o.Argv, Complete: true,
		Start:   x.start.Format(time.RFC3339),
		Seconds: time.Since(x.start).Seconds(), Findings: []finding.Finding{}}
	if x.first != nil {
		f.Ranks, f.MPI, f.Exit = x.first.Ranks, x.first.MPI, x.first.Exit
	}
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
	f.Notes = append(f.Notes, x.state.words(f.Coverage))
	if x.ahead.peak > 1 {
		f.Notes = append(f.Notes, x.atOnce())
	}
	if o := f.Coverage.Orders; o != nil && f.Claim != finding.Free {
		f.Notes = append(f.Notes, tried(o))
	}
	for _, g := range x.state.found {
		if g.Rejected != "" {
			f.Notes = append(f.Notes, "why a predicted deadlock did not happen: "+g.Rejected)
			break
		}
	}
	if exits := x.exits(); exits != "" {
		f.Notes = append(f.Notes, exits)
	}
	if x.stopped != "" {
		f.Complete = false
		f.Why = x.stopped + "; hint: continue with --resume"
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
	c.Flows, c.Orders = len(flows), x.learned.orders.told()
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
		return finding.Broken, "not free: " + strings.Join(happened(made, stuck-made), ", ")
	case len(x.state.done) == 0:
		return finding.NotDecided, "not decided: no run was made"
	case x.first == nil:
		return finding.NotDecided, "not decided: the first run recorded nothing to explore"
	case x.first.Crashed:
		return finding.NotDecided, "not decided: a rank died in the first run, and its further calls are unknown"
	case x.first.TimedOut:
		return finding.NotDecided, "not decided: the first run was cut short"
	case wrong > 0:
		return finding.Broken, "not free of errors: " + finding.Count(wrong, "run that MPI allows has an error",
			"errors were found") + ", as reported below"
	}
	if why := x.unproven(c, open); why != "" {
		return finding.FreeAsTried, "free as far as tried: no deadlock in " + finding.Count(c.Runs, "run", "runs") +
			x.state.judged() + "; " + why
	}
	return finding.Free, fmt.Sprintf("free: no run that MPI allows deadlocks, whatever it matches, buffers and "+
		"completes first (%s, %s)%s",
		finding.Count(c.Flows, "control flow", "control flows"), finding.Count(c.Runs, "run", "runs"), x.repeated())
}

// happened says how many deadlocks there were in forced runs, and in the first one.
func happened(made, itself int) []string {
	var parts []string
	if itself > 0 {
		parts = append(parts, finding.Count(itself, "deadlock", "deadlocks")+" happened without being forced")
	}
	if made > 0 {
		parts = append(parts, finding.Count(made, "deadlock was", "deadlocks were")+" made to happen")
	}
	return parts
}

// unproven says what stands between what was tried and a proof; "" if nothing does.
func (x *explorer) unproven(c *finding.Coverage, open int) string {
	why := x.beside()
	if n := x.state.chances(); n > 0 {
		why = append(why, "ranks died in "+finding.Count(n, "run", "runs")+" without doing so again")
	}
	if x.state.proven() {
		return strings.Join(why, "; ")
	}
	if !x.o.searches() {
		return fmt.Sprintf("--strategy=%s varies matches only", x.o.Strategy)
	}
	if c.Untried > 0 {
		text := finding.Count(c.Untried, "alternative was", "alternatives were") + " not run"
		if c.More {
			text = "at least " + text
		}
		if x.learned.enough != "" {
			text += ", as " + x.learned.enough + " (--exhaustive continues)"
		}
		why = append(why, text)
	}
	if x.stopped != "" {
		why = append(why, x.stopped)
	}
	if c.Unforced > 0 {
		why = append(why, fmt.Sprintf("%d could not be forced", c.Unforced))
	}
	if open > 0 {
		why = append(why, finding.Count(open, "prediction is", "predictions are")+" not decided")
	}
	if p := x.learned.program; p != nil {
		if text := p.Contrary(); text != "" && !slices.ContainsFunc(why,
			func(w string) bool { return strings.HasSuffix(w, text) }) {
			why = append(why, "a rank's calls do not depend on MPI alone: "+text)
		}
		if r := x.learned.last; r != nil && r.Why != "" && c.Untried == 0 {
			why = append(why, "not everything that follows from the runs was explored: "+r.Why)
		}
		if r := x.learned.last; r != nil && slices.ContainsFunc(r.Deadlocks, func(d known.Stuck) bool {
			return d.Tight
		}) {
			why = append(why, "ranks may get stuck where a collective waits for more ranks than it must, which "+
				"cannot be forced")
		}
	}
	if len(c.Uncontrolled) > 0 {
		why = append(why, "not controlled: "+strings.Join(c.Uncontrolled, ", "))
	}
	return strings.Join(why, "; ")
}

// judged says for how many control flows the predictor looked at all matches.
func (s *state) judged() string {
	n := 0
	for _, s := range s.flows {
		if s.Verdict == exact.Free.String() {
			n++
		}
	}
	switch all := len(s.flows); {
	case n == 0:
		return ""
	case n == all:
		return fmt.Sprintf(", and for all matches in the %s seen", finding.Count(n, "control flow", "control flows"))
	default:
		return fmt.Sprintf(", and for all matches in %d of the %s seen", n, finding.Count(all, "control flow",
			"control flows"))
	}
}

// words is the coverage as a line.
func (s *state) words(c *finding.Coverage) string {
	text := "coverage: " + finding.Count(c.Runs, "run", "runs")
	if c.Clocks > 0 {
		text += fmt.Sprintf(" and %d with other clocks", c.Clocks)
	}
	add := func(n int, format string) {
		if n > 0 {
			text += fmt.Sprintf(", "+format, n)
		}
	}
	add(c.Confirmed, "%d of which confirmed a finding")
	add(c.Refuted, "%d of which refuted a prediction")
	add(c.Diverged, "%d of which diverged from the plan")
	add(c.Infeasible, "%d of which stalled before the plan was done")
	add(c.Killed, "%d of which took too long")
	add(c.Crashed, "%d in which a rank died")
	text += "; " + finding.Count(c.Flows, "control flow", "control flows") + " seen"
	if p := s.pruned.Alone; p > 0 {
		text += fmt.Sprintf("; %s skipped, as no receive from a named source competes for the message",
			finding.Count(p, "match was", "matches were"))
	}
	return text
}

// atOnce says how many runs were made at a time, and how many of them one at a time would not have made.
func (x *explorer) atOnce() string {
	text := fmt.Sprintf("up to %d runs at a time", x.ahead.peak)
	switch {
	case x.o.Beside.Tight:
		text += ", as steps that share the CPUs of the allocation, which has too few for all of them"
	case x.o.Beside.Steps:
		text += ", as steps of the allocation"
	}
	if x.unneeded > 0 {
		text += "; " + finding.Count(x.unneeded, "more run was", "more runs were") +
			" begun, which others made unnecessary"
	}
	return text
}

// tried says in which orders messages came.
func tried(o *finding.Orders) string {
	text := fmt.Sprintf("tried: of the %d senders whose messages wildcard receives matched, ", o.Senders)
	if o.Senders == min(o.First, o.Last, o.Fastest, o.Slowest) {
		text += "each was first, last, fastest and slowest in some run"
	} else {
		text += fmt.Sprintf("%d were first, %d last, %d the fastest and %d the slowest in some run", o.First, o.Last,
			o.Fastest, o.Slowest)
	}
	return text + fmt.Sprintf("; %d of %s came in both orders", o.Swapped, finding.Count(o.Pairs, "pair", "pairs"))
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
	return fmt.Sprintf("the program's result depends on which messages its receives match: it exited with status %d "+
		"in %s, and with %d in the first", list[0].exit,
		finding.Count(list[0].n, "run", "runs"), x.first.Exit)
}

package explore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"unknot/internal/finding"
	"unknot/internal/predict"
	"unknot/internal/predict/exact"
	"unknot/internal/trace"
)

// visit takes in what a run gave, and adds the runs that follow from it.
func (x *explorer) visit(ctx context.Context, it *item, out *outcome) error {
	r := &result{ID: it.ID, Exit: out.exit, TimedOut: out.timedOut, Hung: hung(out)}
	before := x.state.pruned
	if out.run != nil {
		r.Ranks, r.MPI, r.Calls, r.Seconds = out.run.Ranks, out.run.MPI, out.run.Calls, out.run.Seconds
	}
	switch {
	case out.timedOut:
		r.Left = fmt.Sprintf("it did not end within %v", out.elapsed.Round(time.Second))
	case out.log == nil || out.run == nil:
		r.Left = "nothing was recorded of it"
	default:
		r.Left = x.left(it, out)
	}
	if it.Purpose == observe {
		if out.log == nil || len(out.log.Threads) == 0 {
			return x.fruitless(out)
		}
		x.first, x.observed = r, follow(out.log, x.synchronous())
		x.limit = limitAfter(out.elapsed)
	}
	if out.log != nil {
		r.Flow = flow(out.log)
	}
	if err := x.shown(it, out, r); err != nil {
		return err
	}
	if out.log != nil && (r.Left == "" || it.Purpose != alternative && !out.timedOut) {
		if err := x.follow(ctx, it, out, r); err != nil {
			return err
		}
	}
	if x.state.shown == 0 && r.Hung {
		if err := x.state.note(line{Shown: len(x.state.done) + 1}); err != nil {
			return err
		}
	}
	if p := x.state.pruned; p != before {
		if err := x.state.note(line{Pruned: &p}); err != nil {
			return err
		}
	}
	if err := x.state.note(line{Done: r}); err != nil {
		return err
	}
	x.tell()
	return nil
}

// fruitless says why nothing can come of a first run.
func (x *explorer) fruitless(out *outcome) error {
	why := "the program made no MPI call that was recorded"
	if out.run != nil && out.run.Why != "" {
		why = out.run.Why
	}
	return fmt.Errorf("nothing to explore: %s", why)
}

// left says how a run left its plan; empty if it kept to it.
func (x *explorer) left(it *item, out *outcome) string {
	for _, f := range out.run.Findings {
		if f.Code == finding.ReplayDiverged {
			return f.Sentence
		}
	}
	for _, d := range it.Forced {
		if said := kept(out.log, d); said != "" {
			return said
		}
	}
	return ""
}

// kept says what became of a decision that was not met as it was forced.
func kept(l *trace.Log, d decision) string {
	t, n := d.find(l)
	if t == nil {
		return fmt.Sprintf("rank %d did not come to its %s receive from any source", d.Rank, predict.Ordinal(int(d.Nth)+1))
	}
	p := &t.Parts[n]
	peers := l.Comms[p.Comm].Peers(t.Rank)
	if p.Met >= 0 && (int(d.Source) >= len(peers) || peers[d.Source] != p.Met) {
		return fmt.Sprintf("the %s receive from any source of rank %d met rank %d, which the plan did not name", predict.Ordinal(int(d.Nth)+1), d.Rank, p.Met)
	}
	return ""
}

// shown takes in what the run itself showed, and judges the prediction that it was to confirm.
func (x *explorer) shown(it *item, out *outcome, r *result) error {
	var hangs []finding.Finding
	if out.run != nil {
		for _, f := range out.run.Findings {
			if f.Code == finding.DeadlockUnsafe && x.o.Buffering == exact.BufferAll {
				continue // it supposes that MPI does not buffer
			}
			if f.Standing == finding.Manifest && f.Severity != finding.Info || it.Purpose == observe {
				hangs = append(hangs, f)
			}
		}
	}
	if it.Purpose == confirm {
		return x.judge(it, hangs, out, r)
	}
	for _, f := range hangs {
		if it.Purpose != observe {
			f.Standing = finding.Confirmed
			f.Story = x.forcedStory(it, out.log)
		}
		if err := x.keep(f); err != nil {
			return err
		}
	}
	return nil
}

// judge compares a replay with its prediction. What the replay shows stands whether it was predicted or not.
func (x *explorer) judge(it *item, hangs []finding.Finding, out *outcome, r *result) error {
	p := x.state.found[it.Finding]
	shown := false
	for _, f := range hangs {
		f.Standing = finding.Confirmed
		if shown || f.Code != finding.Deadlock || !overlap(f.Ranks, p.Finding.Ranks) {
			f.Story = x.forcedStory(it, out.log)
			if err := x.keep(f); err != nil {
				return err
			}
			continue
		}
		shown = true
		f.Story, f.Severity = p.Finding.Story, finding.Error // it supposes nothing any more
		p.Finding, p.Rejected = f, ""
	}
	if !shown {
		p.Rejected = r.Left
		if p.Rejected == "" {
			p.Rejected = "the replay kept to the plan and ended without a deadlock"
		}
		if out.log != nil {
			was, err := x.courseOf(it.Parent)
			if err != nil {
				return err
			}
			if parted := part(was.log, out.log); parted != nil {
				p.Rejected = parted.String()
			}
		}
	}
	return x.state.note(line{Found: &p})
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(r int) bool { return slices.Contains(b, r) })
}

// keep adds a finding, unless one of the same ranks, calls and lines is there.
func (x *explorer) keep(f finding.Finding) error {
	core := signature(&f)
	for _, g := range x.state.found {
		if g.Core == core && g.Finding.Standing != finding.Predicted {
			return nil
		}
		if g.Core == core && f.Standing != finding.Predicted {
			g.Finding, g.Rejected = f, ""
			return x.state.note(line{Found: &g})
		}
		if g.Core == core {
			return nil
		}
	}
	return x.state.note(line{Found: &found{N: len(x.state.found), Finding: f, Core: core}})
}

// signature tells findings apart by what is wrong where, not by the ranks or by how a run came to it.
func signature(f *finding.Finding) string {
	kind := f.Code
	if kind == finding.DeadlockUnsafe {
		kind = finding.Deadlock
	}
	return string(kind) + ": " + predict.Places(f)
}

// follow predicts from the calls of a run, if no other had the same, and adds the runs that they give rise to.
func (x *explorer) follow(ctx context.Context, it *item, out *outcome, r *result) error {
	if it.Purpose == observe || x.o.Strategy == Predictive && !hung(out) {
		if err := x.keepCourse(it, out.log); err != nil {
			return err
		}
	}
	if hung(out) && x.o.Strategy == Predictive {
		return nil // what the program would have called next is not known
	}
	c := x.observed
	if it.Purpose != observe {
		c = follow(out.log, x.synchronous())
	}
	if x.state.flows[r.Flow] == nil {
		if err := x.judgeFlow(ctx, it, c, r); err != nil {
			return err
		}
	}
	if x.o.Strategy == Predictive {
		return x.predictive(it, c, r)
	}
	return x.branch(it, c, nil)
}

func hung(out *outcome) bool {
	return out.run != nil && slices.ContainsFunc(out.run.Findings, func(f finding.Finding) bool {
		return f.Code == finding.Deadlock && f.Standing == finding.Manifest
	})
}

// judgeFlow lets the predictor decide a control flow, and adds the confirmations of what it finds.
func (x *explorer) judgeFlow(ctx context.Context, it *item, c *course, r *result) error {
	s := &flowState{Flow: r.Flow, Verdict: "not judged"}
	if x.o.Strategy != Predictive {
		return x.state.note(line{Flow: s})
	}
	p, err := exact.Predict(ctx, c.log, exact.Options{Buffering: x.o.Buffering, Limit: x.o.Limit})
	if err == nil {
		err = ctx.Err() // what is undecided for want of time is judged when the exploration is resumed
	}
	if err != nil {
		return err
	}
	s.Verdict = p.Verdict.String()
	if p.Verdict == exact.Deadlocks && p.Complete && !slices.ContainsFunc(p.Deadlocks, func(d exact.Deadlock) bool { return !d.Replies }) {
		s.Verdict = answering
	}
	if err := x.state.note(line{Flow: s}); err != nil {
		return err
	}
	for i := range p.Deadlocks {
		if err := x.foresee(it, c, r.Flow, &p.Deadlocks[i]); err != nil {
			return err
		}
	}
	return nil
}

// foresee adds a prediction, and the run that is to confirm it, unless the same is known.
func (x *explorer) foresee(it *item, c *course, flow uint64, d *exact.Deadlock) error {
	f := predict.Finding(c.log, d)
	core, n := signature(&f), len(x.state.found)
	for i, g := range x.state.found {
		switch {
		case g.Core != core:
		case g.Finding.Standing == finding.Predicted && g.Finding.Story == nil:
			n = i // the observed run has said so, but not how
		case g.Rejected != "" && g.Flow != it.ID: // of other calls: it may be right here
			continue
		default:
			return nil
		}
	}
	if d.Replies && x.answers() {
		return nil
	}
	if err := x.state.note(line{Found: &found{N: n, Finding: f, Core: core, Flow: it.ID, Replies: d.Replies}}); err != nil {
		return err
	}
	q := d.Plan(c.log)
	next := &item{Parent: it.ID, Purpose: confirm, Sends: q.Sends, Finding: n, Flow: flow}
	for _, e := range q.Decisions {
		next.Forced = append(next.Forced, decision{key{e.Rank, e.Thread, e.Nth}, e.Source})
	}
	return x.add(next)
}

// answers says whether the program is known to answer whom it has met, or whether a run is to show that.
func (x *explorer) answers() bool {
	return slices.ContainsFunc(x.state.found, func(g found) bool { return g.Replies && g.Finding.Standing == finding.Predicted })
}

// forcedStory tells how a run was made that showed something nobody had predicted.
func (x *explorer) forcedStory(it *item, l *trace.Log) *finding.Story {
	s := &finding.Story{Steps: []finding.Step{}, Forced: predict.Forced(it.plan(x.first.Ranks, x.synchronous()))}
	if l == nil {
		return s
	}
	for _, d := range it.Forced {
		if step, differs := x.stepOf(d, l); differs {
			s.Steps = append(s.Steps, step)
		}
	}
	return s
}

// stepOf tells a decision, if the observed run did not make the same.
func (x *explorer) stepOf(d decision, l *trace.Log) (finding.Step, bool) {
	t, n := d.find(l)
	if t == nil || t.Parts[n].Met < 0 {
		return finding.Step{}, false
	}
	met, was, then := t.Parts[n].Met, x.observed.metBy(d.key), ""
	switch {
	case was == met:
		return finding.Step{}, false
	case was >= 0:
		then = fmt.Sprintf(" (in the first run that of rank %d)", was)
	}
	o := &t.Ops[t.Starter(n)]
	step := finding.Step{Rank: int(d.Rank), Thread: int(d.Thread),
		Sentence: fmt.Sprintf("Rank %d's %s receive from any source (%s) meets the message of rank %d%s.", d.Rank, predict.Ordinal(int(d.Nth)+1), l.Funcs[o.Fn], met, then)}
	if at := predict.Frame(l, o); at.File != "" {
		step.At = at
	}
	return step, true
}

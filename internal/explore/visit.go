package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
)

// visit takes in what a run gave, and adds the runs that follow from it.
func (x *explorer) visit(ctx context.Context, m *made) error {
	it, out := m.it, m.out
	r := &result{ID: it.ID, Clocks: it.Clocks, Exit: out.exit, TimedOut: out.timedOut, Hung: hung(out),
		Crashed: crashed(out)}
	before := x.state.pruned
	if out.run != nil {
		r.Ranks, r.MPI, r.Calls, r.Seconds = out.run.Ranks, out.run.MPI, out.run.Calls, out.run.Seconds
	}
	switch {
	case out.timedOut:
		r.Left = fmt.Sprintf("it did not end within %v", out.elapsed.Round(time.Second))
		r.Before = out.log != nil && slices.ContainsFunc(it.Forced, func(d decision) bool {
			return kept(out.log, d) != ""
		})
	case out.log == nil || out.run == nil:
		r.Left = "nothing was recorded"
	default:
		r.Left = left(it, out)
	}
	if it.Purpose == observe {
		if out.log == nil || len(out.log.Threads) == 0 {
			return fruitless(out)
		}
		x.first, x.courses.observed = r, x.courses.follow(out.log)
		x.limit = limitAfter(out.elapsed)
	}
	if out.log != nil {
		r.Flow = flow(out.log)
	}
	if err := x.shown(it, out, r); err != nil {
		return err
	}
	x.announce()
	if out.log != nil {
		if err := x.follow(ctx, it, out, r); err != nil {
			return err
		}
		r.External, r.Shared = external(out.log), x.state.files.company(r, out.log, m.beside)
		r.Asks = asks(out.log)
	}
	if p := x.learned.program; p != nil {
		r.Acted = acted(it, r, out.log, p.Contrary())
	}
	x.reached(it, r)
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
func fruitless(out *outcome) error {
	why := "the program made no MPI call that was recorded"
	if out.run != nil && out.run.Why != "" {
		why = out.run.Why
	}
	return fmt.Errorf("nothing to explore: %s", why)
}

// left says how a run left its plan; empty if it kept to it.
func left(it *item, out *outcome) string {
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
		return fmt.Sprintf("rank %d did not reach its %s receive from any source", d.Rank,
			finding.Ordinal(int(d.Nth)+1))
	}
	p := &t.Parts[n]
	peers := l.Comms[p.Comm].Peers(t.Rank)
	if p.Matched >= 0 && (int(d.Source) >= len(peers) || peers[d.Source] != p.Matched) {
		return fmt.Sprintf("the %s receive from any source on rank %d matched rank %d, which the plan did not name",
			finding.Ordinal(int(d.Nth)+1), d.Rank, p.Matched)
	}
	return ""
}

// shown takes in what the run itself showed, and judges the prediction that it was to confirm.
func (x *explorer) shown(it *item, out *outcome, r *result) error {
	hangs, possible := x.wrongs(it, out)
	if !possible {
		r.Left, r.Hung = "a later receive took a message meant for a receive that was held for another source", false
	}
	if it.Purpose == confirm {
		return x.judge(it, hangs, out, r)
	}
	for _, f := range hangs {
		switch {
		case it.Purpose != observe:
			f = x.standing(f, it, out)
			if it.Purpose == clocks {
				f.Notes = append(f.Notes, unobserved.OtherClocks())
			}
		case standstill(f.Code) && out.log != nil && len(it.free(out.log)) > 0: // another run may meet others
			f.Story = x.courses.story(it, x.forcedOn(it), out.log, f.Ranks)
			f.Story.Steps = []finding.Step{}
		}
		if err := x.state.keep(f); err != nil {
			return err
		}
	}
	return nil
}

// wrongs is what a run shows to be wrong; nothing if MPI could not have made the run by itself.
func (x *explorer) wrongs(it *item, out *outcome) (list []finding.Finding, could bool) {
	if it.Purpose != observe && out.log != nil && !possible(out.log, x.forcedOn(it)) {
		return nil, false
	}
	if out.run == nil {
		return nil, true
	}
	for _, f := range out.run.Findings {
		if f.Code == finding.DeadlockUnsafe && x.o.Buffering == exact.BufferAll {
			continue // it supposes that MPI does not buffer
		}
		if stands(&f) && f.Severity != finding.Info || it.Purpose == observe {
			list = append(list, f)
		}
	}
	return list, true
}

// judge compares a replay with its prediction. What the replay shows stands whether it was predicted or not. It refutes
// the prediction if it kept to the plan to the end, or if the program made other calls than the prediction supposes. If
// it decides nothing, it is made once more.
func (x *explorer) judge(it *item, hangs []finding.Finding, out *outcome, r *result) error {
	p := x.state.found[it.Finding]
	shown := false
	for _, f := range hangs {
		f = x.standing(f, it, out)
		if shown || !standstill(f.Code) || !overlap(f.Ranks, p.Finding.Ranks) {
			if err := x.state.keep(f); err != nil {
				return err
			}
			continue
		}
		shown = true
		f.Severity = finding.Error // it supposes nothing any more
		p.Finding, p.Rejected, p.Open = f, "", ""
	}
	if !shown {
		parted, err := x.courses.parted(it, out.log)
		switch {
		case err != nil:
			return err
		case parted != "":
			p.Rejected = parted
		case r.Left == "" && r.ended():
			p.Rejected = "the replay followed the plan and ended without a deadlock"
		case !it.Again:
			again := *it
			again.Again = true
			return x.state.add(&again)
		default:
			p.Open = cmp.Or(r.Left, "the replay did not run to its end")
		}
	}
	return x.state.note(line{Found: &p})
}

// stands says whether a run showed a finding: a livelock is one, although it is not known what the rank would do if it
// polled on.
func stands(f *finding.Finding) bool {
	return f.Standing == finding.Manifest || f.Code == finding.Livelock
}

// standstill says whether a finding is that ranks never get on.
func standstill(c finding.Code) bool {
	return c == finding.Deadlock || c == finding.DeadlockUnsafe || c == finding.Livelock
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(r int) bool { return slices.Contains(b, r) })
}

// keep adds a finding, unless one of the same ranks, calls and lines is there.
func (s *state) keep(f finding.Finding) error {
	n, fresh := s.place(&f)
	if !fresh {
		return nil
	}
	g := found{N: n}
	if n < len(s.found) {
		g = s.found[n]
	}
	g.Finding, g.Core, g.Rejected, g.Open = f, signature(&f), "", ""
	return s.note(line{Found: &g})
}

// place is the number of a finding among those that are known, and whether they say less than it does.
func (s *state) place(f *finding.Finding) (n int, fresh bool) {
	core := signature(f)
	if f.Standing != finding.Predicted && standstill(f.Code) {
		for _, g := range s.found {
			if g.Core == core || g.Finding.Standing == finding.Predicted || !standstill(g.Finding.Code) {
				continue
			}
			switch a, b := waiting(&g.Finding), waiting(f); {
			case within(a, b):
				return g.N, false // the same mistake: others are stuck too because of it
			case within(b, a):
				return g.N, true
			}
		}
	}
	for _, g := range s.found {
		if g.Core == core {
			more := g.Finding.Severity == finding.Warning && f.Severity == finding.Error && f.Code == finding.RankDied
			return g.N, more || g.Finding.Standing == finding.Predicted && f.Standing != finding.Predicted
		}
	}
	return len(s.found), true
}

// waiting are the calls, with their places, in which ranks never get on; who has ended is not among them.
func waiting(f *finding.Finding) map[string]bool {
	out := make(map[string]bool)
	for i := range f.Places {
		if p := &f.Places[i]; p.Call != "MPI_Finalize" && p.State != "finished" {
			out[fmt.Sprintf("%s %s:%d %s+%d", p.Call, p.File, p.Line, p.Module, p.Offset)] = true
		}
	}
	return out
}

// within says whether all of a are in b, and there are any.
func within(a, b map[string]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return len(a) > 0
}

// signature distinguishes findings by what is wrong where, not by the ranks or by how a run reached it.
func signature(f *finding.Finding) string {
	kind := f.Code
	if kind == finding.DeadlockUnsafe {
		kind = finding.Deadlock
	}
	return string(kind) + ": " + unobserved.Places(f)
}

// follow takes in what the program did: what it may do else is predicted from the calls of a flow that is new, or
// searched for.
func (x *explorer) follow(ctx context.Context, it *item, out *outcome, r *result) error {
	if !x.o.searches() {
		if r.Left != "" || !r.ended() && !r.Hung {
			return nil
		}
		c := x.courses.observed
		if it.Purpose != observe {
			c = x.courses.follow(out.log)
		}
		if x.state.flows[r.Flow] == nil {
			if err := x.state.note(line{Flow: &flowState{Flow: r.Flow, Verdict: "not judged"}}); err != nil {
				return err
			}
		}
		if err := x.courses.keep(it.ID, out.log); err != nil {
			return err
		}
		return x.branch(it, c)
	}
	if err := x.learn(it, out.log); err != nil {
		return err
	}
	if it.Purpose != observe && it.Purpose != clocks {
		if err := x.decide(it, out.log); err != nil {
			return err
		}
	}
	if !r.ended() || x.state.flows[r.Flow] != nil {
		return nil // what the program would have called next is not known
	}
	return x.judgeFlow(ctx, it, out.log, r)
}

// hung says whether a run showed that ranks never get on.
func hung(out *outcome) bool {
	return out.run != nil && slices.ContainsFunc(out.run.Findings, func(f finding.Finding) bool {
		return stands(&f) && standstill(f.Code) && f.Severity == finding.Error
	})
}

// crashed says whether a rank died in a run.
func crashed(out *outcome) bool {
	return out.run != nil && slices.ContainsFunc(out.run.Findings, func(f finding.Finding) bool {
		return f.Code == finding.RankDied || len(f.Died) > 0
	})
}

// Flows are judged by the predictor only so many times, and so long each: the search finds what they have too, if
// later.
const (
	judgedFlows = 16
	judgedTime  = 10 * time.Second
)

const notJudged = "not judged"

// judgeFlow lets the predictor look at a control flow, and adds the confirmations of what it finds.
func (x *explorer) judgeFlow(ctx context.Context, it *item, l *trace.Log, r *result) error {
	s := &flowState{Flow: r.Flow, Verdict: notJudged}
	if len(x.state.flows) >= judgedFlows {
		return x.state.note(line{Flow: s})
	}
	o := exact.Options{Buffering: x.o.Buffering, Limit: x.o.Limit, Progress: x.tellJudging}
	if it.Purpose != observe {
		o.Budget.Time = judgedTime
	}
	p, err := exact.Predict(ctx, l, x.table, o)
	if err == nil {
		err = ctx.Err() // what is undecided for want of time is judged when the exploration is resumed
	}
	if err != nil {
		return err
	}
	s.Verdict, s.Only = p.Verdict.String(), p.Verdict == exact.Free && p.Deterministic
	if err := x.state.note(line{Flow: s}); err != nil {
		return err
	}
	if len(p.Deadlocks) > 0 { // what confirms them is compared with it, though it may have shown nothing new
		if err := x.courses.keep(it.ID, l); err != nil {
			return err
		}
	}
	for i := range p.Deadlocks {
		if err := x.foresee(it, l, r.Flow, &p.Deadlocks[i]); err != nil {
			return err
		}
	}
	return nil
}

// foresee adds a prediction, and the run that is to confirm it, unless the same is known.
func (x *explorer) foresee(it *item, l *trace.Log, flow uint64, d *exact.Deadlock) error {
	f := unobserved.Finding(l, d)
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
	if d.Replies && x.state.answers() {
		return nil
	}
	if err := x.state.note(line{Found: &found{N: n, Finding: f, Core: core, Flow: it.ID, Replies: d.Replies}}); err != nil {
		return err
	}
	q := d.Plan(l)
	next := &item{Parent: it.ID, Purpose: confirm, Sends: q.Sends, Finding: n, Flow: flow}
	for _, e := range q.Decisions {
		next.Forced = append(next.Forced, decision{key{e.Rank, e.Thread, e.Nth}, e.Source})
	}
	return x.state.add(next)
}

// answers says whether the program is known to answer whom it has met, or whether a run is to show that.
func (s *state) answers() bool {
	return slices.ContainsFunc(s.found,
		func(g found) bool { return g.Replies && g.Finding.Standing == finding.Predicted })
}

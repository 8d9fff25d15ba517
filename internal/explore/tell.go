package explore

import (
	"time"

	"unknot/internal/predict/exact"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// tell says how far the exploration is.
func (x *explorer) tell() { x.tellJudging(exact.Progress{}) }

// tellJudging says it while the predictor looks at a control flow.
func (x *explorer) tellJudging(p exact.Progress) {
	if x.o.Progress == nil {
		return
	}
	e := report.Exploring{Made: len(x.state.done), Running: x.ahead.busy, Judged: x.state.judgedFlows(),
		Deadlocks: len(x.state.found), States: p.States}
	for _, it := range x.state.queue {
		if x.ahead.started[it.ID] == nil {
			e.Left++
		}
	}
	if x.o.MaxRuns > 0 {
		e.Left = min(e.Left, max(0, x.o.MaxRuns-x.runs))
	}
	e.Remaining = x.remaining(e.Running + e.Left)
	x.o.Progress(e)
}

// judgedFlows counts the control flows that the predictor has looked at.
func (s *state) judgedFlows() (n int) {
	for _, f := range s.flows {
		if f.Verdict != notJudged {
			n++
		}
	}
	return n
}

// remaining is how long so many runs are likely to take, by those that were made, within the time limit; 0 if none was
// made.
func (x *explorer) remaining(runs int) time.Duration {
	var seconds float64
	for _, r := range x.state.done {
		seconds += r.Seconds
	}
	if len(x.state.done) == 0 || runs == 0 {
		return 0
	}
	most := min(max(1, x.o.Parallel), runs)
	left := time.Duration(seconds / float64(len(x.state.done)) * float64(runs) / float64(most) * float64(time.Second))
	if x.o.Time > 0 {
		left = min(left, max(0, x.o.Time-time.Since(x.start)))
	}
	return left
}

// announce passes on the errors that runs have shown and that were not passed on before.
func (x *explorer) announce() {
	if x.o.Found == nil {
		return
	}
	for _, g := range x.state.found {
		f := g.Finding
		if g.Rejected != "" || f.Severity != finding.Error || f.Standing == finding.Predicted ||
			x.announced[g.N] == g.Core {
			continue
		}
		x.announced[g.N] = g.Core
		run := x.label()
		run.Findings = []finding.Finding{f}
		x.o.Found(run)
	}
}

// label is a result without what was found.
func (x *explorer) label() *finding.Run {
	f := &finding.Run{Schema: finding.Schema, Unknot: x.o.Version, Command: x.o.Argv, Complete: true,
		Start: x.start.Format(time.RFC3339), Seconds: time.Since(x.start).Seconds(), Findings: []finding.Finding{}}
	if x.first != nil {
		f.Ranks, f.MPI, f.Exit = x.first.Ranks, x.first.MPI, x.first.Exit
	}
	return f
}

package explore

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"unknot/internal/finding"
	"unknot/internal/predict/exact"
)

// conclude is the result of the exploration so far, with a line on what it covers.
func (x *explorer) conclude() *finding.Run {
	f := &finding.Run{Schema: finding.Schema, Unknot: x.o.Version, Command: x.o.Argv, Complete: true, Start: x.start.Format(time.RFC3339),
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
	f.Coverage = x.coverage()
	f.Notes = append(f.Notes, x.words(f.Coverage))
	for _, g := range x.state.found {
		if g.Rejected != "" {
			f.Notes = append(f.Notes, "why a predicted deadlock did not come about: "+g.Rejected)
			break
		}
	}
	if exits := x.exits(); exits != "" {
		f.Notes = append(f.Notes, exits)
	}
	if x.stopped != "" {
		f.Complete = false
		f.Why = fmt.Sprintf("%s; %s left to make; hint: go on with --resume", x.stopped, plural(len(x.state.queue), "run is", "runs are"))
	}
	return f
}

// coverage counts what was done, what is proven and what was left out.
func (x *explorer) coverage() *finding.Coverage {
	c := &finding.Coverage{Runs: len(x.state.done), Refuted: x.refuted(), Waiting: len(x.state.queue), Shown: x.state.shown,
		Pruned: x.state.pruned.Alike + x.state.pruned.Alone, Flows: len(x.state.flows)}
	for _, s := range x.state.flows {
		switch s.Verdict {
		case free:
			c.Proven++
		case answering:
			c.Answering++
		case exact.Undecided.String():
			c.Undecided++
		}
	}
	for _, r := range x.state.done {
		if r.Left != "" {
			c.Left++
		}
	}
	for _, g := range x.state.found {
		if g.Finding.Standing == finding.Confirmed {
			c.Confirmed++
		}
	}
	return c
}

// words is the coverage as a line.
func (x *explorer) words(c *finding.Coverage) string {
	text := "coverage: " + plural(c.Runs, "run", "runs")
	if c.Confirmed > 0 {
		text += fmt.Sprintf(", %d of which confirmed a deadlock", c.Confirmed)
	}
	if c.Refuted > 0 {
		text += fmt.Sprintf(", %d of which refuted one that was predicted", c.Refuted)
	}
	text += "; " + plural(c.Flows, "control flow", "control flows") + " seen"
	if x.o.Strategy == Predictive {
		if c.Proven > 0 {
			text += fmt.Sprintf(", %d proven free of deadlocks for all matches", c.Proven)
		}
		if c.Answering > 0 {
			text += fmt.Sprintf(", %d free of them unless a rank answers another one than it has received from", c.Answering)
		}
		if c.Undecided > 0 {
			text += fmt.Sprintf(", %d undecided", c.Undecided)
		}
		if len(x.state.sites) == 0 && c.Runs > 1 && c.Confirmed == 0 {
			text += "; whom wildcard receives meet did not change the program's calls in the runs made"
		}
	}
	switch p := x.state.pruned; {
	case p.Alike > 0:
		text += fmt.Sprintf("; %s left out, as the senders had come the same way until then (--strategy=poe makes them)", plural(p.Alike, "match was", "matches were"))
	case p.Alone > 0:
		text += fmt.Sprintf("; %s left out, as no receive from a named source competes for the message", plural(p.Alone, "match was", "matches were"))
	}
	return text
}

// refuted counts the predictions that a replay did not show: the program took another way than the recorded calls say.
func (x *explorer) refuted() int {
	n := 0
	for _, g := range x.state.found {
		if g.Rejected != "" {
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
		if r.Exit != x.first.Exit && r.Left == "" && r.Exit >= 0 && r.Exit != 66 && x.first.Exit != 66 {
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
	return fmt.Sprintf("the program's result depends on whom its receives meet: it ended with status %d in %s, and with %d in the first", list[0].exit,
		plural(list[0].n, "run", "runs"), x.first.Exit)
}

// tell says how far it is, on a terminal.
func (x *explorer) tell() {
	if x.o.Progress != nil {
		x.o.Progress(fmt.Sprintf("%s made, %d to make, %s", plural(len(x.state.done), "run", "runs"), len(x.state.queue),
			plural(len(x.state.found), "deadlock", "deadlocks")))
	}
}

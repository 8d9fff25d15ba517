package explore

import (
	"slices"

	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// maxSteps bounds the steps of a story that went as in the first run; those that did not are all shown.
const maxSteps = 8

// story is how a run went that showed something: what was forced on it by plan p, and what the receives of the
// stuck ranks met that were left to MPI. To make it happen again, all of these are forced.
func (c *courses) story(it *item, p plan.Plan, l *trace.Log, ranks []int) *finding.Story {
	if l == nil {
		s := &finding.Story{Steps: []finding.Step{}, Forced: p.Forced()}
		s.Forced.Clocks = it.Clocks
		return s
	}
	free := it.free(l)
	for _, d := range free {
		p.Decisions = append(p.Decisions, d.planned())
	}
	p.Delays = nil
	p.Sort()
	s := &finding.Story{Steps: []finding.Step{}, Forced: p.Forced()}
	s.Forced.Clocks = it.Clocks
	same := 0
	for i, d := range slices.Concat(it.Forced, free) {
		step, differs, known := c.step(d, l)
		if !known || i >= len(it.Forced) && !slices.Contains(ranks, int(d.Rank)) {
			continue
		}
		if !differs {
			if same++; same > maxSteps {
				continue
			}
		}
		s.Steps = append(s.Steps, step)
	}
	s.Steps = append(s.Steps, outcomeSteps(p, l)...)
	c.draw(s, it, l, ranks)
	return s
}

// draw adds the messages of the run to its story; those that were decided on are marked.
func (cs *courses) draw(s *finding.Story, it *item, l *trace.Log, ranks []int) {
	c := cs.follow(l)
	var all, decided []exact.Match
	for _, r := range c.run(nil).met {
		m := exact.Match{Recv: exact.Ref{Thread: r.Thread, Part: r.Part}, Send: exact.Ref{Thread: c.send[r].Thread,
			Part: c.send[r].Part}}
		all = append(all, m)
		if p := c.at(r); p.Wild && slices.ContainsFunc(it.Forced, func(d decision) bool {
			return d.key == c.key(r) &&
				cs.observed.metBy(d.key) != p.Matched
		}) {
			decided = append(decided, m)
		}
	}
	unobserved.Draw(s, l, ranks, all, decided)
}

// outcomeSteps tell what calls reported that had a choice.
func outcomeSteps(p plan.Plan, l *trace.Log) []finding.Step {
	var out []finding.Step
	for i := range p.Outcomes {
		e := &p.Outcomes[i]
		t := l.Thread(e.Rank, e.Thread)
		if t == nil {
			continue
		}
		step := finding.Step{Rank: int(e.Rank), Thread: int(e.Thread)}
		for k := range t.Polls {
			if q := &t.Polls[k]; e.Nothing && q.Nth <= e.Nth && e.Nth < q.Nth+q.Count {
				step.Sentence = unobserved.PolledInVain(e.Rank, l.Funcs[q.Fn])
				step.At = unobserved.Frame(l, &trace.Op{Site: q.Site})
			}
		}
		for k := range t.Ops {
			if o := &t.Ops[k]; !e.Nothing && o.Choice && o.Nth == e.Nth && o.Any {
				step.Sentence = unobserved.Reported(e.Rank, l.Funcs[o.Fn], e.Done)
				step.At = unobserved.Frame(l, o)
			}
		}
		if step.Sentence != "" {
			out = append(out, step)
		}
	}
	return out
}

// step is a decision, and whether the first run made another one.
func (c *courses) step(d decision, l *trace.Log) (step finding.Step, differs, known bool) {
	t, n := d.find(l)
	if t == nil {
		return finding.Step{}, false, false
	}
	met := t.Parts[n].Matched
	if peers := l.Comms[t.Parts[n].Comm].Peers(t.Rank); met < 0 && int(d.Source) < len(peers) {
		met = peers[d.Source] // it has not completed
	}
	was := c.observed.metBy(d.key)
	o := &t.Ops[t.Starter(n)]
	step = finding.Step{Rank: int(d.Rank), Thread: int(d.Thread),
		Sentence: unobserved.Matched(d.Rank, d.Nth, l.Funcs[o.Fn], met, was)}
	if at := unobserved.Frame(l, o); at.File != "" {
		step.At = at
	}
	return step, was != met, true
}

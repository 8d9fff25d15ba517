package explore

import (
	"slices"

	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// decide looks whether a rank made other calls than in the run that this one was derived from, after a receive that met
// another message there. It is noted only if one call site alone can be the reason.
func (x *explorer) decide(it *item, l *trace.Log) error {
	was, err := x.courses.of(it.Parent)
	if err != nil {
		return err
	}
	c := x.courses.follow(l)
	for i := range was.log.Threads {
		t := &was.log.Threads[i]
		p := partOf(was.log, l, t)
		if p == nil {
			continue
		}
		var sites []string
		var first ref
		for _, w := range was.wild {
			met := c.metBy(was.key(w))
			if int(w.Thread) == i && w.Part < t.Ops[p.call].First && met >= 0 && met != was.at(w).Matched &&
				!slices.Contains(sites, was.site(w)) {
				sites, first = append(sites, was.site(w)), w
			}
		}
		if len(sites) != 1 {
			continue
		}
		found := was.decisiveRace(first, p)
		if slices.ContainsFunc(x.state.decisive, func(f finding.Finding) bool {
			return unobserved.Places(&f) == unobserved.Places(found)
		}) {
			continue
		}
		if err := x.state.note(line{Decisive: found}); err != nil {
			return err
		}
	}
	return nil
}

// partOf is the first call in which a thread's courses differ in two runs, except for answers: where the thread names
// the rank that its nth wildcard receive has met, it does the same if it names the one that has met this receive in the
// other run; and with it the tag of the message, if that receive takes any. It is nil if the thread made the same calls
// as far as it got in both.
func partOf(was, is *trace.Log, t *trace.Thread) *parting {
	u := is.Thread(t.Rank, t.Index)
	if u == nil {
		return nil
	}
	a, b := make(answers), make(answers)
	for n := range min(len(t.Ops), len(u.Ops)) {
		if one(was, t, n) != one(is, u, n) && oneAnswering(was, t, n, a) != oneAnswering(is, u, n, b) {
			return &parting{t.Rank, t.Index, n, say(was, t, n), say(is, u, n)}
		}
		a.take(was, t, n)
		b.take(is, u, n)
	}
	return nil
}

// answers are, by rank, the last wildcard receives of a thread that have met it.
type answers map[op.Rank]answer

// answer is what a wildcard receive or probe has returned of a message: its tag, too, if it takes any.
type answer struct {
	nth    uint32
	tagged bool
	tag    int32
}

func (a answers) take(l *trace.Log, t *trace.Thread, n int) {
	o := &t.Ops[n]
	for _, w := range t.WaitsOf(o) {
		if p := &l.Threads[w.Thread].Parts[w.Part]; p.Wild && p.Matched >= 0 && (!o.Any || w.Done) {
			a[p.Matched] = answer{p.Nth, p.Tag == op.AnyTag, p.MatchedTag}
		}
	}
}

// decisiveRace is the finding that a rank makes other calls after another match of a wildcard receive, as a run has
// shown.
func (c *course) decisiveRace(w ref, p *parting) *finding.Finding {
	t := &c.log.Threads[w.Thread]
	o := &t.Ops[t.Starter(w.Part)]
	return unobserved.Decisive(c.log, t, o, p.String())
}

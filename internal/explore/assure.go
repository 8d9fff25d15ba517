package explore

import (
	"context"
	"slices"

	"unknot/internal/say/explain/unobserved"
	"unknot/internal/vocab/finding"
)

// A rank that dies in a forced run may die of what the run matched, or by chance: of memory that was overwritten, or of
// the MPI library's own threads. What follows from the matches happens again when all of them are forced, so that is
// tried before a death is called confirmed.

// assure makes a run again in which a rank died, forcing all that it matched. It gives the run that counts: the second
// one where nobody died in it.
func (x *explorer) assure(ctx context.Context, r *made) (*made, error) {
	if r.it.Purpose == observe || r.out.run == nil || !crashed(r.out) || x.spent() || ctx.Err() != nil {
		return r, nil
	}
	dead := x.deaths(r)
	if len(dead) == 0 {
		return r, nil
	}
	p := x.forcedOn(r.it)
	if r.out.log != nil {
		for _, d := range r.it.free(r.out.log) {
			p.Decisions = append(p.Decisions, d.planned())
		}
		p.Sort()
	}
	again := *r.it
	again.whole = &p
	x.ahead.drain() // alone: others may be what killed it
	x.startRun(&again)
	x.ahead.drain()
	s := x.ahead.take(&again)
	if s.err != nil || s.out.run == nil || ctx.Err() != nil {
		return r, s.err
	}
	s.out.read()
	r.out.repeats = slices.ContainsFunc(dead, func(f finding.Finding) bool {
		return slices.ContainsFunc(s.out.run.Findings, func(g finding.Finding) bool {
			return g.Code == finding.RankDied && signature(&g) == signature(&f)
		})
	})
	if r.out.repeats || crashed(s.out) || s.out.timedOut || s.out.log == nil {
		return r, nil
	}
	for _, f := range dead {
		f.Story = x.courses.story(r.it, x.forcedOn(r.it), r.out.log, f.Ranks)
		if err := x.state.keep(unobserved.ByChance(f, true)); err != nil {
			return nil, err
		}
	}
	return &made{it: r.it, over: true, out: s.out}, nil
}

// deaths are those of a run that are not known yet.
func (x *explorer) deaths(r *made) []finding.Finding {
	list, _ := x.wrongs(r.it, r.out)
	return slices.DeleteFunc(list, func(f finding.Finding) bool {
		_, fresh := x.state.place(&f)
		return f.Code != finding.RankDied || !fresh
	})
}

// standing is how a finding of a forced run stands.
func (x *explorer) standing(f finding.Finding, it *item, out *outcome) finding.Finding {
	if f.Code == finding.RankDied && !out.repeats {
		f = unobserved.ByChance(f, false)
	} else {
		f.Standing = finding.Confirmed
	}
	f.Story = x.courses.story(it, x.forcedOn(it), out.log, f.Ranks)
	return f
}

// chances counts the deaths that were not seen again.
func (s *state) chances() (n int) {
	for _, g := range s.found {
		if g.Finding.Code == finding.RankDied && g.Finding.Severity == finding.Warning {
			n++
		}
	}
	return n
}

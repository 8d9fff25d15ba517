package detect

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// conclude makes findings of what was asked and answered. It says whether threads get on by that, as they follow what
// was observed.
func (r *Root) conclude() (relaxed bool) {
	byKey := make(map[message.Key]*message.Described)
	for i := range r.round.places.Places {
		d := &r.round.places.Places[i]
		byKey[d.Key] = d
	}
	var relax []message.Keys
	var single []message.Key
	real, diverged := false, false
	located := make(map[message.Key]finding.Place)
	for k, d := range byKey {
		if k.Call {
			located[k] = d.Place
		}
	}
	for _, q := range merged(r.search.asked) {
		q.located = located
		if q.survey {
			r.surveys.tell(r.search.state, &q, byKey)
			continue
		}
		if q.stranded != nil {
			if t := r.findings.strand(&q, byKey); t != nil {
				r.end(string(t.Code))
			}
			continue
		}
		s := q.story(r.search.state, r.round.places.Moved, byKey)
		if s == nil {
			continue
		}
		if q.pair != nil {
			q.pair.Fields = q.fields(r.round.places.Places)
			r.findings.hear(&message.Misuse{Finding: s.Unlike(q.pair), Param: -1, Scope: q.pair.Scope})
			continue
		}
		switch q.code {
		case finding.CollectiveMismatch:
			r.findings.hear(&message.Misuse{Finding: s.Mismatch(), Param: -1,
				Scope: message.Scope{Contexts: []op.CommID{q.clash.Ctx}, Collective: true}})
		case finding.DeadlockUnsafe:
			// After a worse finding it may be a mere consequence of that.
			if !r.collectives.afterFailure(s) && !r.stopped && len(r.collectives.clashes) == 0 {
				r.absences.tellUnsafe(q.build, s)
			}
			for _, m := range s.Members {
				if m.Wait.Returned {
					single = append(single, m.Described.Key)
					if alike := q.alike[m.Described.Key]; len(alike.Runs) > 0 {
						relax = append(relax, message.Keys{Key: m.Described.Key, Ranks: alike})
					}
				}
			}
		case finding.ReplayDiverged:
			r.findings.tell(s.Diverged())
			diverged = true
		default:
			if r.deaths.byLauncher(s.Culprits) {
				continue
			}
			if f, ok := r.deaths.diedFirst(s, q.witness, byKey); ok {
				r.deaths.tell(f)
			} else {
				r.findings.tell(s.Finding())
			}
			real = true
		}
	}
	if relax = append(relax, message.FoldKeys(single)...); len(relax) > 0 {
		r.pace.progressed, relaxed = true, true
		r.net.Broadcast(message.Relax{Keys: relax})
	}
	switch {
	case real || r.search.stopAfter && len(r.collectives.pending) == 0 && !diverged:
		r.end("deadlock")
	case diverged:
		r.end("the replay diverged from its plan")
	}
	return relaxed
}

package detect

import (
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
)

// wantsRound decides whether it is time to look for deadlocks.
func (r *Root) wantsRound() bool {
	if r.stopped && !r.ending {
		return false
	}
	if r.survey != nil {
		return r.pace.come()
	}
	if r.ending {
		return r.ledger.idle() && !r.pace.settled && r.pace.come()
	}
	return r.pace.due(r.ledger.progress)
}

// renew has what is asked next be a new round.
func (r *Root) renew() {
	r.round.renew()
	r.pace.begun = r.now
}

// begin asks for a consistent state.
func (r *Root) begin() {
	r.renew()
	r.pace.looks, r.pace.final = true, r.ending && r.ledger.idle()
	r.round.clear()
	r.asked = r.asked[:0]
	r.stage(Synchronisation)
	r.round.ask(settling, message.Consistent{})
}

// goOn takes the next step, as all agents have answered.
func (r *Root) goOn() {
	switch r.round.step {
	case settling:
		r.stage(Gathering)
		r.round.ask(gathering, message.Gather{Processes: r.opts.Leave, Last: r.pace.final})
	case gathering:
		r.detect()
		r.stage(Output)
		r.describe()
	case describing:
		if r.round.locate() {
			return
		}
		r.rest(r.conclude())
	case locating:
		if r.round.found() {
			return
		}
		r.rest(r.conclude())
	case remaining:
		r.locateLeft()
	case naming:
		r.tellLeft()
	}
}

// detect looks for deadlocks in what the agents reported, and decides what to ask about them.
func (r *Root) detect() {
	r.stage(Building)
	s := merge(r.size, r.round.reports)
	r.state = s
	r.logState(s, r.round.number)
	r.pace.follow(s.threads)
	if !r.ending {
		found := r.askReal(s, necessary) || s.still() && (r.askReal(s, standing) || r.askDiverged(s)) ||
			r.askStranded(s)
		if found && (r.survey == nil || len(r.asked) > 0) {
			return
		}
	}
	if r.survey != nil {
		r.askSurvey(s)
		return
	}
	r.askStrict(s)
	if r.ending && len(r.asked) == 0 && !r.pace.progressed {
		r.askAbsent(s)
	}
}

// describe asks for everything about the threads that findings name.
func (r *Root) describe() {
	var keys []message.Key
	var stay []message.Keys
	for i := range r.asked {
		q := &r.asked[i]
		r.state.thin(q)
		stay = append(stay, q.stay...)
		keys = append(append(append(keys, q.core...), q.others...), q.witness...)
	}
	if len(keys) == 0 {
		if r.stopAfter && len(r.collectives.pending) == 0 {
			r.end(string(finding.CollectiveMismatch))
		}
		r.rest(false)
		return
	}
	survey := r.surveying()
	r.round.ask(describing, message.Describe{Keys: keys, Stay: stay, Survey: survey, Going: survey && r.survey.signal == ""})
}

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
	for _, q := range merged(r.asked) {
		q.located = located
		if q.survey {
			r.tellSurvey(&q, byKey)
			continue
		}
		if q.stranded != nil {
			r.strand(&q, byKey)
			continue
		}
		s := q.story(r.state, r.round.places.Moved, byKey)
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
				r.tellUnsafe(q.build, s)
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
	case real || r.stopAfter && len(r.collectives.pending) == 0 && !diverged:
		r.end("deadlock")
	case diverged:
		r.end("the replay diverged from its plan")
	}
	return relaxed
}

// askOrigins asks for the calls of all clashes and pairs that are to be reported.
func (r *Root) askOrigins() {
	r.pace.looks = false
	asked, calls := r.collectives.questions()
	r.asked = append(r.asked, asked...)
	r.renew()
	r.round.ask(describing, calls)
}

// rest ends a round; relaxed says whether threads get on by it.
func (r *Root) rest(relaxed bool) {
	r.stage(Resting)
	r.round.step = resting
	r.pace.rest(relaxed)
}

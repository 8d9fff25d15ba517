package detect

import (
	"slices"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
)

// A round of detection, from top to bottom. The root asks, all agents answer, and only when all have does it go on:
//
//	root asks        agents                                                      answer    then
//	Consistent       read what is there, stop transitions, flush their links     Settled   Gather
//	Gather           say what all threads wait for, and go on                    Report    detect: graphs, cores, questions
//	Describe         say everything about the threads that questions name        Places    conclude, or Locate
//	Locate           say where the sends are that nearly fit; find others        Places    conclude: findings, or Locate
//
// Clashes of collectives, and calls whose data do not fit, are described in a round of their own, by Locate alone.
// After the last round of a job the root asks Remains, and by Locate where the messages were sent that are left
// (left.go).

// step is where the root is in a round of detection.
type step uint8

const (
	resting    step = iota
	settling        // waits for Settled
	gathering       // waits for Report
	describing      // waits for Places
	locating        // waits for Places of the sends that nearly fit
	remaining       // waits for Left, after the last round
	naming          // waits for Places of the sends that are left
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

// newRound is for what is asked next: answers to what was asked before do not count any more.
func (r *Root) newRound() {
	r.round++
	r.pace.begun = r.now
}

// begin asks for a consistent state.
func (r *Root) begin() {
	r.newRound()
	r.pace.looks, r.pace.final = true, r.ending && r.ledger.idle()
	r.reports, r.heard, r.asked = r.reports[:0], message.Places{}, r.asked[:0]
	r.stage(Synchronisation)
	r.ask(settling, message.Consistent{})
}

// answered counts an agent's answer and goes on to the next step when all have answered.
func (r *Root) answered(agent, round int) {
	if round != r.round || !r.ledger.members.answered(agent) || r.ledger.members.missing > 0 {
		return
	}
	r.goOn()
}

// goOn takes the next step, as all agents have answered.
func (r *Root) goOn() {
	switch r.step {
	case settling:
		r.stage(Gathering)
		r.ask(gathering, message.Gather{Processes: r.opts.Leave, Last: r.pace.final})
	case gathering:
		r.detect()
		r.stage(Output)
		r.describe()
	case describing:
		if r.locate() {
			return
		}
		r.rest(r.conclude())
	case locating:
		if r.found() {
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
	s := merge(r.size, r.reports)
	r.state = s
	r.logState(s, r.round)
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
	r.ask(describing, message.Describe{Keys: keys, Stay: stay, Survey: survey, Going: survey && r.survey.signal == ""})
}

// locate asks where the sends are that nearly fit what somebody waits for, and whether ranks of other agents were sent
// such a message; false if there is nothing to ask.
func (r *Root) locate() bool {
	var q message.Locate
	for i := range r.heard.Places {
		d := &r.heard.Places[i]
		for _, m := range slices.Concat(d.Shape.Misses, d.Shape.Strays) {
			if m.Origin != nil {
				q.Calls = append(q.Calls, *m.Origin)
			}
		}
		if d.Shape.Sought != nil && len(r.ledger.members.list) > 1 {
			q.Sought = append(q.Sought, message.Sought{Key: d.Key, Sought: *d.Shape.Sought})
		}
	}
	if len(q.Calls) == 0 && len(q.Sought) == 0 {
		return false
	}
	r.ask(locating, q)
	return true
}

// found takes in the messages that agents have found, which ranks of others wait for, and asks where they were sent;
// false if there are none.
func (r *Root) found() bool {
	if len(r.heard.Strays) == 0 {
		return false
	}
	var q message.Locate
	for _, s := range r.heard.Strays {
		i := slices.IndexFunc(r.heard.Places, func(d message.Described) bool { return d.Key == s.Key })
		if i < 0 {
			continue
		}
		shape := &r.heard.Places[i].Shape
		shape.Strays = append(shape.Strays, s.Miss)
		if s.Miss.Origin != nil {
			q.Calls = append(q.Calls, *s.Miss.Origin)
		}
	}
	r.heard.Strays = nil
	r.ask(locating, q)
	return true
}

// conclude makes findings of what was asked and answered. It says whether threads get on by that, as they follow what
// was observed.
func (r *Root) conclude() (relaxed bool) {
	byKey := make(map[message.Key]*message.Described)
	for i := range r.heard.Places {
		d := &r.heard.Places[i]
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
		s := q.story(r.state, r.heard.Moved, byKey)
		if s == nil {
			continue
		}
		if q.pair != nil {
			q.pair.Fields = q.fields(r.heard.Places)
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
	r.newRound()
	r.ask(describing, calls)
}

// rest ends a round; relaxed says whether threads get on by it.
func (r *Root) rest(relaxed bool) {
	r.stage(Resting)
	r.step = resting
	r.pace.rest(relaxed)
}

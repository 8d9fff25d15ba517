package detect

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// wantsRound decides whether it is time to look for deadlocks.
func (r *Root) wantsRound() bool {
	if r.stopped && !r.ending {
		return false
	}
	if r.surveys.wanted != nil {
		return r.pace.come()
	}
	if r.ending {
		return r.ledger.idle() && !r.pace.settled && r.pace.come()
	}
	return r.pace.due(r.ledger.progress)
}

// begin asks for a consistent state.
func (r *Root) begin() {
	r.renew()
	r.pace.looks, r.pace.final = true, r.ending && r.ledger.idle()
	r.round.clear()
	r.search.asked = r.search.asked[:0]
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
	r.search.state = s
	r.logState(s, r.round.number)
	r.pace.follow(s.threads)
	r.search.stayed.next(r.round.number)
	if !r.ending {
		if found := r.search.manifest(s); found && (r.surveys.wanted == nil || len(r.search.asked) > 0) {
			return
		}
	}
	if r.surveys.wanted != nil {
		if q, now := r.surveys.question(s, &r.search.stayed); now {
			r.search.asked = append(r.search.asked, q)
		}
		return
	}
	if follow := r.search.askStrict(s); len(follow) > 0 {
		r.pace.progressed = true
		r.net.Broadcast(message.Relax{Keys: message.FoldKeys(follow), Once: true})
	}
	if r.ending && len(r.search.asked) == 0 && !r.pace.progressed {
		r.absences.ask(s, r.ledger.broken == nil)
	}
}

// describe asks for everything about the threads that findings name.
func (r *Root) describe() {
	var keys []message.Key
	var stay []message.Keys
	for i := range r.search.asked {
		q := &r.search.asked[i]
		r.search.state.thin(q)
		stay = append(stay, q.stay...)
		keys = append(append(append(keys, q.core...), q.others...), q.witness...)
	}
	if len(keys) == 0 {
		if r.search.stopAfter && len(r.collectives.pending) == 0 {
			r.end(string(finding.CollectiveMismatch))
		}
		r.rest(false)
		return
	}
	survey := surveying(r.search.asked)
	r.round.ask(describing, message.Describe{Keys: keys, Stay: stay, Survey: survey,
		Going: survey && r.surveys.wanted.signal == ""})
}

// askOrigins asks for the calls of all clashes and pairs that are to be reported.
func (r *Root) askOrigins() {
	r.pace.looks = false
	asked, calls := r.collectives.questions()
	r.search.asked = append(r.search.asked, asked...)
	r.renew()
	r.round.ask(describing, calls)
}

// rest ends a round; relaxed says whether threads get on by it.
func (r *Root) rest(relaxed bool) {
	r.stage(Resting)
	r.round.step = resting
	r.pace.rest(relaxed)
}

package detect

import "unknot/internal/message"

// Lose tells the root, from another goroutine, that agents were lost.
func (r *Root) Lose(l Lost) { r.process.Put(Event{Lost: &l}) }

// lose goes on without some agents.
func (r *Root) lose(l *Lost) {
	waiting := r.step != resting && r.ledger.members.missing > 0
	relays := r.ledger.lose(l)
	switch {
	case waiting && relays: // answers may have been lost with them
		r.askAgain()
	case waiting && r.ledger.members.missing == 0:
		r.goOn()
	}
}

// ask puts a question to everybody; step is what the answers are for.
func (r *Root) ask(s step, q message.Question) {
	r.step, r.question = s, q
	if s == remaining {
		r.remains = message.Left{}
	}
	r.before = r.heard
	r.ledger.members.ask()
	r.net.Broadcast(q.In(r.round))
	if r.ledger.members.missing == 0 {
		r.goOn()
	}
}

// askAgain begins again with what answers are awaited for: with the round, as long as nothing has come of it, else with
// the last question.
func (r *Root) askAgain() {
	if r.step == settling || r.step == gathering {
		r.begin()
		return
	}
	r.newRound()
	r.heard = r.before
	r.ask(r.step, r.question)
}

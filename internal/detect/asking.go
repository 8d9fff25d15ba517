package detect

// Lose tells the root, from another goroutine, that agents were lost.
func (r *Root) Lose(l Lost) { r.process.Put(Event{Lost: &l}) }

// Survey asks the root, from another goroutine, where all ranks are, as a signal is about to end the run.
func (r *Root) Survey(signal string) { r.process.Put(Event{Survey: signal}) }

// lose goes on without some agents. The round begins again if answers may have been lost with a relay, as long as
// nothing has come of it; else the last question is asked again.
func (r *Root) lose(l *Lost) {
	waits := r.round.waits()
	switch relays := r.ledger.lose(l); {
	case waits && relays && r.round.early():
		r.begin()
	case waits && relays:
		r.renew()
		r.round.askAgain()
	case waits:
		r.round.whenComplete()
	}
}

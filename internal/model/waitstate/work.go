package waitstate

// work is the threads that may get on in the strict view: those for which something has changed.
type work struct {
	changed []*Thread
	frozen  bool // transitions are stopped
}

// enqueue has a thread looked at.
func (w *work) enqueue(t *Thread) {
	if !t.queued {
		t.queued = true
		w.changed = append(w.changed, t)
	}
}

// satisfy notes that the strict rules let a part complete.
func (w *work) satisfy(p *Part) {
	if p.sat {
		return
	}
	p.sat = true
	if p.waiter != nil {
		w.enqueue(p.waiter)
	}
}

package agent

// echoes are the calls of a thread that repeat those right before them, of which its ring says only that there are
// some.
type echoes struct {
	left uint64 // records that were left out, as of when its ring was last looked at
	seen uint64 // … and those that may be
	// untold are calls that it counts as they were left out for another reason.
	untold uint64
}

// heed takes in that a thread has repeated calls.
func (a *Agent) heed(t *thread) {
	seen, left := t.ring.Echoes()
	if seen != t.echoes.seen {
		t.entered, t.blocks = a.now, evidence{}
	}
	untold := t.ring.Untold()
	more := left - t.echoes.left + untold - t.echoes.untold
	t.Calls, a.follow.Calls, a.folding.Calls = t.Calls+more, a.follow.Calls+more, a.folding.Calls+more
	a.follow.Idles += more // it spins
	t.echoes = echoes{left, seen, untold}
}

// inside says whether a thread is in a call, and takes in what calls it has repeated: it may be in another one than
// before, but not for long then.
func (a *Agent) inside(t *thread) bool {
	in := t.inCall()
	a.heed(t)
	return in
}

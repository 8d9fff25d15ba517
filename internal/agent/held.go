package agent

// hold gives a new request the memory that its operation uses.
func (a *Agent) hold(t *thread, q *request) {
	if a.checks != nil {
		q.held = a.checks.Hold(&t.use)
	}
}

// holdStarted shows the usage checks that a persistent request is started.
func (a *Agent) holdStarted(t *thread, q *request) {
	if q.held == nil {
		return
	}
	a.checks.Start(&t.use, q.held)
	if len(a.checks.Reports) > 0 {
		a.tellReports()
	}
}

// releaseShared gives back the memory of all requests that share a handle, once one of them is complete: which one is not
// known. Until then none of them is.
func (r *rank) releaseShared(q *request) {
	for ; q != nil; q = q.next {
		r.release(q, false)
	}
}

// release gives back the memory of a request whose operation has completed. With done, the request is gone too.
func (r *rank) release(q *request, done bool) {
	if q.held == nil {
		return
	}
	r.use.Release(q.held, done)
	if done {
		q.held = nil
	}
}

package agent

import (
	"unknot/internal/op"
	"unknot/internal/usage"
	"unknot/internal/waitstate"
)

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

// filled shows the usage checks how much the operation of a request has received, or read.
func (a *Agent) filled(q *request, st status) {
	if q.held == nil || a.checks == nil || q.use.Shared {
		return
	}
	a.checks.Filled(q.held, st.bytes)
	if len(a.checks.Reports) > 0 {
		a.tellReports()
	}
}

// askReceived has the wait-state system say what a receive meets whose count goes on behind the end of its memory, as a blocking
// one from a known source does not tell. With several threads it is not certain which receive a message has met.
func (a *Agent) askReceived(t *thread, o *waitstate.Op) {
	x := t.use.Reach()
	if x == nil || !o.Blocking || len(t.rank.threads) > 1 {
		return
	}
	for _, p := range o.Posts {
		if p.Kind == op.Recv && p.Taking == nil {
			p.Asked = true
			if a.reaches == nil {
				a.reaches = make(map[*waitstate.Origin]*usage.Reach)
			}
			a.reaches[o.Origin] = x
		}
	}
}

// received shows the usage checks what such receives have met.
func (a *Agent) received() {
	for _, m := range a.node.Met {
		if x := a.reaches[m.Recv]; x != nil {
			x.Received(m.Bytes)
			delete(a.reaches, m.Recv)
		}
	}
	if len(a.node.Met) > 0 {
		a.node.Met = a.node.Met[:0]
		a.tellChecks()
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

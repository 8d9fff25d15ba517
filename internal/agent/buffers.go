package agent

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// hold gives a new request the memory that its operation uses.
func (a *follower) hold(t *thread, q *objects.Request) {
	if a.checks != nil {
		a.checks.Hold(&t.use, q)
	}
}

// holdStarted shows the usage checks that a persistent request is started.
func (a *follower) holdStarted(t *thread, q *objects.Request) {
	if q.Held == nil {
		return
	}
	a.checks.Start(&t.use, q)
	if len(a.checks.Reports) > 0 {
		a.tellReports()
	}
}

// filled shows the usage checks how much the operation of a request has received, or read, and which call has found
// that.
func (a *follower) filled(q *objects.Request, st status, by objects.Made) {
	if q.Held == nil || a.checks == nil {
		return
	}
	bytes := st.bytes
	if q.Shared {
		bytes = -1 // it may be another one with this handle that has got them
	}
	a.checks.Filled(q, bytes, by)
	if len(a.checks.Reports) > 0 {
		a.tellReports()
	}
}

// askReceived has the wait-state system say what a receive meets whose count goes on behind the end of its memory, as a
// blocking one from a known source does not tell. With several threads it is not certain which receive a message has
// met.
func (a *follower) askReceived(t *thread, o *waitstate.Op) {
	x := t.use.Filling
	if x == nil || !o.Blocking || len(t.rank.threads) > 1 {
		return
	}
	for _, p := range o.Posts {
		if p.Kind == op.Recv && p.Taking == nil {
			p.Asked = true
			if a.reaches == nil {
				a.reaches = make(map[*waitstate.Origin]check.Filling)
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

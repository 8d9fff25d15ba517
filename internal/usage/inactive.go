package usage

import (
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// A persistent request that is not active may be waited for (MPI-4.0, 3.7.3), and many programs do so: they wait for the last
// operation of a request before each start, or for all requests of an array of which some are in use. Only one that is never
// started at all was most likely forgotten. That is known when it is freed, or when the rank ends.

// idleWait is a call that waited for a request which had not been started.
type idleWait struct {
	Made
	thread op.Thread
	at, k  int // the parameter, and the place in it
}

func watchInactive(h *Hooks) {
	onRequests(h, func(f *mpi.Func) bool {
		return f.Class == mpi.Wait || f.Class == mpi.Waitall || f.Class == mpi.Test
	}, func(c *Call, at, k int) {
		if q := c.Requests[k]; q != nil && q.Persistent && !q.Started && q.idle == nil && !q.Shared {
			q.idle = &idleWait{Made{c.Func, c.Site}, c.Thread, at, k}
		}
	})
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.RequestFree }, func(c *Call, at, k int) {
		if q := c.Requests[k]; q != nil {
			c.neverStarted(q)
		}
	})
}

// neverStarted reports a request that was waited for and not started until the end of its life.
func (c *Call) neverStarted(q *Request) {
	if q.idle == nil || q.Started || q.Shared || !c.Rank.followed() {
		return
	}
	x := *c
	x.Func, x.Site, x.Thread, x.Words, x.Comm = q.idle.Func, q.idle.Site, q.idle.thread, nil, nil
	x.saySo(requestInactive, q.idle.at, q.idle.k, "", "a persistent request that is never started; the call does not wait",
		"MPI_Start starts the operation: without it nothing is sent or received", q.related())
}

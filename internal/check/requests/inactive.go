package requests

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// A persistent request that is not active may be waited for (MPI-4.0, 3.7.3), and many programs do so: they wait for
// the last operation of a request before each start, or for all requests of an array of which some are in use. Only one
// that is never started at all was most likely forgotten. That is known when it is freed, or when the rank ends.

func watchInactive(h *check.Hooks) {
	onRequests(h, func(f *mpi.Func) bool {
		return f.Class == mpi.Wait || f.Class == mpi.Waitall || f.Class == mpi.Test
	}, func(c *check.Call, at, k int) {
		if q := c.Requests[k]; q != nil && q.Persistent && !q.Started && q.Idle == nil && !q.Shared {
			q.Idle = &objects.IdleWait{Made: c.By(), Thread: c.Thread, At: at, K: k}
		}
	})
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.RequestFree }, func(c *check.Call, at, k int) {
		if q := c.Requests[k]; q != nil {
			neverStarted(c, q)
		}
	})
	h.EndRank(func(c *check.Call) { c.Rank.Pending(func(q *objects.Request) { neverStarted(c, q) }) })
}

// neverStarted reports a request that was waited for and not started until the end of its life.
func neverStarted(c *check.Call, q *objects.Request) {
	if q.Idle == nil || q.Started || q.Shared || !c.Rank.Followed() {
		return
	}
	x := *c
	x.Func, x.Site, x.Thread, x.Words, x.Comm = q.Idle.Func, q.Idle.Site, q.Idle.Thread, nil, nil
	saySo(&x, requestInactive, q.Idle.At, q.Idle.K, "",
		"a persistent request that is never started; the call does not wait",
		"MPI_Start starts the operation: without it nothing is sent or received", check.MadeBy(q))
}

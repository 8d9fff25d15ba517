// Package requests follows how requests are started, completed and freed.
package requests

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about requests.
const (
	requestInvalid  finding.Code = "request-invalid"
	requestTwice    finding.Code = "request-twice"
	requestInactive finding.Code = "request-inactive"
	requestNull     finding.Code = "request-null"
	requestActive   finding.Code = "request-active"
	requestMisfit   finding.Code = "request-kind"
	requestFreed    finding.Code = "request-freed-active"
	cancelSend      finding.Code = "cancel-send"
	cancelInvalid   finding.Code = "cancel-invalid"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "requests", Family: check.Requests, Watch: watchRequests,
			Peers: []string{"ERROR_REQUEST_NOT_KNOWN", "ERROR_REQUEST_NOT_KNOWN_ARRAY", "ERROR_REQUEST_NULL",
				"ERROR_REQUEST_NULL_ARRAY", "LOCAL:REQUEST:ILLEGAL_CALL"},
			Codes: []finding.Doc{
				{
					Code: requestInvalid, Title: "a request is null, already complete, or was never created",
					Severity: finding.Error, Since: finding.Version01,
					Means: "A call was passed a handle that is not a valid request: one that has been completed or " +
						"freed, or a variable that was never set; or MPI_REQUEST_NULL where a request is needed " +
						"(MPI_Start, MPI_Cancel, MPI_Request_free, MPI_Pready). Or it was passed more requests than " +
						"the variable has room for, by its declaration in the debug information (`-g`).",
					Why: "The handle was copied before the wait, which sets only the variable passed to it to " +
						"MPI_REQUEST_NULL; or an array of requests was not completely filled, or is shorter " +
						"than the count.",
					Fix: "Keep one variable per request, and initialise arrays to MPI_REQUEST_NULL.",
				},
				{
					Code: requestTwice, Title: "a request is in an array twice", Severity: finding.Error,
					Since: finding.Version01,
					Means: "A call that completes or starts several requests was passed one of them twice. An " +
						"operation can be completed only once (MPI-4.0, 3.7.5).",
					Why: "An index was not incremented, or a handle was copied to another element.",
					Fix: "Give each operation its own element.",
				},
			},
		},
		{
			Name: "inactive-requests", Family: check.Requests, Watch: watchInactive,
			Peers: []string{"WARNING_REQUEST_INACTIVE", "WARNING_REQUEST_NULL_OR_INACTIVE_ARRAY",
				"ERROR_REQUEST_PERSISTENT_BUT_INACTIVE"},
			Codes: []finding.Doc{{
				Code: requestInactive, Title: "a persistent request is waited for but never started",
				Severity: finding.Info, Since: finding.Version01,
				Means: "MPI_Wait, MPI_Waitall or MPI_Test was passed a persistent request that the program never " +
					"starts until it frees the request or ends. That is allowed: such a call returns at once, with " +
					"an empty status (MPI-4.0, 3.7.3). But nothing was sent or received. A wait before the first " +
					"start, or after a completed operation, is not reported.",
				Why: "MPI_Start was forgotten, or is called for another request.",
				Fix: "Call MPI_Start or MPI_Startall before the wait.",
			}},
		},
		{
			Name: "null-requests", Family: check.Requests, Off: true, Watch: watchNull,
			Peers: []string{"WARNING_REQUEST_NULL"},
			Codes: []finding.Doc{{
				Code: requestNull, Title: "MPI_REQUEST_NULL is waited for", Severity: finding.Info,
				Since: finding.Version01,
				Means: "MPI_Wait or MPI_Test was passed MPI_REQUEST_NULL. The call returns at once with an empty " +
					"status, which is allowed (MPI-4.0, 3.7.3). This check is off by default.",
				Why: "Usually intended; sometimes the operation to wait for was never started.",
				Fix: "If the wait is meant for an operation, start it first.",
			}},
		},
		{
			Name: "persistent-requests", Family: check.Requests, Watch: watchStarts,
			Peers: []string{"ERROR_REQUEST_ACTIVE", "ERROR_REQUEST_ACTIVE_ARRAY", "ERROR_REQUEST_NOT_PARTITIONED_RECV",
				"ERROR_REQUEST_NOT_PARTITIONED_SEND", "ERROR_REQUEST_PARTITION_ACTIVE"},
			Codes: []finding.Doc{
				{
					Code: requestActive, Title: "an active request is started again", Severity: finding.Error,
					Since: finding.Version01,
					Means: "MPI_Start was called for a persistent request that was started before and has not been " +
						"completed since (MPI-4.0, 3.9).",
					Why: "The wait at the end of the loop is missing, or is skipped on some path.",
					Fix: "Complete the request with MPI_Wait or a successful MPI_Test before each new start.",
				},
				{
					Code: requestMisfit, Title: "a request is of the wrong kind for the call", Severity: finding.Error,
					Since: finding.Version01,
					Means: "MPI_Start was passed a request that is not persistent; or MPI_Pready or MPI_Parrived was " +
						"passed one that is not partitioned, is on the wrong side or is not active, or a partition " +
						"that does not exist or was already marked ready (MPI-4.0, 3.9 and 4.2).",
					Why: "MPI_Isend and MPI_Irecv start their operation themselves: only requests from " +
						"MPI_Send_init and similar functions are started.",
					Fix: "Create the request with MPI_Send_init or MPI_Recv_init, or remove the start. Call " +
						"MPI_Pready once per partition after each start.",
				},
			},
		},
		{
			Name: "freed-requests", Family: check.Requests, Watch: watchRequestFree,
			Peers: []string{"WARNING_REQUEST_ACTIVE_RECV", "INFO_FREE_NONPERSISTENT_REQUEST",
				"LOCAL:REQUEST:PREMATURE_FREE"},
			Codes: []finding.Doc{{
				Code: requestFreed, Title: "a request is freed while its operation is pending",
				Severity: finding.Warning, Since: finding.Version01,
				Means: "MPI_Request_free was called for an active request. The operation continues, but the program " +
					"can no longer find out when it completes (MPI-4.0, 3.7.3): when the data of a receive has " +
					"arrived, or when the buffer of a send (informational only) may be reused. For a non-blocking " +
					"collective it is an error (MPI-4.0, 6.12).",
				Why: "MPI_Request_free was mistaken for the call that completes a request.",
				Fix: "Complete the request with MPI_Wait or MPI_Test; that frees it too.",
			}},
		},
		{
			Name: "cancels", Family: check.Requests, Watch: watchCancel,
			Peers: []string{"WARNING_REQUEST_CANCELED"},
			Codes: []finding.Doc{
				{
					Code: cancelSend, Title: "a send is cancelled", Severity: finding.Warning, Since: finding.Version01,
					Means: "MPI_Cancel was called for a send. MPI-4.0 deprecates that (3.8.4), and most libraries " +
						"ignore it: the message is delivered anyway.",
					Why: "The program gives up on a message that has not been received yet.",
					Fix: "Receive every message that is sent, or agree beforehand on whether there will be one.",
				},
				{
					Code: cancelInvalid, Title: "an operation that cannot be cancelled is cancelled",
					Severity: finding.Error, Since: finding.Version01,
					Means: "MPI_Cancel was called for a persistent request that is not active, or for a collective " +
						"operation (MPI-4.0, 3.8.4 and 6.12).",
					Why: "A clean-up cancels whatever a variable holds.",
					Fix: "Cancel only receives that have been started and not completed, then complete them " +
						"with MPI_Wait.",
				},
			},
		},
	}
}

// onRequests adds a handler for each request that a call names at its begin, with its place among them.
func onRequests(h *check.Hooks, concerned func(f *mpi.Func) bool, do func(c *check.Call, at, k int)) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RRequest)
		if !ok || !f.Params[at].Kind.AtEntry() {
			at, ok = f.Param(mpi.RRequests)
		}
		if !ok || !f.Params[at].Kind.AtEntry() || !concerned(f) {
			return nil
		}
		return func(c *check.Call) {
			for k := range c.Requests {
				do(c, at, k)
			}
		}
	})
}

// named is how a sentence names request k of a call.
func named(c *check.Call, at, k int) finding.Wording {
	p := &c.Func.Params[at]
	if p.Kind == mpi.KReqs {
		return finding.Wordf("{%s}[%d]", p.Name, k)
	}
	return finding.Wordf("{%s}", p.Name)
}

// saySo reports something about request k of a call.
func saySo(c *check.Call, code finding.Code, at, k int, severity finding.Severity, what, hint string,
	related ...check.Related) {
	c.Say(code, at, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s %s.", c.Rank.World, c.Func.Name,
			named(c, at, k), what), Hint: hint,
			Related: related, Severity: severity}
	})
}

// watchRequests looks for handles of no request, and for requests that are in an array twice.
func watchRequests(h *check.Hooks) {
	watchRoom(h)
	completes := func(f *mpi.Func) bool { return f.Class.Completes() }
	onRequests(h, func(*mpi.Func) bool { return true }, func(c *check.Call, at, k int) {
		r, handle := c.Rank, c.Handles[k]
		if c.Requests[k] != nil {
			return
		}
		if r.Null(mpi.ORequest, handle) {
			if !completes(c.Func) && !behind(c, at, k) {
				saySo(c, requestInvalid, at, k, "", mpi.ORequest.Null(), "")
			}
			return
		}
		if !r.Followed() || behind(c, at, k) {
			return
		}
		if by, known := r.EndOf(handle); known {
			text := "it was completed"
			if by.Func.Class == mpi.RequestFree {
				text = "it was freed"
			}
			saySo(c, requestInvalid, at, k, "", "a request that no longer exists",
				"a wait sets only the variable passed to it to MPI_REQUEST_NULL, not copies",
				check.Related{Text: text, Func: by.Func, Site: by.Site})
			return
		}
		hint := "the variable may never have been set, or it was overwritten"
		if c.Func.Params[at].Kind == mpi.KReqs {
			hint = "the element may never have been set, it was overwritten, or the array has fewer elements than " +
				"the call takes"
		}
		saySo(c, requestInvalid, at, k, "", "a handle that is not a valid request", hint)
	})
	round := uint64(0) // arrays looked at
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RRequests)
		if !ok {
			return nil
		}
		return func(c *check.Call) {
			r := c.Rank
			round++
			for k, q := range c.Requests {
				switch {
				case q == nil || q.Shared:
				case q.Mark == round && r.Followed():
					saySo(c, requestTwice, at, k, "", "a request that is already in the array", "", check.MadeBy(q))
				default:
					q.Mark = round
				}
			}
		}
	})
}

func watchNull(h *check.Hooks) {
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.Wait || f.Class == mpi.Test },
		func(c *check.Call, at, k int) {
			if c.Rank.Null(mpi.ORequest, c.Handles[k]) {
				saySo(c, requestNull, at, k, "", "MPI_REQUEST_NULL; the call does not wait", "")
			}
		})
}

func watchStarts(h *check.Hooks) {
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.Start || f.Class == mpi.Startall },
		func(c *check.Call, at, k int) {
			q := c.Requests[k]
			switch {
			case q == nil || q.Shared || !c.Rank.Followed():
			case !q.Persistent:
				saySo(c, requestMisfit, at, k, "", "a request that is not persistent",
					"its operation was started by the call that created it: complete it with MPI_Wait", check.MadeBy(q))
			case q.Active:
				saySo(c, requestActive, at, k, "", "an active request: it was started and has not been completed",
					"complete it with MPI_Wait or a successful MPI_Test before starting it again", check.MadeBy(q))
			}
		})
	onRequests(h, partitioned, func(c *check.Call, at, k int) {
		q := c.Requests[k]
		if q == nil || q.Shared || !c.Rank.Followed() {
			return
		}
		receive := c.Func.Class == mpi.Parrived
		switch {
		case q.Partitions == nil:
			saySo(c, requestMisfit, at, k, "", "a request that is not partitioned", "", check.MadeBy(q))
		case receive && q.Made.Func.Class == mpi.PsendInit:
			saySo(c, requestMisfit, at, k, "", "the request of a send", "MPI_Parrived is for receives", check.MadeBy(q))
		case !receive && q.Made.Func.Class == mpi.PrecvInit:
			saySo(c, requestMisfit, at, k, "", "the request of a receive", "MPI_Pready is for sends", check.MadeBy(q))
		case !receive && !q.Active:
			saySo(c, requestMisfit, at, k, "", "a partitioned send that is not active",
				"call MPI_Start before the first MPI_Pready", check.MadeBy(q))
		default:
			partitions(c, q, !receive)
		}
	})
}

func partitioned(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Pready, mpi.PreadyRange, mpi.PreadyList, mpi.Parrived:
		return true
	}
	return false
}

// partitions looks at the partitions that a call names; ready says that it hands them over.
func partitions(c *check.Call, q *objects.Request, ready bool) {
	at, _ := c.Func.Param(mpi.RPartition)
	low, _ := c.Int(at)
	high := low
	list := []uint64{}
	switch c.Func.Class {
	case mpi.PreadyRange:
		to, _ := c.Func.Param(mpi.RPartitionHigh)
		high, _ = c.Int(to)
	case mpi.PreadyList:
		list, low, high = c.Array(at), 0, -1
	}
	one := func(n int64) bool {
		if n < 0 || n >= q.Partitions.Count {
			c.Say(requestMisfit, at, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf("Rank %d calls %s with {%s} %d, but the request has %s (0 to %d).",
						c.Rank.World, c.Func.Name, c.Func.Params[at].Name, n,
						check.Counted(int(q.Partitions.Count), "partition"), q.Partitions.Count-1),
					Related: []check.Related{check.MadeBy(q)}}
			})
			return false
		}
		if ready && q.Partitions.Give(n) {
			c.Say(requestMisfit, at, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d calls %s with {%s} %d, which was already marked ready since the last start.",
						c.Rank.World, c.Func.Name, c.Func.Params[at].Name, n),
					Related: []check.Related{check.MadeBy(q)}}
			})
			return false
		}
		return true
	}
	for n := low; n <= high && one(n); n++ {
	}
	for _, v := range list {
		if !one(int64(int32(v))) {
			return
		}
	}
}

func watchRequestFree(h *check.Hooks) {
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.RequestFree }, func(c *check.Call, at, k int) {
		q := c.Requests[k]
		if q == nil || !q.Active || q.Shared || q.Canceled || !c.Rank.Followed() {
			return
		}
		switch f := q.Made.Func; {
		case receives(f):
			saySo(c, requestFreed, at, k, "",
				"an active receive: the program can no longer tell when its data has arrived", "wait for it instead",
				check.MadeBy(q))
		case sends(f):
			saySo(c, requestFreed, at, k, finding.Info,
				"an active send: the program can no longer tell when its buffer may be reused", "wait for it instead",
				check.MadeBy(q))
		case f.Nonblocking && (f.Class == mpi.Coll || f.Class == mpi.CommCreate):
			saySo(c, requestFreed, at, k, finding.Error,
				"an active collective operation, whose request must not be freed", "wait for it instead",
				check.MadeBy(q))
		}
	})
}

func receives(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Irecv, mpi.Imrecv, mpi.RecvInit, mpi.PrecvInit, mpi.Isendrecv:
		return true
	}
	return false
}

func sends(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Isend, mpi.SendInit, mpi.PsendInit:
		return true
	}
	return false
}

func watchCancel(h *check.Hooks) {
	onRequests(h, func(f *mpi.Func) bool { return f.Class == mpi.Cancel }, func(c *check.Call, at, k int) {
		q := c.Requests[k]
		if q == nil || q.Shared || !c.Rank.Followed() {
			return
		}
		switch f := q.Made.Func; {
		case q.Persistent && !q.Active:
			saySo(c, cancelInvalid, at, k, "", "a persistent request that is not active", "", check.MadeBy(q))
		case f.Class == mpi.Coll || f.Class == mpi.CommCreate:
			saySo(c, cancelInvalid, at, k, "", "the request of a collective operation, which cannot be cancelled", "",
				check.MadeBy(q))
		case sends(f) && f.Class != mpi.PsendInit:
			saySo(c, cancelSend, at, k, "", "a send",
				"complete the send instead: MPI-4.0 deprecates its cancellation, and most libraries deliver the "+
					"message anyway", check.MadeBy(q))
		}
	})
}

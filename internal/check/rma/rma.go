// Package rma follows windows: their epochs, what is done in them, and the memory that is theirs.
package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
)

// Codes about windows.
const (
	rmaEpoch       finding.Code = "rma-epoch"
	rmaEpochOrder  finding.Code = "rma-epoch-order"
	rmaAssert      finding.Code = "rma-assert"
	rmaBounds      finding.Code = "rma-bounds"
	Conflict       finding.Code = "rma-conflict"
	rmaLocalBuffer finding.Code = "rma-local-buffer"
	rmaFlush       finding.Code = "rma-flush"
	winOverlap     finding.Code = "win-overlap"
	winAttach      finding.Code = "win-attach"
	winFlavour     finding.Code = "win-flavour"
	rmaType        finding.Code = "rma-type-mismatch"
	rmaTruncated   finding.Code = "rma-truncated"
	winOutside     finding.Code = "win-memory-outside"
	winGone        finding.Code = "win-memory-freed"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	follow := func(h *check.Hooks) { model(h) }
	return []check.Checker{
		{
			Name: "epochs", Family: check.RMA, Watch: follow,
			Peers: []string{"ERROR_WIN_EPOCH", "ERROR_WIN_LOCK"},
			Codes: []finding.Doc{{
				Code: rmaEpoch, Title: "an RMA call outside an epoch", Severity: finding.Error,
				Since: finding.Version01,
				Means: "MPI_Put, MPI_Get, MPI_Accumulate and similar calls need an epoch that covers their target: " +
					"between two MPI_Win_fence calls, between MPI_Win_start and MPI_Win_complete with the target in " +
					"the group, or under a lock of the target (MPI-4.0, 12.5). Calls that return a request, such as " +
					"MPI_Rput, need a lock (12.3.5).",
				Why: "The first fence is missing, or the call was moved after the last fence, the unlock or " +
					"MPI_Win_complete. Or another rank was locked.",
				Fix: "Move the call between the two synchronisation calls, or add the first of them.",
			}, {
				Code: rmaEpochOrder, Title: "synchronisation calls on a window are out of order",
				Severity: finding.Error, Since: finding.Version01,
				Means: "An epoch is ended that was not started, or started while another is open, or a window is " +
					"freed or MPI finalised before its last epoch has ended. The epochs of a window on one rank must " +
					"not overlap (MPI-4.0, 12.5).\n\nRMA calls under a lock between two calls to MPI_Win_fence are a " +
					"warning: by the wording of 12.5.1 the first fence starts an epoch then, though MPI libraries do " +
					"not treat it so.",
				Why: "A branch or an early return skips one call of a pair (MPI_Win_lock and MPI_Win_unlock, " +
					"MPI_Win_start and MPI_Win_complete, MPI_Win_post and MPI_Win_wait), or two styles of " +
					"synchronisation are mixed on one window.",
				Fix: "Pair the calls on every path, in the same function if possible. Use one style of " +
					"synchronisation per window.",
			}},
		},
		{
			Name: "window-assertions", Family: check.RMA, Watch: follow,
			Peers: []string{"ERROR_WIN_FENCE_ASSERT"},
			Codes: []finding.Doc{{
				Code: rmaAssert, Title: "an assertion about a window does not hold", Severity: finding.Error,
				Since: finding.Version01,
				Means: "A synchronisation call was passed an assertion that does not hold: MPI_MODE_NOPRECEDE with " +
					"RMA calls still to complete, or MPI_MODE_NOPUT on a rank whose window is then written to " +
					"(MPI-4.0, 12.5.5). MPI may skip work that the assertion makes unnecessary, so the data " +
					"may be wrong.",
				Why: "The assertions were copied from another call, or the program has changed since they were added.",
				Fix: "Pass 0 instead: assertions are only optimisations. Keep those that hold on every path.",
			}},
		},
		{
			Name: "window-bounds", Family: check.RMA, Watch: follow,
			Codes: []finding.Doc{{
				Code: rmaBounds, Title: "an RMA call goes beyond the target's window", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The displacement times the target's displacement unit, plus the data transferred there, is " +
					"not within the memory of the target's window (MPI-4.0, 12.3).",
				Why: "A displacement in bytes where the unit is an element's size, or the reverse; an off-by-one " +
					"index; or windows of different sizes on the ranks.",
				Fix: "Check the size and the displacement unit that the target passed when the window was created: " +
					"both are the target's, not the caller's.",
			}},
		},
		{
			Name: "transfer-types", Family: check.RMA, Watch: watchTransfers,
			Codes: []finding.Doc{{
				Code: rmaType, Title: "the datatypes of an RMA call do not match", Severity: finding.Error,
				Since: finding.Version01,
				Means: "An RMA call names the data at the origin and at the target; both must have the same basic " +
					"types, as for a message and its receive (MPI-4.0, 12.3.1 and 12.3.2). All datatypes of an " +
					"accumulate must be composed of one predefined datatype (12.3.4).\n\nWhere both types have the " +
					"same size and kind on this machine, or one of them is MPI_BYTE, it is a warning: no data was " +
					"lost here, but MPI guarantees nothing.",
				Why: "The target datatype was copied from another call, a struct type lists its fields in another " +
					"order, or the element type of the window was changed but not all calls were.",
				Fix: "Use the same datatype for origin and target, or types composed of the same basic types in " +
					"the same order.",
			}, {
				Code: rmaTruncated, Title: "an RMA call transfers more data than its buffer holds",
				Severity: finding.Error, Since: finding.Version01,
				Means: "The origin data must fit, without truncation, into the target buffer described by " +
					"target_count and target_datatype; for MPI_Get it is the reverse, and for MPI_Get_accumulate the " +
					"target's data must fit into the result buffer too (MPI-4.0, 12.3.1, 12.3.2 and 12.3.4). MPI " +
					"libraries return an error, write beyond the buffer, or transfer only a part.",
				Why: "The two counts are computed differently, or one counts rows and the other elements.",
				Fix: "Describe the same amount of data on both sides: the count times the number of elements in " +
					"the datatype must agree.",
			}},
		},
		{
			Name: "window-conflicts", Family: check.RMA, Watch: follow,
			Codes: []finding.Doc{{
				Code: Conflict, Title: "RMA calls of one epoch conflict", Severity: finding.Error,
				Since: finding.Version01,
				Means: "Two RMA calls access the same bytes of a window, nothing orders them, at least one of them " +
					"modifies the bytes, and they are not both accumulates with the same operator and the same " +
					"predefined datatype, whose elements do not overlap in part. The result is undefined (MPI-4.0, " +
					"12.3 and 12.7). The same holds for what the owner of a window sends, receives or puts from " +
					"these bytes in an epoch of MPI_Win_fence or MPI_Win_post. Outside of such epochs, what the " +
					"owner sends, reduces or puts from there is compared with calls of others under locks. In " +
					"programs that `unknot mpicc`, `mpicxx` or `mpifort` has compiled, the same is done with what " +
					"the owner loads and stores itself, and in shared memory with the loads and stores of all " +
					"ranks.\n\nUnder shared locks, calls of several ranks conflict, and so do under any lock those " +
					"of one rank and what the owner does without a lock, if no chain of messages and collectives " +
					"leads from the completion of one of them (MPI_Win_flush, MPI_Win_unlock) to the other. If a " +
					"value in memory that others write might order them, it is a warning; so are accumulates of one " +
					"rank with different operators or datatypes. An operation with a request, such as MPI_Rput, is " +
					"not complete at the target when its request is (12.3.5); only MPI_Rget is. MPI_Win_flush " +
					"completes only operations on the rank that it is passed, and MPI_Win_flush_local none at " +
					"the target.",
				Why: "RMA calls of an epoch are not ordered, not even those of one rank to one target. A put and a " +
					"get of the same location need synchronisation between them, and ranks that put concurrently " +
					"need separate locations.",
				Fix: "Put MPI_Win_fence, or under a lock MPI_Win_flush, between two calls of one rank. An owner " +
					"locks its own window before it loads or stores while others may have locks. Between ranks, let " +
					"one wait for the other after its MPI_Win_flush, by a message or a barrier, or use " +
					"MPI_LOCK_EXCLUSIVE. For sums and flags use MPI_Accumulate, whose calls are atomic (with " +
					"MPI_REPLACE as an atomic put, MPI_Get_accumulate with MPI_NO_OP as an atomic get).",
			}},
		},
		{
			Name: "origin-buffers", Family: check.RMA, Watch: func(h *check.Hooks) { model(h).watchOriginBuffers(h) },
			Codes: []finding.Doc{{
				Code: rmaLocalBuffer, Title: "a buffer of an RMA call is used before the call is complete",
				Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Put, MPI_Get and similar calls return immediately. Until the epoch ends, MPI_Win_flush " +
					"or MPI_Win_flush_local is called, or the request is complete, the buffer of a put must not be " +
					"written, and that of a get must not be accessed at all (MPI-4.0, 12.3). Here another MPI call " +
					"does so, or the program itself, which is seen if it was compiled with `unknot mpicc`, `mpicxx` " +
					"or `mpifort`.",
				Why: "The call looks like a blocking one. A loop that repeatedly gets into one variable, or " +
					"forwards what it has just got, needs synchronisation in each iteration.",
				Fix: "End the epoch first, call MPI_Win_flush_local under a lock, or use one buffer per operation.",
			}},
		},
		{
			Name: "flushes", Family: check.RMA, Watch: follow,
			Codes: []finding.Doc{{
				Code: rmaFlush, Title: "a flush names another rank than that of the pending operation",
				Severity: finding.Warning, Since: finding.Version01,
				Means: "MPI_Win_flush and MPI_Win_flush_local with a rank complete what the caller has started at " +
					"that rank, and nothing at other ranks (MPI-4.0, 12.5.4). Here nothing was pending there, but an " +
					"operation at another rank was, which no flush completed before the epoch ended. Between the " +
					"flush and the end of the epoch, what MPI_Get returned must not be read, and what MPI_Put wrote " +
					"may be missing at its target. If it is certain that this happened, `rma-local-buffer` or " +
					"`rma-conflict` is reported instead.",
				Why: "The rank was computed for another call, or the caller's own rank was passed instead of " +
					"the target's.",
				Fix: "Pass the target of the operation, or call MPI_Win_flush_all. If nothing depends on the " +
					"operation before the epoch ends, remove the flush.",
			}},
		},
		{
			Name: "window-overlap", Family: check.RMA, Watch: follow,
			Peers: []string{"WARNING_WIN_OVERLAP"},
			Codes: []finding.Doc{{
				Code: winOverlap, Title: "two windows share memory", Severity: finding.Warning,
				Since: finding.Version01,
				Means: "A rank created two windows over the same memory. MPI allows it, but concurrent RMA calls on " +
					"both have undefined results (MPI-4.0, 12.2.1).",
				Why: "A size in elements instead of bytes, an offset that is too small, or a window that was not " +
					"freed before the next one was created.",
				Fix: "Free the first window before its memory is used again. If it is intended, use one " +
					"window at a time.",
			}},
		},
		{
			Name: "window-memory", Family: check.RMA, Watch: func(h *check.Hooks) { model(h).watchFlavours(h) },
			Peers: []string{"ERROR_WIN_ATTACH_OVERLAP"},
			Codes: []finding.Doc{{
				Code: winAttach, Title: "memory of a dynamic window is used incorrectly", Severity: finding.Error,
				Since: finding.Version01,
				Means: "Memory is attached to a window twice, memory is detached that was not attached, or an RMA " +
					"call accesses memory that the target never attached (MPI-4.0, 12.2.4).",
				Why: "The displacement in a dynamic window is the address on the target, as MPI_Get_address " +
					"returns it there, not a local address or an offset.",
				Fix: "Send the address from the target to the ranks that access it, after MPI_Win_attach. Attach " +
					"each block of memory once, and detach it by the address that was attached.",
			}, {
				Code: winFlavour, Title: "the call is for another kind of window", Severity: finding.Warning,
				Since: finding.Version01,
				Means: "MPI_Win_shared_query is for windows from MPI_Win_allocate_shared (MPI-4.0, 12.2.3), " +
					"MPI_Win_attach and MPI_Win_detach are for those from MPI_Win_create_dynamic (12.2.4).",
				Why: "The window is now created by another function, or the wrong one of several windows was passed.",
				Fix: "Create the window with the function that the call requires.",
			}},
		},
		{
			Name: "window-grounds", Family: check.RMA, Watch: func(h *check.Hooks) { model(h).watchWindowMemory(h) },
			Codes: []finding.Doc{{
				Code: winOutside, Title: "a window is larger than the memory behind it", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The memory of a window begins inside a variable, a heap block or a stack and extends beyond " +
					"its end, or its address is null while its size is not 0 (MPI-4.0, 12.2.1). RMA calls of other " +
					"ranks access unrelated or unmapped memory. Variables are known from the symbols of the program " +
					"and its libraries, heap blocks with --check-memory.",
				Why: "A size that was multiplied twice by the element size, the size of the whole array where each " +
					"rank has a part, an allocation that failed and was not checked.",
				Fix: "Pass the size in bytes of the memory that the rank actually has, or let MPI allocate it with " +
					"MPI_Win_allocate. A rank without memory passes size 0.",
			}, {
				Code: winGone, Title: "the memory of a window is freed before the window", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The memory of a window was freed, or the function that owned it returned, before " +
					"MPI_Win_free or, for a dynamic window, MPI_Win_detach (MPI-4.0, 12.2.4 and 12.2.5: the memory " +
					"may be freed after the call). RMA calls may access memory that has been reused. What was freed " +
					"before the window was created is known with --check-memory.",
				Why: "free before MPI_Win_free, realloc of an exposed array, a window over a local variable of a " +
					"set-up function that returns.",
				Fix: "Call MPI_Win_free first, then free the memory. For a window that outlives a function, " +
					"allocate the memory, or use MPI_Win_allocate, whose memory MPI_Win_free frees.",
			}},
		},
	}
}

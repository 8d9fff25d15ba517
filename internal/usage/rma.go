package usage

import "unknot/internal/finding"

// Codes about windows.
const (
	rmaEpoch       finding.Code = "rma-epoch"
	rmaEpochOrder  finding.Code = "rma-epoch-order"
	rmaAssert      finding.Code = "rma-assert"
	rmaBounds      finding.Code = "rma-bounds"
	rmaConflict    finding.Code = "rma-conflict"
	rmaLocalBuffer finding.Code = "rma-local-buffer"
	winOverlap     finding.Code = "win-overlap"
	winAttach      finding.Code = "win-attach"
	winFlavour     finding.Code = "win-flavour"
	rmaType        finding.Code = "rma-type-mismatch"
	rmaTruncated   finding.Code = "rma-truncated"
	winOutside     finding.Code = "win-memory-outside"
	winGone        finding.Code = "win-memory-freed"
)

func rmaCheckers() []Checker {
	follow := func(h *Hooks) { h.over() }
	return []Checker{
		{
			Name: "epochs", Family: RMA, Watch: follow,
			Peers: []string{"ERROR_WIN_EPOCH", "ERROR_WIN_LOCK"},
			Codes: []finding.Doc{{
				Code: rmaEpoch, Title: "an RMA call outside of an epoch", Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Put, MPI_Get, MPI_Accumulate and their like need an epoch that covers their target: between two MPI_Win_fence, between MPI_Win_start and MPI_Win_complete with the target in the group, or under a lock of the target (MPI-4.0, 12.5). Calls with a request, such as MPI_Rput, need a lock (12.3.5).",
				Why:   "The first fence is missing, or the call moved behind the last one, the unlock or MPI_Win_complete. Or the lock is one of another rank.",
				Fix:   "Put the call between the two synchronisation calls, or add the first of them.",
			}, {
				Code: rmaEpochOrder, Title: "synchronisation of a window out of order", Severity: finding.Error, Since: finding.Version01,
				Means: "A call that ends an epoch has no call that began it, one that begins an epoch comes while another is open, or a window is freed, or MPI finalised, before its last epoch was ended. The epochs of a window at one rank do not overlap (MPI-4.0, 12.5).\n\nRMA calls under a lock between two calls of MPI_Win_fence are a warning: by the wording of 12.5.1 the first fence has begun an epoch then, though MPI libraries do not take it so.",
				Why:   "A branch or an early return skips one call of a pair (MPI_Win_lock and MPI_Win_unlock, MPI_Win_start and MPI_Win_complete, MPI_Win_post and MPI_Win_wait), or two styles of synchronisation are mixed on one window.",
				Fix:   "Give each beginning its end on every path, in the same function if possible. Use one style of synchronisation at a time, and a window of its own for another.",
			}},
		},
		{
			Name: "window-assertions", Family: RMA, Watch: follow,
			Peers: []string{"ERROR_WIN_FENCE_ASSERT"},
			Codes: []finding.Doc{{
				Code: rmaAssert, Title: "an assertion about a window does not hold", Severity: finding.Error, Since: finding.Version01,
				Means: "A synchronisation call was given an assertion that the program breaks: MPI_MODE_NOPRECEDE with RMA calls still to complete, or MPI_MODE_NOPUT at a rank whose window is then written to (MPI-4.0, 12.5.5). MPI may leave out what the assertion makes needless, so the data may be wrong.",
				Why:   "The assertions were copied from another place, or the program has changed since they were put there.",
				Fix:   "Give 0 instead: assertions only save time. Keep those that hold on every path.",
			}},
		},
		{
			Name: "window-bounds", Family: RMA, Watch: follow,
			Codes: []finding.Doc{{
				Code: rmaBounds, Title: "an RMA call goes beyond the target's window", Severity: finding.Error, Since: finding.Version01,
				Means: "The displacement times the displacement unit of the target, and what is transferred there, do not lie within the memory that the target gave for its window (MPI-4.0, 12.3).",
				Why:   "A displacement in bytes where the unit is an element's size, or the reverse; an index that is one too high; or the ranks have windows of different sizes.",
				Fix:   "Check the size and the displacement unit that the target gave when the window was made: both are the target's, not the caller's.",
			}},
		},
		{
			Name: "transfer-types", Family: RMA, Watch: watchTransfers,
			Codes: []finding.Doc{{
				Code: rmaType, Title: "the datatypes of an RMA call do not fit together", Severity: finding.Error, Since: finding.Version01,
				Means: "An RMA call names the data at the origin and at the target; what is transferred must have the same basic types at both, as a message and its receive (MPI-4.0, 12.3.1 and 12.3.2). All datatypes of an accumulate must be made of one predefined datatype (12.3.4).\n\nWhere both types have the same size and kind on this machine, or one of them is MPI_BYTE, it is a warning: nothing was lost here, but MPI promises nothing.",
				Why:   "The target datatype was copied from another call, a struct type lists its fields in another order, or the element type of the window has changed and not all calls with it.",
				Fix:   "Use the same datatype for origin and target, or types that are made of the same basic types in the same order.",
			}, {
				Code: rmaTruncated, Title: "an RMA call transfers more than its buffer takes", Severity: finding.Error, Since: finding.Version01,
				Means: "The data of the origin must fit, without truncation, in what target_count and target_datatype describe; for MPI_Get it is the reverse, and for MPI_Get_accumulate the target's data must fit in the result too (MPI-4.0, 12.3.1, 12.3.2 and 12.3.4). MPI libraries return an error, write beyond the buffer, or transfer a part.",
				Why:   "The two counts are computed in different ways, or one counts rows and the other elements.",
				Fix:   "Describe the same amount of data on both sides: the count times the number of elements in the datatype must agree.",
			}},
		},
		{
			Name: "window-conflicts", Family: RMA, Watch: follow,
			Codes: []finding.Doc{{
				Code: rmaConflict, Title: "RMA calls of one epoch conflict", Severity: finding.Error, Since: finding.Version01,
				Means: "Two RMA calls access the same bytes of a window, nothing orders them, at least one of them changes the bytes, and they are not both accumulates with the same operator and the same predefined datatype. What comes out is undefined (MPI-4.0, 12.3 and 12.7). The same holds for what the owner of a window sends, receives or puts from these bytes in an epoch of MPI_Win_fence or MPI_Win_post.\n\nUnder shared locks calls of several ranks conflict if one of them is not complete (MPI_Win_flush, MPI_Win_unlock) when a barrier that all ranks are in separates it from the other, or if neither rank has made a call since that barrier from which it could know of the other's. If a rank might know from memory that others write, it is a warning; so are accumulates of one rank with different operators or datatypes.",
				Why:   "RMA calls of an epoch are not ordered, not even those of one rank to one target. So a put and a get of the same place need a synchronisation between them, and several ranks that put to one place need a place each.",
				Fix:   "Put MPI_Win_fence, or under a lock MPI_Win_flush, between two calls of one rank. Of several ranks let one wait for the other after its MPI_Win_flush, by a message or a barrier, or take MPI_LOCK_EXCLUSIVE. For sums and flags use MPI_Accumulate, whose calls do not disturb each other (with MPI_REPLACE as an atomic put, MPI_Get_accumulate with MPI_NO_OP as an atomic get).",
			}},
		},
		{
			Name: "origin-buffers", Family: RMA, Watch: func(h *Hooks) { h.over().watchLoans(h) },
			Codes: []finding.Doc{{
				Code: rmaLocalBuffer, Title: "a buffer of an RMA call is used before the call is complete", Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Put, MPI_Get and their like return at once. Until the epoch ends, MPI_Win_flush or MPI_Win_flush_local was called, or the request is complete, the buffer of a put may not be written, and that of a get may not be used at all (MPI-4.0, 12.3). Here another MPI call does so.",
				Why:   "The call looks like a blocking one. A loop that gets into one variable again and again, or sends on what it has just got, needs a synchronisation in each round.",
				Fix:   "End the epoch first, call MPI_Win_flush_local under a lock, or use one buffer for each operation.",
			}},
		},
		{
			Name: "window-overlap", Family: RMA, Watch: follow,
			Peers: []string{"WARNING_WIN_OVERLAP"},
			Codes: []finding.Doc{{
				Code: winOverlap, Title: "two windows share memory", Severity: finding.Warning, Since: finding.Version01,
				Means: "A rank has made two windows over the same memory. MPI allows it, but what RMA calls on both at a time do to it is undefined (MPI-4.0, 12.2.1).",
				Why:   "A size in elements where bytes are wanted, an offset that is too small, or a window that was not freed before the next one was made.",
				Fix:   "Free the first window before its memory is used again. Where it is on purpose, use one window at a time.",
			}},
		},
		{
			Name: "window-memory", Family: RMA, Watch: func(h *Hooks) { h.over().watchFlavours(h) },
			Peers: []string{"ERROR_WIN_ATTACH_OVERLAP"},
			Codes: []finding.Doc{{
				Code: winAttach, Title: "memory of a dynamic window is wrong", Severity: finding.Error, Since: finding.Version01,
				Means: "Memory is attached to a window that has it already, what is detached was not attached, or an RMA call goes to memory that the target never attached (MPI-4.0, 12.2.4).",
				Why:   "The displacement of a dynamic window is the address at the target, as MPI_Get_address gives it there. A local address or an offset from a base is none.",
				Fix:   "Send the address from the target to those that access it, after it has called MPI_Win_attach. Attach each piece of memory once, and detach it by the address that it was attached with.",
			}, {
				Code: winFlavour, Title: "a call for another kind of window", Severity: finding.Warning, Since: finding.Version01,
				Means: "MPI_Win_shared_query is for windows of MPI_Win_allocate_shared (MPI-4.0, 12.2.3), MPI_Win_attach and MPI_Win_detach are for those of MPI_Win_create_dynamic (12.2.4).",
				Why:   "The window was made by another function once, or there are several windows and the wrong one is named.",
				Fix:   "Make the window with the function that the call is for.",
			}},
		},
		{
			Name: "window-grounds", Family: RMA, Watch: func(h *Hooks) { h.over().watchWindowMemory(h) },
			Codes: []finding.Doc{{
				Code: winOutside, Title: "a window is larger than the memory behind it", Severity: finding.Error, Since: finding.Version01,
				Means: "The memory of a window begins inside a variable, a block of the heap or a stack and ends behind it, or its address is null while its size is not 0 (MPI-4.0, 12.2.1). RMA calls of other ranks reach memory that belongs to something else, or to nothing. Variables are known from the symbols of the program and its libraries, blocks of the heap with --check-memory.",
				Why:   "A size that counts elements multiplied twice by their size, the size of the whole array where each rank has a part, an allocation that failed and was not checked.",
				Fix:   "Pass the size in bytes of the memory that the rank really has, or let MPI allocate it with MPI_Win_allocate. A rank without memory gives size 0.",
			}, {
				Code: winGone, Title: "the memory of a window is gone before the window", Severity: finding.Error, Since: finding.Version01,
				Means: "The memory of a window was freed, or the function has returned whose variable it was, before MPI_Win_free or, for a dynamic window, MPI_Win_detach (MPI-4.0, 12.2.4 and 12.2.5: the memory may be freed after the call). RMA calls would access whatever is there now. Frees are known with --check-memory.",
				Why:   "free before MPI_Win_free, realloc of an array that is exposed, a window over a local variable of a function that sets everything up and returns.",
				Fix:   "Call MPI_Win_free first, then free the memory. For a window that outlives a function, allocate the memory, or use MPI_Win_allocate, whose memory MPI_Win_free gives back.",
			}},
		},
	}
}

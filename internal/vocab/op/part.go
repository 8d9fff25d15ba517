package op

// PartKind is the role that a call plays in a communication. Logs hold these numbers (package trace/file).
type PartKind uint8

// Kinds of parts.
const (
	Send     PartKind = iota
	Recv              // takes a message
	Probe             // waits for a message and leaves it
	Coll              // one member's part in a collective
	Served            // completes by itself: MPI_PROC_NULL, one-sided and file requests, what is not modelled
	Observed          // completes when the run shows that it did: conditions that are not modelled
)

// SendMode says when a send may complete without its receiver (MPI-4.0, 3.4). Logs hold these numbers.
type SendMode uint8

// Send modes. A standard send synchronises in the strict view and may have been buffered in the real one.
const (
	Standard SendMode = iota
	Synchronous
	Buffered // never waits: MPI_Bsend, and messages of the tool's own model
	Ready    // its receive must have been posted; see Blocks
)

// Blocks is the mode as far as it decides for what a send waits. A ready send is a standard or a synchronous one that
// says more (MPI-4.0, 3.4): where the receive is posted, as it must be, none of them waits for long; where it is not,
// MPI libraries send as in standard mode.
func (m SendMode) Blocks() SendMode {
	if m == Ready {
		return Standard
	}
	return m
}

// Sync says what a collective's completion at one member necessarily waits for, whatever the implementation: MPI-4.0,
// 6.1, and the semantics of each operation. In the strict view every collective waits for all of its members. Logs hold
// these numbers.
type Sync uint8

// Kinds of synchronisation. Of all but the first two and the last, "if it carries data": a zero count removes the need.
const (
	SyncNone     Sync = iota // nothing, or not known
	SyncAll                  // every member, always: barrier, communicator creation
	SyncFromRoot             // non-root: the root: bcast, scatter
	SyncToRoot               // root: every member: reduce, gather
	SyncLower                // members of lower rank: scan, exscan
	SyncAllData              // every member, if it carries data: allreduce, allgather, alltoall, reduce_scatter
)

// Carrying is what a collective waits for that carries data, or carries none.
func (s Sync) Carrying(data bool) Sync {
	switch {
	case s == SyncAll:
		return s
	case !data:
		return SyncNone
	case s == SyncAllData:
		return SyncAll
	}
	return s
}

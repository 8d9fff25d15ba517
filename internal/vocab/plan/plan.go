// Package plan says what a replay forces on a program: whom wildcard receives meet, which sends MPI buffers and which
// it must not, what calls report that may report one thing or another, and which ranks are slow. It is plain data and
// its file, which the probe reads in every rank.
package plan

import "unknot/internal/vocab/op"

// Plan is what is forced. What it does not name is left to MPI.
type Plan struct {
	Ranks     int        // size of MPI_COMM_WORLD
	Decisions []Decision // by rank, thread and Nth
	Sends     []Send     // by rank, thread and Nth
	Outcomes  []Outcome  // by rank, thread and Nth
	Delays    []Delay    // by rank
	// Synchronous makes every send of standard mode synchronous, whatever Sends says.
	Synchronous bool
}

// Decision makes one receive or probe with MPI_ANY_SOURCE one from a given source. Nth counts those of a thread, from
// 0, in the order in which they are posted; a persistent one counts at each start, an MPI_Iprobe or MPI_Improbe only
// when it finds something.
type Decision struct {
	Rank   op.Rank
	Thread op.Thread
	Nth    uint32
	Source int32 // rank in the communicator of the call
	Tag    int32 // of the message; -1 to leave the call's own
}

// Send makes one send of standard mode synchronous, or lets it complete at once. Nth counts those of a thread, from 0:
// MPI_Send, MPI_Isend, the send of MPI_Sendrecv, each start of MPI_Send_init, also those to MPI_PROC_NULL.
type Send struct {
	Rank   op.Rank
	Thread op.Thread
	Nth    uint32
	// Buffered keeps a copy of the message and lets the send complete without its receiver (MPI-4.0, 3.4), where it
	// would else be synchronous.
	Buffered bool
}

// Delay makes a rank slower: it waits so long before each message that it sends, and each start of a persistent send.
// That decides nothing; it makes other matches likely.
type Delay struct {
	Rank   op.Rank
	Micros uint64 // at most MaxDelay
}

// MaxDelay bounds how long a rank waits before a message, in microseconds.
const MaxDelay = 10_000_000

// Outcome is what a call reports whose result MPI may choose among several. Nth counts those of a thread, from 0:
// MPI_Waitany, MPI_Waitsome, MPI_Test, MPI_Testany, MPI_Testsome, MPI_Testall, MPI_Iprobe and MPI_Improbe, whatever
// they found.
type Outcome struct {
	Rank   op.Rank
	Thread op.Thread
	Nth    uint32
	// Nothing has the call report that nothing is complete or there (flag false, outcount 0); MPI_Waitany and
	// MPI_Waitsome cannot. Else the call waits for what it reports: for all its requests or for a message, or, if Done
	// is not empty, for the requests at these positions of its array, which it then reports, and no others.
	Nothing bool
	Done    []int32
}

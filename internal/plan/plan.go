// Package plan says what a replay forces on a program: whom wildcard receives meet, and which sends MPI must not buffer.
// It is plain data and its file, which the probe reads in every rank.
package plan

import "unknot/internal/op"

// Plan is what is forced. What it does not name is left to MPI.
type Plan struct {
	Ranks     int        // size of MPI_COMM_WORLD
	Decisions []Decision // by rank, thread and Nth
	Sends     []Send     // by rank, thread and Nth
	// Synchronous makes every send of standard mode synchronous, whatever Sends says.
	Synchronous bool
}

// Decision makes one receive or probe with MPI_ANY_SOURCE one from a given source. Nth counts those of a thread, from 0, in
// the order in which they are posted; a persistent one counts at each start, an MPI_Iprobe or MPI_Improbe only when it
// finds something.
type Decision struct {
	Rank   op.Rank
	Thread op.Thread
	Nth    uint32
	Source int32 // rank in the communicator of the call
	Tag    int32 // of the message; -1 to leave the call's own
}

// Send makes one send of standard mode synchronous. Nth counts those of a thread, from 0: MPI_Send, MPI_Isend,
// the send of MPI_Sendrecv, each start of MPI_Send_init, also those to MPI_PROC_NULL.
type Send struct {
	Rank   op.Rank
	Thread op.Thread
	Nth    uint32
}

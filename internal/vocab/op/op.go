// Package op is the vocabulary of behaviour that the analyses share: ranks, communicators and calls, as plain data.
package op

// Rank is a rank in MPI_COMM_WORLD, counted from 0. Negative values have the meanings below.
type Rank int32

// Special ranks of unknot's own (the program's constants differ between MPI libraries and are translated on entry).
const (
	AnySource Rank = -1
	ProcNull  Rank = -2
	RootRank  Rank = -3 // MPI_ROOT of an intercommunicator
	Unknown   Rank = -4 // a process outside of MPI_COMM_WORLD
)

// AnyTag stands for MPI_ANY_TAG; real tags are not negative.
const AnyTag int32 = -1

// Thread names one MPI-calling thread of a rank; 0 is the one that initialised MPI.
type Thread int32

// CommID identifies a communicator in the whole job. It is computed, never communicated: a hash of the parent's
// identity, the order of creation on the parent, and the members (MPI-4.0, 7.4: creation is ordered and collective).
type CommID uint64

package rma

import "unknot/internal/vocab/mpi"

// remedy is the hint for two RMA calls that clash, if there is nothing more special to say: how the two may be ordered,
// or made atomic (MPI-4.0, 12.7).
func (k clash) remedy(p, q *spot, sameEpoch bool) string {
	switch k {
	case operators, ownOperators:
		return "use one operator for all accumulates that may meet, or separate the two calls by a synchronisation"
	case datatypes, likeDatatypes, ownDatatypes:
		return "use one predefined datatype for all accumulates that may meet, or separate the two calls by a " +
			"synchronisation"
	case places, ownPlaces:
		return "use one displacement unit and datatype for all accumulates that may meet, so that their " +
			"elements coincide"
	}
	switch {
	case p.local || q.local:
		return "access the memory before the epoch begins or after it has ended (MPI_Win_fence, MPI_Win_wait), or " +
			"under a lock of its own"
	case p.from == q.from:
		return "complete the first call before the second one: by MPI_Win_flush under a lock, otherwise by the end " +
			"of the epoch"
	case p.act.manner == mpi.Updates || q.act.manner == mpi.Updates:
		return "use accumulates for both (MPI_REPLACE writes, MPI_Get_accumulate with MPI_NO_OP reads), or order " +
			"the two calls"
	case sameEpoch:
		return "let the ranks access different memory, put a synchronisation such as MPI_Win_fence between the two " +
			"calls, or use MPI_Accumulate, which is atomic"
	}
	return "use MPI_LOCK_EXCLUSIVE for both, or MPI_Accumulate, which is atomic; or complete the first call by " +
		"MPI_Win_flush before a message or a barrier lets the other rank continue"
}

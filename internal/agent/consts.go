package agent

import (
	"unknot/internal/mpi"
)

// consts are the values of MPI's constants in the program's MPI library.
type consts struct {
	requestNull   uint64
	commNull      uint64
	anySource     int32
	procNull      int32
	anyTag        int32
	undefined     int32
	lockExclusive int64
	errTruncate   int64 // 0 if it is not known
	worldComm     uint64
	selfComm      uint64
	names         map[uint64]string // predefined handles by value
	folds         map[uint64]uint64 // reduction operators by value: their place in the list of constants
}

func newConsts(table *mpi.T, words []uint64) consts {
	k := consts{names: make(map[uint64]string), folds: make(map[uint64]uint64)}
	for i, c := range table.Constants() {
		name := c.Name
		if i >= len(words) || words[i] == ^uint64(0) && c.Type != "int" {
			continue // this MPI lacks it; an int may well be -1
		}
		v := words[i]
		switch {
		case c.Null && c.Object == mpi.ORequest:
			k.requestNull = v
		case c.Null && c.Object == mpi.OComm:
			k.commNull = v
		}
		switch name {
		case "MPI_COMM_WORLD":
			k.worldComm = v
		case "MPI_COMM_SELF":
			k.selfComm = v
		case "MPI_ANY_SOURCE":
			k.anySource = int32(v)
		case "MPI_PROC_NULL":
			k.procNull = int32(v)
		case "MPI_ANY_TAG":
			k.anyTag = int32(v)
		case "MPI_UNDEFINED":
			k.undefined = int32(v)
		case "MPI_LOCK_EXCLUSIVE":
			k.lockExclusive = int64(v)
		case "MPI_ERR_TRUNCATE":
			k.errTruncate = max(int64(v), 0)
		}
		if c.Type == "datatype" || c.Type == "op" || c.Null && c.Object == mpi.OType { // which MPICH gives for types that it lacks
			if _, taken := k.names[v]; !taken {
				k.names[v] = name
			}
		}
		if c.Type == "op" {
			k.folds[v] = uint64(i) + 1
		}
	}
	return k
}

// fold identifies a reduction operator in the whole job: predefined ones by name; the program's own cannot be compared
// between ranks and count as equal.
func (k *consts) fold(handle uint64) uint64 { return k.folds[handle] }

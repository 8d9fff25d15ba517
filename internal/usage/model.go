package usage

import (
	"unknot/internal/datatype"
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// Made is a call that made or freed an object.
type Made struct {
	Func *mpi.Func // nil for what MPI itself made
	Site uint64
}

// Object is an MPI object of a rank.
type Object struct {
	Kind       mpi.Object
	Handle     uint64
	Name       string // of a predefined one: "MPI_INT"
	Predefined bool
	Made       Made
	// Refs is how often the handle was given and not freed: some calls give again a handle that is there, and each of those
	// is to be freed (MPI-4.0, 7.3.2, 9.3.4). Of a predefined object it counts only what such calls gave.
	Refs int
	// Committed and CommitUnknown are of a datatype.
	Committed, CommitUnknown bool
	Size                     int64 // of a datatype, in bytes; -1 if it is not known
	Comm                     *Comm // a communicator itself, or the one that a window was made on; nil if it is not known

	Type       *datatype.Type // of a datatype; nil if what it is made of is not known
	layout     layout
	attributed bool // the program has cached something with it
	sites      bool // its references come from several call sites
}

// Comm is a communicator of a rank.
type Comm struct {
	Handle   uint64
	Rank     int       // of the process, in its own group
	Size     int       // of the rank's own group
	Remote   int       // of the other group, of an intercommunicator
	Members  []op.Rank // world ranks of the rank's own group, not to be changed
	Inter    bool
	ID       uint64 // the same at all members; 0 if it is not known
	Made     Made
	Topology mpi.Topology
	// Describe names it for a reader.
	Describe func() string

	freed bool
}

// Peers is the number of ranks that can be a source, destination or root (MPI-4.0, 3.2.3, 6.2).
func (c *Comm) Peers() int64 {
	if c.Inter {
		return int64(c.Remote)
	}
	return int64(c.Size)
}

// Request is a request of a rank.
type Request struct {
	Made       Made
	Comm       *Comm // nil if it has none, or that is not known
	Persistent bool
	Active     bool
	Started    bool // a persistent one, at least once
	Canceled   bool // the program asked for it
	Shared     bool // another request has had the same handle at the same time
	Partitions *Partitions

	nth  uint64    // of the rank, in the order in which they were made
	seen uint64    // the check of an array that met it last
	idle *idleWait // the first call that waited for a persistent one before it was started; nil if there is none
}

// Partitions are those of a partitioned request (MPI-4.0, 4.2).
type Partitions struct {
	Count int64
	ready map[int64]uint64 // of a send: those given to MPI since the last start, 64 to a word
}

// Thread is another thread of the rank, inside of a call.
type Thread struct {
	Index    op.Thread
	Stamp    uint32
	Func     *mpi.Func
	Site     uint64
	Comm     *Comm
	Requests []*Request
}

// Limits are values that differ between MPI libraries.
type Limits struct {
	AnySource, AnyTag, ProcNull, Root, Undefined int64
	TagUB                                        int64 // 0 if it is not known
	// Level is the thread level that MPI provides, one of the four after it. LevelKnown is false before they are known.
	Level, Single, Funneled, Serialized, Multiple int64
	LevelKnown                                    bool
	InPlace, Bottom                               uint64
	BsendOverhead                                 int64                  // MPI_BSEND_OVERHEAD, in bytes
	Nulls                                         [mpi.NumObjects]uint64 // handles such as MPI_COMM_NULL
	HasNull                                       [mpi.NumObjects]bool
}

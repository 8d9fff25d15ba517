package objects

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
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
	// Refs is how often the handle was given and not freed: some calls give again a handle that is there, and each of
	// those is to be freed (MPI-4.0, 7.3.2, 9.3.4). Of a predefined object it counts only what such calls gave.
	Refs int
	// Committed and CommitUnknown are of a datatype.
	Committed, CommitUnknown bool
	Size                     int64 // of a datatype, in bytes; -1 if it is not known
	// a communicator itself, or the one that a window was made on; nil if it is not known
	Comm *Comm

	Type       *datatype.Type // of a datatype; nil if what it is made of is not known
	Layout     *Layout        // of a derived one whose Type is known
	Attributed bool           // the program has cached something with it
	Sites      bool           // its references come from several call sites
	Kept       bool           // a key or a communicator of mpi4py's own, which the script cannot free

	cached uint64 // of a communicator: where mpi4py last cached something of its own with it; 0 if it has not

	// likeness is the same for datatypes of which the same is known from their making on.
	likeness uint64
}

// Layout is what is worked out of a derived datatype when it is first used. Datatypes that were made in the same way
// share it.
type Layout struct {
	Alignment *datatype.Alignment
	Overlap   [2]struct { // answers for numbers of it: does it overlap itself
		Count int64
		Twice bool
	}
}

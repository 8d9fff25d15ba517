package usage

import (
	"unknot/internal/op"
	"unknot/internal/probe/mpiapi"
	"unknot/internal/usage/typemap"
)

// Made is a call that made or freed an object.
type Made struct {
	Func *mpiapi.Func // nil for what MPI itself made
	Site uint64
}

// Object is an MPI object of a rank.
type Object struct {
	Kind       Kind
	Handle     uint64
	Name       string // of a predefined one: "MPI_INT"
	Predefined bool
	Made       Made
	Committed  bool  // a datatype
	Size       int64 // of a datatype, in bytes; -1 if it is not known

	Type   *typemap.Type // of a datatype; nil if what it is made of is not known
	layout layout
}

// Comm is a communicator of a rank.
type Comm struct {
	Handle  uint64
	Rank    int // the rank's own number in it; -1 if it has none
	Size    int // of the rank's own group
	Remote  int // of the other group, of an intercommunicator
	Inter   bool
	ID      uint64    // the same at all members; 0 if it is not known
	Members []op.Rank // world ranks of the rank's own group; nil if the ID is 0
	Made    Made
	// Describe names it for a reader.
	Describe func() string
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
	Persistent bool
	Active     bool
}

// Limits are values that differ between MPI libraries.
type Limits struct {
	AnySource, AnyTag, ProcNull, Root, Undefined int64
	TagUB                                        int64 // 0 if it is not known
	InPlace, Bottom                              uint64
	Integers                                     map[string]int64 // constants by name
	BsendOverhead                                int64            // MPI_BSEND_OVERHEAD, in bytes
	Nulls                                        [numKinds]uint64 // handles such as MPI_COMM_NULL
	HasNull                                      [numKinds]bool
}

// Rank is what is known of a rank's objects.
type Rank struct {
	World  int
	Limits Limits
	// Constants are the values of mpiapi's constants, in its order; all-ones where the MPI library lacks one.
	Constants []uint64
	Rules     typemap.Rules // of the MPI library's datatypes
	Arrays    Arrays
	memory    memory
	shapes    shapes
	objects   [numKinds]map[uint64]*Object
	gone      [numKinds]map[uint64]Made // freed
	seen      map[seenKey]*Report
	recent    *Object // the datatype asked for last
}

// NewRank makes the model of a rank.
func NewRank(world int) *Rank {
	r := &Rank{World: world, seen: make(map[seenKey]*Report), shapes: newShapes()}
	for k := range r.objects {
		r.objects[k], r.gone[k] = make(map[uint64]*Object), make(map[uint64]Made)
	}
	return r
}

// Predefine adds an object that MPI has from the start.
func (r *Rank) Predefine(kind Kind, handle uint64, name string) *Object {
	o := r.objects[kind][handle]
	if o == nil {
		o = &Object{Kind: kind, Handle: handle, Name: name, Predefined: true, Committed: true, Size: -1}
		r.objects[kind][handle] = o
	}
	return o
}

// Object is what a handle names, nil if nothing that is known.
func (r *Rank) Object(kind Kind, handle uint64) *Object { return r.objects[kind][handle] }

// Type is the datatype that a handle names, nil if it is not known.
func (r *Rank) Type(handle uint64) *typemap.Type {
	if o := r.recent; o != nil && o.Handle == handle {
		return o.Type
	}
	o := r.objects[TypeKind][handle]
	if o == nil {
		return nil
	}
	r.recent = o
	return o.Type
}

// Null says whether a handle is that of no object: MPI_COMM_NULL and its like.
func (r *Rank) Null(kind Kind, handle uint64) bool {
	return r.Limits.HasNull[kind] && r.Limits.Nulls[kind] == handle
}

// maxGone bounds what is remembered of freed objects of a kind.
const maxGone = 1024

func (r *Rank) make(o *Object) {
	r.objects[o.Kind][o.Handle] = o
	delete(r.gone[o.Kind], o.Handle)
	r.recent = nil
}

// free forgets an object but for where it was freed.
func (r *Rank) free(kind Kind, handle uint64, by Made) {
	delete(r.objects[kind], handle)
	r.recent = nil
	if len(r.gone[kind]) >= maxGone {
		clear(r.gone[kind])
	}
	r.gone[kind][handle] = by
}

// Package objects is the model of a rank's MPI objects: communicators, groups, datatypes, requests, windows, files,
// operators, error handlers, infos. It takes in each call and what the process says of itself, and answers for
// matching, wait states, checks and words alike.
package objects

import (
	"iter"
	"maps"

	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Rank is what is known of a rank's objects.
type Rank struct {
	World  int
	Limits Limits
	// Constants are the values of mpi's constants that the MPI library has, by name.
	Constants map[string]int64
	// Sessions says that MPI was initialised by sessions alone: there is no MPI_Finalize, and the record of one stands
	// for the process's end.
	Sessions bool
	// Certain says whether all that the rank has called so far is known; nil stands for no.
	Certain func() bool

	Common
	Handles
	Changed

	byKind
	identities
	calls
}

// Common is what a rank has in common with others.
type Common struct {
	Rules  datatype.Rules // of the MPI library's datatypes
	Basics Basics
	Models Models // nil if it is to have those for itself, and anew each time
	Same   *Known // what it has in common with other ranks; nil if it is to have everything for itself
}

// Handles are what stands behind the handles of a rank, of kinds that are no Object.
type Handles struct {
	Requests Requests
	Windows  map[uint64]*Window // by handle
	Files    map[uint64]*File
	Messages map[uint64]*waitstate.Part // what matched probes have taken
}

// Changed says what may have changed.
type Changed struct {
	// Changes counts what may have changed of objects, TypeChanges how often a handle of a datatype or an operator has
	// come to stand for another one.
	Changes, TypeChanges uint64
	// Callbacks says that MPI may have called functions of the program, whose own MPI calls nobody sees.
	Callbacks bool
	// Lost says that requests are not known for certain any more: a call which completes them has failed, or their
	// handles may have been replaced.
	Lost bool
}

// byKind are the objects of a rank, and what makes it fast to look them up.
type byKind struct {
	shapes   shapes
	folds    map[uint64]uint64 // operators by value: their place in the list of constants
	recent   *Object           // the datatype asked for last
	comm     *Comm             // the communicator asked for last
	objects  [mpi.NumObjects]map[uint64]*Object
	gone     *[mpi.NumObjects]map[uint64]Made // freed; nil if nothing has been
	past     pastComms
	handlers bool // the program has made an error handler

	// live are handles that were looked up and found usable.
	live [mpi.NumObjects]*[cached]uint64
}

// identities count what has no handle of its own, for its identity.
type identities struct {
	parted map[partedKey]uint64 // partitioned operations initialised so far
	inters map[uint64]uint64    // intercommunicators made so far, by groups
	likes  uint64               // likenesses given so far
}

// calls are those that have made and completed requests.
type calls struct {
	made  uint64                  // requests made so far
	last  *[cachedSites]lastMade  // the last requests made at some call sites; nil if there are none
	ended *[cachedEnded]endedCall // the last requests completed or freed; nil if there are none
	nEnds int
}

// Sizes of a rank's small tables, powers of two.
const (
	cached      = 16
	cachedSites = 256
	cachedEnded = 64
)

// lastMade is the last request that was made at a call site.
type lastMade struct{ site, nth uint64 }

// endedCall is a request that was completed or freed.
type endedCall struct {
	handle uint64
	by     Made
}

// NewRank makes the model of a rank.
func NewRank(world int) *Rank { return &Rank{World: world, Limits: Limits{Values: new(Values)}} }

// Set puts something into a map, which is made for the first: of most kinds of objects most ranks have none.
func Set[M ~map[K]V, K comparable, V any](m *M, k K, v V) {
	if *m == nil {
		*m = make(M)
	}
	(*m)[k] = v
}

// Predefine adds an object that MPI has from the start.
func (r *Rank) Predefine(kind mpi.Object, handle uint64, name string) *Object {
	if r.Null(kind, handle) {
		return nil // a library gives the null handle for a datatype that it lacks
	}
	r.Changes++
	o := r.objects[kind][handle]
	if o == nil {
		o = &Object{Kind: kind, Handle: handle, Name: name, Predefined: true, Committed: true, Size: -1}
		r.put(o)
	}
	return o
}

// put makes a handle stand for an object.
func (r *Rank) put(o *Object) { Set(&r.objects[o.Kind], o.Handle, o) }

// AddComm takes in a communicator; predefined is whether MPI has it from the start.
func (r *Rank) AddComm(c *Comm, predefined bool) {
	r.Changes++
	o := &Object{Kind: mpi.OComm, Handle: c.Handle, Predefined: predefined, Made: c.Made, Size: -1, Comm: c}
	if predefined {
		o.Name = c.Name
	}
	c.Private = r.private(c)
	o.Kept = c.Private
	r.make(o)
}

// private says whether mpi4py has made a communicator for its lower-case calls on another one: where it has cached
// something of its own with that one, or of what it has made there. It frees it with that communicator, in a function
// that MPI calls.
func (r *Rank) private(c *Comm) bool {
	of := c.Parent
	if of == nil || c.Made.Site&ring.PythonSite == 0 {
		return false
	}
	if of.Private || r.cachedAt(of) == c.Made.Site {
		return true
	}
	return of.Made.Site == c.Made.Site && of.Parent != nil && r.cachedAt(of.Parent) != 0
}

// cachedAt is where mpi4py last cached something of its own with a communicator, 0 if it has not.
func (r *Rank) cachedAt(c *Comm) uint64 {
	if o := r.objects[mpi.OComm][c.Handle]; o != nil && o.Comm == c {
		return o.cached
	}
	return 0
}

// Object is what a handle names, nil if nothing that is known.
func (r *Rank) Object(kind mpi.Object, handle uint64) *Object { return r.objects[kind][handle] }

// All are the objects of a kind, in no order.
func (r *Rank) All(kind mpi.Object) iter.Seq[*Object] { return maps.Values(r.objects[kind]) }

// Number is how many objects of a kind there are, with those that MPI has from the start.
func (r *Rank) Number(kind mpi.Object) int { return len(r.objects[kind]) }

// InSession says whether the rank has a session that it has not finalised.
func (r *Rank) InSession() bool { return len(r.objects[mpi.OSession]) > 0 }

// Comm is the communicator that a handle names, nil if it is not known.
func (r *Rank) Comm(handle uint64) *Comm {
	if c := r.comm; c != nil && c.Handle == handle {
		return c
	}
	o := r.objects[mpi.OComm][handle]
	if o == nil || o.Comm == nil {
		return nil
	}
	r.comm = o.Comm
	return o.Comm
}

// Comms are the communicators of the rank, in no order.
func (r *Rank) Comms() iter.Seq[*Comm] {
	return func(yield func(*Comm) bool) {
		for _, o := range r.objects[mpi.OComm] {
			if o.Comm != nil && !yield(o.Comm) {
				return
			}
		}
	}
}

// CommByID is the communicator that has an identity, nil if there is none.
func (r *Rank) CommByID(id op.CommID) *Comm {
	for c := range r.Comms() {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Type is the datatype that a handle names, nil if it is not known.
func (r *Rank) Type(handle uint64) *datatype.Type {
	if o := r.typeOf(handle); o != nil {
		return o.Type
	}
	return nil
}

// typeOf is the datatype that a handle names, nil if nothing that is known; the one asked for last is found at once.
func (r *Rank) typeOf(handle uint64) *Object {
	if o := r.recent; o != nil && o.Handle == handle {
		return o
	}
	o := r.objects[mpi.OType][handle]
	if o != nil {
		r.recent = o
	}
	return o
}

// likeness gives one that no datatype of any rank has yet (the mixing of splitmix64, which maps no two numbers to one).
func (r *Rank) likeness() uint64 {
	r.likes++
	x := uint64(r.World)<<40 + r.likes
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// State distinguishes all that calls may find of the datatype or operator that a handle names, except where it was
// made; false if the handle names nothing that is known. Two states of one handle are equal by chance with a
// probability of less than one in 2^50.
func (r *Rank) State(kind mpi.Object, handle uint64) (uint64, bool) {
	var o *Object
	if kind == mpi.OType {
		o = r.typeOf(handle)
	} else {
		o = r.objects[kind][handle]
	}
	if o == nil {
		return 0, false
	}
	state := o.likeness ^ uint64(o.Refs)<<8
	for i, is := range [...]bool{o.Committed, o.CommitUnknown, o.Attributed, o.Predefined, o.Sites} {
		if is {
			state ^= 1 << i
		}
	}
	return state, true
}

// Size is the size of a datatype in bytes, -1 if it is not known.
func (r *Rank) Size(handle uint64) int64 {
	if o := r.objects[mpi.OType][handle]; o != nil {
		return o.Size
	}
	return -1
}

// SetSize takes in the size of a predefined datatype.
func (r *Rank) SetSize(handle uint64, bytes int64) {
	if o := r.objects[mpi.OType][handle]; o != nil {
		o.Size = bytes
	}
}

// Constant is the value of a constant of MPI, such as MPI_MODE_NOPUT; false where the MPI library lacks it, or its
// value is -1.
func (r *Rank) Constant(name string) (int64, bool) {
	v, ok := r.Constants[name]
	return v, ok && v != -1
}

// Null says whether a handle is that of no object: MPI_COMM_NULL and its like.
func (r *Rank) Null(kind mpi.Object, handle uint64) bool {
	return r.Limits.HasNull[kind] && r.Limits.Nulls[kind] == handle
}

// Name is the name of a predefined object or of a null handle, "" for others.
func (r *Rank) Name(kind mpi.Object, handle uint64) string {
	if r.Null(kind, handle) {
		return kind.Null()
	}
	if o := r.objects[kind][handle]; o != nil {
		return o.Name
	}
	return ""
}

// Sure says whether what is not known of an object cannot be due to calls that nobody saw.
func (r *Rank) Sure() bool { return !r.Callbacks && r.Certain != nil && r.Certain() }

// spread is where a handle or a call site stands in a table whose size has so many bits.
func spread(key uint64, bits int) uint64 { return key * 0x9e3779b97f4a7c15 >> (64 - bits) }

// slot is where a handle stands in a small table.
func slot(handle uint64) uint64 { return spread(handle, 4) }

// Usable says whether a handle names an object that may be used without more questions: a datatype must be committed.
func (r *Rank) Usable(kind mpi.Object, handle uint64) bool {
	live := r.live[kind]
	if live != nil && live[slot(handle)] == handle && handle != 0 {
		return true
	}
	o := r.objects[kind][handle]
	if o == nil || kind == mpi.OType && !o.Committed {
		return false
	}
	if live == nil {
		live = new([cached]uint64)
		r.live[kind] = live
	}
	live[slot(handle)] = handle
	return true
}

// FreedBy is the call that has freed the object which a handle named before; false if that is not known, or the handle
// names another one now.
func (r *Rank) FreedBy(kind mpi.Object, handle uint64) (Made, bool) {
	by, ok := r.freed(kind)[handle]
	return by, ok
}

// freed are the handles of a kind whose objects have gone.
func (r *Rank) freed(kind mpi.Object) map[uint64]Made {
	if r.gone == nil {
		return nil
	}
	return r.gone[kind]
}

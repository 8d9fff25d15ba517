package usage

import (
	"unknot/internal/datatype"
	"unknot/internal/mpi"
)

// Rank is what is known of a rank's objects.
type Rank struct {
	World  int
	Limits Limits
	// Constants are the values of mpi's constants that the MPI library has, by name.
	Constants map[string]int64
	Rules     datatype.Rules // of the MPI library's datatypes
	Basics    Basics
	Arrays    Arrays
	// Certain says whether all that the rank has called so far is known; nil stands for no.
	Certain func() bool
	// Where says what memory an address is in, as far as that is known without the process; nil if there is nobody to ask.
	Where func(at uint64) Ground
	// Pending calls visit for each request that has not been completed or freed; nil if there is nobody to ask.
	Pending func(visit func(q *Request))

	memory  memory
	pulse   pulse
	shapes  shapes
	recent  *Object // the datatype asked for last
	objects [mpi.NumObjects]map[uint64]*Object
	gone    [mpi.NumObjects]map[uint64]Made // freed
	seen    map[seenKey]*Report

	// changes counts what may have changed of the objects above and of shapes. The calls below are those since the last change.
	changes     uint64
	alike, same passed

	// live are handles that were looked up and found usable.
	live [mpi.NumObjects][cached]uint64
	// fits are pairs of an operator and a datatype that it is defined for.
	fits [cached][2]uint64

	// callbacks says that MPI may have called functions of the program, whose own MPI calls nobody sees.
	callbacks bool
	handlers  bool // the program has made an error handler
	// lost says that requests are not known for certain any more: a call which completes them has failed, or their handles may
	// have been replaced.
	lost bool
	// finaliser is the thread that has called MPI_Finalize, nil before.
	finaliser *Thread

	made  uint64                 // requests made so far
	last  [cachedSites]lastMade  // the last requests made at some call sites
	ended [cachedEnded]endedCall // the last requests completed or freed
	nEnds int
	round uint64 // arrays of requests looked at
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
func NewRank(world int) *Rank {
	r := &Rank{World: world, Basics: make(Basics), seen: make(map[seenKey]*Report), shapes: newShapes()}
	for k := range r.objects {
		r.objects[k], r.gone[k] = make(map[uint64]*Object), make(map[uint64]Made)
	}
	return r
}

// Predefine adds an object that MPI has from the start.
func (r *Rank) Predefine(kind mpi.Object, handle uint64, name string) *Object {
	if r.Null(kind, handle) {
		return nil // a library gives the null handle for a datatype that it lacks
	}
	r.changes++
	o := r.objects[kind][handle]
	if o == nil {
		o = &Object{Kind: kind, Handle: handle, Name: name, Predefined: true, Committed: true, Size: -1}
		r.objects[kind][handle] = o
	}
	return o
}

// AddComm takes in a communicator; name is that of a predefined one.
func (r *Rank) AddComm(c *Comm, name string) {
	r.changes++
	r.make(&Object{Kind: mpi.OComm, Handle: c.Handle, Name: name, Predefined: name != "", Made: c.Made, Size: -1, Comm: c})
}

// Object is what a handle names, nil if nothing that is known.
func (r *Rank) Object(kind mpi.Object, handle uint64) *Object { return r.objects[kind][handle] }

// Type is the datatype that a handle names, nil if it is not known.
func (r *Rank) Type(handle uint64) *datatype.Type {
	if o := r.recent; o != nil && o.Handle == handle {
		return o.Type
	}
	o := r.objects[mpi.OType][handle]
	if o == nil {
		return nil
	}
	r.recent = o
	return o.Type
}

// Constant is the value of a constant of MPI, such as MPI_MODE_NOPUT; false where the MPI library lacks it, or its value is -1.
func (r *Rank) Constant(name string) (int64, bool) {
	v, ok := r.Constants[name]
	return v, ok && v != -1
}

// Null says whether a handle is that of no object: MPI_COMM_NULL and its like.
func (r *Rank) Null(kind mpi.Object, handle uint64) bool {
	return r.Limits.HasNull[kind] && r.Limits.Nulls[kind] == handle
}

// sure says whether what is not known of an object cannot be due to calls that nobody saw.
func (r *Rank) sure() bool { return !r.callbacks && r.Certain != nil && r.Certain() }

// slot is where a handle stands in a small table.
func slot(handle uint64) uint64 { return handle * 0x9e3779b97f4a7c15 >> 60 }

// usable says whether a handle names an object that may be used without more questions: a datatype must be committed.
func (r *Rank) usable(kind mpi.Object, handle uint64) bool {
	at := &r.live[kind][slot(handle)]
	if *at == handle && handle != 0 {
		return true
	}
	o := r.objects[kind][handle]
	if o == nil || kind == mpi.OType && !o.Committed {
		return false
	}
	*at = handle
	return true
}

// maxGone bounds what is remembered of freed objects of a kind.
const maxGone = 1024

func (r *Rank) make(o *Object) {
	o.Refs = 1
	if o.Predefined {
		o.Refs = 0
	}
	r.forget(o.Kind, o.Handle) // nobody saw it freed
	r.objects[o.Kind][o.Handle] = o
	delete(r.gone[o.Kind], o.Handle)
}

// give takes in that a handle was given which may be one that is there.
func (r *Rank) give(o *Object) {
	old := r.objects[o.Kind][o.Handle]
	if old == nil {
		r.make(o)
		return
	}
	old.sites = old.sites || old.Refs > 0 && old.Made != o.Made
	old.Refs++
	if !old.Predefined {
		old.Made = o.Made
	}
}

// free takes away one reference, and forgets an object that has no other, but for where it was freed. It gives the object
// if that is gone now.
func (r *Rank) free(kind mpi.Object, handle uint64, by Made) *Object {
	o := r.objects[kind][handle]
	if o != nil {
		o.Refs--
		if o.Predefined {
			o.Refs = max(o.Refs, 0)
			return nil
		}
		if o.Refs > 0 {
			return nil
		}
		if o.Comm != nil && kind == mpi.OComm {
			o.Comm.freed = true
		}
		r.callbacks = r.callbacks || o.attributed
	}
	r.forget(kind, handle)
	if r.Null(kind, handle) {
		return nil
	}
	if len(r.gone[kind]) >= maxGone {
		clear(r.gone[kind])
	}
	r.gone[kind][handle] = by
	return o
}

// forget removes an object.
func (r *Rank) forget(kind mpi.Object, handle uint64) {
	delete(r.objects[kind], handle)
	r.live[kind][slot(handle)] = 0
	if kind == mpi.OType || kind == mpi.OOp {
		clear(r.fits[:])
	}
	if kind == mpi.OType {
		r.recent = nil
		r.memory.typesChanged()
	}
}

// restore takes back that an object was freed, as the call failed.
func (r *Rank) restore(o *Object) {
	o.Refs = 1
	r.objects[o.Kind][o.Handle] = o
	delete(r.gone[o.Kind], o.Handle)
	if o.Kind == mpi.OComm && o.Comm != nil {
		o.Comm.freed = false
	}
}

// NewRequest takes in a request that a call has made.
func (r *Rank) NewRequest(q *Request) {
	r.made++
	q.nth = r.made
	r.last[siteSlot(q.Made.Site)] = lastMade{q.Made.Site, q.nth}
}

func siteSlot(site uint64) uint64 { return site * 0x9e3779b97f4a7c15 >> 56 }

// EndRequest takes in that a request was completed or freed by a call.
func (r *Rank) EndRequest(handle uint64, by Made) {
	r.ended[r.nEnds%cachedEnded] = endedCall{handle, by}
	r.nEnds++
}

// endOf is where the last request with a handle was completed or freed, if that was not long ago.
func (r *Rank) endOf(handle uint64) (Made, bool) {
	for i := r.nEnds - 1; i >= 0 && i >= r.nEnds-cachedEnded; i-- {
		if e := &r.ended[i%cachedEnded]; e.handle == handle {
			return e.by, true
		}
	}
	return Made{}, false
}

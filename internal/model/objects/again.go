package objects

import "unknot/internal/vocab/mpi"

// Again is an object that a rank makes, and commits, again and again in the same way: its probe tells that in one
// record (ring.DataAgain).
type Again struct {
	object *Object
	of     *Rank
	state  Object // right after it was made, and committed
}

// Made is the call that makes it.
func (x *Again) Made() Made { return x.state.Made }

// Known is the object that a handle stands for, to be made again; nil if nothing is known of it, or if it is not as it
// was made.
func (r *Rank) Known(kind mpi.Object, handle uint64) *Again {
	o := r.objects[kind][handle]
	if o == nil || o.Predefined || o.Attributed || o.Refs != 1 {
		return nil
	}
	return &Again{object: o, of: r, state: *o}
}

// Make takes in that it is made again, after a call that has freed the object of its kind with the handle freed, if by
// has a function.
func (x *Again) Make(freed uint64, by Made, stamp uint32) {
	r, kind, handle := x.of, x.state.Kind, x.state.Handle
	there := r.objects[kind][handle]
	if by.Func != nil && (freed != handle || there == nil || there.Attributed || there.Refs != 1) {
		r.free(kind, freed, by, stamp)
		there = r.objects[kind][handle]
	}
	if there == x.object && !there.Attributed && there.Refs == 1 {
		return // as it was
	}
	delete(r.freed(kind), handle)
	*x.object = x.state
	r.put(x.object)
	r.TypeChanges++
	if kind == mpi.OType {
		r.recent = x.object
	}
}

package objects

import "unknot/internal/vocab/mpi"

// maxGone bounds what is remembered of freed objects of a kind.
const maxGone = 1024

func (r *Rank) make(o *Object) {
	o.Refs = 1
	if o.Predefined {
		o.Refs = 0
	}
	r.forget(o.Kind, o.Handle) // nobody saw it freed
	r.put(o)
	delete(r.freed(o.Kind), o.Handle)
}

// give takes in that a handle was given which may be one that is there.
func (r *Rank) give(o *Object) {
	old := r.objects[o.Kind][o.Handle]
	if old == nil {
		r.make(o)
		return
	}
	old.Sites = old.Sites || old.Refs > 0 && old.Made != o.Made
	old.Refs++
	if !old.Predefined {
		old.Made = o.Made
	}
}

// free takes away one reference, and forgets an object that has no other, except for where it was freed. It gives the
// object if that is gone now.
func (r *Rank) free(kind mpi.Object, handle uint64, by Made, stamp uint32) *Object {
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
			o.Comm.Freed = true
			r.past.add(o.Comm, stamp)
		}
		if o.Attributed {
			r.Callbacks = true
			r.Changes++
		}
	}
	r.forget(kind, handle)
	if r.Null(kind, handle) {
		return nil
	}
	if r.gone == nil {
		r.gone = new([mpi.NumObjects]map[uint64]Made)
	}
	if len(r.gone[kind]) >= maxGone {
		clear(r.gone[kind])
	}
	Set(&r.gone[kind], handle, by)
	return o
}

// forget removes an object.
func (r *Rank) forget(kind mpi.Object, handle uint64) {
	delete(r.objects[kind], handle)
	if live := r.live[kind]; live != nil {
		live[slot(handle)] = 0
	}
	switch kind {
	case mpi.OType:
		r.recent = nil
		r.TypeChanges++
	case mpi.OOp:
		r.TypeChanges++
	case mpi.OComm:
		r.comm = nil
	}
}

// restore takes back that an object was freed, as the call failed.
func (r *Rank) restore(o *Object) {
	o.Refs = 1
	r.put(o)
	delete(r.freed(o.Kind), o.Handle)
	if o.Kind == mpi.OComm && o.Comm != nil {
		o.Comm.Freed = false
	}
}

// failed takes in that a call came back with an error: what it was to free is still there, and the program's own error
// handler may have called MPI.
func (r *Rank) failed(c *Call) {
	if c.freed != nil {
		r.restore(c.freed)
	}
	r.Callbacks = r.Callbacks || r.handlers
	switch c.Func.Class {
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.Start, mpi.Startall, mpi.RequestFree:
		r.Lost = true
	}
}

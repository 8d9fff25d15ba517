package usage

import (
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// The model of objects follows the calls that make, free and change them.

// follow adds the handlers of the model. They run after the checkers at a call's begin and before them at its end.
func (w *Watch) follow() {
	for _, f := range w.hooks.functions() {
		for i := range f.Params {
			w.followParam(f, i)
		}
		if f.Caching == mpi.SetsAttribute || f.Caching == mpi.DeletesAttribute {
			kind, deletes := f.Params[0].Object, f.Caching == mpi.DeletesAttribute
			w.enterModel[f.ID] = append(w.enterModel[f.ID], func(c *Call) { c.attribute(kind, deletes) })
		}
		if f.Class == mpi.Start || f.Class == mpi.Startall {
			w.enterModel[f.ID] = append(w.enterModel[f.ID], replaces)
		}
		if f.Class == mpi.TypeCommit {
			w.enterModel[f.ID] = append(w.enterModel[f.ID], func(c *Call) {
				v, _ := c.Int(0)
				if o := c.Rank.Object(mpi.OType, uint64(v)); o != nil {
					o.Committed, o.CommitUnknown = true, false
				}
			})
		}
		if f.Duplicates() { // and copies attributes
			w.enterModel[f.ID] = append(w.enterModel[f.ID], func(c *Call) {
				v, _ := c.Int(0)
				if o := c.Rank.Object(mpi.OComm, uint64(v)); o != nil && o.attributed {
					c.Rank.callbacks = true
				}
			})
		}
		if f.Class == mpi.ErrhandlerMake {
			w.exitModel[f.ID] = append(w.exitModel[f.ID], func(c *Call) { c.Rank.handlers = true })
		}
	}
}

// replaces takes in that MPI_Start may give a buffered send another handle (its request is INOUT, MPI-4.0, 3.9), as Open MPI does
// when the send before has not gone out. Nobody sees that, so from then on a handle may be one that is not known.
func replaces(c *Call) {
	for _, q := range c.Requests {
		if q != nil && q.Made.Func != nil && q.Made.Func.Mode == op.Buffered {
			c.Rank.lost = true
		}
	}
}

func (w *Watch) followParam(f *mpi.Func, i int) {
	p := &f.Params[i]
	kind := p.Object
	switch {
	case kind == mpi.NoObject || kind == mpi.ORequest:
	case p.Kind.AtEntry() && f.Frees(p):
		w.enterModel[f.ID] = append(w.enterModel[f.ID], func(c *Call) {
			if v, ok := c.Int(i); ok {
				c.freed = c.Rank.free(kind, uint64(v), Made{c.Func, c.Site})
			}
		})
	case !p.Kind.AtExit() || kind == mpi.OComm: // of a communicator the owner tells
	case p.Kind == mpi.KOutInt && kind != mpi.OKeyval:
	default:
		flag, asks := f.Param(mpi.RFlag)
		words := 1
		if p.Kind == mpi.KOutType {
			words = 2
		}
		w.exitModel[f.ID] = append(w.exitModel[f.ID], func(c *Call) {
			if asks {
				if v := c.Gave(flag); len(v) == 0 || v[0] == 0 {
					return // MPI_Improbe has found nothing
				}
			}
			for v := c.Gave(i); len(v) >= words; v = v[words:] {
				c.made(kind, v[0], v[:words])
			}
		})
	}
}

// made takes in an object that the call gave. words are what its record has of it.
func (c *Call) made(kind mpi.Object, handle uint64, words []uint64) {
	r := c.Rank
	if r.Null(kind, handle) {
		return
	}
	o := &Object{Kind: kind, Handle: handle, Made: Made{c.Func, c.Site}, Size: -1}
	switch kind {
	case mpi.OWin:
		o.Comm = c.Comm
	case mpi.OType:
		c.newType(o, words)
	}
	switch c.Func.Class {
	case mpi.GroupMake, mpi.ErrhandlerGet, mpi.TypeGet:
		r.give(o)
	default:
		if old := r.objects[kind][handle]; old != nil && old.Predefined {
			return // MPI_MESSAGE_NO_PROC, or a datatype that MPI_Type_match_size has found
		}
		r.make(o)
	}
}

func (c *Call) newType(o *Object, words []uint64) {
	if len(words) > 1 {
		o.Size = int64(words[1])
		modelType(c, o)
	}
	switch f := c.Func; {
	case f.Combiner == mpi.CombinerDup: // as committed as the old one (MPI-4.0, 5.1.11)
		o.CommitUnknown = true
		v, _ := c.Int(0)
		if old := c.Rank.Object(mpi.OType, uint64(v)); old != nil {
			o.Committed, o.CommitUnknown = old.Committed, old.CommitUnknown
			if old.attributed {
				c.Rank.callbacks = true
			}
		}
	case f.Combiner.F90(), f.Name == "MPI_Type_match_size":
		o.Predefined, o.Committed = true, true // MPI-4.0, 19.1.9
	case f.Name == "MPI_File_get_view":
		o.Committed = true // MPI-4.0, 14.3
	case f.Class == mpi.TypeGet:
		o.CommitUnknown = true // MPI-4.0, 5.1.13
	}
}

// attribute takes in that the program caches something with an object, or deletes that. MPI calls functions of the program
// when it is deleted or replaced, and when the object is freed (MPI-4.0, 7.7.2).
func (c *Call) attribute(kind mpi.Object, deletes bool) {
	v, _ := c.Int(0)
	o := c.Rank.Object(kind, uint64(v))
	if o == nil || o.attributed || deletes {
		c.Rank.callbacks = true
		return
	}
	key, _ := c.Int(1)
	// mpi4py has an attribute of its own, by which it learns that MPI ends: it makes the key and uses it at one place.
	if k := c.Rank.Object(mpi.OKeyval, uint64(key)); k != nil && k.Made.Site == c.Site {
		return
	}
	o.attributed = true
}

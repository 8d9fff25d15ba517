package objects

import (
	"slices"
	"strings"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Follower keeps the objects of ranks up to date with the calls that make, free and change them.
type Follower struct {
	table  *mpi.T
	places [][]int16
	keep   []bool // by function: the Enter record is needed whole at exit
	// Handlers by function.
	enter, exit [][]func(*Call)
}

// Follow makes a Follower for the functions of a table.
func Follow(t *mpi.T) *Follower {
	n := len(t.Funcs()) + 1
	w := &Follower{table: t, places: placesOf(t), keep: make([]bool, n), enter: make([][]func(*Call), n),
		exit: make([][]func(*Call), n)}
	for f := range w.table.Each() {
		w.keep[f.ID] = f.HasExit &&
			(f.Class.Quiet() || slices.ContainsFunc(f.Params, func(p mpi.Param) bool {
				return p.Kind.AtEntry() &&
					p.Kind.Varying()
			}))
		w.function(f)
	}
	w.shapes()
	return w
}

// Changes says whether calls of a function may change what is known of objects.
func (w *Follower) Changes(f *mpi.Func) bool { return len(w.enter[f.ID]) > 0 || len(w.exit[f.ID]) > 0 }

// InState says that calls of a function change nothing but what is known of the datatype or operator that they make,
// commit or free: Rank.State tells that. A copy may take attributes along, and some calls give datatypes that are there
// already.
func InState(f *mpi.Func) bool {
	switch f.Class {
	case mpi.TypeMake:
		return f.Combiner != mpi.CombinerDup && !f.Combiner.F90()
	case mpi.TypeCommit, mpi.TypeFree, mpi.OpMake, mpi.OpFree:
		return true
	}
	return f.Predefines()
}

// Begin makes a call that the owner has filled in ready to be asked.
func (w *Follower) Begin(c *Call) { c.places, c.freed = w.places[c.Func.ID], nil }

// Enter takes in a call before it is made, after those who want to know how things stood before it.
func (w *Follower) Enter(c *Call) {
	if do := w.enter[c.Func.ID]; len(do) > 0 {
		if !InState(c.Func) {
			c.Rank.Changes++
		}
		for _, do := range do {
			do(c)
		}
	}
	if w.keep[c.Func.ID] {
		c.kept = append(c.kept[:0], c.Words...)
	}
}

// Exit takes in that a call has given something back, or failed. The call is the one of the last Enter of its thread.
func (w *Follower) Exit(c *Call) {
	if w.keep[c.Func.ID] {
		c.Words = c.kept
	}
	if w.Changes(c.Func) && (c.Failed || !InState(c.Func)) {
		c.Rank.Changes++
	}
	if c.Failed {
		c.Rank.failed(c)
		return
	}
	for _, do := range w.exit[c.Func.ID] {
		do(c)
	}
}

// atEnter adds, for each function, the handler that pick gives for it, if any.
func (w *Follower) atEnter(pick func(f *mpi.Func) func(*Call)) {
	for f := range w.table.Each() {
		if do := pick(f); do != nil {
			w.enter[f.ID] = append(w.enter[f.ID], do)
		}
	}
}

// atExit adds, for each function, the handler that pick gives for it, if any.
func (w *Follower) atExit(pick func(f *mpi.Func) func(*Call)) {
	for f := range w.table.Each() {
		if do := pick(f); do != nil {
			w.exit[f.ID] = append(w.exit[f.ID], do)
		}
	}
}

// function adds the handlers that a function has for its parameters and its class.
func (w *Follower) function(f *mpi.Func) {
	for i := range f.Params {
		w.param(f, i)
	}
	enter := func(do func(*Call)) { w.enter[f.ID] = append(w.enter[f.ID], do) }
	if f.Caching == mpi.SetsAttribute || f.Caching == mpi.DeletesAttribute {
		kind, deletes := f.Params[0].Object, f.Caching == mpi.DeletesAttribute
		enter(func(c *Call) { c.attribute(kind, deletes) })
	}
	if f.Class == mpi.Start || f.Class == mpi.Startall {
		enter(replaces)
	}
	if f.Class == mpi.TypeCommit {
		enter(func(c *Call) {
			if o := c.Rank.Object(mpi.OType, c.Handle(0)); o != nil {
				o.Committed, o.CommitUnknown = true, false
			}
		})
	}
	if f.Duplicates() { // and copies attributes
		enter(func(c *Call) {
			if o := c.Rank.Object(mpi.OComm, c.Handle(0)); o != nil && o.Attributed {
				c.Rank.Callbacks = true
			}
		})
	}
	if f.Class == mpi.ErrhandlerMake {
		w.exit[f.ID] = append(w.exit[f.ID], func(c *Call) { c.Rank.handlers = true })
	}
	if f.Class == mpi.GreqStart { // the functions that it is given may free what belongs to the request (MPI-4.0, 13.2)
		enter(func(c *Call) { c.Rank.Callbacks = true })
	}
	if strings.HasSuffix(f.Name, "_call_errhandler") {
		enter(func(c *Call) { c.Rank.Callbacks = c.Rank.Callbacks || c.Rank.handlers })
	}
}

// replaces takes in that MPI_Start may give a buffered send another handle (its request is INOUT, MPI-4.0, 3.9), as
// Open MPI does when the send before has not gone out. Nobody sees that, so from then on a handle may be one that is
// not known.
func replaces(c *Call) {
	for _, q := range c.Requests {
		if q != nil && q.Made.Func != nil && q.Made.Func.Mode == op.Buffered {
			c.Rank.Lost = true
		}
	}
}

// param adds the handlers that keep what a parameter names.
func (w *Follower) param(f *mpi.Func, i int) {
	p := &f.Params[i]
	kind := p.Object
	switch {
	case kind == mpi.NoObject || kind == mpi.ORequest:
	case p.Kind.AtEntry() && f.Frees(p):
		w.enter[f.ID] = append(w.enter[f.ID], func(c *Call) {
			if v, ok := c.Int(i); ok {
				c.freed = c.Rank.free(kind, uint64(v), c.By(), c.Stamp)
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
		w.exit[f.ID] = append(w.exit[f.ID], func(c *Call) {
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
	o.likeness = c.Rank.likeness()
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
			if old.Attributed {
				c.Rank.Callbacks = true
			}
		}
	case f.Predefines():
		o.Predefined, o.Committed = true, true // MPI-4.0, 19.1.9
	case f.Name == "MPI_File_get_view":
		o.Committed = true // MPI-4.0, 14.3
	case f.Class == mpi.TypeGet:
		o.CommitUnknown = true // MPI-4.0, 5.1.13
	}
}

// attribute takes in that the program caches something with an object, or deletes that. MPI calls functions of the
// program when it is deleted or replaced, and when the object is freed (MPI-4.0, 7.7.2).
func (c *Call) attribute(kind mpi.Object, deletes bool) {
	v, _ := c.Int(0)
	o := c.Rank.Object(kind, uint64(v))
	if o == nil || o.Attributed || deletes {
		c.Rank.Callbacks = true
		return
	}
	key, _ := c.Int(1)
	// mpi4py has attributes of its own, by which it learns that MPI ends, which keep a lock, or the duplicate on which
	// its lower-case collective calls work: it makes the key and uses it at one place.
	if k := c.Rank.Object(mpi.OKeyval, uint64(key)); k != nil && (k.Kept || k.Made.Site == c.Site) {
		k.Kept = c.Site&ring.PythonSite != 0
		o.cached = c.Site
		return
	}
	o.Attributed = true
}

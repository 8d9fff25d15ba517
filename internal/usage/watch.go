package usage

import (
	"math/rand/v2"
	"slices"

	"unknot/internal/finding"
	"unknot/internal/mpi"
)

// Watch looks at the calls of some ranks.
type Watch struct {
	// Reports are new since the owner emptied it. A report that is here already may still count further.
	Reports []*Report
	// Notes are for the checks of other ranks, new since the owner emptied it.
	Notes []Note

	hooks  Hooks
	places [][]int16
	keep   []bool // by function: the Enter record is needed whole at exit
	given  []hasher
	// changes says of each function that its calls may change what is known of objects.
	changes []bool
	// Handlers of the model of objects, by function.
	enterModel, exitModel [][]func(*Call)

	enabled map[finding.Code]bool
	docs    map[finding.Code]finding.Doc
}

// New makes a Watch with the checkers of a selection.
func New(t *mpi.T, s Selection) *Watch { return newWatch(t, s.Codes(), Checkers()) }

func newWatch(t *mpi.T, enabled map[finding.Code]bool, checkers []Checker) *Watch {
	n := len(t.Funcs()) + 1
	w := &Watch{places: placesOf(t), keep: make([]bool, n), enabled: enabled, docs: make(map[finding.Code]finding.Doc),
		enterModel: make([][]func(*Call), n), exitModel: make([][]func(*Call), n),
		hooks: Hooks{table: t, enter: make([][]func(*Call), n), again: make([][]func(*Call), n), exit: make([][]func(*Call), n)},
		given: make([]hasher, n), changes: make([]bool, n)}
	for _, f := range w.hooks.functions() {
		w.keep[f.ID] = f.HasExit && (f.Class.Quiet() || slices.ContainsFunc(f.Params, func(p mpi.Param) bool { return p.Kind.AtEntry() && p.Kind.Varying() }))
	}
	w.follow()
	followShapes(&w.hooks)
	for id := range w.changes {
		w.changes[id] = len(w.enterModel[id]) > 0 || len(w.exitModel[id]) > 0 || len(w.hooks.enter[id]) > 0 || len(w.hooks.exit[id]) > 0
	}
	for _, c := range checkers {
		on := false
		for _, d := range c.Codes {
			w.docs[d.Code] = d
			on = on || w.enabled[d.Code]
		}
		if on {
			c.Watch(&w.hooks)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, f := range w.hooks.functions() {
		if len(w.hooks.enter[f.ID]) > len(w.hooks.again[f.ID]) && !w.changes[f.ID] {
			w.given[f.ID] = newHasher(f, random)
		}
	}
	return w
}

// Enabled says whether a code is on.
func (w *Watch) Enabled(code finding.Code) bool { return w.enabled[code] }

// Enter takes in a call before it is made.
func (w *Watch) Enter(c *Call) {
	c.watch, c.places, c.held, c.reach, c.freed, c.said = w, w.places[c.Func.ID], nil, nil, nil, false
	for _, i := range c.Nulls {
		for _, do := range w.hooks.nulls {
			do(c, i)
		}
	}
	w.look(c)
	if c.Func.Class == mpi.Finalize {
		for _, do := range w.hooks.final {
			do(c.Rank, c)
		}
	}
	for _, do := range w.enterModel[c.Func.ID] {
		do(c)
	}
	if w.keep[c.Func.ID] {
		c.kept = append(c.kept[:0], c.Words...)
	}
}

// look runs the handlers that a call has at its begin.
func (w *Watch) look(c *Call) {
	id := c.Func.ID
	if w.changes[id] {
		c.Rank.changes++
	}
	r := c.Rank
	alike, same := w.given[id].hash(c)
	handlers := w.hooks.enter[id]
	if r.alike.has(alike) {
		handlers = w.hooks.again[id]
	}
	c.same = r.same.has(same)
	for _, do := range handlers {
		do(c)
	}
	if alike != 0 && !c.same && !c.said {
		r.alike.add(alike)
		r.same.add(same)
	}
}

// Exit takes in that a call has given something back, or failed. The call is the one of the last Enter of its thread.
func (w *Watch) Exit(c *Call) {
	c.watch = w
	if w.changes[c.Func.ID] {
		c.Rank.changes++
	}
	if w.keep[c.Func.ID] {
		c.Words = c.kept
	}
	if c.Failed {
		c.failed()
		for _, do := range w.hooks.fails {
			do(c)
		}
	} else {
		for _, do := range w.exitModel[c.Func.ID] {
			do(c)
		}
	}
	for _, do := range w.hooks.exit[c.Func.ID] {
		do(c)
	}
}

// failed takes in that a call came back with an error: what it was to free is still there, and the program's own error handler
// may have called MPI.
func (c *Call) failed() {
	r := c.Rank
	if c.freed != nil {
		r.restore(c.freed)
	}
	r.callbacks = r.callbacks || r.handlers
	switch c.Func.Class {
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome, mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome,
		mpi.Start, mpi.Startall, mpi.RequestFree:
		r.lost = true
	}
}

package usage

import (
	"slices"

	"unknot/internal/finding"
	"unknot/internal/probe/mpiapi"
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
	// Handlers of the model of objects, by function.
	enterModel, exitModel [][]func(*Call)

	enabled map[finding.Code]bool
	docs    map[finding.Code]finding.Doc
}

// New makes a Watch with the checkers of a selection.
func New(t *mpiapi.T, s Selection) *Watch {
	n := len(t.Funcs()) + 1
	w := &Watch{places: placesOf(t), keep: make([]bool, n), enabled: s.Codes(), docs: make(map[finding.Code]finding.Doc),
		enterModel: make([][]func(*Call), n), exitModel: make([][]func(*Call), n),
		hooks: Hooks{table: t, enter: make([][]func(*Call), n), exit: make([][]func(*Call), n)}}
	for _, f := range w.hooks.functions() {
		w.keep[f.ID] = f.HasExit && (f.Class.Quiet() || slices.ContainsFunc(f.Params, func(p mpiapi.Param) bool { return p.Kind.AtEntry() && p.Kind.Varying() }))
	}
	w.follow()
	followShapes(&w.hooks)
	for _, c := range Checkers() {
		on := false
		for _, d := range c.Codes {
			w.docs[d.Code] = d
			on = on || w.enabled[d.Code]
		}
		if on {
			c.Watch(&w.hooks)
		}
	}
	return w
}

// Enabled says whether a code is on.
func (w *Watch) Enabled(code finding.Code) bool { return w.enabled[code] }

// Enter takes in a call before it is made.
func (w *Watch) Enter(c *Call) {
	c.watch, c.places, c.held, c.freed, c.said = w, w.places[c.Func.ID], nil, nil, false
	for _, i := range c.Nulls {
		for _, do := range w.hooks.nulls {
			do(c, i)
		}
	}
	for _, do := range w.hooks.enter[c.Func.ID] {
		do(c)
	}
	if c.Func.Class == mpiapi.Finalize {
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

// Exit takes in that a call has given something back, or failed. The call is the one of the last Enter of its thread.
func (w *Watch) Exit(c *Call) {
	c.watch = w
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
	case mpiapi.Wait, mpiapi.Waitall, mpiapi.Waitany, mpiapi.Waitsome, mpiapi.Test, mpiapi.Testall, mpiapi.Testany, mpiapi.Testsome,
		mpiapi.Start, mpiapi.Startall, mpiapi.RequestFree:
		r.lost = true
	}
}

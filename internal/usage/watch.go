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

	hooks   Hooks
	places  [][]int16
	keep    []bool // by function: the Enter record is needed whole at exit
	enabled map[finding.Code]bool
	docs    map[finding.Code]finding.Doc
}

// New makes a Watch with the checkers of a selection.
func New(t *mpiapi.T, s Selection) *Watch {
	n := len(t.Funcs()) + 1
	w := &Watch{places: placesOf(t), keep: make([]bool, n), enabled: s.Codes(), docs: make(map[finding.Code]finding.Doc),
		hooks: Hooks{table: t, enter: make([][]func(*Call), n), exit: make([][]func(*Call), n)}}
	for _, f := range w.hooks.functions() {
		w.keep[f.ID] = f.HasExit && (f.Class.Quiet() || slices.ContainsFunc(f.Params, func(p mpiapi.Param) bool { return p.Kind.AtEntry() && p.Kind.Varying() }))
	}
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
	c.watch, c.held = w, nil
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
	w.entered(c)
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
		for _, do := range w.hooks.fails {
			do(c)
		}
	} else {
		w.left(c)
	}
	for _, do := range w.hooks.exit[c.Func.ID] {
		do(c)
	}
}

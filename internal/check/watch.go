package check

import (
	"math/rand/v2"
	"reflect"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/objects"
)

// Watch looks at the calls of some ranks.
type Watch struct {
	// Reports are new since the owner emptied it. A report that is here already may still count further.
	Reports []*Report
	// Notes are for the checks of other ranks, new since the owner emptied it.
	Notes []Note

	hooks   Hooks
	objects *objects.Follower
	given   []hasher

	enabled map[finding.Code]bool
	docs    map[finding.Code]finding.Doc
}

// New makes a Watch with those checkers of which some code is enabled. Follow keeps the objects of the ranks.
func New(t *mpi.T, follow *objects.Follower, enabled map[finding.Code]bool, checkers []Checker) *Watch {
	n := len(t.Funcs()) + 1
	w := &Watch{objects: follow, enabled: enabled, docs: make(map[finding.Code]finding.Doc),
		hooks: Hooks{table: t, enter: make([][]func(*Call), n), again: make([][]func(*Call), n), exit: make([][]func(*Call), n),
			models: make(map[reflect.Type]any), ranks: make(Ranks)},
		given: make([]hasher, n)}
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
	for f := range t.Each() {
		if len(w.hooks.enter[f.ID]) > len(w.hooks.again[f.ID]) && !follow.Changes(f) {
			w.given[f.ID] = newHasher(f, random)
		}
	}
	return w
}

// Enabled says whether a code is on.
func (w *Watch) Enabled(code finding.Code) bool { return w.enabled[code] }

// Enter takes in a call before it is made, and before the rank's objects follow it.
func (w *Watch) Enter(c *Call) {
	c.watch, c.Held, c.Filling, c.Said = w, nil, nil, false
	c.Rank.renew()
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
}

// look runs the handlers that a call has at its begin.
func (w *Watch) look(c *Call) {
	id, r := c.Func.ID, c.Rank
	alike, same := w.given[id].hash(c)
	handlers := w.hooks.enter[id]
	if r.alike.has(alike) {
		handlers = w.hooks.again[id]
	}
	c.Same = r.same.has(same)
	for _, do := range handlers {
		do(c)
	}
	if alike != 0 && !c.Same && !c.Said {
		r.alike.add(alike)
		r.same.add(same)
	}
}

// Exit takes in that a call has given something back, or failed, once the rank's objects follow that. The call is the one of the
// last Enter of its thread.
func (w *Watch) Exit(c *Call) {
	c.watch = w
	c.Rank.renew()
	if c.Failed {
		for _, do := range w.hooks.fails {
			do(c)
		}
	}
	for _, do := range w.hooks.exit[c.Func.ID] {
		do(c)
	}
}

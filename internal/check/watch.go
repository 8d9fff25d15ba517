package check

import (
	"math/rand/v2"
	"reflect"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Watch looks at the calls of some ranks.
type Watch struct {
	// Reports are new since the owner emptied it. A report that is here already may still count further.
	Reports []*Report
	// Notes are for the checks of other ranks, new since the owner emptied it.
	Notes []Note
	// Prepared counts the calls of which nothing had to be judged: another one was given the same before.
	Prepared uint64

	hooks   Hooks
	objects *objects.Follower
	random  *rand.Rand // for the hashes of calls

	enabled map[finding.Code]bool
	docs    map[finding.Code]finding.Doc
}

// New makes a Watch with those checkers of which some code is enabled. Follow keeps the objects of the ranks.
func New(t *mpi.T, follow *objects.Follower, enabled map[finding.Code]bool, checkers []Checker) *Watch {
	w := &Watch{objects: follow, enabled: enabled, docs: make(map[finding.Code]finding.Doc),
		hooks: Hooks{table: t, of: make([]*handlers, len(t.Funcs())+1), models: make(map[reflect.Type]any),
			ranks: make(Ranks)},
		random: rand.New(rand.NewPCG(1, 2))}
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
	return w
}

// Enabled says whether a code is on.
func (w *Watch) Enabled(code finding.Code) bool { return w.enabled[code] }

// Enter takes in a call before it is made, and before the rank's objects follow it.
func (w *Watch) Enter(c *Call) {
	c.watch, c.Held, c.Filling, c.Lengths, c.Said, c.Because = w, nil, nil, nil, false, ""
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
	r, of := c.Rank, w.handlers(c.Func)
	alike, same := of.given.hash(c)
	handlers := of.enter
	if r.alike.has(alike) {
		handlers = of.again
	}
	if len(handlers) == len(of.again) {
		w.Prepared++
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

// handlers are those of a function.
func (w *Watch) handlers(f *mpi.Func) *handlers {
	if x := w.hooks.of[f.ID]; x != nil {
		return x
	}
	x := w.hooks.pick(f)
	if len(x.enter) > len(x.again) && (!w.objects.Changes(f) || objects.InState(f)) {
		x.given = newHasher(f, w.random)
	}
	return x
}

// Exit takes in that a call has given something back, or failed, once the rank's objects follow that. The call is the
// one of the last Enter of its thread.
func (w *Watch) Exit(c *Call) {
	c.watch = w
	c.Rank.renew()
	if c.Failed {
		for _, do := range w.hooks.fails {
			do(c)
		}
	}
	for _, do := range w.handlers(c.Func).exit {
		do(c)
	}
}

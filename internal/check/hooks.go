package check

import (
	"reflect"

	"unknot/internal/vocab/mpi"
)

// Hooks collects the handlers of the checkers, by function. Those who pick them are asked for a function when it is
// called first, if ever.
type Hooks struct {
	table *mpi.T
	picks []func(*mpi.Func, *handlers)
	of    []*handlers // by function, nil for those that nobody has called
	final []func(*Rank, *Call)
	fails []func(*Call)
	nulls []func(c *Call, i int)
	events

	slots  int                  // made so far
	models map[reflect.Type]any // by type
	ranks  Ranks
}

// handlers are those of a function.
type handlers struct {
	enter []func(*Call)
	// again are those of enter that are to run for a call, too, that is given what was looked at before.
	again []func(*Call)
	exit  []func(*Call)
	given hasher
}

// pick makes the handlers of a function when it is called for the first time: a program calls few of them.
func (h *Hooks) pick(f *mpi.Func) *handlers {
	x := new(handlers)
	for _, pick := range h.picks {
		pick(f, x)
	}
	h.of[f.ID] = x
	return x
}

// Table is the table of functions.
func (h *Hooks) Table() *mpi.T { return h.table }

// Ranks are the ranks of this agent that checks of several ranks have met. They all share this map.
func (h *Hooks) Ranks() Ranks { return h.ranks }

// Param adds, for each parameter of each function, the handler that pick gives for it, if any. It runs before the call,
// under the conditions of Given.
func (h *Hooks) Param(pick func(f *mpi.Func, i int) func(*Call)) {
	h.picks = append(h.picks, func(f *mpi.Func, x *handlers) {
		for i := range f.Params {
			if do := pick(f, i); do != nil {
				x.enter = append(x.enter, do)
			}
		}
	})
}

// Given adds, for each function, the handler that pick gives for it, if any. It runs before the call, but not for each:
// what it says must follow from the call's arguments and from what is known of the objects that they name. Of an
// address it may ask only whether it is null or MPI_IN_PLACE, of a tag whether it is below half of the maximum, and
// whether it is above 32767.
func (h *Hooks) Given(pick func(f *mpi.Func) func(*Call)) {
	h.picks = append(h.picks, func(f *mpi.Func, x *handlers) {
		if do := pick(f); do != nil {
			x.enter = append(x.enter, do)
		}
	})
}

// Enter adds, for each function, the handler that pick gives for it, if any. It runs before each call.
func (h *Hooks) Enter(pick func(f *mpi.Func) func(*Call)) {
	h.picks = append(h.picks, func(f *mpi.Func, x *handlers) {
		if do := pick(f); do != nil {
			x.enter, x.again = append(x.enter, do), append(x.again, do)
		}
	})
}

// Exit adds, for each function, the handler that pick gives for it, if any. It runs after a call that gave something
// back or failed (Call.Failed).
func (h *Hooks) Exit(pick func(f *mpi.Func) func(*Call)) {
	h.picks = append(h.picks, func(f *mpi.Func, x *handlers) {
		if do := pick(f); do != nil {
			x.exit = append(x.exit, do)
		}
	})
}

// Finalize adds a handler that runs when a rank has come to MPI_Finalize, which is the call.
func (h *Hooks) Finalize(do func(r *Rank, c *Call)) { h.final = append(h.final, do) }

// Fail adds a handler that runs after each call that returned an error.
func (h *Hooks) Fail(do func(c *Call)) { h.fails = append(h.fails, do) }

// Null adds a handler that runs before a call that is given a null pointer as parameter i, through which MPI would read
// or write.
func (h *Hooks) Null(do func(c *Call, i int)) { h.nulls = append(h.nulls, do) }

package check

import (
	"reflect"

	"unknot/internal/vocab/op"
)

// Slot is where a family keeps what it remembers of each rank, in a value of type T. It is made with the hooks, once
// for each type, and looked up by its place.
type Slot[T any] struct{ at int }

// SlotOf is the slot for values of type T.
func SlotOf[T any](h *Hooks) Slot[T] {
	return *Model(h, func() *Slot[T] {
		h.slots++
		return &Slot[T]{at: h.slots - 1}
	})
}

// Of is what the slot has of a rank; at first that is the zero value.
func (s Slot[T]) Of(r *Rank) *T {
	if x := s.Had(r); x != nil {
		return x
	}
	return s.begin(r)
}

// Had is what the slot has of a rank; nil if nobody has asked Of for it, as most checks have nothing to remember of
// most ranks.
func (s Slot[T]) Had(r *Rank) *T {
	if s.at < len(r.states) {
		x, _ := r.states[s.at].(*T)
		return x
	}
	return nil
}

func (s Slot[T]) begin(r *Rank) *T {
	for s.at >= len(r.states) {
		r.states = append(r.states, nil)
	}
	x := new(T)
	r.states[s.at] = x
	return x
}

// Model is what checks of the same ranks share, such as what is known of all windows: a value of type T, which the
// first of them that asks builds.
func Model[T any](h *Hooks, build func() *T) *T {
	key := reflect.TypeFor[T]()
	if x, ok := h.models[key].(*T); ok {
		return x
	}
	x := build()
	h.models[key] = x
	return x
}

// Ranks are the ranks of this agent that checks of several ranks have met, by their world ranks.
type Ranks map[op.Rank]*Rank

// Meet adds a rank.
func (a Ranks) Meet(r *Rank) { a[op.Rank(r.World)] = r }

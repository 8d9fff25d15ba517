package message

import (
	"reflect"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Fold is what threads of several ranks wait for that stand in the same place of the program and wait for the same,
// seen from each of them: for the same rank, for one at the same distance, for any member, for the same collective. So
// the shape of a large job goes to the root, and not all of its ranks one by one.
type Fold struct {
	Ranks op.Ranks // a set
	Wait  Wait     // of the lowest of them
	// Real and Strict have an entry for each need in these views: whether its rank lies at the same distance from each
	// of Ranks, and is not the same for all. They are nil if that is so for none.
	Real, Strict []bool
}

// Each calls visit with what each of the threads waits for. Needs that are the same for all are shared, and must not be
// changed.
func (f *Fold) Each(visit func(Wait)) {
	first := f.Wait.Rank
	// in both views
	one := f.Ranks.Len() > 1 && slices.Equal(f.Real, f.Strict) && reflect.DeepEqual(f.Wait.Real.Needs,
		f.Wait.Strict.Needs)
	for r := range f.Ranks.All() {
		w := f.Wait
		w.Rank, w.Real.Rank, w.Strict.Rank = r, r, r
		w.Real.Needs = moved(w.Real.Needs, f.Real, r-first)
		if one {
			w.Strict.Needs = w.Real.Needs
		} else {
			w.Strict.Needs = moved(w.Strict.Needs, f.Strict, r-first)
		}
		visit(w)
	}
}

// moved are needs as they are seen so many ranks further on.
func moved(needs []waitstate.Need, moves []bool, by op.Rank) []waitstate.Need {
	own := moves != nil || slices.ContainsFunc(needs, func(n waitstate.Need) bool { return n.Origin != nil })
	if by == 0 || !own {
		return needs
	}
	needs = slices.Clone(needs)
	for i := range needs {
		n := &needs[i]
		if i < len(moves) && moves[i] {
			n.Rank += by
		}
		if n.Origin != nil {
			o := *n.Origin
			o.Rank += by
			n.Origin = &o
		}
	}
	return needs
}

// Folder folds what threads wait for, in the order in which it is reported.
type Folder struct {
	Folds []Fold
	at    map[place][]int
}

// place is what threads have in common that are folded, except for their needs.
type place struct {
	thread       op.Thread
	state        State
	evidence     bool
	inside       bool
	since, shown int
	early        bool
	hasStrict    bool
	lag          int
	real, strict standing
}

// standing is where a thread stands in a view.
type standing struct {
	ts, site                uint64
	stamp                   uint32
	fn                      uint16
	any, terminal, returned bool
	needs                   int
}

func standingOf(w *waitstate.Wait) standing {
	return standing{w.TS, w.Site, w.Stamp, w.Fn, w.Any, w.Terminal, w.Returned, len(w.Needs)}
}

// fewFolds bounds with how many folds of one place another one is compared: where each rank waits in a different way,
// nothing folds.
const fewFolds = 8

// Add folds one more thread in.
func (x *Folder) Add(w Wait) { x.Join(Fold{Ranks: op.Between(w.Rank, w.Rank), Wait: w}) }

// Join folds threads in that were folded elsewhere.
func (x *Folder) Join(f Fold) {
	if x.at == nil {
		x.at = make(map[place][]int)
	}
	w := &f.Wait
	key := place{w.Thread, w.State, w.Evidence, w.Inside, w.Since, w.Shown, w.Early, w.HasStrict, w.Lag,
		standingOf(&w.Real), standingOf(&w.Strict)}
	list := x.at[key]
	if f.folds() {
		for _, i := range list[max(0, len(list)-fewFolds):] {
			if x.Folds[i].join(&f) {
				return
			}
		}
		x.at[key] = append(list, len(x.Folds))
	}
	x.Folds = append(x.Folds, f)
}

// folds says whether all that is known of a thread can be said of others, too.
func (f *Fold) folds() bool {
	single := func(n waitstate.Need) bool { return n.Forced != nil || n.Barred || len(n.Ranks) > 0 }
	return f.Wait.Stranded == nil && !slices.ContainsFunc(f.Wait.Real.Needs, single) &&
		!slices.ContainsFunc(f.Wait.Strict.Needs, single)
}

// join takes in g, if its threads wait as those of f.
func (f *Fold) join(g *Fold) bool {
	by := g.Wait.Rank - f.Wait.Rank
	alone, other := f.Ranks.Len() == 1, g.Ranks.Len() == 1
	real, ok := together(f.Wait.Real.Needs, g.Wait.Real.Needs, moves{f.Real, alone}, moves{g.Real, other}, by)
	if !ok {
		return false
	}
	strict, ok := together(f.Wait.Strict.Needs, g.Wait.Strict.Needs, moves{f.Strict, alone}, moves{g.Strict, other}, by)
	if !ok {
		return false
	}
	f.Real, f.Strict, f.Ranks = real, strict, f.Ranks.Union(g.Ranks)
	if by < 0 {
		f.Wait = g.Wait
	}
	return true
}

// moves is which needs of a fold lie at a distance from its ranks. Of one rank alone each may.
type moves struct {
	list []bool
	free bool
}

func (m moves) may(i int, move bool) bool { return m.free || (i < len(m.list) && m.list[i]) == move }

// together is which of two folds' needs lie at a distance from their ranks, the lowest of which are so far from each
// other; false if they do not wait alike.
func together(a, b []waitstate.Need, ma, mb moves, by op.Rank) (list []bool, alike bool) {
	for i := range a {
		x, y := a[i], b[i]
		apart := y.Rank - x.Rank
		if (x.Origin == nil) != (y.Origin == nil) {
			return nil, false
		}
		if x.Origin != nil && (x.Origin.TS != y.Origin.TS || x.Origin.Thread != y.Origin.Thread ||
			y.Origin.Rank-x.Origin.Rank != by) {
			return nil, false
		}
		x.Rank, x.Origin, y.Rank, y.Origin = 0, nil, 0, nil
		switch {
		case !x.Equal(&y):
			return nil, false
		case apart == 0 && ma.may(i, false) && mb.may(i, false):
		case apart == by && a[i].Rank >= 0 && b[i].Rank >= 0 && ma.may(i, true) && mb.may(i, true):
			if list == nil {
				list = make([]bool, len(a))
			}
			list[i] = true
		default:
			return nil, false
		}
	}
	return list, true
}

package sattest

import (
	"errors"
	"slices"

	"github.com/crillab/gophersat/solver"
)

// answer is what the solver says, and what it took.
type answer struct {
	deadlocks             bool
	vars, clauses, rounds int
}

var errTooLarge = errors.New("too many clauses")

// solve decides. The formula alone allows that things are each other's cause; whenever the solver finds a state that
// rests on such circles, they are forbidden, and it looks again.
func (e *encoding) solve() (answer, error) {
	a := answer{vars: e.vars, clauses: len(e.clauses)}
	if len(e.clauses) > many {
		return a, errTooLarge
	}
	if e.never {
		return a, nil
	}
	s := solver.New(solver.ParseSliceNb(e.clauses, e.vars))
	e.clauses = nil
	for {
		a.rounds++
		if s.Solve() != solver.Sat {
			return a, nil
		}
		circles := e.circles(s.Model())
		if len(circles) == 0 {
			a.deadlocks = true
			return a, nil
		}
		a.clauses += len(circles)
		for _, c := range circles {
			lits := make([]solver.Lit, len(c))
			for i, x := range c {
				lits[i] = solver.IntToLit(int32(x))
			}
			s.AppendClause(solver.NewClause(lits))
		}
	}
}

// event is a step or a match of a state that the solver found.
type event struct {
	lit    int
	match  bool
	needs  []int32
	missed int // of needs, those that have not happened
}

// circles orders what has happened in a state, and gives clauses against what cannot be ordered.
func (e *encoding) circles(model []bool) (out [][]int) {
	var events []event
	steps := make([][]int32, len(e.steps))
	met := make(map[*side]int32)
	partner := make(map[*side]*side)
	var recvs []*side
	for t := range e.steps {
		for k := range e.steps[t] {
			if !model[e.left[t][k]-1] {
				break
			}
			steps[t] = append(steps[t], int32(len(events)))
			events = append(events, event{lit: e.left[t][k]})
		}
	}
	for _, b := range e.boxes {
		for _, r := range b.recvs {
			for i, v := range r.lits {
				if model[v-1] {
					recvs = append(recvs, r)
					met[r], met[r.fits[i]] = int32(len(events)), int32(len(events))
					partner[r] = r.fits[i]
					events = append(events, event{lit: v, match: true})
				}
			}
		}
	}
	past := func(list []int32, t, seg int) []int32 {
		if seg == 0 {
			return list
		}
		return append(list, steps[t][seg-1])
	}
	for t := range steps {
		for k, n := range steps[t] {
			list := past(nil, t, k)
			for _, x := range e.steps[t][k].sides {
				list = append(list, met[x])
			}
			for _, g := range e.steps[t][k].barriers {
				for _, m := range g.members {
					list = past(list, m.thread, m.seg)
				}
			}
			events[n].needs = list
		}
	}
	for _, r := range recvs {
		s := partner[r]
		list := past(past(nil, s.thread, s.seg), r.thread, r.seg)
		for _, p := range slices.Concat(e.earlier(s, r), e.earlier(r, s)) {
			list = append(list, met[p])
		}
		events[met[r]].needs = list
	}
	happen(events)
	return forbid(events)
}

// happen lets everything happen that can.
func happen(events []event) {
	after := make([][]int32, len(events))
	var ready []int32
	for i := range events {
		events[i].missed = len(events[i].needs)
		for _, n := range events[i].needs {
			after[n] = append(after[n], int32(i))
		}
		if events[i].missed == 0 {
			ready = append(ready, int32(i))
		}
	}
	for len(ready) > 0 {
		n := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, a := range after[n] {
			if events[a].missed--; events[a].missed == 0 {
				ready = append(ready, a)
			}
		}
	}
}

// forbid gives clauses against the shortest circles through events that did not happen. The steps of a circle follow
// from its matches, if it has any.
func forbid(events []event) (out [][]int) {
	const enough = 50
	covered := make(map[int32]bool)
	for i := range events {
		if events[i].missed == 0 || covered[int32(i)] {
			continue
		}
		circle := shortest(events, int32(i))
		var clause []int
		for _, n := range circle {
			covered[n] = true
			if events[n].match {
				clause = append(clause, -events[n].lit)
			}
		}
		if len(circle) > 0 && len(clause) == 0 {
			clause = []int{-events[circle[0]].lit}
		}
		if len(clause) > 0 {
			out = append(out, clause)
		}
		if len(out) == enough {
			break
		}
	}
	return out
}

// shortest gives the shortest circle of needs through an event, or nothing if it only waits for one.
func shortest(events []event, start int32) (out []int32) {
	from := map[int32]int32{}
	queue := []int32{start}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, d := range events[n].needs {
			if events[d].missed == 0 {
				continue
			}
			if d == start {
				for ; n != start; n = from[n] {
					out = append(out, n)
				}
				return append(out, start)
			}
			if _, ok := from[d]; !ok {
				from[d] = n
				queue = append(queue, d)
			}
		}
	}
	return nil
}

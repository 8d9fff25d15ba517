package branching

import (
	"slices"

	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// forced is a plan by what it names. A nil one names nothing.
type forced struct {
	decisions   map[named]*plan.Decision
	sends       map[named]fate
	outcomes    map[named]*plan.Outcome
	last        map[int]uint32 // by rank: the last outcome
	synchronous bool
}

type named struct {
	rank int
	nth  uint32
}

func newForced(p *plan.Plan) *forced {
	f := &forced{make(map[named]*plan.Decision), make(map[named]fate), make(map[named]*plan.Outcome),
		make(map[int]uint32), p.Synchronous}
	at := func(rank op.Rank, nth uint32) named { return named{int(rank), nth} }
	for i, d := range p.Decisions {
		if d.Thread == 0 {
			f.decisions[at(d.Rank, d.Nth)] = &p.Decisions[i]
		}
	}
	for _, s := range p.Sends {
		if s.Thread == 0 {
			f.sends[at(s.Rank, s.Nth)] = refused
			if s.Buffered {
				f.sends[at(s.Rank, s.Nth)] = free
			}
		}
	}
	for i, o := range p.Outcomes {
		if o.Thread == 0 {
			f.outcomes[at(o.Rank, o.Nth)] = &p.Outcomes[i]
			f.last[int(o.Rank)] = max(f.last[int(o.Rank)], o.Nth)
		}
	}
	return f
}

func (f *forced) decision(r int, nth uint32) *plan.Decision {
	if f == nil {
		return nil
	}
	return f.decisions[named{r, nth}]
}

func (f *forced) send(r int, nth uint32) fate {
	switch {
	case f == nil:
		return open
	case f.synchronous:
		return refused
	}
	return f.sends[named{r, nth}]
}

func (f *forced) outcome(r int, nth uint32) *plan.Outcome {
	if f == nil {
		return nil
	}
	return f.outcomes[named{r, nth}]
}

// ahead says whether the plan has outcomes for calls of a rank that it has not made.
func (f *forced) ahead(r int, choices uint32) bool {
	if f == nil {
		return false
	}
	last, some := f.last[r]
	return some && last >= choices
}

// obeys says whether a call that reports some of its requests does what the plan wants. Without Done that is all of
// them, or, if it can report one only, any of them once all are complete.
func obeys(o *plan.Outcome, report, active, complete []int, one bool) bool {
	switch {
	case o == nil:
		return true
	case len(o.Done) > 0:
		var want []int
		for _, at := range o.Done {
			want = append(want, int(at))
		}
		slices.Sort(want)
		return slices.Equal(want, report)
	case one:
		return len(complete) == len(active)
	}
	return len(report) == len(active)
}

package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"unknot/internal/explore/known"
	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/vocab/plan"
)

// The default strategy stops to try what no run has shown after so many runs and so much time; --exhaustive does not.
const (
	triedRuns = 200
	triedTime = time.Minute
)

// learned is what is known of the program, and how far it was gone through.
type learned struct {
	program *known.Program
	last    *known.Result // of the last search; nil if it is out of date
	since   time.Time     // when the first search was made
	failed  map[string]bool
	led     map[string]bool // deadlocks that a run was made for, by name
	missed  []known.Stuck   // that a run did not show
	orders  orders
	varied  bool   // runs with slow ranks were made
	enough  string // why no more is tried although there is more; "" if that is not so
}

func (o *Options) searches() bool { return o.Strategy == Predictive || o.Strategy == Exhaustive }

// learn takes in a run.
func (x *explorer) learn(it *item, l *trace.Log) error {
	if x.learned.program == nil {
		x.learned.program = known.NewProgram(l.Head.Ranks, x.table)
	}
	x.learned.orders.take(l)
	known := x.learned.program.Contrary()
	if !x.learned.program.Learn(l, x.forcedOn(it)) && it.Purpose != observe && x.learned.program.Contrary() == known {
		return nil
	}
	x.learned.last = nil
	return x.courses.keep(it.ID, l)
}

// relearn takes in the runs again that were kept, in the order in which they were made.
func (x *explorer) relearn() error {
	if !x.o.searches() {
		return nil
	}
	for _, id := range x.state.order {
		l, err := file.Read(x.courses.path(id))
		if errors.Is(err, os.ErrNotExist) {
			continue // it showed nothing new
		}
		if err != nil {
			return fmt.Errorf("the exploration cannot be resumed: %w", err)
		}
		if x.learned.program == nil {
			x.learned.program = known.NewProgram(l.Head.Ranks, x.table)
		}
		x.learned.orders.take(l)
		x.learned.program.Learn(l, plan.Plan{})
	}
	return nil
}

// forcedOn is the plan of a run.
func (x *explorer) forcedOn(it *item) plan.Plan {
	return it.plan(x.first.Ranks, x.o.synchronous())
}

// search goes through what is known, unless that has been done. Buffered says which sends MPI buffers.
func (l *learned) search(ctx context.Context, buffered func(int64) (may, must bool)) *known.Result {
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if l.last == nil {
		l.last = l.program.Search(ctx, known.Options{Buffered: buffered, Failed: l.failed})
	}
	return l.last
}

// proven says whether the predictor has shown that all runs are like one that was seen, and free of deadlocks.
func (s *state) proven() bool {
	for _, f := range s.flows {
		if f.Only {
			return true
		}
	}
	return false
}

// keeps says which sends of standard mode MPI buffers; nil for any or none.
func (o *Options) keeps() func(int64) (may, must bool) {
	switch o.Buffering {
	case exact.BufferNone:
		return func(int64) (bool, bool) { return false, false }
	case exact.BufferAll:
		return func(int64) (bool, bool) { return true, true }
	case exact.BufferLimit:
		return func(n int64) (bool, bool) { return n < 0 || n <= o.Limit, n >= 0 && n <= o.Limit }
	}
	return nil
}

// refill adds the runs that lead to deadlocks which follow from what is known, or else to what no run has shown. It
// says whether there are any.
func (x *explorer) refill(ctx context.Context) (bool, error) {
	if !x.o.searches() || x.learned.program == nil || ctx.Err() != nil || x.learned.enough != "" ||
		x.learned.program.Contrary() != "" {
		return false, nil
	}
	if x.state.proven() || x.first == nil || x.first.Crashed || x.first.TimedOut {
		return false, nil // nothing is left to try, or what the first run would have called next is not known
	}
	r := x.learned.search(ctx, x.o.keeps())
	added := false
	for _, d := range r.Deadlocks {
		if x.learned.led[d.Name] || d.Tight {
			continue
		}
		x.learned.led[d.Name] = true
		x.state.hold(&item{Parent: 0, Purpose: lead, Finding: -1, whole: &d.Plan, stuck: &d})
		added = true
	}
	if added {
		return true, nil
	}
	if len(r.Goals) > 0 && x.o.Strategy == Predictive {
		switch {
		case len(x.state.done) >= triedRuns:
			x.learned.enough = unobserved.EnoughRuns(len(x.state.done))
		case time.Since(x.learned.since) >= triedTime:
			x.learned.enough = unobserved.EnoughTime(triedTime)
		}
		if x.learned.enough != "" {
			return false, nil
		}
	}
	if len(r.Goals) >= manyGoals && x.vary() {
		return true, nil
	}
	for _, g := range r.Goals {
		x.state.hold(&item{Parent: 0, Purpose: alternative, Finding: -1, whole: &g.Plan, goal: &g})
		added = true
	}
	return added, nil
}

// hold queues a run that the next search finds again, so that it is not kept in the state.
func (s *state) hold(it *item) {
	it.ID, it.Forced = s.nextID, nil
	for _, d := range it.whole.Decisions {
		it.Forced = append(it.Forced, decision{key{d.Rank, d.Thread, d.Nth}, d.Source})
	}
	s.take(line{Item: it})
}

// obsolete says whether other runs have shown by now what a run was to show.
func (x *explorer) obsolete(it *item) bool {
	return it.goal != nil && it.goal.Known() || it.Purpose == clocks && x.state.hangsByClocks()
}

// reached looks whether a run has shown what it was made for. If it has not, the same run is made once more before that
// counts: on a busy machine a rank may poll for so long that the run is ended, or find what the others had no time to
// send late enough.
func (x *explorer) reached(it *item, r *result) {
	goal, stuck := it.goal != nil && !it.goal.Known(), it.stuck != nil && !r.Hung
	switch {
	case !goal && !stuck:
	case !it.Again:
		again := *it
		again.Again = true
		x.state.hold(&again)
	case goal:
		x.learned.failed[it.goal.Name] = true
		x.learned.last = nil
	case stuck:
		x.learned.missed = append(x.learned.missed, *it.stuck)
	}
}

package explore

import (
	"context"
	"errors"
	"slices"

	"unknot/internal/say/explain/unobserved"
	"unknot/internal/vocab/finding"
)

// loop makes runs, several at a time, until none is left. When it returns, no run is under way.
//
// What comes of it is the same as with one run at a time: what runs give is taken in in the order in which they would
// be made then, so that what is known when the next one is chosen is the same too. Beside the run whose turn it is,
// those are made that the queue has next. One that was made ahead waits for its turn; where others have shown by then
// what it was made for, one run at a time would not make it, and it counts only if it shows what no other run has.
func (x *explorer) loop(ctx context.Context) error {
	x.ahead = newAhead(ctx, x.o.Parallel, x.execute)
	defer x.ahead.close()
	err := x.inTurn(ctx)
	switch {
	case err != nil && ctx.Err() == nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		x.stopped = unobserved.OutOfTime(x.o.Time)
	case ctx.Err() != nil:
		x.stopped = unobserved.Interrupted
	}
	return nil
}

func (x *explorer) inTurn(ctx context.Context) error {
	for ctx.Err() == nil {
		it := x.next()
		if it == nil {
			more, err := x.refill(ctx)
			if err == nil && !more {
				more, err = x.spare(ctx)
			}
			if err == nil && !more {
				more = x.otherClocks(ctx)
			}
			if err != nil || !more {
				return err
			}
			continue
		}
		r := x.await(ctx, it)
		if r == nil {
			if ctx.Err() == nil {
				x.stopped = unobserved.OutOfRuns(x.runs)
			}
			break
		}
		if err := x.takeIn(ctx, r); err != nil {
			return err
		}
	}
	return x.rest(ctx)
}

// next is the run whose turn it is. Those that others have made unnecessary are dropped on the way.
func (x *explorer) next() *item {
	for {
		it := x.pick(func(*item) bool { return false })
		if it == nil || !x.obsolete(it) {
			return it
		}
		x.drop(it)
	}
}

// drop takes a run out of the queue that others have made unnecessary, and ends it if it is under way.
func (x *explorer) drop(it *item) {
	x.state.drop(it)
	if x.ahead.started[it.ID] == nil {
		return
	}
	x.unneeded++
	if r := x.ahead.drop(it); r != nil {
		x.spares = append(x.spares, r)
	}
}

// await makes a run, unless it has been made, and others ahead. It gives what the run gave; nil if there is no budget
// or no time for it.
//
// A run whose outcome may be owed to those that were made beside it is made again alone.
func (x *explorer) await(ctx context.Context, it *item) *made {
	for {
		x.fill(ctx, it)
		switch r := x.ahead.started[it.ID]; {
		case ctx.Err() != nil, r == nil && x.spent():
			return nil
		case r == nil || !r.over:
			x.ahead.receive()
		case !r.doubtful():
			return x.ahead.take(it)
		default:
			x.ahead.drain()
			x.ahead.take(it)
			if x.spent() {
				return nil
			}
			x.startRun(it)
			x.ahead.drain()
		}
	}
}

// fill begins a run, and those that the queue has next, as long as there is room.
func (x *explorer) fill(ctx context.Context, first *item) {
	for x.ahead.busy < x.ahead.most && !x.spent() && ctx.Err() == nil {
		it := first
		if x.ahead.started[it.ID] != nil {
			it = x.pick(func(q *item) bool { return x.ahead.started[q.ID] != nil || x.obsolete(q) })
		}
		if it == nil {
			return
		}
		x.startRun(it)
	}
}

func (x *explorer) startRun(it *item) {
	x.runs++
	x.ahead.start(it)
	x.tell()
}

// spent says whether no more runs may be begun.
func (x *explorer) spent() bool { return x.o.MaxRuns > 0 && x.runs >= x.o.MaxRuns }

// takeIn takes in what a run gave, unless it was cut short: then it is made again when the exploration is resumed.
func (x *explorer) takeIn(ctx context.Context, r *made) error {
	if ctx.Err() != nil && (r.err != nil || r.out.run == nil || !r.out.run.Complete) {
		return nil
	}
	if r.err != nil {
		return r.err
	}
	r.out.read()
	r, err := x.assure(ctx, r)
	if err == nil {
		err = x.visit(ctx, r)
	}
	if ctx.Err() != nil {
		return nil // while the run was judged
	}
	return err
}

// rest takes in the runs that were made ahead when no more are made. Of those that are made again when the exploration
// is resumed, nothing is taken in.
func (x *explorer) rest(ctx context.Context) error {
	x.ahead.drain()
	for {
		it := x.pick(func(q *item) bool { return x.ahead.started[q.ID] == nil })
		switch {
		case it == nil:
			_, err := x.spare(ctx)
			return err
		case x.obsolete(it):
			x.drop(it)
			continue
		}
		if r := x.ahead.take(it); !r.doubtful() {
			if err := x.takeIn(ctx, r); err != nil {
				return err
			}
		}
	}
}

// spare takes in runs that others had made unnecessary when their turn came, if they show what it would be wrong to
// leave out: an error that no other run has shown, or that what is claimed free is not known whole. It says whether
// there are any.
func (x *explorer) spare(ctx context.Context) (more bool, err error) {
	for _, r := range x.spares {
		if r.err != nil || r.doubtful() {
			continue
		}
		r.out.read()
		if x.fresh(r) || ctx.Err() == nil && x.conclude(ctx).Claim == finding.Free && x.refutes(r) {
			x.unneeded--
			if err := x.takeIn(ctx, r); err != nil {
				return false, err
			}
			more = true
		}
	}
	x.spares = nil
	return more, nil
}

// fresh says whether a run shows an error that is not known.
func (x *explorer) fresh(r *made) bool {
	list, _ := x.wrongs(r.it, r.out)
	return slices.ContainsFunc(list, func(f finding.Finding) bool {
		f.Standing = finding.Confirmed
		_, fresh := x.state.place(&f)
		return fresh
	})
}

// refutes says whether a run has calls or results that do not follow from the others, although nothing was left to try.
func (x *explorer) refutes(r *made) bool {
	if r.out.log == nil || !x.learned.program.Learn(r.out.log, x.forcedOn(r.it)) && x.learned.program.Contrary() == "" {
		return false
	}
	x.learned.last = nil
	return true
}

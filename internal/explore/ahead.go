package explore

import (
	"context"
	"slices"

	"unknot/internal/vocab/finding"
)

// ahead makes runs, some at a time, before it is known what those before them show. What they gave waits until it is
// asked for, so that it can be taken in in the order in which one run at a time would be made.
type ahead struct {
	make    func(context.Context, *item) (*outcome, error)
	most    int // at a time
	ctx     context.Context
	end     context.CancelFunc
	started map[int]*made // by item: those under way, and those that were not taken
	ended   chan *made
	busy    int // under way
	peak    int // that were under way at a time
}

// made is a run that is under way or has ended.
type made struct {
	it     *item
	stop   context.CancelFunc
	over   bool
	beside bool // others were under way meanwhile
	out    *outcome
	err    error
}

func newAhead(ctx context.Context, most int, run func(context.Context, *item) (*outcome, error)) *ahead {
	a := &ahead{make: run, most: max(1, most), started: make(map[int]*made), ended: make(chan *made)}
	a.ctx, a.end = context.WithCancel(ctx)
	return a
}

// start begins a run.
func (a *ahead) start(it *item) {
	ctx, stop := context.WithCancel(a.ctx)
	r := &made{it: it, stop: stop, beside: a.busy > 0}
	for _, other := range a.started {
		other.beside = other.beside || !other.over
	}
	a.started[it.ID] = r
	a.busy++
	a.peak = max(a.peak, a.busy)
	go func() {
		r.out, r.err = a.make(ctx, it)
		a.ended <- r
	}()
}

// receive waits until one of the runs that are under way has ended.
func (a *ahead) receive() {
	r := <-a.ended
	r.stop()
	r.over = true
	a.busy--
}

// take gives what a run gave, which is over, and forgets it.
func (a *ahead) take(it *item) *made {
	r := a.started[it.ID]
	delete(a.started, it.ID)
	return r
}

// drop ends a run that nobody needs. It gives what it gave, nil if it was not made or is not over.
func (a *ahead) drop(it *item) *made {
	r := a.take(it)
	if r != nil && !r.over {
		r.stop()
		return nil
	}
	return r
}

// drain waits until no run is under way.
func (a *ahead) drain() {
	for a.busy > 0 {
		a.receive()
	}
}

// close ends all runs that are under way. When it returns, there are none.
func (a *ahead) close() {
	a.end()
	a.drain()
}

// doubtful says whether a run may have ended as it did because others took the processors or the memory that it needed:
// it was too slow, was not started or not watched whole, or a rank was killed. A deadlock is none: no time goes into
// it.
func (r *made) doubtful() bool {
	if !r.beside || r.err != nil {
		return false
	}
	return r.out.timedOut || r.out.run == nil || !r.out.run.Complete || r.out.run.Calls == 0 || crashed(r.out) ||
		slices.ContainsFunc(r.out.run.Findings, func(f finding.Finding) bool { return f.Code == finding.Livelock })
}

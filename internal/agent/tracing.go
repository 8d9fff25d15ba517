package agent

import (
	"fmt"
	"os"

	"unknot/internal/agent/log"
)

// logs has what a new rank does recorded, if a trace is.
func (a *job) logs(r *rank) {
	if a.log != nil {
		r.log = &log.Rank{Process: &r.Process}
	}
}

// tickLog writes what a crash would lose, from time to time.
func (a *job) tickLog() {
	if a.log.Due(a.now) {
		a.lookReturned()
		a.log.Tick(a.now)
	}
}

// lookReturned asks the headers of the rings whether the last calls have returned: many tell it only there.
func (a *job) lookReturned() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if !t.inOperation() {
				a.log.Returned(t.log)
			}
		}
	}
}

// finishLog ends the trace of this agent's ranks, when all records have been read.
func (a *job) finishLog() {
	if a.log == nil {
		return
	}
	a.lookReturned()
	for _, r := range a.order {
		for _, t := range r.threads {
			a.follow.SettleLast(t.Thread, t.ring.Returned(), t.ring.Polls())
		}
	}
	a.log.Finish()
}

// logPrepared writes of how many calls of its ranks nothing had to be judged, of those that were not left out.
func (a *job) logPrepared() {
	if !a.opts.Logs("agent") {
		return
	}
	prepared := a.follow.Remade
	if a.checks.Watch != nil {
		prepared += a.checks.Watch.Prepared
	}
	fmt.Fprintf(os.Stderr, "agent: %d of %d calls were given what others had been given before\n", prepared,
		a.follow.Calls-a.folding.Calls)
}

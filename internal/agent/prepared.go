package agent

import (
	"fmt"
	"os"
)

// logPrepared writes of how many calls of its ranks nothing had to be judged, of those that were not left out.
func (a *Agent) logPrepared() {
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

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
	prepared := a.remade
	if a.checks != nil {
		prepared += a.checks.Prepared
	}
	fmt.Fprintf(os.Stderr, "agent: %d of %d calls were given what others had been given before\n", prepared,
		a.calls-a.folding.calls)
}

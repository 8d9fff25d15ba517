package agent

import (
	"slices"
	"strings"
	"time"

	"unknot/internal/trace"
	"unknot/internal/usage"
)

// Options are what the supervisor tells the agent process.
type Options struct {
	Session         string // session directory
	RanksPerAgent   int    // 0: one agent for all ranks of this node
	Sends           string // "strict" or "observed"
	OnDeadlock      string // "stop" or "leave"
	LivelockTimeout time.Duration
	Checks          usage.Selection
	Log             string // components to log to standard error, comma-separated
	Trace           string // path of the trace to record, "" for none
	Head            trace.Head
}

// logs says whether a component is to be logged (--log=detect).
func (o *Options) logs(component string) bool {
	return slices.Contains(strings.Split(o.Log, ","), component)
}

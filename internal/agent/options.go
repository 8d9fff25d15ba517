package agent

import (
	"slices"
	"strings"
	"time"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
	"unknot/internal/trace"
)

// Options are what the supervisor passes to the agent process, in a file (supervise.Internal). The flags of unknot run
// set most of them.
type Options struct {
	Session string `json:"-"` // session directory, where the file with the others is
	Distribution
	Sends           string        `json:"sends"`       // "strict" or "observed"
	OnDeadlock      string        `json:"on_deadlock"` // "stop" or "leave"
	LivelockTimeout time.Duration `json:"livelock_timeout"`
	// for which nobody gets on before it is reported where each rank is; 0 for never
	Stall  time.Duration   `json:"stall"`
	Checks check.Selection `json:"checks"`
	Owners symbol.Owners   `json:"owners"` // whose code is
	Log    string          `json:"log"`    // components to log to standard error, comma-separated
	Trace  string          `json:"trace"`  // path of the trace to record, "" for none
	// TraceParts: what is recorded on another host stays there, at this path with a dot and the host's name.
	TraceParts bool `json:"traceParts,omitempty"`
	// keep what each thread called last, for the time line of the reports
	History bool `json:"history"`
	Folding
	Head    trace.Head `json:"head"` // of that trace
	Version string     `json:"version"`
	Job     string     `json:"job"`     // that parts of this job have in common, should the root be lost
	Parts   string     `json:"parts"`   // directory for them
	Command []string   `json:"command"` // of the run, and its start, for them
	Start   string     `json:"start"`
	// what UPC programs with --check=race record (package streams), "" for nothing on other hosts
	Recording string `json:"recording"`
}

// Distribution is which agents there are, and how those of several hosts find each other.
type Distribution struct {
	RanksPerAgent int `json:"ranks_per_agent"` // 0: one agent for all ranks of this node
	// for how long the link to an agent of another host may be down
	LinkTimeout time.Duration `json:"link_timeout"`
	FanIn       int           `json:"fan_in"` // of the tree above the agents, 0 for the usual one
	// addresses at which the agents of other hosts may join; none if all ranks are on this one
	Listen []string `json:"listen"`
	Key    string   `json:"-"` // what they prove to have, which comes in EnvKey
}

// Folding is which calls that repeat others are left out.
type Folding struct {
	NoFold bool `json:"no_fold"` // every call is followed by itself
	// records that must have repeated others before calls are left out; 0 for as many as pay
	FoldAfter uint64 `json:"fold_after"`
}

// EnvKey is the environment variable with the key of a job's links, for an agent process.
const EnvKey = "UNKNOT_KEY"

// Fold is what the probes get to know of folding (ring.Options).
func (o *Options) Fold() uint32 {
	if o.NoFold {
		return 0
	}
	return ring.FoldLeast
}

// Logs says whether a component is to be logged (--log=detect).
func (o *Options) Logs(component string) bool {
	return slices.Contains(strings.Split(o.Log, ","), component)
}

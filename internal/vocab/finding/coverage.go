package finding

import "fmt"

// Coverage says what an exploration has done, and what it has not.
type Coverage struct {
	Runs int `json:"runs"` // executions of the program
	// Clocks is the number of further executions in which the program saw other clocks and random numbers.
	Clocks int `json:"clocks,omitempty"`
	// Shown is the number of executions after which the first deadlock had happened; 0 if none did.
	Shown     int `json:"shown_after,omitempty"`
	Confirmed int `json:"confirmed,omitempty"` // findings that a forced run has shown
	// predictions whose replay kept to the plan and ended, or showed that the program makes other calls
	Refuted int `json:"refuted,omitempty"`
	Open    int `json:"open,omitempty"` // predictions whose replay decided nothing
	Flows   int `json:"flows"`          // different control flows seen
	// Runs that did not end as planned, each counted once.
	Diverged int `json:"diverged,omitempty"` // they met others, or made other calls, than the plan says
	// they stood still before something that the plan says and MPI did not let happen
	Infeasible int `json:"infeasible,omitempty"`
	Killed     int `json:"killed,omitempty"`  // they took longer than a run may
	Crashed    int `json:"crashed,omitempty"` // a rank died
	// Alternatives that MPI has at some place of the runs seen: that no run was made for, and that no run could be
	// brought to. More says that there may be others.
	Untried  int  `json:"untried,omitempty"`
	Unforced int  `json:"unforced,omitempty"`
	More     bool `json:"more,omitempty"`
	// Uncontrolled are kinds of choices and results that are not followed.
	Uncontrolled []string `json:"uncontrolled,omitempty"`
	Orders       *Orders  `json:"orders,omitempty"` // nil if no rank received from any of several sources
	// Pruned counts matches that cannot matter to the strategy.
	Pruned  int `json:"pruned,omitempty"`
	Waiting int `json:"waiting,omitempty"` // runs that are left to make
}

// Orders counts in which orders messages came, over all runs and all ranks whose receives from any source met several
// senders.
type Orders struct {
	Senders int `json:"senders"`
	// Senders that were, in some run, the first and the last to be met, the one with most messages (or the earliest),
	// and with fewest.
	First   int `json:"first"`
	Last    int `json:"last"`
	Fastest int `json:"fastest"`
	Slowest int `json:"slowest"`
	Pairs   int `json:"pairs"`   // of senders of the same rank
	Swapped int `json:"swapped"` // pairs whose first messages came in both orders
}

func (c *Coverage) validate() error {
	for _, n := range []int{c.Runs, c.Clocks, c.Shown, c.Confirmed, c.Refuted, c.Open, c.Flows, c.Diverged,
		c.Infeasible, c.Killed, c.Crashed, c.Untried, c.Unforced,
		c.Pruned, c.Waiting} {
		if n < 0 {
			return fmt.Errorf("coverage has a number of %d, expected 0 or more", n)
		}
	}
	if o := c.Orders; o != nil {
		for _, n := range []int{o.First, o.Last, o.Fastest, o.Slowest} {
			if n < 0 || n > o.Senders {
				return fmt.Errorf("coverage has %d of %d senders, expected 0 to all", n, o.Senders)
			}
		}
		if o.Swapped < 0 || o.Swapped > o.Pairs {
			return fmt.Errorf("coverage has %d of %d pairs of senders, expected 0 to all", o.Swapped, o.Pairs)
		}
	}
	return nil
}

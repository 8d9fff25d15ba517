package finding

import "fmt"

// Coverage says what an exploration has done and what it proves.
type Coverage struct {
	Runs int `json:"runs"` // executions of the program
	// Shown is the number of executions after which the first deadlock had happened; 0 if none did.
	Shown     int `json:"shown_after,omitempty"`
	Confirmed int `json:"confirmed,omitempty"` // predictions that a replay showed
	Refuted   int `json:"refuted,omitempty"`   // predictions that a replay did not show
	Left      int `json:"left_plan,omitempty"` // runs that did not keep to their plan
	Flows     int `json:"flows"`               // different control flows seen
	Proven    int `json:"proven,omitempty"`    // control flows that are proven free of deadlocks for all matches
	// Answering counts control flows that have no deadlock unless a rank answers another one than it has received from.
	Answering int `json:"answering,omitempty"`
	Undecided int `json:"undecided,omitempty"`
	// Pruned counts matches that were not tried because the senders had come the same way, or that cannot matter to the strategy.
	Pruned  int `json:"pruned,omitempty"`
	Waiting int `json:"waiting,omitempty"` // runs that are left to make
}

func (c *Coverage) validate() error {
	for _, n := range []int{c.Runs, c.Shown, c.Confirmed, c.Refuted, c.Left, c.Flows, c.Proven, c.Answering, c.Undecided, c.Pruned, c.Waiting} {
		if n < 0 {
			return fmt.Errorf("coverage has a number of %d, want 0 or more", n)
		}
	}
	return nil
}

package finding

import "fmt"

// Glimpse is what was seen of a job from outside that was not started under unknot.
type Glimpse struct {
	Seconds float64 `json:"seconds"` // for which it was watched
	// Moving are the ranks that have come out of a call of MPI, or into one, meanwhile.
	Moving []int `json:"moving,omitempty"`
	// Left is how many threads of libraries the stacks leave out.
	Left int `json:"library_threads,omitempty"`
	// Stacks are the call stacks of all other threads, merged from the outermost function on.
	Stacks []Branch `json:"stacks"`
}

// Branch is a function that threads are in, and what they have called from there.
type Branch struct {
	Frame
	Call    string   `json:"call,omitempty"` // a function of MPI, which ends the branch
	Ranks   []int    `json:"ranks"`          // ascending
	Threads int      `json:"threads"`
	Below   []Branch `json:"below,omitempty"`
}

// Where is what a branch stands for: a function with its position, or a call of MPI.
func (b *Branch) Where() string {
	if b.Call != "" {
		return b.Call
	}
	return b.Frame.Where()
}

func (g *Glimpse) validate(world int) error {
	if g.Seconds < 0 {
		return fmt.Errorf("seconds is %g, expected 0 or more", g.Seconds)
	}
	for i, r := range g.Moving {
		if r < 0 || r >= world {
			return fmt.Errorf("moving[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	return validateBranches("stacks", g.Stacks, world)
}

func validateBranches(name string, list []Branch, world int) error {
	for i := range list {
		for k, r := range list[i].Ranks {
			if r < 0 || r >= world {
				return fmt.Errorf("%s[%d].ranks[%d] is %d, expected 0 to %d", name, i, k, r, world-1)
			}
		}
		if err := validateBranches(fmt.Sprintf("%s[%d].below", name, i), list[i].Below, world); err != nil {
			return err
		}
	}
	return nil
}

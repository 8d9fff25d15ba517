package finding

import "fmt"

// Claim is what is claimed of all runs that MPI allows. docs/explore.md has the argument for each.
type Claim string

// Claims.
const (
	// Free: no run that MPI allows ends in a deadlock, in any control flow.
	Free Claim = "free"
	// FreeAsTried: none of what was tried does; what was not tried is reported.
	FreeAsTried Claim = "free as far as tried"
	// NotDecided: nothing is claimed.
	NotDecided Claim = "not decided"
	// Broken: a run that MPI allows does, or is wrong in another way, as a finding tells.
	Broken Claim = "broken"
)

func (c Claim) validate() error {
	switch c {
	case "", Free, FreeAsTried, NotDecided, Broken:
		return nil
	}
	return fmt.Errorf("claim %q, expected free, free as far as tried, not decided or broken", string(c))
}

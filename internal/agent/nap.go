package agent

import "time"

// Bounds of the time that an agent sleeps when its rings are empty. The longer it sleeps the less it disturbs ranks
// that share its core; a ring that fills up meanwhile wakes it.
const (
	minNap   = 200 * time.Microsecond
	maxNap   = 20 * time.Millisecond
	quietNap = 100 * time.Millisecond // while no rank waits for long
)

// nap is how long the agent may sleep until the busiest ring, filled as fast as since the last nap, is filled to a
// part.
func (a *Agent) nap() time.Duration {
	const part = 8
	elapsed := float64(a.now.Sub(a.rested))
	a.rested = a.now
	nap := maxNap
	if a.quiet {
		nap = quietNap
	}
	for _, r := range a.order {
		for _, s := range r.sources {
			taken := s.ring.Taken()
			if n := taken - s.rested; n > 0 {
				nap = min(nap, time.Duration(elapsed*float64(s.ring.Capacity())/part/float64(n)))
			}
			s.rested = taken
		}
	}
	return max(minNap, nap)
}

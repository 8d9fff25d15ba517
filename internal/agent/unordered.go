package agent

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// unorder tells the wait-state system which calls other threads of the rank are in when this one starts sends and
// receives.
func (c *call) unorder(o *waitstate.Op) {
	for _, other := range c.r.threads {
		if other == c.t || !other.inside {
			continue
		}
		c.a.node.Beside(o, other.ws)
		if other.fn != nil && other.fn.Class == mpi.Improbe { // what it finds is entered when it returns
			for _, p := range o.Posts {
				if p.Kind == op.Recv {
					p.Unordered, other.crossed = true, true
				}
			}
		}
	}
}

package calls

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// unorder tells the wait-state system which calls other threads of the rank are in when this one starts sends and
// receives.
func (c *call) unorder(o *waitstate.Op) {
	for _, other := range c.r.Threads {
		if other == c.t || !other.Inside {
			continue
		}
		c.a.Node.Beside(o, other.WS)
		if other.Func != nil && other.Func.Class == mpi.Improbe { // what it finds is entered when it returns
			for _, p := range o.Posts {
				if p.Kind == op.Recv {
					p.Unordered, other.crossed = true, true
				}
			}
		}
	}
}

package lifecycle

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// watchSessions looks at calls of ranks that have not called MPI_Init: they need a session that is open, and have no
// MPI_COMM_WORLD. When a session begins or ends, objects of the rank change, so that calls are looked at anew.
func watchSessions(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) || f.Class == mpi.Init || f.Class == mpi.Finalize || f.Class == mpi.Abort {
			return nil
		}
		return func(c *check.Call) {
			switch {
			case !c.Rank.Sessions || !c.Rank.Sure():
			case !c.Rank.InSession():
				c.Say(OutsideMPI, -1, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf("Rank %d calls %s although it has finalised its last session.",
							c.Rank.World, f.Name),
						Hint: "call MPI_Session_finalize after everything that uses the session"}
				})
			case c.Comm != nil && predefined(c):
				c.Say(OutsideMPI, -1, func() check.Words {
					return check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s, but has not called MPI_Init.",
						c.Rank.World, f.Name, c.Comm.Name),
						Hint: "make a communicator of a session's group with MPI_Comm_create_from_group"}
				})
			}
		}
	})
}

func predefined(c *check.Call) bool {
	l := &c.Rank.Limits
	return c.Comm.Handle == l.World || c.Comm.Handle == l.Self
}

package portability

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// callers is what is known of those of a rank that call MPI on MPI_COMM_WORLD.
type callers struct {
	looked map[uint64]bool // by call site
	said   map[string]bool // by library
}

// watchWorld looks for libraries that communicate on MPI_COMM_WORLD itself.
func watchWorld(h *check.Hooks) {
	ranks := check.SlotOf[callers](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Isend, mpi.Irecv, mpi.Isendrecv, mpi.SendInit, mpi.RecvInit,
			mpi.PsendInit, mpi.PrecvInit, mpi.Coll:
		default:
			return nil
		}
		return func(c *check.Call) {
			r := c.Rank
			if c.Comm == nil || c.Comm.ID != objects.WorldID || c.Site == 0 || r.Innermost == nil {
				return
			}
			k := ranks.Of(r)
			if k.looked[c.Site] {
				return
			}
			if k.looked == nil {
				k.looked, k.said = make(map[uint64]bool), make(map[string]bool)
			}
			k.looked[c.Site] = true
			name := check.Library(r.Innermost(c.Site))
			if name == "" || k.said[name] {
				return
			}
			k.said[name] = true
			c.Remark(portabilityWorld, -1, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf("%s calls %s on MPI_COMM_WORLD in rank %d: it works only if all ranks "+
						"call it, and its messages can match receives of the program.", name, f.Name, r.World),
					Hint: "if the library accepts a communicator, pass it one from MPI_Comm_dup; the library " +
						"itself should duplicate the communicator that it is passed",
				}
			})
		}
	})
}

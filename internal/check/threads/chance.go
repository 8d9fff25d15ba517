package threads

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Calls of two threads that came one after the other only by chance: in another run they may overlap, or come in the
// other order.

// nothingOrders is what is known of these.
const nothingOrders = "nothing orders the two: no lock, barrier, condition or join of threads and no message"

// Each check remembers the calls that matter to it.
type (
	lastCalls       struct{ check.LastCalls }
	lastCollectives struct{ check.LastCalls }
)

// watchChance looks for calls of a rank with MPI_THREAD_SERIALIZED that nothing keeps apart (MPI-4.0, 11.6.2).
func watchChance(h *check.Hooks) {
	ranks := check.SlotOf[lastCalls](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) || f.Class == mpi.Abort || f.Class == mpi.Finalize {
			return nil
		}
		return func(c *check.Call) {
			l := &c.Rank.Limits
			if c.Rank.Order == nil || !l.LevelKnown || l.Level != l.Serialized {
				return
			}
			last := ranks.Of(c.Rank)
			other, some := last.Unordered(c, func(*check.LastCall) bool { return true })
			if some && len(c.Beside) == 0 {
				c.Say(threadLevel, -1, func() check.Words {
					return check.ByChance(finding.Wordf("Rank %d calls %s in thread %d after %s in its thread %d, and "+
						"nothing orders the two: in another run both may be in MPI at the same time, but MPI provides "+
						"MPI_THREAD_SERIALIZED.", c.Rank.World, f.Name, c.Thread, other.By.Func.Name, other.Thread),
						"guard the calls with a lock, or "+higher(l, "MPI_THREAD_MULTIPLE"),
						append([]check.Related{other.Related()}, initialised(l)...)...)
				})
			}
			last.Note(c)
		}
	})
}

// watchChanceCollectives looks for collectives of two threads on one communicator whose order nothing fixes: another
// rank may call them in the other one (MPI-4.0, 6.14).
func watchChanceCollectives(h *check.Hooks) {
	ranks := check.SlotOf[lastCollectives](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.Coll && f.Class != mpi.CommCreate {
			return nil
		}
		return func(c *check.Call) {
			if c.Rank.Order == nil || c.Comm == nil || c.Comm.Size() < 2 {
				return
			}
			last := ranks.Of(c.Rank)
			other, some := last.Unordered(c, func(l *check.LastCall) bool { return l.Comm == c.Comm })
			if some && len(c.Beside) == 0 {
				c.Say(threadCollective, -1, func() check.Words {
					return check.ByChance(finding.Wordf("Rank %d calls %s in thread %d on %s after %s in its thread %d, "+
						"and nothing orders the two: in another run they may come in the other order, and then the "+
						"collectives of the ranks do not match.",
						c.Rank.World, f.Name, c.Thread, c.Comm.Describe(), other.By.Func.Name, other.Thread),
						ownComm(c), other.Related())
				})
			}
			last.Note(c)
		}
	})
}

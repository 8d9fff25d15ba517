package portability

import (
	"unknot/internal/check"
	"unknot/internal/check/leaks"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// mostContexts is about what MPICH has, for communicators, windows and files together.
const mostContexts = 2000

// numerous says of a rank that it was reported to have more.
type numerous struct{ said bool }

// watchNumbers counts the objects of a rank that take a context of the MPI library.
func watchNumbers(h *check.Hooks) {
	ranks := check.SlotOf[numerous](h)
	kinds := [...]mpi.Object{mpi.OComm, mpi.OWin, mpi.OFile}
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if !leaks.NeedsContext(f) {
			return nil
		}
		return func(c *check.Call) {
			n := 0
			for _, kind := range kinds {
				n += c.Rank.Number(kind)
			}
			if n <= mostContexts || ranks.Of(c.Rank).said || !c.Rank.Sure() {
				return
			}
			n = 0
			for _, kind := range kinds {
				for _, live := range leaks.Live(c.Rank, kind) {
					if n += live; leaks.Grows(kind, live) {
						ranks.Of(c.Rank).said = true // of the call that made them, as resource-growth
						return
					}
				}
			}
			if n <= mostContexts {
				return
			}
			ranks.Of(c.Rank).said = true
			c.Remark(portabilityMany, -1, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d has %d communicators, windows and files at a "+
					"time: MPICH and libraries that are based on it allow about 2000.", c.Rank.World, n),
					Hint: "tell messages apart by tags instead of communicators, or free each object when it is no " +
						"longer needed"}
			})
		}
	})
}

package portability

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// watchLevels looks at calls of threads that the program's own request does not allow, but the level that this library
// provides (MPI-4.0, 11.6.2). A session has no such request.
func watchLevels(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) {
			return nil
		}
		return func(c *check.Call) {
			l := &c.Rank.Limits
			if c.Rank.Sessions || !l.LevelKnown || l.Init.Func == nil || l.Level <= l.Required {
				return
			}
			switch {
			case c.Thread != 0 && l.Required <= l.Funneled:
				exceeds(c, l, "only the thread that initialised MPI may call it")
			case l.Required == l.Serialized && len(c.Beside) > 0 && !check.AnyThread(c.Beside[0].Func):
				exceeds(c, l, "one thread at a time may call MPI", check.Related{Label: finding.OtherCall,
					Text: "it was made", Func: c.Beside[0].Func, Site: c.Beside[0].Site})
			}
		}
	})
}

// exceeds reports a call that the requested level does not allow, with the rule of that level.
func exceeds(c *check.Call, l *objects.Limits, rule string, other ...check.Related) {
	c.Remark(portabilityLevel, -1, func() check.Words {
		w := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s in thread %d, though the program requests only %s, with which "+
				"%s: it relies on this library, which provides %s.",
				c.Rank.World, c.Func.Name, c.Thread, l.LevelName(l.Required), rule, l.LevelName(l.Level)),
			Hint:    "request the level that the threads need in MPI_Init_thread, and check that it is provided",
			Related: other,
		}
		if l.Init.Site != 0 {
			w.Related = append(w.Related, check.Related{Text: "MPI was initialised", Func: l.Init.Func,
				Site: l.Init.Site})
		}
		return w
	})
}

package threads

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

const threadLevelNeeded finding.Code = "thread-level-needed"

func neededChecker() check.Checker {
	return check.Checker{
		Name: "thread-levels-needed", Family: check.Threads, Off: true, Watch: watchNeeded,
		Codes: []finding.Doc{{
			Code: threadLevelNeeded, Title: "a lower thread level was enough in this run", Severity: finding.Info,
			Since: finding.Version01,
			Means: "The program requests more thread support than its calls needed in this run (MPI-4.0, 11.6.2): only the " +
				"thread that initialised MPI called it, so MPI_THREAD_FUNNELED was enough; or several threads did, one " +
				"at a time and in an order that locks, barriers and the like fix, so MPI_THREAD_SERIALIZED was.",
			Why: "MPI_THREAD_MULTIPLE is requested to be on the safe side, or for a part of the program that this run has " +
				"not come to. With it, MPI libraries take locks in each call.",
			Fix: "If no run needs more, request the lower level. Else leave it as it is.",
		}},
	}
}

// callers is what is known of the threads of a rank that call MPI.
type callers struct {
	last    check.LastCalls
	first   op.Thread
	some    bool
	several bool // not one thread alone
	free    bool // and not in an order that is known to be fixed
}

// watchNeeded says at the end which thread level was enough.
func watchNeeded(h *check.Hooks) {
	ranks := check.SlotOf[callers](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) || f.Class == mpi.Abort {
			return nil
		}
		return func(c *check.Call) {
			if l := &c.Rank.Limits; !l.LevelKnown || l.Required <= l.Funneled || l.Init.Func == nil {
				return
			}
			all := ranks.Of(c.Rank)
			if !all.some {
				all.first, all.some = c.Thread, true
			}
			all.several = all.several || c.Thread != all.first || c.Thread != 0
			if all.free {
				return
			}
			_, followed := c.Place()
			_, unordered := all.last.Unordered(c, func(*check.LastCall) bool { return true })
			all.free = all.several && (!followed || unordered || f.Poll || len(c.Beside) > 0)
			all.last.Note(c)
			if f.Class == mpi.Finalize {
				all.say(c)
			}
		}
	})
}

func (all *callers) say(c *check.Call) {
	l := &c.Rank.Limits
	enough, why := l.Funneled, "only the thread that initialised MPI called it"
	if all.several {
		enough, why = l.Serialized, "several threads called it, one at a time and in an order that is fixed"
	}
	if _, unsaid := c.Rank.Unsaid(); enough >= l.Required || all.free || all.several && unsaid {
		return
	}
	c.Remark(threadLevelNeeded, -1, func() check.Words {
		return check.Words{
			Sentence: finding.Wordf("Rank %d requests %s, but in this run %s was enough: %s.", c.Rank.World,
				l.LevelName(l.Required), l.LevelName(enough), why),
			Hint:    "request the lower level in MPI_Init_thread if no run needs more",
			Related: initialised(l),
		}
	})
}

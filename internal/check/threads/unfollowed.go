package threads

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

const threadOrder finding.Code = "thread-order"

func unfollowed() check.Checker {
	return check.Checker{
		Name: "thread-orders", Family: check.Threads, Watch: watchUnfollowed,
		Codes: []finding.Doc{{
			Code: threadOrder, Title: "the order of threads that call MPI is not followed", Severity: finding.Info,
			Since: finding.Version01,
			Means: "Several threads of a rank call MPI, and unknot does not know which of their calls are ordered: the " +
				"program may order its threads by something that unknot does not see. So nothing is predicted of calls " +
				"that came one after the other only by chance. What is wrong where it happens is still reported.",
			Why: "unknot follows the functions of POSIX threads, those of C and C++, which use them, and OpenMP as gcc " +
				"compiles it. It does not see memory: a loop that waits for a variable, a spin lock or a count that " +
				"threads decrease. Nor does it know what the functions of other libraries do, or pipes.",
			Fix: "Nothing in the program is wrong. If threads wait for a variable, a condition variable, a semaphore " +
				"or a barrier of threads is followed, and leaves the processor to others.",
		}},
	}
}

// firstCaller is the first thread of a rank that called MPI, and whether it was said that the order is not followed.
type firstCaller struct {
	thread     op.Thread
	some, said bool
}

// watchUnfollowed says once of a rank why nothing is said of the order of its threads, if several call MPI.
func watchUnfollowed(h *check.Hooks) {
	callers := check.SlotOf[firstCaller](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) || f.Class.Quiet() {
			return nil
		}
		return func(c *check.Call) {
			l := callers.Of(c.Rank)
			if !l.some {
				l.thread, l.some = c.Thread, true
			}
			if c.Thread == l.thread || l.said || c.Said {
				return
			}
			if why, some := c.Rank.Unsaid(); some {
				l.said = true
				c.Remark(threadOrder, -1, func() check.Words { return unsaid(c, why) })
			}
		}
	})
}

func unsaid(c *check.Call, why check.Unsaid) check.Words {
	w := check.Words{Sentence: finding.Wordf("Rank %d calls MPI in several threads, and unknot does not follow their "+
		"order: nothing is predicted of calls that came one after the other only by chance.", c.Rank.World)}
	switch {
	case why.Lost:
		w.Notes = finding.Remarks("the rank has had more than 64 threads, or too many locks at a time")
	case why.Unfollowed && why.By == "":
		w.Notes = finding.Remarks("other threads were there before MPI was initialised")
	case why.Unfollowed && strings.Contains(why.By, ".so"):
		w.Notes = finding.Remarks("the program uses the library " + why.By + ", which may order threads")
	case why.Unfollowed && why.By != "?":
		w.Notes = finding.Remarks("the program calls " + why.By + ", by which it may order threads")
	case !why.Unfollowed && why.At.Where() != "":
		w.Notes = finding.Remarks("a thread may wait for a variable, or decide by one, at " + why.At.Where())
		w.Hint = "a condition variable, a semaphore or a barrier of threads is followed"
	default:
		w.Notes = finding.Remarks("the program may order its threads by means that are not known")
	}
	return w
}

package threads

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const threadFree finding.Code = "thread-free"

func freeChecker() check.Checker {
	return check.Checker{
		Name: "thread-frees", Family: check.Threads, Watch: watchThreadFrees,
		Codes: []finding.Doc{{
			Code: threadFree, Title: "a thread frees what another thread may still use", Severity: finding.Warning,
			Since: finding.Version01,
			Means: "A thread has freed a communicator, datatype, window, file or other object after another thread's " +
				"last call with it, and " + nothingOrders + ". In another run that call may be given the handle " +
				"of an object that is gone, or of another one that has been created since (MPI-4.0, 2.5.1 and 11.6.1).",
			Why: "The thread that created the object frees it without waiting for the others; or an object that all " +
				"share is freed by the first thread that has finished.",
			Fix: "Free it after the threads have been joined, or after a barrier of the threads that comes after the " +
				"last use. Or let each thread make and free its own object.",
		}},
	}
}

// uses are the last calls of a rank's threads with each object.
type uses struct {
	of map[*objects.Object]*check.LastCalls
}

// mostUsed bounds the objects of a rank of which that is remembered.
const mostUsed = 256

// followed are the kinds of objects that threads share. Requests and messages are used once, and another thread's use
// of one is found where it happens.
func followed(kind mpi.Object) bool {
	switch kind {
	case mpi.OComm, mpi.OGroup, mpi.OType, mpi.OOp, mpi.OWin, mpi.OFile, mpi.OInfo:
		return true
	}
	return false
}

// watchThreadFrees looks for objects that one thread frees and another has used.
func watchThreadFrees(h *check.Hooks) {
	ranks := check.SlotOf[uses](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		var given []int
		frees := -1
		for i := range f.Params {
			p := &f.Params[i]
			switch {
			case !followed(p.Object) || !p.Kind.AtEntry():
			case f.Frees(p):
				frees = i
			default:
				given = append(given, i)
			}
		}
		if len(given) == 0 && frees < 0 {
			return nil
		}
		return func(c *check.Call) {
			if c.Rank.Order == nil {
				return
			}
			u := ranks.Of(c.Rank)
			for _, i := range given {
				u.note(c, object(c, i))
			}
			if frees < 0 {
				return
			}
			o := object(c, frees)
			if last := u.of[o]; last != nil && o.Refs <= 1 {
				predictFree(c, frees, last)
			}
			delete(u.of, o)
		}
	})
}

// object is what a parameter of a call names, nil if that is predefined or not known.
func object(c *check.Call, i int) *objects.Object {
	v, ok := c.Int(i)
	if !ok {
		return nil
	}
	o := c.Rank.Object(c.Func.Params[i].Object, uint64(v))
	if o == nil || o.Predefined {
		return nil
	}
	return o
}

func (u *uses) note(c *check.Call, o *objects.Object) {
	if o == nil {
		return
	}
	last := u.of[o]
	if last == nil {
		if len(u.of) == mostUsed {
			clear(u.of)
		}
		last = new(check.LastCalls)
		objects.Set(&u.of, o, last)
	}
	last.Note(c)
}

// predictFree says that a call frees an object after another thread's call with it by chance.
func predictFree(c *check.Call, i int, last *check.LastCalls) {
	other, some := last.Unordered(c, func(*check.LastCall) bool { return true })
	if !some || c.Said {
		return
	}
	kind := c.Func.Params[i].Object
	c.Say(threadFree, i, func() check.Words {
		return check.ByChance(finding.Wordf("Rank %d calls %s in thread %d for %s that %s in its thread %d has used, "+
			"and nothing orders the two: in another run that call may be given a handle that is freed.",
			c.Rank.World, c.Func.Name, c.Thread, kind.Article(), other.By.Func.Name, other.Thread),
			"join the threads first, or let them meet in a barrier of threads after the last use", other.Related())
	})
}

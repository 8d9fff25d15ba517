package buffers

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about statuses.
const (
	statusOutside finding.Code = "status-outside"
	statusShared  finding.Code = "status-shared"
)

// statusCheckers judge the variables into which MPI writes statuses.
func statusCheckers() []check.Checker {
	return []check.Checker{{
		Name: "statuses", Family: check.Buffers, Watch: watchStatuses,
		Codes: []finding.Doc{{
			Code: statusOutside, Title: "a variable is too small for the statuses that MPI writes",
			Severity: finding.Error, Since: finding.Version01,
			Means: "A call writes more statuses, or a larger one, than the variable has room for (MPI-4.0, 3.2.5 and " +
				"3.7.5: MPI_Waitall writes one for each request). What lies behind the variable is " +
				"overwritten.\n\nThe size is that of the declaration, from the debug information (`-g`), for an " +
				"argument that is written as a variable, an array or its first element.",
			Why: "In Fortran with `mpif.h`, where compilers cannot check it: `integer status` instead of `integer " +
				"status(MPI_STATUS_SIZE)`, or one status for MPI_Waitall with several requests. In C, `&status` for " +
				"an array, or an array that did not grow with the number of requests.",
			Fix: "Declare `MPI_Status statuses[N]`, `integer :: statuses(MPI_STATUS_SIZE, N)`, or with `use " +
				"mpi_f08` `type(MPI_Status) :: statuses(N)`, for as many requests as the call gets. If the program " +
				"does not read them, pass MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.",
		}, {
			Code: statusShared, Title: "two threads have MPI write one status", Severity: finding.Error,
			Since: finding.Version01,
			Means: "Two threads of a rank are in calls at the same time that write their status to the same " +
				"variable. What each reads from it may be of the other's message, or half of each (MPI-4.0, 11.6.1: " +
				"arguments of calls of different threads must not be used by two at a time unless they are only read).",
			Why: "The status is a global or static variable, and the code was written for one thread.",
			Fix: "Declare the status in the function or parallel region that makes the call, or pass " +
				"MPI_STATUS_IGNORE.",
		}},
	}}
}

// statusOf is the parameter of a function that gets its status, or its statuses; -1 if there is none.
func statusOf(f *mpi.Func) int {
	return slices.IndexFunc(f.Params, func(p mpi.Param) bool {
		return p.Kind == mpi.KOutStatus ||
			p.Kind == mpi.KOutStatuses
	})
}

func watchStatuses(h *check.Hooks) {
	seen := check.SlotOf[check.Recent](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		i := statusOf(f)
		if i < 0 {
			return nil
		}
		p := &f.Params[i]
		return func(c *check.Call) {
			switch {
			case p.Kind == mpi.KOutStatus:
				roomFor(c, i, 1, seen.Of(c.Rank))
			case !f.Params[p.Len].Kind.AtExit():
				n, _ := c.Int(p.Len)
				roomFor(c, i, n, seen.Of(c.Rank))
			}
			if len(c.Beside) > 0 {
				writtenTwice(c, i)
			}
		}
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		i := statusOf(f)
		if i < 0 || f.Params[i].Kind != mpi.KOutStatuses || !f.Params[f.Params[i].Len].Kind.AtExit() {
			return nil
		}
		return func(c *check.Call) {
			if given := c.Gave(f.Params[i].Len); len(given) > 0 {
				roomFor(c, i, int64(int32(given[0])), seen.Of(c.Rank)) // MPI_UNDEFINED is negative
			}
		}
	})
}

// roomFor judges whether the variable of parameter i has room for n statuses.
func roomFor(c *check.Call, i int, n int64, seen *check.Recent) {
	if n <= 0 || seen.Has(c, i, uint64(n)) || c.Rank.Declared == nil || c.Rank.Limits.StatusBytes <= 0 {
		return
	}
	seen.Add(c, i, uint64(n))
	d, ok := c.Rank.Declared(c, i)
	// Other declarations of a COMMON block do not matter: the argument needs as many elements as the status, here
	// (Fortran 2018, 15.5.2.11).
	if !ok || d.Count < 0 || d.Size <= 0 || d.Lies != symbol.OnStack && d.Lies != symbol.InStatic &&
		d.Lies != symbol.InCommon {
		return
	}
	several := c.Func.Params[i].Kind == mpi.KOutStatuses
	if requests, has := c.Func.Param(mpi.RCount); several && has && !d.Agrees(c, requests) {
		return
	}
	there, each := d.Count*d.Size, c.Rank.Limits.StatusBytes
	if there >= n*each {
		return
	}
	c.Say(statusOutside, i, func() check.Words {
		has := check.Bytes(there)
		if there%each == 0 {
			has = finding.Counted(there/each, "status", "statuses")
		}
		w := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s}, which has room for %s; MPI writes %s of %s.",
				c.Rank.World, c.Func.Name, c.Func.Params[i].Name, has, finding.Counted(n, "status", "statuses"),
				check.Bytes(each))}
		w.Hint = declareStatuses(several, d.Fortran, d.Size == each)
		return w
	})
}

// declareStatuses says how a program declares statuses.
func declareStatuses(several, fortran, derived bool) string {
	ignore := "pass MPI_STATUS_IGNORE if the status is not read"
	if several {
		ignore = "pass MPI_STATUSES_IGNORE if the statuses are not read"
	}
	how := "declare as many elements of MPI_Status as there are requests"
	switch {
	case fortran && several && derived:
		how = "declare it as type(MPI_Status) :: statuses(N) for N requests"
	case fortran && several:
		how = "declare it as integer :: statuses(MPI_STATUS_SIZE, N) for N requests"
	case fortran:
		how = "declare it as integer :: status(MPI_STATUS_SIZE)"
	case !several:
		how = "pass the address of an MPI_Status"
	}
	return how + ", or " + ignore
}

// writtenTwice says that another thread's call, which is not over, writes to the status of this one: a variable that
// has one place for all threads.
func writtenTwice(c *check.Call, i int) {
	if c.Rank.Declared == nil {
		return
	}
	ours, ok := c.Rank.Declared(c, i)
	if !ok || ours.Lies != symbol.InStatic {
		return
	}
	for k := range c.Beside {
		o := &c.Beside[k]
		param := statusOf(o.Func)
		if param < 0 {
			continue
		}
		x := *c
		x.Func, x.Site = o.Func, o.Site
		theirs, ok := c.Rank.Declared(&x, param)
		if !ok || theirs.Lies != symbol.InStatic || theirs.Name != ours.Name ||
			theirs.Argument(param) != ours.Argument(i) {
			continue
		}
		c.Say(statusShared, i, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s in thread %d with {%s}, which its thread %d has passed to "+
					"%s and waits for.",
					c.Rank.World, c.Func.Name, c.Thread, c.Func.Params[i].Name, o.Index, o.Func.Name),
				Hint: "declare a status for each thread, in the function that makes the call, or pass " +
					"MPI_STATUS_IGNORE",
				Related: []check.Related{check.MadeAt(o.Func, o.Site)},
			}
		})
		return
	}
}

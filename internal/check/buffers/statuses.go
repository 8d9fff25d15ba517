package buffers

import (
	"regexp"
	"strconv"

	"unknot/internal/check"
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/symbol"
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
			Code: statusOutside, Title: "a variable is too small for the statuses that MPI writes", Severity: finding.Error, Since: finding.Version01,
			Means: "A call writes more statuses, or a larger one, than the variable has room for (MPI-4.0, 3.2.5 and 3.7.5: MPI_Waitall writes one for each request). What lies behind the variable is overwritten.\n\nThe size is that of the declaration, from the debug information (`-g`), for an argument that is written as a variable, an array or its first element.",
			Why:   "In Fortran with `mpif.h`, where compilers cannot check it: `integer status` instead of `integer status(MPI_STATUS_SIZE)`, or one status for MPI_Waitall with several requests. In C, `&status` for an array, or an array that did not grow with the number of requests.",
			Fix:   "Declare `MPI_Status statuses[N]`, `integer :: statuses(MPI_STATUS_SIZE, N)`, or with `use mpi_f08` `type(MPI_Status) :: statuses(N)`, for as many requests as the call gets. If the program does not read them, pass MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE.",
		}, {
			Code: statusShared, Title: "two threads have MPI write one status", Severity: finding.Error, Since: finding.Version01,
			Means: "Two threads of a rank are in calls at the same time that write their status to the same variable. What each reads from it may be of the other's message, or half of each (MPI-4.0, 11.6.1: arguments of calls of different threads must not be used by two at a time unless they are only read).",
			Why:   "The status is a global or static variable, and the code was written for one thread.",
			Fix:   "Declare the status in the function or parallel region that makes the call, or pass MPI_STATUS_IGNORE.",
		}},
	}}
}

// statusUse is a parameter of a function that gets a status, or several.
type statusUse struct {
	param   int
	several bool
	count   int // of several, the parameter that says how many; it may be one that the call sets
}

func statusUses(f *mpi.Func) (list []statusUse) {
	for i := range f.Params {
		switch p := &f.Params[i]; p.Kind {
		case mpi.KOutStatus:
			list = append(list, statusUse{param: i, count: -1})
		case mpi.KOutStatuses:
			list = append(list, statusUse{param: i, several: true, count: p.Len})
		}
	}
	return list
}

// written is how many statuses a call writes; false if that is not known yet.
func (u *statusUse) written(c *check.Call, after bool) (int64, bool) {
	if !u.several {
		return 1, !after
	}
	if c.Func.Params[u.count].Kind.AtExit() {
		given := c.Gave(u.count)
		if !after || len(given) == 0 {
			return 0, false
		}
		n := int64(int32(given[0]))
		return n, n > 0 // MPI_UNDEFINED is negative
	}
	n, ok := c.Int(u.count)
	return n, ok && !after && n > 0
}

// statusesSeen are the calls, by place and number of statuses, that have been judged.
type statusesSeen struct{ slots [16]uint64 }

func watchStatuses(h *check.Hooks) {
	seen := check.SlotOf[statusesSeen](h)
	judge := func(after bool) func(f *mpi.Func) func(*check.Call) {
		return func(f *mpi.Func) func(*check.Call) {
			uses := statusUses(f)
			if len(uses) == 0 || after && (!uses[0].several || !f.Params[uses[0].count].Kind.AtExit()) {
				return nil
			}
			return func(c *check.Call) {
				for i := range uses {
					if n, known := uses[i].written(c, after); known {
						roomFor(c, &uses[i], n, seen.Of(c.Rank))
					}
				}
				if !after && len(c.Beside) > 0 {
					writtenTwice(c, uses)
				}
			}
		}
	}
	h.Enter(judge(false))
	h.Exit(judge(true))
}

// roomFor judges whether a variable has room for so many statuses.
func roomFor(c *check.Call, u *statusUse, n int64, seen *statusesSeen) {
	key := (c.Site*0x9e3779b97f4a7c15 ^ uint64(n)*0xbf58476d1ce4e5b9 ^ uint64(u.param)) | 1
	slot := &seen.slots[key>>60]
	if *slot == key || c.Rank.Declared == nil || c.Rank.Limits.StatusBytes <= 0 {
		return
	}
	*slot = key
	d, ok := c.Rank.Declared(c, u.param)
	if !ok || d.Count < 0 || d.Size <= 0 || d.Lies != symbol.OnStack && d.Lies != symbol.InStatic || !countFits(c, u, d.Arguments) {
		return
	}
	there, each := d.Count*d.Size, c.Rank.Limits.StatusBytes
	if there >= n*each {
		return
	}
	c.Say(statusOutside, u.param, func() check.Words {
		has := check.Bytes(there)
		if there%each == 0 {
			has = finding.Counted(there/each, "status", "statuses")
		}
		w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s}, which has room for %s; MPI writes %s of %s.",
			c.Rank.World, c.Func.Name, c.Func.Params[u.param].Name, has, finding.Counted(n, "status", "statuses"), check.Bytes(each))}
		w.Hint = declareStatuses(u.several, d.Fortran, d.Size == each)
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

var literal = regexp.MustCompile(`^[0-9]+$`)

// countFits says whether the number of requests that the text has is that of the call.
func countFits(c *check.Call, u *statusUse, list []string) bool {
	for i := range c.Func.Params {
		if p := &c.Func.Params[i]; u.several && p.Role == mpi.RCount && i < len(list) && literal.MatchString(list[i]) {
			n, ok := c.Int(i)
			return ok && list[i] == strconv.FormatInt(n, 10)
		}
	}
	return true
}

// writtenTwice says that another thread's call, which is not over, writes to the status of this one.
func writtenTwice(c *check.Call, uses []statusUse) {
	if c.Rank.Declared == nil {
		return
	}
	for i := range c.Beside {
		o := &c.Beside[i]
		for _, theirs := range statusUses(o.Func) {
			for _, ours := range uses {
				if !sameStatus(c, o, ours.param, theirs.param) {
					continue
				}
				c.Say(statusShared, ours.param, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf("Rank %d calls %s in thread %d with {%s}, which its thread %d has passed to %s and waits for.",
							c.Rank.World, c.Func.Name, c.Thread, c.Func.Params[ours.param].Name, o.Index, o.Func.Name),
						Hint:    "declare a status for each thread, in the function that makes the call, or pass MPI_STATUS_IGNORE",
						Related: []check.Related{{Label: finding.OtherCall, Func: o.Func, Site: o.Site}},
					}
				})
				return
			}
		}
	}
}

// sameStatus says whether two calls have the same variable, which has one place for all threads, as their status.
func sameStatus(c *check.Call, o *check.Thread, ours, theirs int) bool {
	d, ok := c.Rank.Declared(c, ours)
	if !ok || d.Lies != symbol.InStatic || ours >= len(d.Arguments) {
		return false
	}
	x := *c
	x.Func, x.Site = o.Func, o.Site
	e, ok := c.Rank.Declared(&x, theirs)
	return ok && e.Lies == symbol.InStatic && theirs < len(e.Arguments) && e.Name == d.Name && e.Arguments[theirs] == d.Arguments[ours]
}

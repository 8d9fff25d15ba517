// Package lifecycle looks at calls before MPI is initialised and after it is finalised.
package lifecycle

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes of calls outside of MPI's life. The probe tells of them in another way than of other calls, as there is no rank
// to watch then: package agent makes the findings. Only those of other threads than the one that calls MPI_Finalize
// come as records.
const (
	OutsideMPI finding.Code = "outside-mpi"
	InitTwice  finding.Code = "init-twice"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{{
		Name: "life", Family: check.LifeCycle, Watch: watch,
		Codes: []finding.Doc{
			{
				Code: OutsideMPI, Title: "MPI is called before MPI_Init or after MPI_Finalize", Severity: finding.Error,
				Since: finding.Version01,
				Means: "Before MPI is initialised and after it is finalised, only a few functions may be called: " +
					"MPI_Initialized, MPI_Finalized, MPI_Get_version, and those for info objects, errors, sessions " +
					"and tools (MPI-4.0, 11.4.1). In most MPI libraries any other call ends the job. All threads " +
					"must have finished their calls before one calls MPI_Finalize (MPI-4.0, 11.6.2); where they had " +
					"only by chance, that is predicted, as a warning.\n\nIn a program without MPI_Init the same " +
					"holds while no session is open, and MPI_COMM_WORLD and MPI_COMM_SELF " +
					"cannot be used: communicators are made of the groups of a session (MPI-4.0, 11.3).",
				Why: "The constructor or destructor of a global object calls MPI; an object that holds a " +
					"communicator or window lives longer than MPI_Finalize; a function registered with atexit uses " +
					"MPI; a thread that serves requests is not joined before MPI_Finalize; or the order of two " +
					"initialisation steps was changed.",
				Fix: "Call MPI_Init first in main, and destroy objects that hold MPI handles before MPI_Finalize, " +
					"in C++ by an enclosing block. Stop and join threads that call MPI before MPI_Finalize. A " +
					"library should check MPI_Initialized and MPI_Finalized first.",
			},
			{
				Code: InitTwice, Title: "MPI is initialised twice", Severity: finding.Error, Since: finding.Version01,
				Means: "MPI_Init or MPI_Init_thread is called again by a process that has already initialised MPI. " +
					"MPI may be initialised only once, even after MPI_Finalize (MPI-4.0, 11.2.1).",
				Why: "Both a library and the program that uses it initialise MPI.",
				Fix: "Check MPI_Initialized first; a library should leave initialisation to the program.",
			},
		},
	}}
}

func watch(h *check.Hooks) {
	watchFinalize(h)
	watchSessions(h)
}

// watchFinalize looks at the calls of other threads beside and after MPI_Finalize: all have to be over before it begins
// (MPI-4.0, 11.6.2).
func watchFinalize(h *check.Hooks) {
	ends, calls := check.SlotOf[finaliser](h), check.SlotOf[earlier](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch {
		case f.Class == mpi.Finalize:
			return func(c *check.Call) {
				finalises(c, ends.Of(c.Rank))
				early(c, calls.Of(c.Rank).LastCalls)
			}
		case check.AnyThread(f):
			return nil
		}
		return func(c *check.Call) {
			// Below MPI_THREAD_SERIALIZED the records of two threads need not come in the order of the calls.
			end := ends.Had(c.Rank)
			if end == nil {
				if c.Rank.Order != nil {
					calls.Of(c.Rank).Note(c)
				}
				return
			}
			if by := end.by; by != nil && by.Index != c.Thread && int32(c.Stamp-by.Stamp) > 0 {
				c.Say(OutsideMPI, -1, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s in thread %d although its thread %d has called MPI_Finalize.",
							c.Rank.World, f.Name, c.Thread, by.Index),
						Related: []check.Related{{Text: "MPI was finalised", Func: by.Func, Site: by.Site}}}
				})
			}
		}
	})
}

// earlier are the last calls of a rank's threads before MPI_Finalize.
type earlier struct{ check.LastCalls }

// early predicts that another thread may call MPI after MPI_Finalize, as nothing has made that come after its last call
// (MPI-4.0, 11.6.2).
func early(c *check.Call, calls check.LastCalls) {
	other, some := calls.Unordered(c, func(*check.LastCall) bool { return true })
	if !some || c.Rank.Sessions || len(c.Beside) > 0 {
		return
	}
	c.Say(OutsideMPI, -1, func() check.Words {
		return check.ByChance(finding.Wordf("Rank %d calls MPI_Finalize in thread %d after %s in its thread %d, and "+
			"nothing orders the two: in another run that thread may call MPI when it is finalised.",
			c.Rank.World, c.Thread, other.By.Func.Name, other.Thread),
			"join the threads first, or have them say that they have finished", other.Related())
	})
}

// finaliser is the thread of a rank that has called MPI_Finalize, nil before.
type finaliser struct{ by *check.Thread }

func finalises(c *check.Call, x *finaliser) {
	if x.by == nil {
		x.by = &check.Thread{Index: c.Thread, Stamp: c.Stamp, Func: c.Func, Site: c.Site}
	}
	for _, t := range c.Beside {
		if c.Rank.Sessions || check.AnyThread(t.Func) || int32(c.Stamp-t.Stamp) < 0 {
			continue
		}
		c.Say(OutsideMPI, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls MPI_Finalize in thread %d while its thread %d is in %s.",
					c.Rank.World, c.Thread, t.Index, t.Func.Name),
				Hint:    "let the threads finish their calls, and join them first",
				Related: []check.Related{check.MadeAt(t.Func, t.Site)}}
		})
	}
}

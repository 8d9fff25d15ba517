// Package threads looks at calls of several threads of a rank.
package threads

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about threads.
const (
	threadLevel      finding.Code = "thread-level"
	threadRequest    finding.Code = "thread-request"
	threadCollective finding.Code = "thread-collective"
	threadProbe      finding.Code = "thread-probe"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "thread-levels", Family: check.Threads, Watch: watchLevel,
			Peers: []string{"ERROR_MPI_MULTIPLE_THREADS", "WARNING_THREADLEVEL", "ERROR_OPENMP"},
			Codes: []finding.Doc{{
				Code: threadLevel, Title: "threads call MPI in a way that the thread level does not allow",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A thread called MPI that must not: with MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED only the " +
					"thread that initialised MPI may call it, with MPI_THREAD_SERIALIZED one thread at a time " +
					"(MPI-4.0, 11.6.2). At every level, the thread that initialised MPI should call MPI_Finalize; " +
					"where other threads may call MPI, it is only a warning if another thread does. With " +
					"MPI_THREAD_SERIALIZED it is predicted, as a warning, of two calls that came one after the other " +
					"only by chance: no lock, barrier, condition or join of threads and no message orders them.",
				Why: "The program calls MPI_Init, which guarantees only MPI_THREAD_SINGLE; or it asks " +
					"MPI_Init_thread for a higher level and does not check the level provided; or a lock around the " +
					"calls is missing.",
				Fix: "Request the required level and check `provided`. Otherwise make all calls in the main " +
					"thread, or guard them with a lock.",
			}},
		},
		{
			Name: "thread-requests", Family: check.Threads, Watch: watchThreadRequests,
			Codes: []finding.Doc{{
				Code: threadRequest, Title: "two threads wait for the same request", Severity: finding.Error,
				Since: finding.Version01,
				Means: "Two threads are in calls that wait for the same request at the same time. A request can be " +
					"completed only once (MPI-4.0, 11.6.1).",
				Why: "The request variable is shared, and each thread waits for it to know that the data has arrived.",
				Fix: "Let one thread wait, and notify the others by a thread barrier or condition variable.",
			}},
		},
		{
			Name: "thread-collectives", Family: check.Threads, Watch: watchThreadCollectives,
			Codes: []finding.Doc{{
				Code: threadCollective, Title: "two threads are in collectives on the same communicator",
				Severity: finding.Error, Since: finding.Version01,
				Means: "Two threads of a rank are in collective calls on one communicator at the same time. The " +
					"program must order them itself, as all members must make them in the same order (MPI-4.0, 6.14 " +
					"and 11.6.2). It is predicted, as a warning, of two that came one after the other only by chance.",
				Why: "Several threads of a parallel region call the collective, or two independent parts of the " +
					"program use MPI_COMM_WORLD.",
				Fix: "Give each thread its own communicator (MPI_Comm_dup), or make the call in one thread.",
			}},
		},
		{
			Name: "thread-probes", Family: check.Threads, Watch: watchThreadProbes,
			Codes: []finding.Doc{{
				Code: threadProbe, Title: "two threads probe for the same message and then receive",
				Severity: finding.Warning, Since: finding.Version01,
				Means: "Two threads of a rank have probed for the same source and tag on a communicator before " +
					"either received. MPI_Probe and MPI_Iprobe leave the message where it is, so both may have found " +
					"the same one: one of the threads then receives another message than it has prepared for, which " +
					"may be longer, or waits for one that does not come (MPI-4.0, 3.8.1 and 3.8.2). It is reported " +
					"also where all went well this time. It is predicted where one thread had received before the " +
					"other one probed, and nothing orders the two: no start or end of a thread, no call of MPI, no " +
					"lock, condition or barrier of threads.",
				Why: "Code that probes for a message of unknown size was written for one thread and is now run " +
					"by several.",
				Fix: "Use MPI_Mprobe and MPI_Mrecv: a matched probe takes the message out, so that no other call " +
					"can receive it. Or give each thread its own communicator or tag, or hold a lock from the probe " +
					"to the receive.",
			}},
		},
		freeChecker(), messageChecker(), unfollowed(), neededChecker(),
	}
}

func watchLevel(h *check.Hooks) {
	watchChance(h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) {
			return nil
		}
		return func(c *check.Call) {
			if l := &c.Rank.Limits; c.Thread != 0 && l.LevelKnown && l.Level <= l.Funneled {
				c.Say(threadLevel, -1, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s in thread %d, but MPI provides %s: only the thread that initialised it "+
								"may call it.",
							c.Rank.World, f.Name, c.Thread, l.LevelName(l.Level)),
						Hint: higher(l,
							"MPI_THREAD_SERIALIZED if only one thread at a time calls MPI, else MPI_THREAD_MULTIPLE"),
						Related: initialised(l)}
				})
			}
			if f.Class == mpi.Finalize {
				elsewhere(c)
			}
			if len(c.Beside) > 0 {
				serialized(c, c.Beside[0])
			}
		}
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		if check.AnyThread(f) {
			return nil
		}
		return func(c *check.Call) {
			if len(c.Beside) == 0 {
				return
			}
			later := c.Beside[0]
			x := *c
			x.Func, x.Site, x.Thread, x.Comm, x.Words = later.Func, later.Site, later.Index, later.Comm, nil
			serialized(&x, check.Thread{Index: c.Thread, Func: f, Site: c.Site})
		}
	})
}

// elsewhere tells that another thread than the main thread finalises MPI where other threads may call it. The standard
// says that it should not (MPI-4.0, 11.6.2), and libraries put up with it.
func elsewhere(c *check.Call) {
	if l := &c.Rank.Limits; c.Rank.Sessions || c.Thread == 0 || !l.LevelKnown || l.Level <= l.Funneled {
		return
	}
	c.Say(threadLevel, -1, func() check.Words {
		return check.Words{Severity: finding.Warning,
			Sentence: finding.Wordf("Rank %d calls MPI_Finalize in thread %d, but another thread initialised MPI: "+
				"that one should finalise it.", c.Rank.World, c.Thread),
			Hint: "MPI_Is_thread_main tests whether the calling thread initialised MPI"}
	})
}

// serialized tells that the call began while another thread was inside of one.
func serialized(c *check.Call, other check.Thread) {
	l := &c.Rank.Limits
	if !l.LevelKnown || l.Level != l.Serialized || check.AnyThread(other.Func) || check.AnyThread(c.Func) {
		return
	}
	c.Say(threadLevel, -1, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s in thread %d while its thread %d is in %s, but "+
			"MPI provides MPI_THREAD_SERIALIZED: one thread at a time may call it.",
			c.Rank.World, c.Func.Name, c.Thread, other.Index, other.Func.Name),
			Hint:    "guard the calls with a lock, or " + higher(l, "MPI_THREAD_MULTIPLE"),
			Related: append([]check.Related{check.MadeAt(other.Func, other.Site)}, initialised(l)...)}
	})
}

// higher is a hint to have MPI provide a thread level that allows the calls.
func higher(l *objects.Limits, level string) string {
	if l.Required > l.Level {
		return fmt.Sprintf("the program requested a higher level, which this MPI library does not provide: check "+
			"`provided`, and with %s call MPI as it allows", l.LevelName(l.Level))
	}
	if l.Init.Func != nil && len(l.Init.Func.Params) > 2 {
		return "request " + level + " in MPI_Init_thread, and check that it is provided"
	}
	return "call MPI_Init_thread instead of MPI_Init, with " + level + ", and check that it is provided"
}

// initialised says where MPI was initialised, if that is known.
func initialised(l *objects.Limits) []check.Related {
	if l.Init.Func == nil || l.Init.Site == 0 {
		return nil
	}
	return []check.Related{{Text: "MPI was initialised", Func: l.Init.Func, Site: l.Init.Site}}
}

// ownComm is a hint to keep collectives of several threads apart.
func ownComm(c *check.Call) string {
	if c.Func.Class == mpi.CommCreate {
		return "let one thread create the communicators of all, before the others start or with a barrier of the " +
			"threads between"
	}
	return "give each thread a communicator that one thread has made for it with MPI_Comm_dup, or let only one " +
		"thread make the call"
}

func waits(f *mpi.Func) bool { return f.Class >= mpi.Wait && f.Class <= mpi.Waitsome }

func watchThreadRequests(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if !waits(f) {
			return nil
		}
		return func(c *check.Call) {
			for _, t := range c.Beside {
				if !waits(t.Func) {
					continue
				}
				for _, q := range c.Requests {
					if q == nil || q.Shared || q.Persistent && !q.Active || !contains(t.Requests, q) {
						continue
					}
					c.Say(threadRequest, -1, func() check.Words {
						return check.Words{
							Sentence: finding.Wordf(
								"Rank %d calls %s in thread %d for a request that its thread %d is waiting for.",
								c.Rank.World, f.Name, c.Thread, t.Index),
							Hint: "let one thread wait, and notify the others by a thread barrier or a " +
								"condition variable",
							Related: []check.Related{{Text: "the other thread waits", Func: t.Func, Site: t.Site},
								check.MadeBy(q)}}
					})
					return
				}
			}
		}
	})
}

func contains(list []*objects.Request, q *objects.Request) bool {
	for _, other := range list {
		if other == q {
			return true
		}
	}
	return false
}

func watchThreadCollectives(h *check.Hooks) {
	watchChanceCollectives(h)
	collective := func(f *mpi.Func) bool {
		return (f.Class == mpi.Coll || f.Class == mpi.CommCreate) && !f.Nonblocking && !f.Persistent
	}
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if !collective(f) {
			return nil
		}
		return func(c *check.Call) {
			for _, t := range c.Beside {
				if c.Comm == nil || t.Comm != c.Comm || !collective(t.Func) {
					continue
				}
				c.Say(threadCollective, -1, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s in thread %d on %s while its thread %d is in %s on the same communicator.",
							c.Rank.World, f.Name, c.Thread, c.Comm.Describe(), t.Index, t.Func.Name), Hint: ownComm(c),
						Related: []check.Related{check.MadeAt(t.Func, t.Site)}}
				})
				return
			}
		}
	})
}

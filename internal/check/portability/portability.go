// Package portability looks for what works with this MPI library and need not work with another one.
package portability

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about portability.
const (
	portabilityTag   finding.Code = "portability-tag"
	portabilitySize  finding.Code = "portability-size"
	portabilityMany  finding.Code = "portability-many"
	portabilityLevel finding.Code = "portability-thread-level"
	portabilityWorld finding.Code = "portability-world"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "portable-tags", Family: check.Portability, Watch: watchTags,
			Codes: []finding.Doc{{
				Code: portabilityTag, Title: "a tag is greater than every MPI library allows", Severity: finding.Info,
				Since: finding.Version01,
				Means: "A tag is greater than 32,767, the only maximum that the standard guarantees (MPI-4.0, " +
					"9.1.1). It is valid with this MPI library and may be rejected by another one, or by the same " +
					"one with another network: Cray MPICH 7 allows 2,097,151, Intel MPI 524,287 or 1,048,575 with " +
					"some networks, Open MPI 8,388,607 with UCX and 2,147,483,647 otherwise, MPICH 4.0 268,435,455. " +
					"Nothing is reported once the rank has queried the attribute MPI_TAG_UB.",
				Why: "Tags are computed from ranks, cell numbers, steps or hash values, and grow with the size of " +
					"the problem.",
				Fix: "Keep tags small and constant, and separate streams of messages by communicators " +
					"(MPI_Comm_dup). If tags must be large, query the attribute MPI_TAG_UB and wrap around there.",
			}},
		},
		{
			Name: "portable-sizes", Family: check.Portability, Off: true, Watch: watchSizes,
			Codes: []finding.Doc{{
				Code:     portabilitySize,
				Title:    "a message has more than 2 GiB, or a count or displacement is close to overflow",
				Severity: finding.Info, Since: finding.Version01,
				Means: "A call is passed a buffer of 2 GiB or more, or a count or displacement above 2^30: twice " +
					"that is no int any more. MPI allows it, but in some versions of MPI libraries large messages " +
					"fail or are truncated, and programs often compute sizes in bytes from them as an int.",
				Why: "The problem has grown, and data is sent in one piece.",
				Fix: "Send in several pieces, use a derived datatype, or the large-count form of the call " +
					"(MPI_Send_c, MPI-4.0, 2.5.8). Compute sizes as MPI_Count or size_t.",
			}},
		},
		{
			Name: "portable-numbers", Family: check.Portability, Watch: watchNumbers,
			Codes: []finding.Doc{{
				Code:     portabilityMany,
				Title:    "more communicators, windows and files at a time than every MPI library allows",
				Severity: finding.Info, Since: finding.Version01,
				Means: "A rank has more than 2,000 communicators, windows and files at a time. Each takes a context " +
					"of the MPI library, of which MPICH and libraries that are based on it, such as those of Intel " +
					"and Cray, have about 2,000. Open MPI has more. Where most were created by one call and none of " +
					"these was freed, [`resource-growth`](#resource-growth) says so instead.",
				Why: "There is a communicator for each pair of neighbours, for each field, or for each object that " +
					"communicates.",
				Fix: "Tell messages apart by tags, create objects when they are needed and free them afterwards, " +
					"or share one communicator among several objects.",
			}},
		},
		{
			Name: "portable-thread-levels", Family: check.Portability, Watch: watchLevels,
			Codes: []finding.Doc{{
				Code: portabilityLevel, Title: "a call from a thread relies on more thread support than was requested",
				Severity: finding.Info, Since: finding.Version01,
				Means: "A thread calls MPI in a way that the requested thread level does not allow, but that the " +
					"provided one does: the library has provided more than it was asked for (MPI-4.0, 11.6.2). " +
					"Another library, or this one with other settings, provides what was requested; the program is " +
					"then incorrect. If the provided level does not allow the call either, it is " +
					"[`thread-level`](#thread-level), an error.",
				Why: "The program calls MPI_Init, or requests MPI_THREAD_FUNNELED, and threads were added later; " +
					"or an environment variable such as MPIR_CVAR_DEFAULT_THREAD_LEVEL raises the level on one machine.",
				Fix: "Request the required level in MPI_Init_thread, and check `provided`: stop, or call MPI in " +
					"the main thread only, if it is lower.",
			}},
		},
		{
			Name: "portable-libraries", Family: check.Portability, Off: true, Watch: watchWorld,
			Codes: []finding.Doc{{
				Code: portabilityWorld, Title: "a library communicates on MPI_COMM_WORLD", Severity: finding.Info,
				Since: finding.Version01,
				Means: "A library, [as opposed to your own code](run/reporting.md#whose-code-is), sends, receives or " +
					"makes a collective call on MPI_COMM_WORLD. It then works only if all ranks call it, and its messages " +
					"can match receives of the program or of another library that use the same tags. It is reported " +
					"once for each library. Calls that only create communicators, such as MPI_Comm_dup, are not " +
					"reported. Nor are the layers that only pass on calls of the program: mpi4py, Boost.MPI and " +
					"similar ones.",
				Why: "The library names MPI_COMM_WORLD itself, or it was passed MPI_COMM_WORLD and does not " +
					"duplicate it.",
				Fix: "In the library: accept a communicator, and duplicate it when the library is initialised " +
					"(MPI-4.0, 7.1.2). In the program: pass the library a communicator from MPI_Comm_dup, if it " +
					"accepts one.",
			}},
		},
	}
}

// leastMaximum is the tag that every MPI library allows (MPI-4.0, 9.1.1).
const leastMaximum = 1<<15 - 1

// limit says of a rank that it has queried MPI_TAG_UB: its tags follow what the library allows.
type limit struct{ queried bool }

// watchTags looks at tags that this library allows and another one may not.
func watchTags(h *check.Hooks) {
	limits := check.SlotOf[limit](h)
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		if f.Caching != mpi.GetsAttribute || f.Params[i].Object != mpi.OKeyval {
			return nil
		}
		return func(c *check.Call) {
			if o := c.Rank.Object(mpi.OKeyval, c.Handle(i)); o != nil && o.Name == "MPI_TAG_UB" {
				limits.Of(c.Rank).queried = true
			}
		}
	})
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Role != mpi.RTag && p.Role != mpi.RRecvTag {
			return nil
		}
		return func(c *check.Call) {
			l := &c.Rank.Limits
			v, ok := c.Int(i)
			if !ok || v <= leastMaximum || v > l.TagUB || v == l.AnyTag || limits.Of(c.Rank).queried {
				return
			}
			c.Remark(portabilityTag, i, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d calls %s with {%s} %d: MPI guarantees only tags up to 32767, and this "+
							"library allows %d.", c.Rank.World, f.Name, p.Name, v, l.TagUB),
					Hint: "keep tags at or below 32767, or wrap around at the attribute MPI_TAG_UB; other libraries " +
						"allow less: Intel MPI 524287 or 1048575, Cray MPICH 2097151, Open MPI with UCX 8388607, " +
						"MPICH 4.0 268435455"}
			})
		}
	})
}

// Bounds of what is no trouble anywhere.
const (
	largeCount = 1 << 30
	largeBytes = 1 << 31
)

// watchSizes looks at the sizes of buffers, and at counts and displacements.
func watchSizes(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		buffers := f.Buffers()
		if len(buffers) == 0 {
			return nil
		}
		return func(c *check.Call) {
			for k := range buffers {
				b := &buffers[k]
				if b.Count < 0 || b.Counts || b.Type < 0 || b.Types {
					continue
				}
				n, ok := c.Int(b.Count)
				size := c.Rank.Size(c.Handle(b.Type))
				if !ok || n <= 0 {
					continue
				}
				if size > 0 && n >= largeBytes/size {
					c.Remark(portabilitySize, b.Count, func() check.Words {
						return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %d, which is %d bytes.",
							c.Rank.World, f.Name, f.Params[b.Count].Name, n, n*size),
							Hint: "some versions of MPI libraries fail above 2 GiB: send in pieces, or try it there"}
					})
				}
			}
		}
	})
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		switch p := &f.Params[i]; {
		case p.Kind != mpi.KInts:
			return nil
		case p.Name != "displs" && p.Name != "sdispls" && p.Name != "rdispls" && p.Name != "sendcounts" &&
			p.Name != "recvcounts":
			return nil
		}
		return func(c *check.Call) {
			for at, word := range c.Array(i) {
				if v := int64(int32(word)); v >= largeCount {
					c.Remark(portabilitySize, i, func() check.Words {
						return check.Words{
							Sentence: finding.Wordf(
								"Rank %d calls %s with {%s}[%d] %d: close to the greatest int, 2147483647.",
								c.Rank.World, f.Name, f.Params[i].Name, at, v),
							Hint: "with a larger problem it overflows: use the large-count form of the call, or a " +
								"datatype of several elements"}
					})
					return
				}
			}
		}
	})
}

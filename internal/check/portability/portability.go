// Package portability looks for what works with this MPI library and need not work with another one.
package portability

import (
	"unknot/internal/check"
	"unknot/internal/finding"
	"unknot/internal/mpi"
)

// Codes about portability.
const (
	portabilityTag  finding.Code = "portability-tag"
	portabilitySize finding.Code = "portability-size"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "portable-tags", Family: check.Portability, Watch: watchTags,
			Codes: []finding.Doc{{
				Code: portabilityTag, Title: "a tag is greater than every MPI library allows", Severity: finding.Info, Since: finding.Version01,
				Means: "A tag is greater than 32,767, the only maximum that the standard guarantees (MPI-4.0, 9.1.1). It is valid with this MPI library and may be rejected by another one, or by the same one with another network: Cray MPICH 7 allows 2,097,151, Intel MPI 524,287 or 1,048,575 with some networks, Open MPI 8,388,607 with UCX and 2,147,483,647 otherwise, MPICH 4.0 268,435,455.",
				Why:   "Tags are computed from ranks, cell numbers, steps or hash values, and grow with the size of the problem.",
				Fix:   "Keep tags small and constant, and separate streams of messages by communicators (MPI_Comm_dup). If tags must be large, query the attribute MPI_TAG_UB and wrap around there.",
			}},
		},
		{
			Name: "portable-sizes", Family: check.Portability, Off: true, Watch: watchSizes,
			Codes: []finding.Doc{{
				Code: portabilitySize, Title: "a message has more than 2 GiB, or a count or displacement is close to overflow", Severity: finding.Info, Since: finding.Version01,
				Means: "A call is passed a buffer of 2 GiB or more, or a count or displacement above 2^30: twice that is no int any more. MPI allows it, but in some versions of MPI libraries large messages fail or are truncated, and programs often compute sizes in bytes from them as an int.",
				Why:   "The problem has grown, and data is sent in one piece.",
				Fix:   "Send in several pieces, use a derived datatype, or the large-count form of the call (MPI_Send_c, MPI-4.0, 2.5.8). Compute sizes as MPI_Count or size_t.",
			}},
		},
	}
}

// leastMaximum is the tag that every MPI library allows (MPI-4.0, 9.1.1).
const leastMaximum = 1<<15 - 1

// watchTags looks at tags that this library allows and another one may not.
func watchTags(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Role != mpi.RTag && p.Role != mpi.RRecvTag {
			return nil
		}
		return func(c *check.Call) {
			l := &c.Rank.Limits
			v, ok := c.Int(i)
			if !ok || v <= leastMaximum || v > l.TagUB || v == l.AnyTag {
				return
			}
			c.Remark(portabilityTag, i, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %d: MPI guarantees only tags up to 32767, and this library allows %d.", c.Rank.World, f.Name, p.Name, v, l.TagUB),
					Hint: "keep tags at or below 32767, or wrap around at the attribute MPI_TAG_UB; other libraries allow less: Intel MPI 524287 or 1048575, Cray MPICH 2097151, Open MPI with UCX 8388607, MPICH 4.0 268435455"}
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
						return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %d, which is %d bytes.", c.Rank.World, f.Name, f.Params[b.Count].Name, n, n*size),
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
		case p.Name != "displs" && p.Name != "sdispls" && p.Name != "rdispls" && p.Name != "sendcounts" && p.Name != "recvcounts":
			return nil
		}
		return func(c *check.Call) {
			for at, word := range c.Array(i) {
				if v := int64(int32(word)); v >= largeCount {
					c.Remark(portabilitySize, i, func() check.Words {
						return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s}[%d] %d: close to the greatest int, 2147483647.", c.Rank.World, f.Name, f.Params[i].Name, at, v),
							Hint: "with a larger problem it overflows: use the large-count form of the call, or a datatype of several elements"}
					})
					return
				}
			}
		}
	})
}

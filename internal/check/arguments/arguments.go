// Package arguments looks at what calls are given: counts, ranks, tags, arrays, addresses, values.
package arguments

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about plain arguments.
const (
	countNegative finding.Code = "count-negative"
	rankInvalid   finding.Code = "rank-invalid"
	tagInvalid    finding.Code = "tag-invalid"
)

func argumentCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "counts", Family: check.Arguments, Watch: watchCounts,
			Peers: []string{"ERROR_INTEGER_NEGATIVE"},
			Codes: []finding.Doc{{
				Code: countNegative, Title: "a count is negative", Severity: finding.Error, Since: finding.Version01,
				Means: "A count, size or length that was passed to an MPI call is negative.",
				Why: "Usually a wrong difference (`end - begin`), a variable that was never set, or an overflow in " +
					"a product of sizes.",
				Fix: "Print the operands at that line. If 32 bits are not enough, use a derived datatype or the " +
					"large-count form of the call (MPI_Send_c, MPI-4.0, 2.5.8).",
			}},
		},
		{
			Name: "ranks", Family: check.Arguments, Watch: watchRanks,
			Peers: []string{"ERROR_INTEGER_GREATER_EQUAL_COMM_SIZE", "ERROR_INTEGER_NEGATIVE_NOT_PROC_NULL",
				"ERROR_INTEGER_NEGATIVE_NOT_PROC_NULL_ANY_SOURCE",
				"ERROR_INTEGER_NEGATIVE_PROC_NULL_ANY_SOURCE", "ERROR_ROOT_NOT_IN_COMM",
				"GLOBAL:COLLECTIVE:INVALID_PARAMETER"},
			Codes: []finding.Doc{{
				Code: rankInvalid, Title: "a source, destination or root is not a rank of the communicator",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A call names a rank that its communicator does not have. Ranks go from 0 to the size of the " +
					"communicator minus 1; with an intercommunicator, the size of the remote group counts.",
				Why: "A neighbour beyond the end of a chain (`rank + 1` on the last rank), a rank of another " +
					"communicator, or a program started with fewer ranks than it needs.",
				Fix: "Use MPI_PROC_NULL at the ends of a chain, or wrap around (`(rank + 1) % size`). Translate " +
					"ranks between communicators with MPI_Group_translate_ranks.",
			}},
		},
		{
			Name: "tags", Family: check.Arguments, Watch: watchTags,
			Peers: []string{"ERROR_INTEGER_NOT_WITHIN_ZERO_TAG_UB", "ERROR_INTEGER_NOT_WITHIN_ZERO_TAG_UB_ANY_TAG"},
			Codes: []finding.Doc{{
				Code: tagInvalid, Title: "a tag is out of range", Severity: finding.Error, Since: finding.Version01,
				Means: "A tag is negative, or greater than the MPI library allows (attribute MPI_TAG_UB). Only a " +
					"receive or a probe may use MPI_ANY_TAG.",
				Why: "Tags computed from ranks, steps or addresses exceed the limit, which differs between " +
					"libraries: the standard guarantees only 32,767 (MPI-4.0, 9.1.1).",
				Fix: "Keep tags small and constant, and separate streams of messages by communicators (MPI_Comm_dup).",
			}},
		},
	}
}

// watchCounts looks at counts (MPI-4.0, 3.2.2: a non-negative integer).
func watchCounts(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if !isCount(f, p) {
			return nil
		}
		return func(c *check.Call) {
			if v, ok := c.Int(i); ok && v < 0 && c.Significant(i) {
				c.Say(countNegative, i, func() check.Words {
					return check.Words{Sentence: check.NegativeCount(int(c.Rank.World), f, p.Name, v), Hint: check.Wrapped(v)}
				})
			}
		}
	})
}

// isCount says that a parameter is a number of things, which cannot be negative.
func isCount(f *mpi.Func, p *mpi.Param) bool {
	if p.Kind != mpi.KInt {
		return false
	}
	switch p.Name {
	case "result_count", "insize", "outsize", "partitions", "blocklength", "maxprocs", "valuelen", "n", "ndims",
		"nnodes", "indegree", "outdegree",
		"maxdims", "maxindex", "maxedges", "maxneighbors", "maxindegree", "maxoutdegree", "max_integers",
		"max_addresses", "max_datatypes":
		return true
	case "size":
		return f.Class == mpi.WinCreate || f.Class == mpi.BufferAttach || f.Class == mpi.FileColl ||
			f.Class == mpi.TypeMake ||
			f.Name == "MPI_Alloc_mem" || strings.HasPrefix(f.Name, "MPI_Win_attach")
	}
	return p.Role == mpi.RCount || p.Role == mpi.RRecvCount
}

// watchRanks looks at sources, destinations and roots (MPI-4.0, 3.2.3, 3.2.4, 6.2).
func watchRanks(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		var any, root bool
		null := true
		switch p.Name {
		case "source":
			any = true
		case "root":
			root = true
		case "dest", "target_rank":
		case "local_leader":
			null = false
		case "rank":
			if f.Name != "MPI_Cart_coords" && !strings.HasPrefix(f.Name, "MPI_Graph_neighbors") {
				return windowRank(f, i)
			}
			null = false
		default:
			return nil
		}
		win := f.Named("win")
		return func(c *check.Call) {
			v, ok := c.Int(i)
			comm := c.Comm
			if win >= 0 {
				comm = c.Rank.WindowComm(c.Handle(win))
			}
			if !ok || comm == nil || v >= 0 && v < int64(comm.Peers().Len()) {
				return
			}
			l := &c.Rank.Limits
			if v == l.ProcNull && null && (!root || comm.Inter) || any && v == l.AnySource || root &&
				v == l.Root && comm.Inter {
				return
			}
			c.Say(rankInvalid, i, func() check.Words { return outOfRange(c, comm, p.Name, v) })
		}
	})
}

// windowRank looks at the rank that a synchronisation of a window names: one of its group (MPI-4.0, 12.5).
func windowRank(f *mpi.Func, i int) func(*check.Call) {
	win := f.Named("win")
	if win < 0 {
		return nil
	}
	return func(c *check.Call) {
		v, ok := c.Int(i)
		comm := c.Rank.WindowComm(c.Handle(win))
		if !ok || comm == nil || v >= 0 && v < int64(comm.Peers().Len()) || v == c.Rank.Limits.ProcNull {
			return
		}
		c.Say(rankInvalid, i, func() check.Words { return outOfRange(c, comm, f.Params[i].Name, v) })
	}
}

func outOfRange(c *check.Call, comm *objects.Comm, name string, v int64) check.Words {
	n := int64(comm.Peers().Len())
	shown := finding.Wordf("%d", v)
	if v == c.Rank.Limits.ProcNull {
		shown = finding.Wordf("MPI_PROC_NULL")
	}
	return check.Words{Sentence: check.NoSuchRank(int(c.Rank.World), c.Func, name, shown, comm.Describe(), comm.Inter, n),
		Hint: check.AtTheEnd(name, v, n)}
}

// watchTags looks at tags (MPI-4.0, 3.2.3, 3.2.4).
func watchTags(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Role != mpi.RTag && p.Role != mpi.RRecvTag {
			return nil
		}
		_, tag, receives := f.Receives()
		any := receives && tag == i
		return func(c *check.Call) {
			v, ok := c.Int(i)
			l := &c.Rank.Limits
			if !ok || v >= 0 && (v <= l.TagUB || l.TagUB == 0) || any && v == l.AnyTag {
				return
			}
			c.Say(tagInvalid, i, func() check.Words {
				if v >= 0 {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {%s} %d; the maximum of this MPI library is %d (MPI_TAG_UB).",
							c.Rank.World, f.Name, p.Name, v, l.TagUB),
						Hint: "keep tags at or below 32767, which every library allows, or wrap around at the " +
							"attribute MPI_TAG_UB"}
				}
				shown := finding.Wordf("%d", v)
				if v == l.AnyTag {
					shown = finding.Wordf("MPI_ANY_TAG")
				}
				return check.Words{Sentence: check.NegativeTag(int(c.Rank.World), f, p.Name, shown)}
			})
		}
	})
}

package usage

import (
	"fmt"

	"unknot/internal/finding"
	"unknot/internal/probe/mpiapi"
)

// Codes about plain arguments.
const (
	countNegative finding.Code = "count-negative"
	rankInvalid   finding.Code = "rank-invalid"
	tagInvalid    finding.Code = "tag-invalid"
)

func argumentCheckers() []Checker {
	return []Checker{
		{
			Name: "counts", Family: Arguments, Watch: watchCounts,
			Peers: []string{"ERROR_INTEGER_NEGATIVE"},
			Codes: []finding.Doc{{
				Code: countNegative, Title: "a count is negative", Severity: finding.Error, Since: "0.2",
				Means: "A count, a size or a length that an MPI call was given is less than 0.",
				Why:   "Mostly a difference that came out wrong (`end - begin`), a variable that was never set, or an overflow of a product of sizes.",
				Fix:   "Print the operands at the line named. If 32 bits are too few, use a derived datatype or the large-count form of the call (MPI_Send_c, MPI-4.0, 2.5.8).",
			}},
		},
		{
			Name: "ranks", Family: Arguments, Watch: watchRanks,
			Peers: []string{"ERROR_INTEGER_GREATER_EQUAL_COMM_SIZE", "ERROR_INTEGER_NEGATIVE_NOT_PROC_NULL", "ERROR_INTEGER_NEGATIVE_NOT_PROC_NULL_ANY_SOURCE"},
			Codes: []finding.Doc{{
				Code: rankInvalid, Title: "a source, destination or root is no rank of the communicator", Severity: finding.Error, Since: "0.2",
				Means: "A call names a rank that its communicator does not have. Ranks go from 0 to the size of the communicator less 1; of an intercommunicator it is the other group that counts.",
				Why:   "A neighbour beyond the end of a chain (`rank + 1` on the last rank), a rank of another communicator, or the program was started with fewer ranks than it needs.",
				Fix:   "At the ends of a chain use MPI_PROC_NULL, or wrap around (`(rank + 1) % size`). Translate ranks between communicators with MPI_Group_translate_ranks.",
			}},
		},
		{
			Name: "tags", Family: Arguments, Watch: watchTags,
			Peers: []string{"ERROR_INTEGER_NOT_WITHIN_ZERO_TAG_UB", "ERROR_INTEGER_NOT_WITHIN_ZERO_TAG_UB_ANY_TAG"},
			Codes: []finding.Doc{{
				Code: tagInvalid, Title: "a tag is out of range", Severity: finding.Error, Since: "0.2",
				Means: "A tag is negative, or greater than the MPI library allows (its attribute MPI_TAG_UB). Only a receive or a probe may give MPI_ANY_TAG.",
				Why:   "Tags that are computed from ranks, steps or addresses outgrow the limit, which differs between libraries: the standard promises no more than 32,767 (MPI-4.0, 9.1.1).",
				Fix:   "Keep tags small and constant, and tell streams of messages apart by communicators (MPI_Comm_dup).",
			}},
		},
	}
}

// watchCounts looks at counts (MPI-4.0, 3.2.2: a non-negative integer).
func watchCounts(h *Hooks) {
	h.Param(func(f *mpiapi.Func, i int) func(*Call) {
		p := &f.Params[i]
		if p.Role != mpiapi.RCount && p.Role != mpiapi.RRecvCount {
			return nil
		}
		return func(c *Call) {
			if v, ok := c.Int(i); ok && v < 0 {
				c.Say(countNegative, i, func() Words {
					return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} %d; it must be 0 or more.", c.Rank.World, f.Name, p.Name, v)}
				})
			}
		}
	})
}

// watchRanks looks at sources, destinations and roots (MPI-4.0, 3.2.3, 3.2.4, 6.2).
func watchRanks(h *Hooks) {
	h.Param(func(f *mpiapi.Func, i int) func(*Call) {
		p := &f.Params[i]
		var any bool
		switch p.Name {
		case "source":
			any = true
		case "dest", "root", "target_rank":
		default:
			return nil
		}
		return func(c *Call) {
			v, ok := c.Int(i)
			if !ok || c.Comm == nil || v >= 0 && v < c.Comm.Peers() {
				return
			}
			l := &c.Rank.Limits
			if v == l.ProcNull || any && v == l.AnySource || v == l.Root && p.Name == "root" && c.Comm.Inter {
				return
			}
			c.Say(rankInvalid, i, func() Words { return outOfRange(c, p.Name, v) })
		}
	})
}

func outOfRange(c *Call, name string, v int64) Words {
	n := c.Comm.Peers()
	group := "has"
	if c.Comm.Inter {
		group = "has in its other group"
	}
	w := Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} %d, but %s %s %d ranks (0 to %d).", c.Rank.World, c.Func.Name, name, v, c.Comm.Describe(), group, n, n-1)}
	if v == n || v == -1 {
		w.Hint = "at the end of a chain the neighbour is MPI_PROC_NULL, in a ring it is the rank at the other end"
	}
	return w
}

// watchTags looks at tags (MPI-4.0, 3.2.3, 3.2.4).
func watchTags(h *Hooks) {
	h.Param(func(f *mpiapi.Func, i int) func(*Call) {
		p := &f.Params[i]
		if p.Role != mpiapi.RTag && p.Role != mpiapi.RRecvTag {
			return nil
		}
		any := false
		for k := range f.Params {
			any = any || f.Params[k].Name == "source" && (p.Role == mpiapi.RRecvTag || p.Name == "tag")
		}
		return func(c *Call) {
			v, ok := c.Int(i)
			l := &c.Rank.Limits
			if !ok || v >= 0 && (v <= l.TagUB || l.TagUB == 0) || any && v == l.AnyTag {
				return
			}
			c.Say(tagInvalid, i, func() Words {
				if v >= 0 {
					return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} %d; the greatest that this MPI allows is %d (MPI_TAG_UB).", c.Rank.World, f.Name, p.Name, v, l.TagUB)}
				}
				shown := fmt.Sprint(v)
				if v == l.AnyTag {
					shown = "MPI_ANY_TAG"
				}
				return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s} %s; the tag of a message must be 0 or more.", c.Rank.World, f.Name, p.Name, shown)}
			})
		}
	})
}

package arguments

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const argumentSuspicious finding.Code = "argument-suspicious"

func suspiciousCheckers() []check.Checker {
	return []check.Checker{{
		Name: "suspicious", Family: check.Arguments, Off: true,
		Watch: func(h *check.Hooks) {
			watchLogicals(h)
			watchZeros(h)
			watchHighTags(h)
			watchSurplus(h)
		},
		Peers: []string{"WARNING_INTEGER_HIGH_BUT_LESS_TAG_UB", "WARNING_INTEGER_NOT_ONE_OR_ZERO",
			"WARNING_INTEGER_NOT_ONE_OR_ZERO_ARRAY",
			"WARNING_INTEGER_ZERO", "WARNING_INTEGER_ZERO_ARRAY", "WARNING_MAXDIMS_GREATER_NDIMS", "WARNING_IF_EMPTY",
			"WARNING_INFO_NOKEY"},
		Codes: []finding.Doc{{
			Code: argumentSuspicious, Title: "an argument is legal but unusual", Severity: finding.Info,
			Since: finding.Version01,
			Means: "MPI accepts the argument, but it is rarely intended: a count of 0, a logical argument that is " +
				"neither 0 nor 1, a tag near the maximum of this MPI library, more dimensions than the grid has, an " +
				"empty group, a key that is not in the info object.",
			Why: "Swapped arguments, or a value that was not set. A count of 0 may be right where a rank has " +
				"nothing to send.",
			Fix: "Check whether it is intended. This check is meant for debugging and is off unless " +
				"--check=suspicious is given.",
		}},
	}}
}

func suspect(c *check.Call, i int, what string, args ...any) {
	c.Say(argumentSuspicious, i, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s.", c.Rank.World, c.Func.Name,
			finding.Wordf(what, args...))}
	})
}

// watchLogicals looks at arguments that are true or false.
func watchLogicals(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		name := f.Params[i].Name
		switch name {
		case "reorder", "commute", "high", "periods", "remain_dims":
		case "flag":
			if f.Params[i].Kind != mpi.KInt {
				return nil
			}
		default:
			return nil
		}
		if f.Params[i].Kind == mpi.KInts {
			return func(c *check.Call) {
				for at, v := range c.Array(i) {
					if v > 1 {
						suspect(c, i, "{%s}[%d] %d, which means true like 1", name, at, int64(v))
						return
					}
				}
			}
		}
		return func(c *check.Call) {
			if v, ok := c.Int(i); ok && uint64(v) > 1 {
				suspect(c, i, "{%s} %d, which means true like 1", name, v)
			}
		}
	})
}

// watchZeros looks at counts that are 0, and at groups without a process.
func watchZeros(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		switch {
		case p.Name == "group" && f.Class == mpi.CommCreate:
			return func(c *check.Call) {
				if v := c.Array(i); len(v) >= 2 && v[1] == 0 {
					suspect(c, i, "an empty {group}")
				}
			}
		case p.Kind == mpi.KInt && (p.Role == mpi.RCount || p.Role == mpi.RRecvCount):
			return func(c *check.Call) {
				if v, ok := c.Int(i); ok && v == 0 {
					suspect(c, i, "{%s} 0", p.Name)
				}
			}
		case p.Name == "sendcounts" || p.Name == "recvcounts" || p.Name == "array_of_blocklengths":
			return func(c *check.Call) {
				for at, v := range c.Array(i) {
					if v == 0 {
						suspect(c, i, "{%s}[%d] 0", p.Name, at)
						return
					}
				}
			}
		}
		return nil
	})
}

// watchHighTags looks at tags in the last tenth of what the MPI library allows.
func watchHighTags(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Role != mpi.RTag && p.Role != mpi.RRecvTag {
			return nil
		}
		return func(c *check.Call) {
			most := c.Rank.Limits.TagUB
			if v, ok := c.Int(i); ok && v <= most && v > most-most/10 {
				suspect(c, i, "{%s} %d, near the maximum of this MPI library, %d", p.Name, v, most)
			}
		}
	})
}

// watchSurplus looks at room that is not needed, and at keys that are not there.
func watchSurplus(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		i := f.Named("maxdims")
		if i < 0 {
			return nil
		}
		return func(c *check.Call) {
			t := c.Rank.Arranged(c.Handle(0))
			if v, ok := c.Int(i); ok && t != nil && t.Nodes == 0 && v > int64(len(t.Dims)) {
				suspect(c, i, "{maxdims} %d, but the communicator has a grid of %s", v,
					check.Counted(len(t.Dims), "dimension"))
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Params == nil || f.Params[0].Object != mpi.OInfo || f.Named("key") < 0 || f.Named("flag") < 0 {
			return nil
		}
		return func(c *check.Call) {
			keys, k := c.Rank.InfoKeys(c.Handle(0)), check.KeyText(c, 1)
			if keys != nil && !keys[k] {
				suspect(c, 1, "{key} %q, which is not in the info object", k)
			}
		}
	})
}

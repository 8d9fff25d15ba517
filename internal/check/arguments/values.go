package arguments

import (
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about arguments that take one of a few values.
const (
	valueInvalid     finding.Code = "value-invalid"
	amodeInvalid     finding.Code = "amode-invalid"
	assertionInvalid finding.Code = "assertion-invalid"
)

func valueCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "values", Family: check.Arguments, Watch: watchValues,
			Peers: []string{"ERROR_INTEGER_NEGATIVE_UNDEFINED", "ERROR_INTEGER_ZERO", "ERROR_DIRECTION_GREATER_NDIMS",
				"ERROR_WIN_LOCK"},
			Codes: []finding.Doc{{
				Code: valueInvalid, Title: "an argument has a value that the function does not accept",
				Severity: finding.Error, Since: finding.Version01,
				Means: "Some arguments accept only certain constants or a small range of numbers: the colour of " +
					"MPI_Comm_split (0 or more, or MPI_UNDEFINED), the kind of a lock, the origin of a file " +
					"position, the order of an array, the direction in a grid, the displacement unit of a window, " +
					"the position in a buffer of packed data.",
				Why: "Swapped arguments, a number instead of the constant (the numbers differ between MPI " +
					"libraries), a dimension counted from 1, or a colour computed from -1.",
				Fix: "Use the constant that the standard names for this argument. A rank that should not be in any " +
					"new communicator passes MPI_UNDEFINED as its colour.",
			}},
		},
		{
			Name: "access-modes", Family: check.Arguments, Watch: watchModes,
			Codes: []finding.Doc{{
				Code: amodeInvalid, Title: "the access mode of a file contradicts itself", Severity: finding.Error,
				Since: finding.Version01,
				Means: "MPI_File_open requires exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR. A " +
					"read-only file cannot be created or required to be new (MPI_MODE_CREATE, MPI_MODE_EXCL), and " +
					"MPI_MODE_SEQUENTIAL excludes MPI_MODE_RDWR (MPI-4.0, 14.2.1).",
				Why: "MPI_MODE_CREATE alone does not open the file for writing, just as O_CREAT does not; " +
					"MPI_MODE_RDONLY | MPI_MODE_WRONLY is not MPI_MODE_RDWR. The error handler of files returns by " +
					"default, so the failure shows up only at the next call.",
				Fix: "Use MPI_MODE_CREATE | MPI_MODE_WRONLY to write a file, MPI_MODE_RDONLY to read one, " +
					"MPI_MODE_RDWR for both. Check what MPI_File_open returns.",
			}},
		},
		{
			Name: "assertions", Family: check.Arguments, Watch: watchAssertions,
			Peers: []string{"ERROR_INVALID_ASSERTION", "ERROR_WIN_FENCE_ASSERT"},
			Codes: []finding.Doc{{
				Code: assertionInvalid, Title: "the call does not accept this assertion", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The assertion passed to a one-sided synchronisation call has a bit that the call does not " +
					"define. MPI_Win_post accepts MPI_MODE_NOCHECK, MPI_MODE_NOSTORE and MPI_MODE_NOPUT; " +
					"MPI_Win_fence accepts MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE and " +
					"MPI_MODE_NOSUCCEED; MPI_Win_start, MPI_Win_lock and MPI_Win_lock_all accept MPI_MODE_NOCHECK " +
					"(MPI-4.0, 12.5.5).",
				Why: "The arguments of MPI_Win_lock were swapped (lock type, rank, assertion), or the assertion " +
					"was copied from another call.",
				Fix: "Pass 0, which is always valid, or assertions that the call defines.",
			}},
		},
	}
}

// value reports a value that a parameter does not take.
func value(c *check.Call, i int, v int64, rule string, args ...any) {
	c.Say(valueInvalid, i, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %d; %s.", c.Rank.World, c.Func.Name,
			c.Func.Params[i].Name, v, finding.Wordf(rule, args...)), Hint: check.Wrapped(v)}
	})
}

// watchValues looks at arguments that take one of a few values.
func watchValues(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		if f.Params[i].Kind == mpi.KIntIn && f.Params[i].Name == "position" {
			return packed(f, i)
		}
		if f.Params[i].Kind != mpi.KInt {
			return nil
		}
		switch f.Params[i].Name {
		case "lock_type", "whence", "order", "typeclass":
			return oneOf(i, h.Table().Values(f.Params[i].Name))
		case "color":
			return atLeast(i, 0, true, "a colour must be 0 or more, or MPI_UNDEFINED for a rank that should get no "+
				"communicator")
		case "split_type":
			return splitType(i, h.Table().Values(f.Params[i].Name))
		case "disp_unit":
			return atLeast(i, 1, false, "the displacement unit must be at least 1 byte")
		case "offset":
			if strings.Contains(f.Base, "_at") {
				return atLeast(i, 0, false, "an offset in a file must be 0 or more")
			}
		case "direction":
			return func(c *check.Call) {
				t := c.Rank.Arranged(c.Handle(0))
				v, ok := c.Int(i)
				if t == nil || t.Nodes > 0 || !ok || v >= 0 && v < int64(len(t.Dims)) {
					return
				}
				value(c, i, v, "the grid has %s, counted from 0", check.Counted(len(t.Dims), "dimension"))
			}
		}
		return nil
	})
}

// oneOf looks at a parameter that takes some constants only.
func oneOf(i int, names []string) func(*check.Call) {
	rule := "it must be " + enumerate(names, "or")
	return func(c *check.Call) {
		v, ok := c.Int(i)
		if !ok {
			return
		}
		for _, name := range names {
			if k, there := c.Rank.Constant(name); !there || k == v {
				return
			}
		}
		value(c, i, v, "%s", rule)
	}
}

// atLeast looks at a parameter that has a least value, except for MPI_UNDEFINED if that may stand.
func atLeast(i int, least int64, undefined bool, rule string) func(*check.Call) {
	return func(c *check.Call) {
		v, ok := c.Int(i)
		if !ok || v >= least || undefined && v == c.Rank.Limits.Undefined {
			return
		}
		value(c, i, v, "%s", rule)
	}
}

// mostSplitTypes is above the kinds of split that MPI libraries have beside those of the standard: they number them
// from 0.
const mostSplitTypes = 1024

func splitType(i int, names []string) func(*check.Call) {
	return func(c *check.Call) {
		v, ok := c.Int(i)
		if !ok || v >= 0 && v < mostSplitTypes || v == c.Rank.Limits.Undefined ||
			slices.ContainsFunc(names, func(name string) bool {
				k, there := c.Rank.Constant(name)
				return there && k == v
			}) {
			return
		}
		value(c, i, v, "it must be MPI_COMM_TYPE_SHARED, another such constant, or MPI_UNDEFINED")
	}
}

// bits are the names of bits of a flag word.
type bits []string

// all is the union of the bits; false if the MPI library lacks one.
func (b bits) all(r *check.Rank) (mask int64, ok bool) {
	for _, name := range b {
		v, there := r.Constant(name)
		if !there {
			return 0, false
		}
		mask |= v
	}
	return mask, true
}

// in names those of the bits that a word has: "MPI_MODE_CREATE | MPI_MODE_RDONLY".
func (b bits) in(r *check.Rank, word int64) finding.Wording {
	var out []finding.Wording
	for _, name := range b {
		if v, there := r.Constant(name); there && v != 0 && word&v == v {
			out = append(out, finding.Wordf("%s", name))
			word &^= v
		}
	}
	if word != 0 || len(out) == 0 {
		out = append(out, finding.Wordf("%d", word))
	}
	return finding.Joined(out, " | ")
}

// watchModes looks at the access modes of files.
func watchModes(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		i := f.Named("amode")
		if f.Class != mpi.FileOpen || i < 0 {
			return nil
		}
		all := bits(h.Table().Values("amode"))
		return func(c *check.Call) {
			mode, ok := c.Int(i)
			if _, there := all.all(c.Rank); !there || !ok {
				return
			}
			has := func(name string) bool { v, _ := c.Rank.Constant(name); return mode&v != 0 }
			if rule := contradiction(has); rule != "" {
				c.Say(amodeInvalid, i, func() check.Words {
					return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {amode} %s; %s.", c.Rank.World,
						f.Name, all.in(c.Rank, mode), rule)}
				})
			}
		}
	})
}

// contradiction says what is wrong with an access mode, "" if nothing is.
func contradiction(has func(string) bool) string {
	n := 0
	for _, access := range []string{check.ReadOnly, check.WriteOnly, "MPI_MODE_RDWR"} {
		if has(access) {
			n++
		}
	}
	switch {
	case n == 0:
		return "it must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR"
	case n > 1:
		return "it may have only one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR"
	case has(check.ReadOnly) && (has("MPI_MODE_CREATE") || has("MPI_MODE_EXCL")):
		return "a read-only file cannot be created"
	case has("MPI_MODE_RDWR") && has(check.Sequential):
		return "sequential access is for either reading or writing"
	}
	return ""
}

// watchAssertions looks at assertions of one-sided communication (MPI-4.0, 12.5.5).
func watchAssertions(h *check.Hooks) {
	all := bits(h.Table().Values("assert"))
	h.Given(func(f *mpi.Func) func(*check.Call) {
		i := f.Named("assert")
		if i < 0 {
			return nil
		}
		own := bits(h.Table().Assertions(f))
		if len(own) == 0 {
			return nil
		}
		return func(c *check.Call) {
			v, ok := c.Int(i)
			mask, there := own.all(c.Rank)
			if !ok || !there || v&^mask == 0 {
				return
			}
			c.Say(assertionInvalid, i, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {assert} %s; the call accepts %s.",
					c.Rank.World, f.Name, all.in(c.Rank, v),
					enumerate(own, "and"))}
			})
		}
	})
}

// enumerate is "a, b and c".
func enumerate(names []string, and string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + and + " " + names[len(names)-1]
}

package handles

import (
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const typeRecommitted finding.Code = "type-recommitted"

// invalidTypes is the check of datatype handles.
func invalidTypes() check.Checker {
	return check.Checker{
		Name: "types", Family: check.Handles, Watch: watchTypes,
		Peers: []string{"ERROR_DATATYPE_NULL", "ERROR_DATATYPE_UNKNOWN", "ERROR_DATATYPE_NOT_COMMITED",
			"WARNING_DATATYPE_COMMITED", "WARNING_DATATYPE_PREDEFINED"},
		Codes: []finding.Doc{
			{
				Code: typeInvalid, Title: "a datatype is null, has been freed, or is not accepted by the call",
				Severity: finding.Error, Since: finding.Version01,
				Means: "A call was passed MPI_DATATYPE_NULL, or the handle of a freed datatype, where it needs a " +
					"valid one. Or MPI_Compare_and_swap was passed a datatype that is not an integer, logical or " +
					"byte type, or MPI_Fetch_and_op a datatype that is not predefined (MPI-4.0, 12.3.4).",
				Why: "The variable was never set on this rank, or the datatype was freed before its last use, " +
					"often through a copy of its handle. MPI_CHAR is a character type, not an integer type; the " +
					"small integer is MPI_SIGNED_CHAR.",
				Fix: "Free a datatype after the last call that uses it. Once an operation has started, its " +
					"datatype may be freed (MPI-4.0, 5.1.9).",
			},
			{
				Code: typeUncommitted, Title: "a datatype is used that is not committed", Severity: finding.Error,
				Since: finding.Version01,
				Means: "A communication or file operation was passed a derived datatype that was not committed with " +
					"MPI_Type_commit.",
				Why: "The commit was forgotten, or it was called for another datatype: every datatype used in " +
					"communication must be committed, those that only serve to build others need not be " +
					"(MPI-4.0, 5.1.9).",
				Fix: "Call MPI_Type_commit once, after the datatype is created and before it is used.",
			},
			{
				Code: typeRecommitted, Title: "a datatype is committed twice", Severity: finding.Info,
				Since: finding.Version01,
				Means: "MPI_Type_commit was called for a predefined datatype, or for one that was already committed. " +
					"That has no effect (MPI-4.0, 5.1.9).",
				Why: "The commit is in a loop, or another datatype was meant.",
				Fix: "Commit each derived datatype once, where it is created.",
			},
		},
	}
}

func watchTypes(h *check.Hooks) {
	uses := check.SlotOf[used](h)
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Object != mpi.OType || !p.Kind.AtEntry() || strings.HasSuffix(f.Name, "_get_name") {
			return nil
		}
		if p.Kind == mpi.KHandles {
			return func(c *check.Call) { typeArray(c, uses, i) }
		}
		return func(c *check.Call) {
			if v, ok := c.Int(i); ok && !c.Rank.Usable(mpi.OType, uint64(v)) {
				unusableType(c, uses, i, -1, uint64(v))
			}
		}
	})
	h.Given(atomicTypes)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		if f.Class != mpi.TypeCommit {
			return nil
		}
		return func(c *check.Call) {
			v, _ := c.Int(0)
			o := c.Rank.Object(mpi.OType, uint64(v))
			if o == nil || !o.Committed || o.CommitUnknown {
				return
			}
			c.Say(typeRecommitted, 0, func() check.Words {
				what, w := "a datatype that is already committed", check.Words{}
				if o.Predefined {
					what = "a predefined datatype"
					if o.Name != "" {
						what = o.Name + ", which is predefined"
					}
				} else {
					w.Related = []check.Related{{Text: "it was created", Func: o.Made.Func, Site: o.Made.Site}}
				}
				w.Sentence = finding.Wordf("Rank %d calls %s with {%s} %s; that has no effect.", c.Rank.World, f.Name,
					f.Params[0].Name, what)
				return w
			})
		}
	})
}

// atomicTypes is the handler of the calls that change one element of a window at once, which take few datatypes
// (MPI-4.0, 12.3.4).
func atomicTypes(f *mpi.Func) func(*check.Call) {
	target, ok := f.Target()
	if !ok || target.Count >= 0 {
		return nil
	}
	at := target.Type
	_, computes := f.Param(mpi.ROp)
	return func(c *check.Call) {
		v, _ := c.Int(at)
		t := c.Rank.Object(mpi.OType, uint64(v))
		switch {
		case t == nil:
		case !t.Predefined:
			c.Say(typeInvalid, at, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d calls %s with a derived {datatype}; the call accepts only predefined ones.",
						c.Rank.World, f.Name),
					Related: []check.Related{{Text: "it was created", Func: t.Made.Func, Site: t.Made.Site}}}
			})
		case !computes && t.Name != "" && !exchangeable(c.Numbers(t.Name)):
			c.Say(typeInvalid, at, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d calls %s with {datatype} %s, which is not an integer, logical or byte type.",
						c.Rank.World, f.Name, t.Name)}
			})
		}
	}
}

// exchangeable says whether MPI_Compare_and_swap takes the datatypes of a group; of those in none that is not known.
func exchangeable(group string) bool {
	return slices.Contains([]string{"c-integer", "fortran-integer", "logical", "multi-language", "byte", ""}, group)
}

// typeArray looks at an array of datatypes: at those whose count or block length is not 0.
func typeArray(c *check.Call, uses check.Slot[used], i int) {
	counts := ""
	switch c.Func.Params[i].Name {
	case "sendtypes":
		counts = "sendcounts"
	case "recvtypes":
		counts = "recvcounts"
	case "array_of_types":
		counts = "array_of_blocklengths"
	}
	var n []uint64
	for k := range c.Func.Params {
		if c.Func.Params[k].Name == counts {
			n = c.Array(k)
		}
	}
	for k, v := range c.Array(i) {
		if k < len(n) && n[k] != 0 && !c.Rank.Usable(mpi.OType, v) {
			unusableType(c, uses, i, k, v)
		}
	}
}

// unusableType says what is wrong with a datatype, if that is certain. index is its place in an array, or -1.
func unusableType(c *check.Call, uses check.Slot[used], i, index int, handle uint64) {
	r, f := c.Rank, c.Func
	o := r.Object(mpi.OType, handle)
	_, freed := r.FreedBy(mpi.OType, handle)
	if o == nil && !freed && !r.Null(mpi.OType, handle) && !namesNothing(mpi.OType, handle) || !c.Significant(i) {
		return
	}
	name := func() finding.Wording {
		if index >= 0 {
			return finding.Wordf("{%s}[%d]", f.Params[i].Name, index)
		}
		return finding.Wordf("{%s}", f.Params[i].Name)
	}
	say := func(code finding.Code, what, hint string, related ...check.Related) {
		c.Say(code, i, func() check.Words {
			return check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s %s.", r.World, f.Name, name(), what),
				Hint: hint, Related: related}
		})
	}
	switch {
	case r.Null(mpi.OType, handle):
		say(typeInvalid, mpi.OType.Null(), "")
	case namesNothing(mpi.OType, handle):
		c.Say(typeInvalid, i, func() check.Words { return nothing(c, mpi.OType, name()) })
	case o == nil:
		by, _ := r.FreedBy(mpi.OType, handle)
		if r.Sure() && !uses.Of(r).again(c, typeInvalid, i, mpi.OType, by) {
			say(typeInvalid, "a datatype that has been freed", copyHint(mpi.OType, by.Func),
				check.Related{Text: "it was freed", Func: by.Func, Site: by.Site})
		}
	case !o.Committed && !o.CommitUnknown && communicates(f):
		say(typeUncommitted, "a derived type that is not committed",
			"call MPI_Type_commit once, after the datatype is created", check.Related{Text: "it was created",
				Func: o.Made.Func, Site: o.Made.Site})
	}
}

// communicates says whether a function moves data of a datatype, which must be committed for that (MPI-4.0, 5.1.9).
func communicates(f *mpi.Func) bool { return f.Class != mpi.Local && len(f.Buffers()) > 0 }

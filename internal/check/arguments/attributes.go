package arguments

import (
	"fmt"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const attributeKeyCode finding.Code = "attribute-key"

func attributeCheckers() []check.Checker {
	return []check.Checker{{
		Name: "attribute-keys", Family: check.Arguments, Watch: watchAttributes,
		Codes: []finding.Doc{{
			Code: attributeKeyCode, Title: "an attribute key is used with the wrong kind of object",
			Severity: finding.Error, Since: finding.Version01,
			Means: "Attribute keys are created for communicators, datatypes or windows, each by its own function. A " +
				"key created for one kind of object was used with another, or passed to the function that frees keys " +
				"of another (MPI-4.0, 7.7). Or a predefined attribute, such as MPI_TAG_UB or MPI_WIN_BASE, was set " +
				"or deleted: these are read-only (8.1.2 and 12.2.6).",
			Why: "One variable holds keys of several kinds, or the call that creates the key was copied from other " +
				"code. MPI_TAG_UB looks like a setting, but it describes the MPI library.",
			Fix: "Create a key for each kind of object: MPI_Comm_create_keyval, MPI_Type_create_keyval, " +
				"MPI_Win_create_keyval. Do not change predefined attributes.",
		}},
	}}
}

// watchAttributes looks at which kind of object an attribute key was made for.
func watchAttributes(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		if kind := f.Params[i].Kind; f.Params[i].Object != mpi.OKeyval || kind != mpi.KInt && kind != mpi.KIntIn {
			return nil
		}
		want := objects.Keyed(f)
		changes := f.Caching == mpi.SetsAttribute || f.Caching == mpi.DeletesAttribute
		return func(c *check.Call) {
			if o := c.Rank.Object(mpi.OKeyval, c.Handle(i)); changes && o != nil && o.Predefined {
				c.Say(attributeKeyCode, i, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {%s} %s, a predefined attribute, which is read-only.", c.Rank.World,
							f.Name, f.Params[i].Name, o.Name)}
				})
				return
			}
			k, known := c.Rank.Key(c.Handle(i))
			if !known || k.Kind == want {
				return
			}
			c.Say(attributeKeyCode, i, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s}, a key for attributes of a %s.",
					c.Rank.World, f.Name, f.Params[i].Name, k.Kind),
					Related: []check.Related{{Text: "it was created", Func: k.Made.Func, Site: k.Made.Site}},
					Hint:    ownKeys(f)}
			})
		}
	})
}

// ownKeys is the hint for a key that was created for another kind of object than a function is about: "MPI_Comm" of
// MPI_Comm_set_attr.
func ownKeys(f *mpi.Func) string {
	words := strings.SplitN(f.Name, "_", 3)
	return fmt.Sprintf("each kind of object has its own keys: create those for %[1]s with %[1]s_create_keyval, and "+
		"free them with %[1]s_free_keyval", strings.Join(words[:min(len(words), 2)], "_"))
}

package usage

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/probe/mpiapi"
)

const attributeKeyCode finding.Code = "attribute-key"

func attributeCheckers() []Checker {
	return []Checker{{
		Name: "attribute-keys", Family: Arguments, Watch: watchAttributes,
		Codes: []finding.Doc{{
			Code: attributeKeyCode, Title: "an attribute key of another kind of object", Severity: finding.Error, Since: "0.2",
			Means: "Keys of attributes are made for communicators, datatypes or windows, by a function for each. A key that was made for one kind of object was used with another, or given to the function that frees those of another (MPI-4.0, 7.7).",
			Why:   "One variable holds keys of several kinds, or the function that makes the key was copied from other code.",
			Fix:   "Make a key for each kind of object: MPI_Comm_create_keyval, MPI_Type_create_keyval, MPI_Win_create_keyval.",
		}},
	}}
}

// keyed is the kind of object that a function of attributes is for.
func keyed(f *mpiapi.Func) Kind {
	switch {
	case strings.HasPrefix(f.Name, "MPI_Type_"):
		return TypeKind
	case strings.HasPrefix(f.Name, "MPI_Win_"):
		return WinKind
	}
	return CommKind
}

// watchAttributes looks at which kind of object an attribute key was made for.
func watchAttributes(h *Hooks) {
	h.Param(func(f *mpiapi.Func, i int) func(*Call) {
		if kind := f.Params[i].Kind; kindOf(f.Params[i].Name) != KeyvalKind || kind != mpiapi.KInt && kind != mpiapi.KIntIn {
			return nil
		}
		want := keyed(f)
		return func(c *Call) {
			k, known := c.Rank.shapes.keys[c.handle(i)]
			if !known || k.kind == want {
				return
			}
			c.Say(attributeKeyCode, i, func() Words {
				return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {%s}, a key for attributes of a %s.", c.Rank.World, f.Name, f.Params[i].Name, k.kind),
					Related: []Related{{Text: "it was made", Func: k.made.Func, Site: k.made.Site}}}
			})
		}
	})
}

package usage

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/mpi"
)

func operatorCheckers() []Checker {
	return []Checker{{
		Name: "operators", Family: Handles, Watch: watchOperators,
		Peers: []string{"ERROR_OPERATION_NULL", "ERROR_OPERATION_UNKNOWN"},
		Codes: []finding.Doc{{
			Code: opInvalid, Title: "an operator cannot be used here", Severity: finding.Error, Since: "0.2",
			Means: "A reduction was passed MPI_OP_NULL, a freed operator, one that is only for one-sided communication (MPI_REPLACE, MPI_NO_OP), a user-defined operator where only predefined ones are allowed, or a predefined operator with a datatype for which MPI does not define it (MPI-4.0, 6.9.2 and 12.3.4).",
			Why:   "Predefined operators are defined only for certain basic datatypes: no sums of MPI_CHAR or MPI_BYTE, no bitwise operations on floating-point numbers, no MPI_MAXLOC without a pair type, and nothing on derived datatypes. Some libraries accept such calls, others end the job.",
			Fix:   "Use a suitable datatype (MPI_INT8_T for small numbers, MPI_DOUBLE_INT for MPI_MAXLOC), or create an operator with MPI_Op_create for a derived datatype.",
		}},
	}}
}

// watchOperators looks at operators, and at the datatypes that they are used with.
func watchOperators(h *Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*Call) {
		p := &f.Params[i]
		if kindOf(p.Name) != OpKind || !p.Kind.AtEntry() {
			return nil
		}
		remote := f.Class == mpi.Rma || f.Class == mpi.Rrma
		reduces := f.Class == mpi.Coll || strings.HasPrefix(f.Name, "MPI_Reduce_local")
		at, typed := f.Param(mpi.RType)
		for k := range f.Params {
			if f.Params[k].Name == "target_datatype" {
				at = k
			}
		}
		return func(c *Call) {
			r := c.Rank
			v, ok := c.Int(i)
			if !ok {
				return
			}
			handle := uint64(v)
			if !r.usable(OpKind, handle) {
				c.sayInvalid(opInvalid, OpKind, i, handle, p.Name)
				return
			}
			if !typed || !remote && !reduces {
				return
			}
			d, _ := c.Int(at)
			pair := [2]uint64{handle, uint64(d)}
			known := &r.fits[slot(handle^uint64(d))]
			if *known == pair {
				return
			}
			o, t := r.Object(OpKind, handle), r.Object(TypeKind, uint64(d))
			if why := misfit(o, t, remote); why != "" {
				if c.significant(at) {
					c.Say(opInvalid, i, func() Words {
						return Words{Sentence: fmt.Sprintf("Rank %d calls %s with {op} %s", r.World, f.Name, why)}
					})
				}
				return
			}
			*known = pair
		}
	})
}

// misfit says what is wrong with an operator and a datatype, as the rest of a sentence; "" if nothing is, or if it is not known.
func misfit(o, t *Object, remote bool) string {
	switch {
	case o.Predefined && (o.Name == "MPI_REPLACE" || o.Name == "MPI_NO_OP"):
		if !remote {
			return o.Name + ", which is for one-sided communication only."
		}
		return ""
	case !o.Predefined && remote:
		return "a user-defined operator; one-sided communication accepts only predefined ones."
	case !o.Predefined || t == nil:
		return ""
	case !t.Predefined:
		if remote {
			return "" // allowed if all of it is of one predefined datatype
		}
		return o.Name + " and a derived datatype; predefined operators work on predefined datatypes only."
	case t.Name == "":
		return ""
	}
	kind := numbersOf(t.Name)
	if kind == "" || strings.Contains(worksOn(o.Name), kind) {
		return ""
	}
	return fmt.Sprintf("%s, which is not defined for %s.", o.Name, t.Name)
}

// numbersOf is the group that MPI-4.0, 6.9.2 puts a predefined datatype into, as a letter: C integer c, Fortran integer f,
// multi-language m, floating point r, complex z, logical l, byte b, pair p, and x for those in none. It is "" for others.
func numbersOf(name string) string {
	switch name {
	case "MPI_INT", "MPI_LONG", "MPI_SHORT", "MPI_UNSIGNED_SHORT", "MPI_UNSIGNED", "MPI_UNSIGNED_LONG", "MPI_LONG_LONG_INT", "MPI_LONG_LONG",
		"MPI_UNSIGNED_LONG_LONG", "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR", "MPI_INT8_T", "MPI_INT16_T", "MPI_INT32_T", "MPI_INT64_T",
		"MPI_UINT8_T", "MPI_UINT16_T", "MPI_UINT32_T", "MPI_UINT64_T":
		return "c"
	case "MPI_INTEGER", "MPI_INTEGER1", "MPI_INTEGER2", "MPI_INTEGER4", "MPI_INTEGER8", "MPI_INTEGER16":
		return "f"
	case "MPI_AINT", "MPI_OFFSET", "MPI_COUNT":
		return "m"
	case "MPI_FLOAT", "MPI_DOUBLE", "MPI_REAL", "MPI_DOUBLE_PRECISION", "MPI_LONG_DOUBLE", "MPI_REAL4", "MPI_REAL8", "MPI_REAL16":
		return "r"
	case "MPI_COMPLEX", "MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX", "MPI_C_DOUBLE_COMPLEX", "MPI_C_LONG_DOUBLE_COMPLEX", "MPI_CXX_COMPLEX",
		"MPI_CXX_FLOAT_COMPLEX", "MPI_CXX_DOUBLE_COMPLEX", "MPI_CXX_LONG_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_COMPLEX8", "MPI_COMPLEX16",
		"MPI_COMPLEX32":
		return "z"
	case "MPI_LOGICAL", "MPI_C_BOOL", "MPI_CXX_BOOL":
		return "l"
	case "MPI_BYTE":
		return "b"
	case "MPI_FLOAT_INT", "MPI_DOUBLE_INT", "MPI_LONG_INT", "MPI_2INT", "MPI_SHORT_INT", "MPI_LONG_DOUBLE_INT", "MPI_2REAL",
		"MPI_2DOUBLE_PRECISION", "MPI_2INTEGER":
		return "p"
	case "MPI_CHAR", "MPI_WCHAR", "MPI_CHARACTER", "MPI_PACKED":
		return "x"
	}
	return ""
}

// worksOn are the groups for which MPI defines an operator.
func worksOn(name string) string {
	switch name {
	case "MPI_MAX", "MPI_MIN":
		return "cfrm"
	case "MPI_SUM", "MPI_PROD":
		return "cfrzm"
	case "MPI_LAND", "MPI_LOR", "MPI_LXOR":
		return "cl"
	case "MPI_BAND", "MPI_BOR", "MPI_BXOR":
		return "cfbm"
	case "MPI_MINLOC", "MPI_MAXLOC":
		return "p"
	}
	return "cfmrzlbpx"
}

package handles

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

func operatorCheckers() []check.Checker {
	return []check.Checker{{
		Name: "operators", Family: check.Handles, Watch: watchOperators,
		Peers: []string{"ERROR_OPERATION_NULL", "ERROR_OPERATION_UNKNOWN"},
		Codes: []finding.Doc{{
			Code: opInvalid, Title: "an operator cannot be used here", Severity: finding.Error,
			Since: finding.Version01,
			Means: "A reduction was passed MPI_OP_NULL, a freed operator, one that is only for one-sided " +
				"communication (MPI_REPLACE, MPI_NO_OP), a user-defined operator where only predefined ones are " +
				"allowed, or a predefined operator with a datatype for which MPI does not define it (MPI-4.0, 6.9.2 " +
				"and 12.3.4).",
			Why: "Predefined operators are defined only for certain basic datatypes: no sums of MPI_CHAR or " +
				"MPI_BYTE, no bitwise operations on floating-point numbers, no MPI_MAXLOC without a pair type, and " +
				"nothing on derived datatypes. Some libraries accept such calls, others end the job.",
			Fix: "Use a suitable datatype (MPI_INT8_T for small numbers, MPI_DOUBLE_INT for MPI_MAXLOC), or create " +
				"an operator with MPI_Op_create for a derived datatype.",
		}},
	}}
}

// watchOperators looks at operators, and at the datatypes that they are used with.
func watchOperators(h *check.Hooks) {
	pairs, uses := check.SlotOf[fits](h), check.SlotOf[used](h)
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		p := &f.Params[i]
		if p.Object != mpi.OOp || !p.Kind.AtEntry() {
			return nil
		}
		remote := f.Class == mpi.Rma || f.Class == mpi.Rrma
		reduces := f.Class == mpi.Coll || f.Class == mpi.Local
		at, typed := f.Param(mpi.RType)
		if target, ok := f.Target(); ok {
			at = target.Type
		}
		return func(c *check.Call) {
			r := c.Rank
			v, ok := c.Int(i)
			if !ok {
				return
			}
			handle := uint64(v)
			if !r.Usable(mpi.OOp, handle) {
				sayInvalid(c, uses, opInvalid, mpi.OOp, i, handle, p.Name)
				return
			}
			if !typed || !remote && !reduces {
				return
			}
			d, _ := c.Int(at)
			pair := [2]uint64{handle, uint64(d)}
			known := pairs.Of(r).of(r, pair)
			if *known == pair {
				return
			}
			o, t := r.Object(mpi.OOp, handle), r.Object(mpi.OType, uint64(d))
			if why := misfit(h.Table(), o, t, remote); why != "" {
				if c.Significant(at) {
					c.Say(opInvalid, i, func() check.Words {
						return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {op} %s", r.World,
							f.Name, why)}
					})
				}
				return
			}
			*known = pair
		}
	})
}

// fits are pairs of handles, of an operator and a datatype that it is defined for.
type fits struct {
	pairs [16][2]uint64
	types uint64 // changes of types that they know
}

// of is where a pair stands. Handles that have come to stand for others are forgotten.
func (x *fits) of(r *check.Rank, pair [2]uint64) *[2]uint64 {
	if x.types != r.TypeChanges {
		x.types = r.TypeChanges
		clear(x.pairs[:])
	}
	return &x.pairs[(pair[0]^pair[1])*0x9e3779b97f4a7c15>>60]
}

// misfit says what is wrong with an operator and a datatype, as the rest of a sentence; "" if nothing is, or if it is
// not known.
func misfit(table *mpi.T, o, t *objects.Object, remote bool) string {
	operator, _ := table.Constant(o.Name)
	switch {
	case o.Predefined && operator.Family == "rma":
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
	if kind, _ := table.Constant(t.Name); kind.Family == "" || operator.Defined(kind.Family) {
		return ""
	}
	return fmt.Sprintf("%s, which is not defined for %s.", o.Name, t.Name)
}

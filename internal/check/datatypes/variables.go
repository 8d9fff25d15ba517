package datatypes

import (
	"unknot/internal/check"
	"unknot/internal/check/typed"
	"unknot/internal/check/used"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// typeVariable is the code of a variable of another type than the datatype.
const typeVariable finding.Code = "type-variable"

func variableChecker() check.Checker {
	return check.Checker{
		Name: "variables", Family: check.Datatypes, Watch: watchVariables,
		Codes: []finding.Doc{{
			Code: typeVariable, Title: "a variable's type and the datatype differ", Severity: finding.Error,
			Since: finding.Version01,
			Means: "The variable that a call sends from or receives into is declared with another type than the " +
				"datatype says (MPI-4.0, 3.3.1): its elements have another size, or are integers where the datatype " +
				"has floating-point numbers. MPI then moves a part of the data, writes beyond the variable, or " +
				"computes with values that are not there.\n\nThe type is that of the declaration, from the debug " +
				"information (`-g`), for an argument that is written as a variable, a member, an element, or a " +
				"pointer or container of one. In Python it is the dtype of the array that mpi4py is given, with any " +
				"expression. Or what is sent as bytes is a container of the C++ library, or a struct that has one, " +
				"or a pointer, as a member: the data that the pointer points to does not come with it. It is a " +
				"warning if the pointer may be meant, and for an integer of Fortran that is moved as " +
				"MPI_LOGICAL.\n\nNothing is reported of other bytes, characters, unions and `void *`, of an argument " +
				"with a cast, and where a call moves exactly the bytes of a variable as elements of another size. Of " +
				"an array of Python it is reported if the call reduces the elements, if its count is that of the " +
				"array's elements, as a warning if it moves exactly the bytes of an array of float32 as MPI.DOUBLE, " +
				"or if the datatype is made for an item of the array.",
			Why: "MPI_REAL for a real(8), MPI_INT for a long or a size_t, the address of a pointer instead of the " +
				"data, a std::string in a struct that is sent with its `sizeof`, a type that was changed in the " +
				"declaration and not in the call.",
			Fix: "Pass the datatype of the declaration: MPI_DOUBLE_PRECISION for real(8), MPI_LONG for long, " +
				"MPI_INT64_T for int64_t. With mpi4py, pass the array alone (`comm.Send(a)`): it knows the datatype.",
		}},
	}
}

// watchVariables compares variables and datatypes once at each place.
func watchVariables(h *check.Hooks) {
	calls := check.SlotOf[check.Recent](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		var uses []mpi.Buffer
		for _, b := range f.Buffers() {
			if b.Type >= 0 && !b.Types && b.Used != mpi.AtEdges {
				uses = append(uses, b)
			}
		}
		if len(uses) == 0 {
			return nil
		}
		var scratch used.Area
		return func(c *check.Call) {
			j := calls.Of(c.Rank)
			for i := range uses {
				handle, ok := c.Int(uses[i].Type)
				if c.InArray(uses[i].At) != nil { // it may be another one each time
					compared(c, &uses[i], &scratch)
					continue
				}
				if ok && !j.Has(c, i, uint64(handle)) && compared(c, &uses[i], &scratch) {
					j.Add(c, i, uint64(handle))
				}
			}
		}
	})
}

// compared compares a buffer of a call with its variable; false if the call does not use it this time.
func compared(c *check.Call, u *mpi.Buffer, a *used.Area) bool {
	b, ok := typed.Read(c, u, a)
	if !ok {
		return false
	}
	if c.Said {
		return true
	}
	if held := typed.HeldBy(c, b); held != nil && u.Access != mpi.Writes {
		sayHeld(c, u, held)
		return true
	}
	m := typed.Of(c, b)
	if m == nil || m.Leaves(b.Ground) && c.Watch().Enabled("buffer-outside") {
		return true // of memory outside of a variable more is said there
	}
	c.Say(typeVariable, u.At, func() check.Words {
		w := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} and {%s} that differ: %s.", c.Rank.World, c.Func.Name,
				c.Func.Params[u.At].Name, c.Func.Params[u.Type].Name, m.Sentence()),
			Notes: m.Notes(u.Access != mpi.Reads),
			Hint:  m.Hint(),
		}
		if m.Fits {
			w.Severity = finding.Warning
		}
		return w
	})
	return true
}

// sayHeld says that a call sends a pointer where the program means the data.
func sayHeld(c *check.Call, u *mpi.Buffer, held *typed.Held) {
	c.Say(typeVariable, u.At, func() check.Words {
		w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} as bytes: %s.", c.Rank.World, c.Func.Name,
			c.Func.Params[u.At].Name, held.Sentence()), Hint: held.Hint()}
		if !held.Owns {
			w.Severity = finding.Warning
		}
		return w
	})
}

// Package call finds the MPI call that a thread of another process is in, and what it was given.
package call

import (
	"strings"

	"unknot/internal/attach/callsite"
	"unknot/internal/attach/thread"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/mpi"
)

// Call is an MPI call that has not returned.
type Call struct {
	Function *mpi.Func
	// Caller is the activation in the stack that calls it: of a Fortran program that of the library's layer for Fortran.
	Caller int
	// Program is the one of the program that calls, for which the library may have several functions.
	Program   int
	Arguments []callsite.Value // by the function's parameters
}

// Finder finds calls.
type Finder struct {
	Resolver *symbol.Resolver
	Table    *mpi.T
}

// In is the call that a thread is in; false if it is in none.
func (f *Finder) In(p *thread.Process, stack []symbol.Activation) (c Call, ok bool) {
	for i := len(stack) - 1; i > 0; i-- {
		fn, layer := f.function(p, stack, i-1)
		if fn == nil {
			continue
		}
		if !ok {
			c.Program = i
		}
		c.Function, c.Caller, ok = fn, i, true
		if !layer {
			break
		}
	}
	if ok {
		c.Arguments = callsite.Of(f.Resolver, p, stack[c.Caller]).Arguments(len(c.Function.Params))
	}
	return c, ok
}

// function is the MPI function that an activation is of, nil for any other. layer says that it is Fortran's form, whose
// arguments are not those of C.
func (f *Finder) function(p *thread.Process, stack []symbol.Activation, i int) (fn *mpi.Func, layer bool) {
	frames := f.Resolver.Frames(p.Maps, stack[i].PC, i > 0)
	name := frames[len(frames)-1].Function
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "PMPI_"):
		name = name[1:]
	case strings.HasPrefix(name, "MPI_"):
	case strings.HasPrefix(lower, "mpi_"), strings.HasPrefix(lower, "pmpi_"):
		// "mpi_send" of "mpi_send_", which the resolver writes as a program does
		lower = strings.TrimSuffix(strings.TrimRight(strings.TrimPrefix(lower, "p"), "_"), "_f08")
		return f.Table.ByName("MPI_" + strings.ToUpper(lower[4:5]) + lower[5:]), true
	case name == "ompi_mpi_finalize": // to which Open MPI's function jumps
		name = "MPI_Finalize"
	default:
		return nil, false
	}
	return f.Table.ByName(name), false
}

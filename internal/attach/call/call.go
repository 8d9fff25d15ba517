// Package call finds the MPI call that a thread of another process is in, and what it was given.
//
// A function of the library is known by its name. Where it has called another one as the last thing, and left no trace
// on the stack, what the program's own instruction calls is looked up.
//
// A program in Fortran calls the library's layer for Fortran, which makes the call of C. Handles are those that C has;
// numbers are read where the program's call points to, and are those of C where that is not known.
package call

import (
	"path/filepath"
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

// In is the call that a thread is in, with its arguments; false if it is in none. A thread that was
// not stopped is looked at again with its registers, if it can be: seen is the last look.
func (f *Finder) In(p *thread.Process, tid int, seen *thread.Seen) (c Call, ok bool) {
	if c, ok = f.Find(p, seen); !ok {
		return c, false
	}
	if seen.Stopped == 0 {
		if again, err := p.SeeStopped(tid); err == nil {
			*seen = again
			if c, ok = f.Find(p, seen); !ok {
				return c, false
			}
		}
	}
	c.Arguments = f.arguments(p, seen, &c)
	return c, true
}

// Find is the call that a thread is in, without its arguments; false if it is in none.
func (f *Finder) Find(p *thread.Process, seen *thread.Seen) (c Call, ok bool) {
	for i := len(seen.Stack) - 1; i > 0; i-- {
		fn, layer := f.function(p, seen, i)
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
	return c, ok
}

// function is the MPI function that a caller in the stack is in, nil for any other. layer says that it is Fortran's
// form, whose arguments are not those of C.
func (f *Finder) function(p *thread.Process, seen *thread.Seen, caller int) (fn *mpi.Func, layer bool) {
	if fn, layer = f.named(p, seen.Stack[caller-1].PC, caller > 1); fn != nil {
		return fn, layer
	}
	if !ofLibrary(p, seen.Stack[caller-1].PC) || ofLibrary(p, seen.Stack[caller].PC) {
		return nil, false
	}
	if to, known := callsite.Of(f.Resolver, p, seen, caller).Target(); known && ofLibrary(p, to) {
		return f.named(p, to, false)
	}
	return nil, false
}

// named is the MPI function that has the code at an address, by its name.
func (f *Finder) named(p *thread.Process, pc uint64, isReturn bool) (fn *mpi.Func, layer bool) {
	frames := f.Resolver.Frames(p.Maps, pc, isReturn)
	name := frames[len(frames)-1].Function
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "PMPI_"):
		return f.Table.ByName(name[1:]), false
	case strings.HasPrefix(name, "MPI_") && name != strings.ToUpper(name):
		return f.Table.ByName(name), false
	case strings.HasPrefix(lower, "ompi_") && strings.HasSuffix(lower, "_f"): // what "mpi_send_" is, too
		lower = lower[len("ompi_") : len(lower)-len("_f")]
	case strings.HasPrefix(lower, "mpi_"), strings.HasPrefix(lower, "pmpi_"):
		// "mpi_send" of "mpi_send_", which the resolver writes as a program does
		lower, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(lower, "p"), "mpi_"), "_f08")
		lower = strings.TrimRight(lower, "_")
	default:
		return nil, false
	}
	if lower == "" {
		return nil, false
	}
	return f.Table.ByName("MPI_" + strings.ToUpper(lower[:1]) + lower[1:]), true
}

// ofLibrary says whether code is the MPI library's.
func ofLibrary(p *thread.Process, pc uint64) bool {
	module, _ := p.Maps.Locate(pc)
	name := filepath.Base(module)
	return strings.HasPrefix(name, "libmpi") || strings.HasPrefix(name, "libpmpi")
}

package gen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

// Function is one of mpi.h that gets a wrapper, with its row of the table. One that the table does not have has a row
// with nothing but its name and the next number from mpi.FirstUnknown on.
type Function struct {
	Proto *Proto
	Row   *mpi.Func
}

// Functions are those among the prototypes that return an error code and are not left alone.
func Functions(t *mpi.T, protos []Proto) (all []Function, err error) {
	next := uint16(mpi.FirstUnknown)
	for i := range protos {
		p := &protos[i]
		if !wrapped(p) {
			continue
		}
		f := rowOf(t, protos, p)
		if f == nil {
			f = &mpi.Func{ID: next, Name: p.Name}
			next++
		} else if len(f.Params) != len(p.Params) {
			return nil, fmt.Errorf("%s has %d parameters in mpi.h, %d in MPI-5.0", p.Name, len(p.Params),
				len(f.Params))
		}
		all = append(all, Function{p, f})
	}
	return all, nil
}

// Names is the table of the profiling names of functions in C, by their numbers.
func Names(all []Function) string {
	var b strings.Builder
	b.WriteString("\nconst char *const uk_names[] = {\n")
	for _, fn := range slices.SortedFunc(slices.Values(all), func(x, y Function) int {
		return int(x.Row.ID) - int(y.Row.ID)
	}) {
		fmt.Fprintf(&b, "    [%d] = \"P%s\",\n", fn.Row.ID, fn.Proto.Name)
	}
	b.WriteString("};\nconst unsigned uk_nnames = sizeof uk_names / sizeof *uk_names;\n")
	return b.String()
}

// rowOf is the row of a function, nil if there is none. A library may have a function of the standard under
// another name while its mpi.h does not declare it yet, as Open MPI 4.1 has the persistent collectives of MPI-4.0
// (MPIX_Bcast_init).
func rowOf(t *mpi.T, protos []Proto, p *Proto) *mpi.Func {
	name, extension := strings.CutPrefix(p.Name, "MPIX_")
	if f := t.ByName(p.Name); f != nil || !extension {
		return f
	}
	f := t.ByName("MPI_" + name)
	if f == nil || len(f.Params) != len(p.Params) ||
		slices.ContainsFunc(protos, func(o Proto) bool { return o.Name == f.Name }) {
		return nil
	}
	return f
}

// wrapped says that a function gets a wrapper at all.
func wrapped(p *Proto) bool {
	return p.Return == "int" && !p.Variadic && !mpi.Untouched(p.Name)
}

func special(f *mpi.Func) bool {
	return f.Class == mpi.Init && f.ID < mpi.FirstUnknown || f.Class == mpi.Finalize || f.Class == mpi.Abort
}

// ownName comes before the name that a wrapper has in C if its parameters are not those of mpi.h.
const ownName = "uk_"

// Frame is what the text of a wrapper has around what it does. A handle is taken as a word, and passed on like that
// where nothing is recorded: in a process of another MPI library it may be a pointer although mpi.h says int.
type Frame struct {
	Opening string   // all before the brace
	Args    []string // names of the arguments, with the types of mpi.h
	Given   []string // the same as they were passed
	Narrow  []string // declarations of those of the former that are not among the latter
	// Real and Pass are the real function, for Args and for Given.
	Real, Pass string
}

// Frame is that of the function's wrapper, which calls its parameters a0, a1, ….
func (fn Function) Frame() Frame {
	var x Frame
	var b bytes.Buffer
	var params []string
	p := fn.Proto
	for i, a := range p.Params {
		x.Args = append(x.Args, arg(i))
		if a.Handle() {
			word := fmt.Sprintf("w%d", i)
			params, x.Given = append(params, "uintptr_t "+word), append(x.Given, word)
			x.Narrow = append(x.Narrow, fmt.Sprintf("const %s = (%s)%s;", a.Declare(arg(i)), a.Base(), word))
			continue
		}
		params, x.Given = append(params, a.Declare(arg(i))), append(x.Given, arg(i))
	}
	if params == nil {
		params = []string{"void"}
	}
	x.Real = fmt.Sprintf("((%s *)uk_real(%d))", p.kind(&b), fn.Row.ID)
	name := p.Name
	x.Pass = x.Real
	if x.Narrow != nil || p.Undeclared {
		name = ownName + p.Name
		x.Pass = fmt.Sprintf("((__typeof__(%s) *)uk_real(%d))", name, fn.Row.ID)
		fmt.Fprintf(&b, "\nUK_API int %s(%s) __asm__(\"%s\");", name, strings.Join(params, ", "), p.Name)
	}
	fmt.Fprintf(&b, "\nint %s(%s)\n", name, strings.Join(params, ", "))
	x.Opening = b.String()
	return x
}

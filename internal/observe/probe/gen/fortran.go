package gen

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

//go:embed fortran.c.txt
var fortranPreamble string

// Fortran writes C files, by name, with wrappers under Fortran names, for an MPI library whose Fortran layer does not
// pass the C names (Open MPI). Records are the same as those of C.
func Fortran(t *mpi.T, protos []Proto, layer FortranLayer) map[string][]byte {
	var parts [hot]bytes.Buffer // the hot ones are among the warm ones
	for i := range parts {
		parts[i].WriteString(preambles[i] + fortranPreamble + conversions(protos))
	}
	for i := range protos {
		p := &protos[i]
		f := rowOf(t, protos, p)
		if f == nil || !wrapped(p) {
			continue
		}
		b := &parts[min(heatOf(f), warm)]
		lower := strings.ToLower(p.Name)
		fortranWrapper(b, t, f, p, layer)
		names := []string{lower}
		if givesAddress(p) {
			names = append(names, lower+"_cptr")
		}
		for _, name := range names {
			for _, alias := range []string{name, name + "__", strings.ToUpper(name)} {
				fmt.Fprintf(b, "UK_API __typeof__(%s_) %s __attribute__((alias(\"%s_\")));\n", name, alias, name)
			}
		}
	}
	return map[string][]byte{"fortran_warm.c": parts[warm].Bytes(), "fortran_cold.c": parts[cold].Bytes()}
}

// givesAddress says that a function gives back a base address: the mpi module names it mpi_x_cptr for a type(c_ptr).
func givesAddress(p *Proto) bool {
	return slices.ContainsFunc(p.Params, func(a Arg) bool { return a.Name == "baseptr" })
}

// fortranWrapper writes the wrappers of mpif.h and the mpi module, and of mpi_f08, which differ in the real function
// only: the one whose name has a p before it.
func fortranWrapper(b *bytes.Buffer, t *mpi.T, f *mpi.Func, p *Proto, layer FortranLayer) {
	args := p.Params
	if f.Class == mpi.Init {
		args = slices.DeleteFunc(slices.Clone(args), func(a Arg) bool { return a.Name == "argc" || a.Name == "argv" })
	}
	params, pass, types := fortranParams(args)
	lower := strings.ToLower(p.Name)
	declared, passed := strings.Join(params, ", "), strings.Join(pass, ", ")
	fmt.Fprintf(b, "\ntypedef void real_%s(%s);\n", lower, strings.Join(types, ", "))
	c := describe(f)
	c.force(t, func(i int) string { return fmt.Sprintf("uk_f_address(f%d)", i) })
	c.alwaysTold()
	twin := ""
	if c.twin != nil {
		twin = ", const char *twin"
	}
	fmt.Fprintf(b, "static __attribute__((noinline)) void uk_of_%s(%s, real_%s *real, void *ra%s)\n{\n", lower,
		declared, lower, twin)
	fortranBody(b, c, p, len(args), pass, layer)
	symbols := []string{lower + "_", lower + "_f08_"}
	if givesAddress(p) {
		symbols = append(symbols, lower+"_cptr_")
	}
	for _, symbol := range symbols {
		fmt.Fprintf(b, "UK_API real_%s %s;\nvoid %s(%s)\n{\n", lower, symbol, symbol, declared)
		if c.twin != nil {
			twin = fmt.Sprintf(", \"p%s%s\"", strings.ToLower(c.twin.Name), strings.TrimPrefix(symbol, lower))
		}
		fmt.Fprintf(b, "    uk_of_%s(%s, UK_FOUND(uk_real_fortran, \"p%s\"), __builtin_return_address(0)%s);\n}\n",
			lower, passed, symbol, twin)
	}
}

// fortranBody writes what happens around the real function, whose arguments are in pass: nargs addresses, that of the
// error code, and lengths.
func fortranBody(b *bytes.Buffer, c *call, p *Proto, nargs int, pass []string, layer FortranLayer) {
	f := c.f
	if special(f) {
		fortranSpecial(b, f, pass, nargs)
		return
	}
	real, instead := "real", fmt.Sprintf("        real(%s);\n        return;\n", strings.Join(pass, ", "))
	if f.Name == sessionInit && layer != CallsBoth {
		b.WriteString(beginFortranSession(pass, nargs))
		real, instead = "e = UK_MADE", "        if (fe)\n            *fe = made;\n        return;\n"
	}
	fmt.Fprintf(b, "    struct uk_thread *t UK_WATCHED = uk_enter_cold(%d, UK_FRAME);\n", f.ID)
	outside := outside(f, "ra")
	fmt.Fprintf(b, "    if (!t) {\n%s%s%s    }\n", outside, unseen(f), instead)
	if layer == CallsBoth {
		b.WriteString("    uk_call.through = true;\n")
	}
	b.WriteString("    const uint64_t site = uk_site_cold(t, ra);\n    MPI_Fint e = MPI_SUCCESS;\n")
	pass = slices.Clone(pass)
	x := &foreign{c: c, p: p}
	// The lengths of arrays come from other parameters.
	for _, arrays := range []bool{false, true} {
		for i := range f.Params {
			if f.Params[i].Kind.Varying() == arrays {
				x.param(i)
			}
		}
	}
	pass[nargs] = "&e"
	for i := range f.Params {
		switch f.Params[i].Kind {
		case mpi.KOutStatus, mpi.KOutStatuses:
			pass[i] = fmt.Sprintf("(UK_THERE(%s) ? (void *)%s : f%d)", c.args[i], c.args[i], i)
		}
	}
	if c.source >= 0 {
		pass[c.source], pass[c.tag] = "&fsource", "&ftag"
		c.inner = append(c.inner, "MPI_Fint fsource = source, ftag = tag;")
	}
	if c.starts != "" {
		x.rehandle()
	}
	switch {
	case c.exchange != "":
		real = fmt.Sprintf("if (UK_UNLIKELY(mode != UK_AS_CALLED))\n        e = %s;\n    else\n        real",
			c.exchange)
	case c.kind != "":
		real = x.choose() + "real"
	case c.canSync:
		real = x.copying() +
			fmt.Sprintf("    else\n        (UK_UNLIKELY(mode == UK_SYNCHRONOUS) ? (real_%s "+
				"*)uk_real_fortran(twin) : real)", strings.ToLower(p.Name))
	}
	var s strings.Builder
	statements(&s, "    ", x.before)
	statements(&s, "    ", c.before)
	begin(&s, c)
	statements(&s, "    ", x.freed)
	statements(&s, "    ", c.inner)
	fmt.Fprintf(&s, "    %s(%s);\n    const int rc = e;\n", real, strings.Join(pass, ", "))
	statements(&s, "    ", x.later)
	statements(&s, "    ", c.done)
	s.WriteString(finish(c))
	statements(&s, "    ", x.end)
	s.WriteString("    uk_leave(t);\n    t = NULL;\n    if (fe)\n        *fe = e;\n}\n")
	b.WriteString(s.String())
}

// fortranParams gives the parameters of a Fortran entry point, what passes them on, and their types: an address for
// each argument, one for the error code, then the lengths of strings.
func fortranParams(args []Arg) (params, pass, types []string) {
	for i := range args {
		params, pass, types = append(params, fmt.Sprintf("void *f%d", i)), append(pass, fmt.Sprintf("f%d", i)),
			append(types, "void *")
	}
	params, pass, types = append(params, "MPI_Fint *fe"), append(pass, "fe"), append(types, "MPI_Fint *")
	for i, a := range args {
		if a.Base() == "char" {
			params, pass, types = append(params, fmt.Sprintf("size_t l%d", i)), append(pass, fmt.Sprintf("l%d", i)),
				append(types, "size_t")
		}
	}
	return params, pass, types
}

// fortranSpecial writes the bodies of the functions that begin and end a watched process.
func fortranSpecial(b *bytes.Buffer, f *mpi.Func, pass []string, nargs int) {
	ownCode := slices.Clone(pass)
	ownCode[nargs] = "&e"
	switch f.Class {
	case mpi.Init:
		required := "MPI_THREAD_SINGLE"
		if len(f.Params) > 2 {
			required = "(f0 ? *(MPI_Fint *)f0 : MPI_THREAD_SINGLE)"
		}
		fmt.Fprintf(b, "    uk_init_begin(%d, ra);\n    MPI_Fint e = MPI_SUCCESS;\n", f.ID)
		fmt.Fprintf(b, "    real(%s);\n", strings.Join(ownCode, ", "))
		fmt.Fprintf(b, "    if (e == MPI_SUCCESS)\n        uk_init_end(%s, uk_f_level());\n    else\n        "+
			"uk_init_failed();\n", required)
		b.WriteString("    if (fe)\n        *fe = e;\n}\n")
	case mpi.Finalize:
		fmt.Fprintf(b, "    uk_outside(%d, ra);\n", f.ID)
		b.WriteString("    uk_finalize_begin(uk_site_of(&uk_self, ra, UK_FRAME));\n")
		fmt.Fprintf(b, "    real(%s);\n    uk_finalize_end();\n}\n", strings.Join(pass, ", "))
	case mpi.Abort:
		fmt.Fprintf(b, "    uk_outside(%d, ra);\n", f.ID)
		b.WriteString("    uk_abort_note(f1 ? *(MPI_Fint *)f1 : 0, uk_site_of(&uk_self, ra, UK_FRAME));\n")
		fmt.Fprintf(b, "    real(%s);\n}\n", strings.Join(pass, ", "))
	}
}

// foreign makes the C variables a0, a1, … that a call's description speaks of from Fortran arguments f0, f1, ….
type foreign struct {
	c      *call
	p      *Proto
	before []string // before the Enter record
	freed  []string // after it
	later  []string // after the call
	end    []string // after the Exit record
}

func (x *foreign) param(i int) {
	p, a := &x.c.f.Params[i], arg(i)
	base := x.p.Params[i].Base()
	if removed(x.c.f) && base == "MPI_Aint" {
		base = "int"
	}
	if p.Kind == mpi.KSkip {
		return
	}
	say := func(to *[]string, format string, args ...any) { *to = append(*to, fmt.Sprintf(format, args...)) }
	switch p.Kind {
	case mpi.KInt:
		if base == "int" {
			say(&x.before, "const int %s = f%d ? *(const MPI_Fint *)f%d : 0;", a, i, i)
		} else {
			say(&x.before, "const %s %s = f%d ? UK_LARGE(%s, f%d) : 0;", base, a, i, base, i)
		}
	case mpi.KPtr:
		say(&x.before, "const void *const %s = uk_f_address(f%d);", a, i)
	case mpi.KHandle, mpi.KGroup:
		say(&x.before, "const %s %s = %s;", base, a, f2c(base, i))
	case mpi.KReqIn:
		say(&x.before, "%s h%d = %s, *const %s = f%d ? &h%d : NULL;", base, i, f2c(base, i), a, i, i)
	case mpi.KMsgIn, mpi.KHandleIn:
		say(&x.before, "const %s h%d = %s, *const %s = f%d ? &h%d : NULL;", base, i, f2c(base, i), a, i, i)
	case mpi.KReqs, mpi.KHandles:
		say(&x.before, "const size_t u%d = uk_length(%s, f%d);", i, x.c.elements(i), i)
		say(&x.before, "%s v%d[64], *%s = f%d ? uk_f_room(v%d, 64, u%d, sizeof *%s) : NULL;", base, i, a, i, i, i, a)
		say(&x.before, "for (size_t i = 0; %s && i < u%d; i++)", a, i)
		say(&x.before, "    %s[i] = UK_F2C(%s, (const MPI_Fint *)f%d + i);", a, base, i)
		say(&x.freed, "if (%s != v%d)", a, i)
		say(&x.freed, "    free(%s);", a)
	case mpi.KInts, mpi.KIntIn:
		say(&x.before, "const %s *const %s = f%d;", base, a, i)
	case mpi.KRanges:
		say(&x.before, "const int (*const %s)[3] = f%d;", a, i)
	case mpi.KWeights:
		say(&x.before, "const int *const %s = uk_f_weights(f%d);", a, i)
	case mpi.KStr:
		say(&x.before, "char v%d[512], *%s = uk_f_text(v%d, sizeof v%d, f%d, l%d);", i, a, i, i, i, i)
	case mpi.KOutHandle, mpi.KOutComm, mpi.KOutType, mpi.KOutWin:
		say(&x.later, "const %s h%d = %s, *const %s = f%d ? &h%d : NULL;", base, i, f2c(base, i), a, i, i)
	case mpi.KOutPtr:
		say(&x.later, "const void *const %s = f%d;", a, i)
	case mpi.KOutInt:
		if p.Role == mpi.RIndex {
			say(&x.later, "const int i%d = uk_f_index(f%d), *const %s = &i%d;", i, i, a, i)
		} else {
			say(&x.later, "const MPI_Fint *const %s = f%d;", a, i)
		}
	case mpi.KOutInts, mpi.KOutHandles:
		element := fmt.Sprintf("uk_f_index((const MPI_Fint *)f%d + i)", i)
		if p.Kind == mpi.KOutHandles {
			element = fmt.Sprintf("UK_F2C(%s, (const MPI_Fint *)f%d + i)", base, i)
		}
		say(&x.later, "%s v%d[64], *%s = NULL;", base, i, a)
		say(&x.later, "if (UK_OK(rc)) {")
		say(&x.later, "    %s", x.c.given(i, fmt.Sprintf("f%d", i)))
		say(&x.later, "    %s = uk_f_room(v%d, 64, n%d, sizeof *%s);", a, i, i, a)
		say(&x.later, "    for (size_t i = 0; %s && i < n%d; i++)", a, i)
		say(&x.later, "        %s[i] = %s;", a, element)
		say(&x.later, "}")
		say(&x.end, "if (%s != v%d)", a, i)
		say(&x.end, "    free(%s);", a)
	case mpi.KOutStatus, mpi.KOutStatuses:
		say(&x.before, "MPI_Status *const %s = uk_f_status(f%d);", a, i)
	}
}

// rehandle lets requests be made anew before they are started, and gives the program their new handles.
func (x *foreign) rehandle() {
	b := &x.c.before
	i, several := x.c.f.Param(mpi.RRequests)
	n := fmt.Sprintf("n%d", i)
	if !several {
		i, _ = x.c.f.Param(mpi.RRequest)
		n = "1"
	}
	x.c.say(b, "if (%s)", x.c.starts)
	x.c.say(b, "    for (size_t i = 0; i < %s; i++)", n)
	x.c.say(b, "        ((MPI_Fint *)f%d)[i] = ((MPI_Fint(*)(MPI_Request))uk_sym(\"PMPI_Request_c2f\"))(%s[i]);", i,
		arg(i))
}

// choose makes a call whose report a plan has chosen, with C's arguments, and gives the program Fortran's.
func (x *foreign) choose() string {
	in := map[mpi.Role]string{mpi.RRequest: "requests", mpi.RRequests: "requests", mpi.RFlag: "flag",
		mpi.RIndex:    "index",
		mpi.ROutcount: "outcount", mpi.RIndices: "indices", mpi.RMessage: "message"}
	var out []string
	choice := x.c.choice(func(role mpi.Role, i int) string {
		if name, given := in[role]; given {
			out = append(out, fmt.Sprintf(".%s = f%d", name, i))
			return "NULL"
		}
		return x.c.args[i]
	})
	const made = "UK_UNLIKELY(chosen.forced) && uk_f_choose((struct uk_choice)%s, (struct uk_f_given){%s}, &chosen, &e)"
	return fmt.Sprintf("if (!(%s))\n        ", fmt.Sprintf(made, choice, strings.Join(out, ", ")))
}

// copying makes a send that is buffered, and gives the program Fortran's handle of its request.
func (x *foreign) copying() string {
	i, has := x.c.f.Param(mpi.RRequest)
	if !has {
		return fmt.Sprintf("if (UK_UNLIKELY(mode == UK_BUFFERED))\n        e = %s;\n", x.c.copying(""))
	}
	return fmt.Sprintf(`if (UK_UNLIKELY(mode == UK_BUFFERED)) {
        MPI_Request made;
        e = %s;
        if (e == MPI_SUCCESS)
            *(MPI_Fint *)f%d = ((MPI_Fint(*)(MPI_Request))uk_sym("PMPI_Request_c2f"))(made);
    }
`, x.c.copying("&made"), i)
}

// f2c is the C handle of Fortran argument i.
func f2c(base string, i int) string {
	return fmt.Sprintf("UK_F2C(%s, (const MPI_Fint *)f%d)", base, i)
}

// conversions are C functions that give the C handle of a Fortran one, for each type of handle in the prototypes.
func conversions(protos []Proto) string {
	names := map[string]string{}
	for i := range protos {
		if base, ok := strings.CutSuffix(strings.TrimPrefix(protos[i].Name, "P"), "_f2c"); ok &&
			len(protos[i].Params) == 1 {
			names[protos[i].Return] = base
		}
	}
	var b strings.Builder
	for _, handle := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&b, "\nUK_USED static __attribute__((noinline)) %s uk_f2c_%s(MPI_Fint f)\n{\n", handle, handle)
		fmt.Fprintf(&b, "    return ((%s(*)(MPI_Fint))UK_FOUND(uk_sym, \"P%s_f2c\"))(f);\n}\n", handle, names[handle])
	}
	return b.String()
}

// removed says that a function was removed in MPI-3.0: its addresses are plain integers in Fortran.
func removed(f *mpi.Func) bool {
	switch f.Name {
	case "MPI_Type_hvector", "MPI_Type_hindexed", "MPI_Type_struct":
		return true
	}
	return false
}

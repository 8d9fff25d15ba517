//go:build !quick

package symbol

import (
	"debug/dwarf"
	"fmt"
	"strings"
	"testing"
)

// inside is an address in a function of a module.
func inside(t *testing.T, d *debugInfo, function string) uint64 {
	t.Helper()
	for _, u := range d.units {
		w := u.walk(d, u.root.Offset)
		for e := w.next(); e != nil; e = w.next() {
			low, ok := e.Val(dwarf.AttrLowpc).(uint64)
			if e.Tag == dwarf.TagSubprogram && ok && strings.HasSuffix(d.name(e), function) {
				return low + 4
			}
		}
	}
	t.Fatalf("no function %s", function)
	return 0
}

func (v Declared) line() string {
	count := ""
	switch {
	case v.Count < 0:
		count = " × ?"
	case v.Count != 1:
		count = fmt.Sprintf(" × %d", v.Count)
	}
	parts := ""
	if len(v.Elements) > 1 {
		for _, e := range v.Elements {
			parts += fmt.Sprintf(" %d%s:%s", e.At, e.Name, e.Type)
			if e.Alias != "" {
				parts += "=" + e.Alias
			}
		}
	} else if v.Elements[0].Alias != "" {
		parts = ", a " + v.Elements[0].Alias
	}
	return fmt.Sprintf("%s%s, %d bytes, %s%s", v.Type, count, v.Size, [...]string{"by pointer", "by caller", "on stack",
		"static", "in common"}[v.Lies], parts)
}

// What an expression points to is known by the declarations, or nothing is said.
func TestWhatExpressionsPointTo(t *testing.T) {
	w := newWorkshop(t)
	w.run("g++ -g declared.cc -o cxx")
	w.run("gfortran -g declared.f90 -o fortran")
	for _, x := range []struct{ program, function, expression, want string }{
		{"cxx", "locals", "&n", "int, 4 bytes, on stack"},
		{"cxx", "locals", "n", ""},
		{"cxx", "locals", "grid", "int × 12, 4 bytes, on stack"},
		{"cxx", "locals", "&grid[1][0]", "int × ?, 4 bytes, on stack"},
		{"cxx", "locals", "grid[1]", "int × ?, 4 bytes, on stack"},
		{"cxx", "locals", "&sum", "double, 8 bytes, on stack"},
		{"cxx", "locals", "heap", "double × ?, 8 bytes, by pointer"},
		{"cxx", "locals", "heap + n", "double × ?, 8 bytes, by pointer"},
		{"cxx", "locals", "&heap", "double *, 8 bytes, on stack"},
		{"cxx", "locals", "rows[0]", "double × ?, 8 bytes, by pointer"},
		{"cxx", "locals", "rows", "double * × ?, 8 bytes, by pointer"},
		{"cxx", "locals", "text", "char × 8, 1 bytes, on stack"},
		{"cxx", "locals", "&flag", "bool, 1 bytes, on stack"},
		{"cxx", "locals", "&c", "enum colour, 4 bytes, on stack"},
		{"cxx", "locals", "&z", "complex<double>, 16 bytes, on stack 0._M_value:double complex " +
			"8._M_value:double complex"},
		{"cxx", "locals", "fixed.data()", "short × ?, 2 bytes, by pointer"},
		{"cxx", "locals", "list.data()",
			"particle × ?, 40 bytes, by pointer 0.id:int 8.at.x:double 16.at.y:double 24.at.z:double 32.steps:long"},
		{"cxx", "locals", "own.get()", "long × ?, 8 bytes, by pointer"},
		{"cxx", "locals", "held->data()", "float × ?, 4 bytes, by pointer"},
		{"cxx", "locals", "&p.at.y", "double, 8 bytes, on stack"},
		{"cxx", "locals", "&pp->steps", "long, 8 bytes, by pointer"},
		{"cxx", "locals", "&(pp->id)", "int, 4 bytes, by pointer"},
		{"cxx", "locals", "&shadow", "long, 8 bytes, on stack"},
		{"cxx", "locals", "kept", "long × 5, 8 bytes, static"},
		{"cxx", "locals", "by_pointer", "float × ?, 4 bytes, by pointer"},
		{"cxx", "locals", "&reference", "size_t, 8 bytes, by pointer"},
		{"cxx", "locals", "v.data()", "int × ?, 4 bytes, by pointer"},
		{"cxx", "locals", "&v[0]", "int × ?, 4 bytes, by pointer"},
		{"cxx", "locals", "nodes", "int × 3, 4 bytes, on stack, a node"},
		{"cxx", "locals", "owners.data()", "int × ?, 4 bytes, by pointer"},
		{"cxx", "locals", "&edge", "link, 16 bytes, on stack 0.from:int=node 4.from:int=node 8.weight:size_t"},
		{"cxx", "locals", "&global", ""},
		{"cxx", "locals", "any", ""},
		{"cxx", "locals", "(int *)heap", ""},
		{"cxx", "locals", "reinterpret_cast<int *>(heap)", ""},
		{"cxx", "locals", "&twice", ""},
		{"cxx", "locals", "unknown", ""},
		{"cxx", "locals", "f(heap)", ""},
		{"cxx", "field<double>::send", "cells.data()", "double × ?, 8 bytes, by pointer"},
		{"cxx", "field<double>::send", "this->begin", "double × ?, 8 bytes, by pointer"},
		{"fortran", "work", "a", "real(8) × ?, 8 bytes, by caller"},
		{"fortran", "work", "Assumed(1, :)", "real(8) × ?, 8 bytes, by caller"},
		{"fortran", "work", "scalar", "real(8), 8 bytes, by caller"},
		{"fortran", "work", "psi", "real(8) × 50, 8 bytes, static"},
		{"fortran", "work", "field(:, 1)", "real(4) × ?, 4 bytes, by pointer"},
		{"fortran", "work", "z", "complex(8), 16 bytes, on stack 0:complex(8) 8:complex(8)"},
		{"fortran", "work", "ok", "logical(4), 4 bytes, on stack"},
		{"fortran", "work", "c%x", "real(8) × 3, 8 bytes, on stack"},
		{"fortran", "work", "c%list", "integer(8) × ?, 8 bytes, by pointer"},
		{"fortran", "work", "cells(2)%id", "integer(4) × ?, 4 bytes, on stack"},
		{"fortran", "work", "cells%id", ""},
		{"fortran", "work", "p", "real(4) × ?, 4 bytes, by pointer"},
		{"fortran", "work", "c_loc(a)", ""},
		{"fortran", "work", "real(a)", ""},
		{"fortran", "inside", "a", "real(8) × ?, 8 bytes, by caller"},
		{"fortran", "shared", "iw", ""},
		{"fortran", "shared", "both", "real(8), 8 bytes, in common"},
		{"fortran", "shared", "n", "integer(4), 4 bytes, on stack"},
		{"fortran", "shared", "psi(3)", "real(8) × ?, 8 bytes, static"},
		{"fortran", "shared", "renamed", "real(4) × ?, 4 bytes, by pointer"},
		{"fortran", "declared", "total", "integer(8), 8 bytes, on stack"},
	} {
		f := openELF(w.path(x.program))
		d := openDebug(f.File)
		got := ""
		if v, ok := d.declared(inside(t, d, x.function), x.expression); ok {
			got = v.line()
		}
		f.Close()
		if got != x.want {
			t.Errorf("%s: %s: %q, want %q", x.function, x.expression, got, x.want)
		}
	}
}

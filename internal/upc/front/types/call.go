package types

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
)

// call is a call of a function (C11 6.5.2.2).
func (c *checker) call(x *syntax.CallExpr, e *ExprInfo) {
	name, _ := unparen(x.Fun).(*syntax.NameExpr)
	if name != nil && c.lookup(name.Name) == nil {
		if c.specialBuiltin(name, x, e) {
			return
		}
		if !isBuiltinName(name.Name) {
			c.implicit(name)
		}
	}
	t := c.rvalue(x.Fun)
	var f *Func
	if p, ok := t.T.(*Pointer); ok {
		f, _ = p.Elem.T.(*Func)
	}
	if f == nil {
		for _, a := range x.Args {
			c.rvalue(a)
		}
		if !t.bad() {
			what := "called object"
			if name != nil {
				what += " '" + name.Name + "'"
			}
			c.errorf(x.First(), "", "%s is not a function or function pointer", what)
		}
		return
	}
	var decl *Object
	fun := ""
	if name != nil {
		fun = name.Name
		if o := c.info.Uses[name]; o != nil && o.Kind == ObjFunc {
			decl = o
		}
	}
	c.arguments(x, f, fun, decl)
	e.Type = f.Result.Unqualified()
	if !IsComplete(f.Result) && !f.Result.IsVoid() && !f.Result.bad() {
		c.errorf(x.First(), "", "invalid use of incomplete type %s", quote(f.Result))
		e.Type = BasicType(Invalid)
	}
	if decl != nil {
		c.collective(x.First(), decl)
		if isBuiltinName(fun) {
			e.Value = c.builtinValue(fun, x, e.Type)
		}
	}
}

// implicit declares a function that is called without a declaration, as C90 has it; the C compiler tells that. One that
// gcc knows has the type that gcc gives it. A function of UPC's libraries is reported here, since it cannot work.
func (c *checker) implicit(name *syntax.NameExpr) {
	o := &Object{Kind: ObjFunc, Name: name.Name, Type: Type{T: &Func{Result: BasicType(Int)}}, Storage: External}
	if strings.HasPrefix(name.Name, "upc_") || strings.HasPrefix(name.Name, "bupc_") {
		c.errorNote(name.First(), "", fmt.Sprintf("'%s' is not declared", name.Name), syntax.NoPos,
			c.unknownHint(name.Name))
		o.Type = BasicType(Invalid)
	}
	if header := LibraryHeader(name.Name); header != "" {
		if GCCKnows(name.Name) {
			o.Type = Type{T: signature(name.Name)}
		}
		c.undeclared = append(c.undeclared, withNote(syntax.Diagnostic{Severity: syntax.Warning, Pos: name.First(),
			Message: fmt.Sprintf("implicit declaration of function '%s'", name.Name)}, syntax.NoPos,
			fmt.Sprintf("is #include <%s> missing?", header)))
	}
	global := c.scope
	for global.outer != nil {
		global = global.outer
	}
	if old := c.linkage[name.Name]; old != nil {
		o = old // declared in another block
	} else {
		c.linkage[name.Name] = o
	}
	global.declare(o)
}

// missingHeader is the note on a name that looks like one of UPC's libraries, or "".
func missingHeader(name string) string {
	upper := strings.ToUpper(name)
	if strings.HasPrefix(upper, "BUPC_") {
		return "is #include <bupc_extensions.h> missing?"
	}
	if !strings.HasPrefix(upper, "UPC_") {
		return ""
	}
	header := "upc.h"
	for _, h := range [...]struct{ prefix, header string }{
		{"UPC_ALL_ATOMIC", "upc_atomic.h"}, {"UPC_ATOMIC", "upc_atomic.h"},
		{"UPC_ALL_ALLOC", "upc.h"}, {"UPC_ALL_LOCK", "upc.h"}, {"UPC_ALL_FREE", "upc.h"},
		{"UPC_ALL_F", "upc_io.h"}, {"UPC_ALL_", "upc_collective.h"},
		{"UPC_TICK", "upc_tick.h"}, {"UPC_CAST", "upc_castable.h"}, {"UPC_THREAD_INFO", "upc_castable.h"},
		{"UPC_MEM", ""}, {"UPC_SYNC", "upc_nb.h"}, {"UPC_HANDLE", "upc_nb.h"},
	} {
		if strings.HasPrefix(upper, h.prefix) {
			header = h.header
			break
		}
	}
	if header == "" {
		header = "upc.h"
		if strings.Contains(upper, "_NB") {
			header = "upc_nb.h"
		}
	}
	return fmt.Sprintf("is #include <%s> missing?", header)
}

// unknownHint is a note on a name without a declaration: the word of UPC that was probably meant, or the header that
// declares it.
func (c *checker) unknownHint(name string) string {
	var others []string
	if strings.HasPrefix(strings.ToUpper(name), "UPC_") {
		for other := range c.linkage {
			if strings.HasPrefix(other, "upc_") {
				others = append(others, other)
			}
		}
	}
	if meant := syntax.MeantOfUPC(name, others); meant != "" {
		return meant
	}
	return missingHeader(name)
}

// arguments checks the arguments of a call and notes how they are converted.
func (c *checker) arguments(x *syntax.CallExpr, f *Func, fun string, decl *Object) {
	for i, a := range x.Args {
		if f.Prototype && i < len(f.Params) {
			c.assign(a, f.Params[i], context{kind: passing, arg: i + 1, fun: fun, decl: decl})
			continue
		}
		t := c.rvalue(a)
		if t.IsVoid() {
			c.errorf(a.First(), "", "invalid use of void expression")
			continue
		}
		if t.IsArithmetic() {
			if p := promotedArgument(t.basic()); p != t.basic() {
				c.become(a, BasicType(p))
			}
		}
	}
	if !f.Prototype {
		return
	}
	what := "few"
	switch {
	case len(x.Args) > len(f.Params) && !f.Variadic:
		what = "many"
	case len(x.Args) >= len(f.Params):
		return
	}
	message := fmt.Sprintf("too %s arguments to function", what)
	if fun != "" {
		message += " '" + fun + "'"
	}
	message += fmt.Sprintf("; expected %d, have %d", len(f.Params), len(x.Args))
	note, at := "", syntax.NoPos
	if decl != nil && decl.Decl != nil {
		note, at = "declared here", decl.Decl.First()
	}
	c.errorNote(x.First(), "", message, at, note)
}

// collective warns of a collective function that is called where not all threads come (UPC 1.3, 6.6.2p7). One that the
// program itself declares and not a header of the system is the program's own, whatever its name is.
func (c *checker) collective(at syntax.Pos, f *Object) {
	if strings.HasPrefix(f.Name, "upc_all_") && f.Decl != nil && c.system(f.Decl.First()) {
		c.together(at, "'"+f.Name+"'")
	}
}

// tellOnce leaves out what was reported about the collective operations in an else branch, from a diagnostic on, if the
// branch before it has the same ones in the same order: whichever way a thread takes, it reaches them.
func (c *checker) tellOnce(before, between int) {
	depends := func(d syntax.Diagnostic) bool { return d.ID == "COMP-40" }
	var first, second []string
	for i, d := range c.info.Diagnostics[before:] {
		switch {
		case !depends(d):
		case before+i < between:
			first = append(first, d.Message)
		default:
			second = append(second, d.Message)
		}
	}
	if slices.Equal(first, second) {
		rest := slices.DeleteFunc(slices.Clone(c.info.Diagnostics[between:]), depends)
		c.info.Diagnostics = append(c.info.Diagnostics[:between], rest...)
	}
}

// together warns of a collective operation in the body of a upc_forall that divides its iterations, and tells of one in
// code that depends on MYTHREAD.
func (c *checker) together(at syntax.Pos, what string) {
	if c.fn == nil || c.unevaluated > 0 {
		return
	}
	switch {
	case c.fn.foralls > 0:
		c.warnNote(at, "COMP-39", what+" is collective, but only the threads that execute an iteration of the "+
			"upc_forall reach it", "move it out of the upc_forall")
	case c.fn.myThread > 0:
		c.report(syntax.Diagnostic{Severity: syntax.Note, Pos: at, ID: "COMP-40",
			Message: what + " is collective, but whether a thread reaches it depends on MYTHREAD: all threads must"})
	}
}

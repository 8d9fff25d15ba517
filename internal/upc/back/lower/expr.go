package lower

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// valueType is the type of an expression as its context takes it.
func (l *lowerer) valueType(e syntax.Expr) types.Type {
	if t, ok := l.info.Converted[e]; ok {
		return t
	}
	return decayed(l.TypeOf(e))
}

// sharedLvalue says that an expression designates a shared object.
func (l *lowerer) sharedLvalue(e syntax.Expr) bool {
	i := l.info.Exprs[e]
	return i != nil && i.Lvalue && i.Type.IsShared()
}

// nameOf is the C name of an object.
func (l *lowerer) nameOf(o *types.Object, name string) string {
	if n, ok := l.rename[o]; ok {
		return n
	}
	return name
}

// open begins the arguments of a macro, and end ends them: a line cannot begin within.
func (l *lowerer) open(s string) {
	l.Text(s)
	l.Hold()
}

func (l *lowerer) end(s string) {
	l.Release()
	l.Text(s)
}

// goToNode makes what is printed next stand in the line of a node.
func (l *lowerer) goToNode(n syntax.Node) {
	if p := n.First(); p >= 0 && int(p) < len(l.file.Tokens) {
		l.At(p)
	}
}

// value prints an expression as its context takes it: shared objects are read, arrays become pointers,
// pointers-to-shared are converted.
func (l *lowerer) value(e syntax.Expr) {
	to, ok := l.info.Converted[e]
	if !ok || !to.IsPointerToShared() {
		l.expr(e)
		return
	}
	from := decayed(l.TypeOf(e))
	if !from.IsPointerToShared() {
		l.goToNode(e)
		l.Text("UPCR_NULL")
		return
	}
	l.goToNode(e)
	l.converted(func() { l.expr(e) }, from, to)
}

// expr prints an expression before the conversions of its context, except for the reading of shared objects and the
// decay of shared arrays.
func (l *lowerer) expr(e syntax.Expr) {
	if l.sharedLvalue(e) {
		l.goToNode(e)
		if isArray(l.TypeOf(e)) {
			l.address(e, false)
		} else if own := l.local(e); own != nil {
			if !l.seenPrivately(e, own) {
				own()
			}
		} else {
			l.read(e)
		}
		return
	}
	if l.seenPrivately(e, func() { l.expr(e) }) {
		return
	}
	if !l.upcExpr(e) {
		l.between(e)
	}
}

// upcExpr prints an expression for which C has another form, and says false if it has not.
func (l *lowerer) upcExpr(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ThreadExpr:
		l.goToNode(e)
		l.Text(l.threadExpr(e))
	case *syntax.NameExpr:
		o := l.info.Uses[e]
		if o == nil || l.rename[o] == "" {
			return false
		}
		l.goToNode(e)
		l.Text(l.rename[o])
	case *syntax.ParenExpr:
		l.unused[e.X] = l.unused[e]
		return false
	case *syntax.UnaryExpr:
		return l.unary(e)
	case *syntax.PostfixExpr:
		return l.increment(e, e.X, e.Op, !l.unused[e])
	case *syntax.BinaryExpr:
		return l.binary(e)
	case *syntax.AssignExpr:
		return l.assign(e)
	case *syntax.CallExpr:
		return l.call(e) || l.calling(e) || l.callsPlain(e)
	case *syntax.CastExpr:
		return l.cast(e)
	case *syntax.SizeExpr:
		return l.sizeExpr(e)
	case *syntax.GenericExpr:
		return l.generic(e)
	case *syntax.BuiltinExpr:
		return l.builtin(e)
	case *syntax.StmtExpr:
		if n := len(e.Body.Stmts); n > 0 {
			l.wanted[e.Body.Stmts[n-1]] = true
		}
		return false
	default:
		return false
	}
	return true
}

func (l *lowerer) threadExpr(e *syntax.ThreadExpr) string {
	switch e.Name {
	case "THREADS":
		return "(+upcr_threads)" // the variables are const, and what they stand for are values
	case "MYTHREAD":
		return "(+upcr_thread)"
	}
	return fmt.Sprint(l.c.MaxBlock)
}

// unary prints & of a shared lvalue and the increments that C says otherwise.
func (l *lowerer) unary(e *syntax.UnaryExpr) bool {
	switch e.Op {
	case "&":
		if !l.sharedLvalue(e.X) {
			return false
		}
		l.goToNode(e)
		l.address(e.X, false)
		return true
	case "++", "--":
		return l.increment(e, e.X, e.Op, false)
	}
	return false
}

// binary prints arithmetic and comparisons of pointers-to-shared.
func (l *lowerer) binary(e *syntax.BinaryExpr) bool {
	if e.Op == "," {
		l.unused[e.X] = true
		l.unused[e.Y] = l.unused[e]
		return false
	}
	x, y := l.valueType(e.X), l.valueType(e.Y)
	px, py := x.IsPointerToShared(), y.IsPointerToShared()
	if !px && !py {
		return false
	}
	l.goToNode(e)
	switch e.Op {
	case "+":
		p, i := e.X, e.Y
		if !px {
			p, i, x = e.Y, e.X, y
		}
		l.movedBy(func() { l.value(p) }, func() { l.value(i) }, l.stepOf(pointee(x)), false)
	case "-":
		s := l.stepOf(pointee(x))
		if !py {
			l.movedBy(func() { l.value(e.X) }, func() { l.value(e.Y) }, s, true)
			return true
		}
		l.difference(e, s)
	case "==", "!=":
		l.equality(e)
	case "<", ">", "<=", ">=":
		l.Text("(")
		l.difference(e, l.stepOf(pointee(x)))
		l.Text(e.Op + " 0)")
	default: // && and ||
		return false
	}
	return true
}

// difference prints X - Y of two pointers-to-shared, in elements.
func (l *lowerer) difference(e *syntax.BinaryExpr, s step) {
	l.Text("(upcr_sub(")
	l.value(e.X)
	l.Text(",")
	l.value(e.Y)
	l.Text(s.end())
	if s.count != 1 {
		l.Text(fmt.Sprintf("/ %d", s.count))
	}
	if s.threads {
		l.Text("/ upcr_threads")
	}
	l.Text(")")
}

func (l *lowerer) equality(e *syntax.BinaryExpr) {
	if e.Op == "!=" {
		l.Text("!")
	}
	null := func(x syntax.Expr) bool { return !decayed(l.TypeOf(x)).IsPointerToShared() }
	switch {
	case null(e.Y):
		l.open("UPCR_IS_NULL(")
		l.value(e.X)
	case null(e.X):
		l.open("UPCR_IS_NULL(")
		l.value(e.Y)
	default:
		l.open("UPCR_EQUAL(")
		l.value(e.X)
		l.Text(",")
		l.value(e.Y)
	}
	l.end(")")
}

// call prints calls of the library's questions to a pointer-to-shared as the run-time's inline functions.
func (l *lowerer) call(e *syntax.CallExpr) bool {
	name, ok := syntax.Unparen(e.Fun).(*syntax.NameExpr)
	if !ok || len(e.Args) != 1 {
		return false
	}
	o := l.info.Uses[name]
	if o == nil || o.Kind != types.ObjFunc || o.Defined || o.Storage != types.External {
		return false
	}
	switch name.Name {
	case "upc_threadof", "upc_phaseof", "upc_resetphase":
	default:
		return false
	}
	l.goToNode(e)
	l.Text("upcr_" + name.Name[len("upc_"):] + "(")
	l.value(e.Args[0])
	l.Text(")")
	return true
}

// cast prints casts to and from pointers-to-shared (UPC 1.3, 6.4.3).
func (l *lowerer) cast(e *syntax.CastExpr) bool {
	from, to := l.valueType(e.X), l.info.Types[e.Type]
	switch {
	case to.IsPointerToShared() && from.IsPointerToShared():
		l.goToNode(e)
		l.Text("(")
		l.converted(func() { l.value(e.X) }, from, to)
		l.Text(")")
	case to.IsPointerToShared():
		l.goToNode(e)
		l.Text("UPCR_NULL")
	case from.IsPointerToShared() && isPointer(to):
		l.goToNode(e)
		l.Text("((")
		l.typeName(e.Type)
		l.Text(")")
		l.open("UPCR_CAST_LOCAL(")
		l.value(e.X)
		l.end("))")
	default:
		return false
	}
	return true
}

func isPointer(t types.Type) bool {
	_, ok := t.T.(*types.Pointer)
	return ok
}

// sizeExpr prints the sizes of shared types, which C does not know.
func (l *lowerer) sizeExpr(e *syntax.SizeExpr) bool {
	t := types.Type{}
	if e.Type != nil {
		t = l.info.Types[e.Type]
	} else {
		t = l.TypeOf(e.X)
	}
	v := l.info.Exprs[e].Value
	upc := e.Op != "sizeof" && e.Op != "_Alignof"
	if !upc && !t.IsShared() && (e.X == nil || v.Kind != types.IntegerValue || !l.touches(e.X)) {
		return false
	}
	if v.Kind != types.IntegerValue {
		v = l.c.Sizeof(t)
	}
	l.goToNode(e)
	l.Text(sizeText(v))
	return true
}

// touches says that an expression has a part of a type of UPC's: C's form of it may be one that only functions can
// hold.
func (l *lowerer) touches(x syntax.Expr) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if e, ok := n.(syntax.Expr); ok && involves(l.TypeOf(e)) {
			found = true
		}
		return !found
	})
	return found
}

// sizeText is a constant of type size_t.
func sizeText(v types.Value) string {
	s := fmt.Sprintf("%dUL", v.Int)
	if v.Threads {
		return "(" + s + " * upcr_threads)"
	}
	return s
}

// generic prints the chosen association of a _Generic in which pointers-to-shared play a part, since these are all one
// type in C.
func (l *lowerer) generic(e *syntax.GenericExpr) bool {
	control := decayed(l.TypeOf(e.X))
	concerned := involves(control)
	var chosen, fallback syntax.Expr
	for _, c := range e.Cases {
		if c.Type == nil {
			fallback = c.X
			continue
		}
		t := l.info.Types[c.Type]
		concerned = concerned || involves(t)
		if chosen == nil && types.Compatible(unqualified(control), t) {
			chosen = c.X
		}
	}
	if chosen == nil {
		chosen = fallback
	}
	if !concerned || chosen == nil {
		return false
	}
	l.goToNode(e)
	l.Text("(")
	l.value(chosen)
	l.Text(")")
	return true
}

// unqualified is the type of an lvalue's value.
func unqualified(t types.Type) types.Type {
	t.Qual, t.Block = 0, types.Block{}
	return t
}

// builtin prints the values of builtins that ask about types with pointers-to-shared.
func (l *lowerer) builtin(e *syntax.BuiltinExpr) bool {
	if e.Name != "__builtin_types_compatible_p" {
		return false
	}
	for _, t := range e.Types {
		if involves(l.info.Types[t]) {
			l.goToNode(e)
			l.Text(fmt.Sprint(l.info.Exprs[e].Value.Int))
			return true
		}
	}
	return false
}

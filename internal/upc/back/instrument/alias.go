package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// use is an access in an expression statement.
type use struct {
	lvalue syntax.Expr
	// by is the operator that writes it, or nil.
	by syntax.Expr
	// shared says that it is one to a shared object; else it is through a pointer-to-local.
	shared bool
	// call is the call whose argument it is in, or nil.
	call syntax.Expr
}

// aliases edits an expression statement that writes an object and accesses another one, one as shared and one through a
// pointer-to-local, in no order that the language gives (C11 6.5p2): their addresses are kept, and the text that it
// gives hands both to the checker after the statement.
func (e *editor) aliases(s *syntax.ExprStmt) string {
	if s.X == nil {
		return ""
	}
	uses, ok := e.uses(s.X)
	if !ok {
		return ""
	}
	for _, a := range uses {
		for _, b := range uses {
			if a.shared && !b.shared && (unordered(a, b) || unordered(b, a)) {
				return e.alias(s, a.lvalue, b.lvalue)
			}
		}
	}
	return ""
}

// unordered says that a write is in no order to another access. It comes after its operands have been evaluated, but
// not after what these write, unless a function is called between.
func unordered(write, other use) bool {
	if a, ok := other.by.(*syntax.AssignExpr); write.by == nil || ok && a.Op == "=" && within(write.by, a.Y) {
		return false // the assignment is the write to ask about
	}
	return !within(other.lvalue, write.by) || other.by != nil && other.by != write.by && other.call == write.call
}

func within(n, outer syntax.Node) bool { return n.First() >= outer.First() && n.Last() <= outer.Last() }

// uses are the accesses of an expression without operators that order their operands.
func (e *editor) uses(x syntax.Expr) (all []use, ok bool) {
	ok = true
	writer, part := map[syntax.Expr]syntax.Expr{}, map[syntax.Expr]bool{}
	var walk func(n syntax.Node, call syntax.Expr)
	walk = func(n syntax.Node, call syntax.Expr) {
		switch n := n.(type) {
		case *syntax.SizeExpr, *syntax.TypeName:
			return
		case *syntax.CondExpr, *syntax.StmtExpr, *syntax.GenericExpr, *syntax.BuiltinExpr:
			ok = false
		case *syntax.BinaryExpr:
			ok = ok && n.Op != "&&" && n.Op != "||" && n.Op != ","
		case *syntax.CallExpr:
			call = n
		case *syntax.MemberExpr:
			part[syntax.Unparen(n.X)] = !n.Arrow
		case *syntax.AssignExpr:
			writer[syntax.Unparen(n.X)] = n
		case *syntax.PostfixExpr:
			writer[syntax.Unparen(n.X)] = n
		case *syntax.UnaryExpr:
			if n.Op == "++" || n.Op == "--" {
				writer[syntax.Unparen(n.X)] = n
			}
			if n.Op == "&" {
				ok = false
			}
		}
		if x, is := n.(syntax.Expr); is {
			if shared, is := e.accessible(x); is && !part[x] {
				all = append(all, use{x, writer[x], shared, call})
			}
		}
		syntax.Children(n, func(c syntax.Node) { walk(c, call) })
	}
	walk(x, nil)
	return all, ok
}

// accessible says that an expression is an lvalue whose address can be kept, and whether it is shared; private ones are
// those that a pointer leads to.
func (e *editor) accessible(x syntax.Expr) (shared, ok bool) {
	i, t := e.info.Exprs[x], e.TypeOf(x)
	if _, paren := x.(*syntax.ParenExpr); paren || i == nil || !i.Lvalue || i.Bits != nil || !isObject(t) ||
		!e.nameable(types.PointerTo(t)) {
		return false, false
	}
	p := followed(x)
	return t.IsShared(), t.IsShared() || p != nil && !isArray(e.TypeOf(p))
}

// alias notes that the addresses of two accesses are kept.
func (e *editor) alias(s *syntax.ExprStmt, shared, local syntax.Expr) string {
	for _, x := range []syntax.Expr{shared, local} {
		e.kept[x] = e.variableOf(types.PointerTo(e.TypeOf(x)))
	}
	return fmt.Sprintf(", %s(%s, %s, (const void *)%s)", e.hook("upck_alias"),
		e.site("a statement", s.First(), []syntax.Expr{shared, local}, false),
		e.kept[shared], e.kept[local])
}

// keep edits an lvalue whose address is kept.
func (e *editor) keep(x syntax.Expr) {
	e.put(x.First(), "(*("+e.kept[x]+" = &")
	e.append(x.Last(), "))")
}

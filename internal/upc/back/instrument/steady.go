package instrument

import (
	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// isConstant says that an expression is a number that is known when the program is compiled.
func (e *editor) isConstant(x syntax.Expr) bool { return e.Constant(x).Kind == types.IntegerValue }

// affinity looks at the affinity expression of a loop with variable i.
type affinity struct {
	*editor
	i    *types.Object
	body *loops.Effects
	// alike says that i begins with the same value on all threads.
	alike bool
}

// form is what is known of a part of the expression.
type form struct {
	// ok says that it can be evaluated before the loop for any value of i.
	ok bool
	// varies says that it changes with i.
	varies bool
	// linear says that its values in the first and in the last iteration decide all others: it is linear in i, or made
	// of nothing but i and what is the same on all threads.
	linear bool
}

func (a *affinity) steady(x syntax.Expr) form {
	if a.Variable(x) == a.i {
		return form{ok: true, varies: true, linear: true}
	}
	if a.Invariant(x, a.body) {
		return form{ok: a.divisions(x), linear: true}
	}
	switch x := syntax.Unparen(x).(type) {
	case *syntax.CastExpr:
		from, to := a.TypeOf(x.X), a.TypeOf(x)
		f := a.steady(x.X)
		f.ok = f.ok && (to.IsInteger() || to.IsPointerToShared())
		f.linear = f.linear && !(f.varies && narrows(from, to)) || a.common(x.X)
		return f
	case *syntax.NameExpr:
		o := a.info.Uses[x]
		_, array := a.TypeOf(x).T.(*types.Array)
		return form{ok: array && o != nil && o.Kind == types.ObjVar && o.Type.IsShared(), linear: true}
	case *syntax.UnaryExpr:
		switch x.Op {
		case "+", "-":
			return a.steady(x.X)
		case "&":
			return a.address(x.X)
		}
	case *syntax.BinaryExpr:
		return a.binary(x)
	}
	return form{}
}

// narrows says that a conversion between integers may lose bits, after which a linear expression is none.
func narrows(from, to types.Type) bool {
	if !from.IsInteger() || !to.IsInteger() {
		return false
	}
	c := types.Config{}
	return c.Sizeof(to).Int < c.Sizeof(types.Promote(from, nil)).Int
}

func (a *affinity) binary(x *syntax.BinaryExpr) form {
	f, g := a.steady(x.X), a.steady(x.Y)
	both := form{ok: f.ok && g.ok, varies: f.varies || g.varies}
	switch x.Op {
	case "+", "-":
		both.linear = f.linear && g.linear
	case "*":
		both.linear = f.linear && g.linear && !(f.varies && g.varies) || a.common(x)
	case "/", "%":
		both.ok = both.ok && a.divisor(x.Y)
		both.linear = a.common(x)
	default:
		return form{}
	}
	return both
}

// divisor says that an expression is certainly not 0.
func (a *affinity) divisor(x syntax.Expr) bool {
	if c := a.Constant(x); c.Kind == types.IntegerValue {
		return c.Int != 0
	}
	t, ok := syntax.Unparen(x).(*syntax.ThreadExpr)
	return ok && t.Name == "THREADS"
}

// divisions says that no division in an expression can be one by 0.
func (a *affinity) divisions(x syntax.Expr) bool {
	safe := true
	syntax.Walk(x, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryExpr); ok && (b.Op == "/" || b.Op == "%") {
			safe = safe && a.divisor(b.Y)
		}
		return safe
	})
	return safe
}

// address is steady for the address of an lvalue.
func (a *affinity) address(x syntax.Expr) form {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.NameExpr:
		o := a.info.Uses[x]
		return form{ok: o != nil && o.Kind == types.ObjVar && o.Type.IsShared(), linear: true}
	case *syntax.MemberExpr:
		if !x.Arrow {
			return a.address(x.X)
		}
	case *syntax.IndexExpr:
		var f form
		if _, array := a.TypeOf(x.X).T.(*types.Array); array {
			f = a.address(x.X)
		} else if a.TypeOf(x.X).IsPointerToShared() {
			f = a.steady(x.X)
		}
		g := a.steady(x.I)
		return form{ok: f.ok && g.ok, varies: f.varies || g.varies, linear: f.linear && g.linear}
	}
	return form{}
}

// common says that all threads get the same values for an expression, since it is made of nothing but i, constants and
// THREADS.
func (a *affinity) common(x syntax.Expr) bool { return a.alike && a.editor.common(x, a.i) }

// common says that an expression is made of a variable, constants and THREADS only.
func (e *editor) common(x syntax.Expr, i *types.Object) bool {
	same := true
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NameExpr:
			o := e.info.Uses[n]
			same = same && o != nil && (o == i || o.Kind == types.ObjEnumConst)
		case *syntax.ThreadExpr:
			same = same && n.Name != "MYTHREAD"
		}
		return same
	})
	return same
}

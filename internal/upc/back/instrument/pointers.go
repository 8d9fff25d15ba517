package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// cast edits a cast of a pointer-to-shared to pointer-to-local, or of a generic one to one with blocks: the checker is
// given the pointer on its way.
func (e *editor) cast(c *syntax.CastExpr) {
	from, ok := types.Decay(e.TypeOf(c.X)).T.(*types.Pointer)
	to, isPointer := e.TypeOf(c).T.(*types.Pointer)
	if !ok || !isPointer || !from.Elem.IsShared() {
		return
	}
	site := func() string { return e.site("a cast", c.First(), []syntax.Expr{c.X}, false) }
	switch block := to.Elem.Block.Elements(); {
	case !to.Elem.IsShared():
		e.put(c.X.First(), e.hook("upck_local")+"("+site()+",")
		e.append(c.X.Last(), ")")
	case from.Elem.IsVoid() && !to.Elem.IsVoid() && block > 1:
		e.put(c.X.First(), e.hook("upck_retyped")+"("+site()+",")
		e.append(c.X.Last(), fmt.Sprintf(", %d)", block))
	}
}

// differ edits a difference or an order of pointers-to-shared: both are kept in variables, which the checker is given
// first.
func (e *editor) differ(b *syntax.BinaryExpr) {
	ordered := 0
	switch b.Op {
	case "-":
	case "<", ">", "<=", ">=":
		ordered = 1
	default:
		return
	}
	x, y := types.Decay(e.TypeOf(b.X)), types.Decay(e.TypeOf(b.Y))
	if !x.IsPointerToShared() || !y.IsPointerToShared() || !e.nameable(x.Unqualified()) ||
		!e.nameable(y.Unqualified()) {
		return
	}
	if p, ok := x.T.(*types.Pointer); !ok || isArray(p.Elem) || !types.IsComplete(p.Elem) {
		return
	}
	site := e.site([]string{"a difference", "a comparison"}[ordered], b.First(), []syntax.Expr{b.X, b.Y}, false)
	first, second := e.variableOf(x), e.variableOf(y)
	e.put(b.X.First(), "("+first+" =")
	e.instead[b.OpPos] = ", " + second + " ="
	e.append(b.Y.Last(), fmt.Sprintf(", %s(%s, %s, %s, %d), %[3]s %[6]s %[4]s)", e.hook("upck_differ"), site, first,
		second, ordered, b.Op))
}

func isArray(t types.Type) bool {
	_, ok := t.T.(*types.Array)
	return ok
}

// variableOf is a new variable of the function, for a value.
func (e *editor) variableOf(t types.Type) string {
	v := fmt.Sprintf("upck_r%d", len(e.results)+1)
	e.results = append(e.results, types.Declare(t.Unqualified(), v, nil)+";")
	return v
}

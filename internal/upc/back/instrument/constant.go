package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// writesConst edits a write to an object that was declared const, through a cast, where the source has it.
func (e *editor) writesConst(n, to syntax.Expr) {
	o := e.written(to)
	if o == nil || o.Type.Qual&types.Const == 0 || !o.Type.IsShared() {
		return
	}
	e.put(n.First(), fmt.Sprintf(`(%s(%s, "LANG-26", %d, 0, "lvalue is in %s, which is declared const"),`,
		e.hook("upck_wrong"),
		e.site("an assignment", n.First(), []syntax.Expr{to}, false), layout.Error, o.Name))
	e.append(n.Last(), ")")
}

// written is the variable of which an lvalue is a part that a pointer leads to, or nil.
func (e *editor) written(to syntax.Expr) *types.Object {
	to = syntax.Unparen(to)
	if m, ok := to.(*syntax.MemberExpr); ok && !m.Arrow {
		return e.written(m.X)
	}
	x := followed(to)
	if x == nil {
		return nil
	}
	if o := e.Variable(x); o != nil && e.setOnce[o] != nil {
		return e.base(e.setOnce[o])
	}
	if isArray(e.TypeOf(x)) {
		return e.written(x)
	}
	return e.base(x)
}

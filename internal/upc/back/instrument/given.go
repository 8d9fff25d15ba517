package instrument

import (
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// findGiven notes the variables that have nothing but what upc_all_fcntl gives: their addresses are passed to it only,
// and nothing is assigned to them.
func (e *editor) findGiven(f *syntax.FuncDecl) {
	e.given = map[*types.Object]bool{}
	passed, taken := map[*types.Object]int{}, map[*types.Object]int{}
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) == 3 && e.calls(n, "upc_all_fcntl") {
				passed[e.addressee(n.Args[2])]++
			}
		case *syntax.UnaryExpr:
			if n.Op == "&" {
				taken[e.Variable(n.X)]++
			}
		case *syntax.AssignExpr:
			taken[e.Variable(n.X)]++
		case *syntax.AsmStmt:
			for _, x := range n.Operands {
				taken[e.Variable(x)]++
			}
		}
		return true
	})
	for o, n := range passed {
		if o != nil && taken[o] == n && o.Storage == types.Automatic && o.Type.IsPointer() {
			e.given[o] = true
		}
	}
}

// addressee is the variable whose address an argument is, or nil.
func (e *editor) addressee(x syntax.Expr) *types.Object {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.CastExpr:
		return e.addressee(x.X)
	case *syntax.UnaryExpr:
		if x.Op == "&" {
			return e.Variable(x.X)
		}
	}
	return nil
}

// usesGiven edits a use of such a variable: it is followed, or passed to a function.
func (e *editor) usesGiven(x syntax.Expr) {
	o := e.Variable(x)
	if o == nil || !e.given[o] {
		return
	}
	e.put(x.First(), "("+e.hook("upck_uses_given")+"("+e.site("an access", x.First(), []syntax.Expr{x}, false)+", "+
		e.source(x)+"),")
	e.append(x.Last(), ")")
}

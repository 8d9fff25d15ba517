package instrument

import (
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// Where the value of a pointer-to-local comes from.
const (
	fromCast    = 1 << iota // a cast of a pointer-to-shared
	fromUPCCast             // upc_cast
	fromElsewhere
)

// origins says of each variable where its values come from in this translation unit; those of variables whose addresses
// are taken are from elsewhere.
func (e *editor) origins() map[*types.Object]int {
	from := map[*types.Object]int{}
	for _, d := range e.file.Decls {
		syntax.Walk(d, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.InitDeclarator:
				if x, ok := n.Init.(*syntax.InitExpr); ok && n.Declarator.Name != nil {
					from[e.info.Defs[n.Declarator.Name]] |= e.origin(x.X)
				}
			case *syntax.AssignExpr:
				if o := e.Variable(n.X); o != nil && n.Op == "=" {
					from[o] |= e.origin(n.Y)
				}
			case *syntax.UnaryExpr:
				if n.Op == "&" {
					from[e.Variable(n.X)] |= fromElsewhere
				}
			case *syntax.AsmStmt:
				for _, x := range n.Operands {
					from[e.Variable(x)] |= fromElsewhere
				}
			}
			return true
		})
	}
	return from
}

// origin is where the value of an expression comes from; a null pointer comes from nowhere.
func (e *editor) origin(x syntax.Expr) int {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.CastExpr:
		if types.Decay(e.TypeOf(x.X)).IsPointerToShared() {
			return fromCast
		}
		return e.origin(x.X)
	case *syntax.CallExpr:
		if name, ok := syntax.Unparen(x.Fun).(*syntax.NameExpr); ok && name.Name == "upc_cast" &&
			e.wrapped(e.info.Uses[name]) {
			return fromUPCCast
		}
	case *syntax.AssignExpr:
		return e.origin(x.Y)
	case *syntax.CondExpr:
		if x.X != nil {
			return e.origin(x.X) | e.origin(x.Y)
		}
	case *syntax.NameExpr:
		if o := e.Variable(x); o != nil && o.Kind == types.ObjVar && e.from != nil {
			return e.from[o]
		}
	}
	if v := e.Constant(x); v.Kind == types.IntegerValue && v.Int == 0 {
		return 0
	}
	return fromElsewhere
}

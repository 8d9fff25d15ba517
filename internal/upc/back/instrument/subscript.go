package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// findSubscript notes of an array that an element of it is accessed, and not only where it is.
func (e *editor) findSubscript(n *syntax.IndexExpr) {
	much := e.accesses[n]
	if much != onlyAddress && isArray(e.TypeOf(n.X)) && (much == onlyPart || !isArray(e.TypeOf(n))) {
		e.accessed(n.X, onlyPart)
	}
}

// subscript edits a subscript of a shared array: the checker is given its value and the number of elements. A dimension
// of a declared array is checked, and an inner one of what a pointer points to; not a member, whose array may go on
// beyond its last element.
func (e *editor) subscript(n *syntax.IndexExpr) {
	array, ok := e.TypeOf(n.X).T.(*types.Array)
	if !e.follows() || !ok || !e.TypeOf(n.X).IsShared() || !isIndex(e.TypeOf(n.I)) {
		return
	}
	inner := 0
	switch x := syntax.Unparen(n.X).(type) {
	case *syntax.IndexExpr:
		inner = 1
	case *syntax.NameExpr:
		if e.variable(x) == nil {
			return
		}
	default:
		return
	}
	length := fmt.Sprint(array.Len)
	switch array.Kind {
	case types.LenKnown:
	case types.LenThreads:
		length += "UL * THREADS"
	default:
		return
	}
	if v := e.Constant(n.I); v.Kind == types.IntegerValue && v.Int >= 0 && v.Int < array.Len {
		return
	}
	behind := 0 // the element after the last one, which is not accessed
	if much := e.accesses[n]; much == onlyAddress || much != onlyPart && isArray(e.TypeOf(n)) {
		behind = 1
	}
	e.put(n.I.First(), e.hook("upck_index")+"("+e.site("a subscript", n.First(), []syntax.Expr{n.I}, false)+", (")
	e.append(n.I.Last(), fmt.Sprintf("), %s, %d, %d)", length, behind, inner))
}

// isIndex says that all values of an integer type are those of long, or too large for any index.
func isIndex(t types.Type) bool {
	b, ok := t.T.(*types.Basic)
	return ok && t.IsInteger() && b.Kind != types.Int128 && b.Kind != types.UInt128
}

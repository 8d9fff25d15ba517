package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// dereference edits what follows a pointer-to-local: *q, q[i], q->m. The checker is given the pointer if all accesses
// are checked, or if it was read from shared memory.
func (e *editor) dereference(n syntax.Expr) {
	x := followed(n)
	if x == nil || e.constant || e.accesses[n] == onlyAddress || isArray(e.TypeOf(n)) || isArray(e.TypeOf(x)) {
		return
	}
	t := types.Decay(e.TypeOf(x)).Unqualified()
	p, ok := t.T.(*types.Pointer)
	if !ok || p.Elem.IsShared() || !isObject(p.Elem) || !e.nameable(t) {
		return
	}
	e.followFetched(n, x, t)
	e.usesGiven(x)
	if !e.options.Pointers {
		return
	}
	from, size := e.extent(n, p.Elem)
	if size <= 0 {
		return
	}
	v := e.variableOf(t)
	check := func(before, after string) string {
		return fmt.Sprintf(", %s(%s, (const void *)%s, (const void *)%s, %d, %d), %[4]s)", e.hook("upck_near"),
			e.site("an access", n.First(), []syntax.Expr{x}, false), before, after, from+size, e.origin(x))
	}
	index, ok := n.(*syntax.IndexExpr)
	if !ok {
		e.put(x.First(), "("+v+" =")
		e.append(x.Last(), check(v, v))
		return
	}
	after := e.variableOf(t)
	e.put(index.X.First(), "("+v+" =")
	e.append(index.X.Last(), ")")
	e.put(n.First(), "(*("+after+" = &")
	e.append(n.Last(), check(v, after)+")")
}

// followed is the pointer that an expression follows, or nil.
func followed(n syntax.Expr) syntax.Expr {
	switch n := n.(type) {
	case *syntax.UnaryExpr:
		if n.Op == "*" {
			return n.X
		}
	case *syntax.IndexExpr:
		return n.X
	case *syntax.MemberExpr:
		if n.Arrow {
			return n.X
		}
	}
	return nil
}

// isObject says that a type is one of objects of known size.
func isObject(t types.Type) bool {
	_, function := t.T.(*types.Func)
	return !function && !isArray(t) && !t.IsVoid() && types.IsComplete(t)
}

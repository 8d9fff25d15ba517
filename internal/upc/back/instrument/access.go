package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// How much of an lvalue is accessed where that is not all of it.
const (
	onlyAddress = iota + 1 // its address is taken
	onlyPart               // it has the member that is accessed
)

// findAccess notes of operands of & and of members how much of them is accessed.
func (e *editor) findAccess(n syntax.Expr) {
	switch n := n.(type) {
	case *syntax.UnaryExpr:
		if n.Op == "&" {
			e.accessed(n.X, onlyAddress)
		}
	case *syntax.MemberExpr:
		if !n.Arrow && e.accesses[n] != onlyAddress {
			e.accessed(n.X, onlyPart)
		}
	}
}

// accessed notes that of an lvalue, and of those that it is part of.
func (e *editor) accessed(x syntax.Expr, much int) {
	for x != nil {
		e.accesses[x] = much
		switch n := x.(type) {
		case *syntax.ParenExpr:
			x = n.X
		case *syntax.MemberExpr:
			if n.Arrow {
				return
			}
			x = n.X
		case *syntax.IndexExpr:
			if !isArray(e.TypeOf(n.X)) {
				return
			}
			x = n.X
		default:
			return
		}
	}
}

// access edits an access through a pointer-to-shared: the pointer is kept in a variable, which the checker is given first. Elements of arrays are left,
// whether these are declared or pointed to.
func (e *editor) access(n syntax.Expr) {
	if !e.options.Pointers || e.accesses[n] == onlyAddress || isArray(e.TypeOf(n)) {
		return
	}
	switch n := n.(type) {
	case *syntax.UnaryExpr:
		if n.Op == "*" {
			e.looked(n, n.X, "", "")
		}
	case *syntax.IndexExpr:
		if e.TypeOf(n.X).IsPointerToShared() {
			e.looked(n, n, "*", "&")
		}
	case *syntax.MemberExpr:
		if n.Arrow {
			e.looked(n, n.X, "", "")
		}
	}
}

// looked edits x, which is the pointer of access n, or, after the operator &, gives it; follow makes the access of that again.
func (e *editor) looked(n, x syntax.Expr, follow, operator string) {
	t := types.Decay(e.TypeOf(x))
	if operator != "" {
		t = types.PointerTo(e.TypeOf(x))
	}
	p, ok := t.T.(*types.Pointer)
	if !ok || !p.Elem.IsShared() || isArray(p.Elem) || !types.IsComplete(p.Elem) || p.Elem.IsVoid() || !e.nameable(t.Unqualified()) {
		return
	}
	from, size := e.extent(n, p.Elem)
	if size <= 0 {
		return
	}
	v := e.variableOf(t)
	site := e.site("an access", n.First(), []syntax.Expr{x}, false)
	open, end := "("+v+" = "+operator, ""
	if follow != "" {
		open, end = "("+follow+open, ")"
	}
	e.put(x.First(), open)
	e.append(x.Last(), fmt.Sprintf(", %s(%s, %s, %d, %d, %d), %[3]s)%[7]s", e.hook("upck_access"), site, v, from, size, e.options.Alignof(p.Elem), end))
}

// extent is which bytes of what a pointer points to are accessed, from the first on; of a part at least one is.
func (e *editor) extent(n syntax.Expr, target types.Type) (from, size int64) {
	of := target
	if m, ok := n.(*syntax.MemberExpr); ok {
		for _, f := range e.info.Members[m] {
			from += f.Offset
		}
		if of = e.TypeOf(m); e.info.Exprs[m] == nil || e.info.Exprs[m].Bits != nil {
			return 0, 1
		}
	}
	v := e.options.Sizeof(of)
	if v.Kind != types.IntegerValue || v.Threads || e.accesses[n] == onlyPart {
		return from, 1
	}
	return from, v.Int
}

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

// follows says that what is done with pointers is checked here: not in an initialiser of a static object, which is
// constant.
func (e *editor) follows() bool { return e.options.Pointers && !e.constant }

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
	case *syntax.IndexExpr:
		e.findSubscript(n)
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

// access edits an access through a pointer-to-shared: the pointer is kept in a variable, which the checker is given
// first. Elements of arrays are left, whether these are declared or pointed to (subscript).
func (e *editor) access(n syntax.Expr) {
	if !e.follows() || isArray(e.TypeOf(n)) {
		return
	}
	if x, ok := n.(*syntax.IndexExpr); ok {
		e.element(x)
		return
	}
	if e.accesses[n] == onlyAddress {
		return
	}
	switch n := n.(type) {
	case *syntax.UnaryExpr:
		if n.Op == "*" {
			e.looked(n, n.X)
		}
	case *syntax.MemberExpr:
		if n.Arrow {
			e.looked(n, n.X)
		}
	}
}

// looked edits x, which is the pointer of access n.
func (e *editor) looked(n, x syntax.Expr) {
	t := types.Decay(e.TypeOf(x))
	p, ok := t.T.(*types.Pointer)
	if !ok || !p.Elem.IsShared() || isArray(p.Elem) || !types.IsComplete(p.Elem) || p.Elem.IsVoid() ||
		!e.nameable(t.Unqualified()) {
		return
	}
	from, size := e.extent(n, p.Elem)
	if size <= 0 {
		return
	}
	v := e.variableOf(t)
	site := e.site("an access", n.First(), []syntax.Expr{x}, false)
	e.put(x.First(), "("+v+" =")
	e.append(x.Last(), fmt.Sprintf(", %s(%s, %s, %d, %d, %d), %[3]s)", e.hook("upck_access"), site, v, from, size,
		e.options.Alignof(p.Elem)))
}

// element edits p[i]: the checker is given p, and the pointer to the element.
func (e *editor) element(n *syntax.IndexExpr) {
	t, ok := e.walks(n.X)
	if !ok || isArray(e.TypeOf(n.X)) {
		return
	}
	p := t.T.(*types.Pointer)
	from, size := e.extent(n, p.Elem)
	before, after := e.variableOf(t), e.variableOf(t)
	e.put(n.X.First(), "("+before+" =")
	e.append(n.X.Last(), ")")
	var check string
	if e.accesses[n] == onlyAddress {
		check = e.moved(n, t, before, after)
	} else {
		check = fmt.Sprintf("%s(%s, %s, %s, %s, %d, %d)", e.hook("upck_element"),
			e.site("an access", n.First(), []syntax.Expr{n}, false), before, after,
			e.elementOf(t), from+size, e.options.Alignof(p.Elem))
	}
	e.put(n.First(), "(*("+after+" = &")
	e.append(n.Last(), ", "+check+", "+after+"))")
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

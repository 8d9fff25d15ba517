package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// moves edits arithmetic on a pointer-to-shared: the checker is given the pointer before and after. An increment or a
// compound assignment is edited if it is of a private variable.
func (e *editor) moves(n syntax.Expr) {
	if !e.follows() {
		return
	}
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		e.sum(n)
	case *syntax.AssignExpr:
		if n.Op == "+=" || n.Op == "-=" {
			e.advance(n)
		}
	case *syntax.UnaryExpr:
		if n.Op == "++" || n.Op == "--" {
			e.step(n, n.X, n.Op)
		}
	case *syntax.PostfixExpr:
		e.step(n, n.X, n.Op)
	}
}

// findSum notes the sums whose value is the pointer of another one: only the last one is checked.
func (e *editor) findSum(n *syntax.BinaryExpr) {
	if inner, ok := syntax.Unparen(e.summand(n)).(*syntax.BinaryExpr); ok && inner != n && e.summand(inner) != inner {
		e.summed[inner] = true
	}
}

// summand is the pointer-to-shared of p + n, n + p or p - n, or n itself if it is something else.
func (e *editor) summand(n *syntax.BinaryExpr) syntax.Expr {
	pointer, number := n.X, n.Y
	if n.Op == "+" && !types.Decay(e.TypeOf(pointer)).IsPointerToShared() {
		pointer, number = number, pointer
	}
	if n.Op != "+" && n.Op != "-" || !types.Decay(e.TypeOf(pointer)).IsPointerToShared() ||
		!e.TypeOf(number).IsInteger() {
		return n
	}
	return pointer
}

// sum edits such a sum: the first pointer and the result are kept in variables.
func (e *editor) sum(n *syntax.BinaryExpr) {
	pointer := e.summand(n)
	t, ok := e.walks(pointer)
	if !ok || pointer == n || e.summed[n] {
		return
	}
	for {
		inner, ok := syntax.Unparen(pointer).(*syntax.BinaryExpr)
		if !ok || !e.summed[inner] {
			break
		}
		pointer = e.summand(inner)
	}
	before, after := e.variableOf(t), e.variableOf(t)
	e.put(pointer.First(), "("+before+" =")
	e.append(pointer.Last(), ")")
	e.put(n.First(), "("+after+" =")
	e.append(n.Last(), ", "+e.moved(n, t, before, after)+", "+after+")")
}

// step edits p++ and the like, of a variable p.
func (e *editor) step(n, x syntax.Expr, op string) {
	if t, ok := e.walker(x); ok {
		p := e.source(x)
		e.put(n.First(), "("+e.moved(n, t, p, p+" "+op[:1]+" 1")+",")
		e.append(n.Last(), ")")
	}
}

// advance edits p += n, of a variable p.
func (e *editor) advance(n *syntax.AssignExpr) {
	t, ok := e.walker(n.X)
	if !ok || !e.TypeOf(n.Y).IsInteger() {
		return
	}
	p, after := e.source(n.X), e.variableOf(t)
	e.put(n.First(), "("+after+" =")
	e.instead[n.OpPos] = n.Op[:1] + " ("
	e.append(n.Last(), "), "+e.moved(n, t, p, after)+", "+p+" = "+after+")")
}

// walker gives the type of a private variable that walks.
func (e *editor) walker(x syntax.Expr) (types.Type, bool) {
	if o := e.Variable(x); o == nil || o.Type.Qual != 0 {
		return types.Type{}, false
	}
	return e.walks(x)
}

// moved is the call of the checker that looks at the pointer that n gives.
func (e *editor) moved(n syntax.Expr, t types.Type, before, after string) string {
	return fmt.Sprintf("%s(%s, %s, %s, %s)", e.hook("upck_walked"), e.site("arithmetic", n.First(), []syntax.Expr{n},
		false), before, after, e.elementOf(t))
}

// walks gives the type of a pointer-to-shared to elements of known size that are no arrays, if it can be kept in a
// variable.
func (e *editor) walks(x syntax.Expr) (types.Type, bool) {
	t := types.Decay(e.TypeOf(x)).Unqualified()
	p, ok := t.T.(*types.Pointer)
	if !ok || !p.Elem.IsShared() || p.Elem.IsVoid() || isArray(p.Elem) || !types.IsComplete(p.Elem) || !e.nameable(t) {
		return t, false
	}
	if p.Elem.Block.Kind == types.BlockStar && p.Elem.Block.Size == 0 {
		return t, false // what depends on THREADS
	}
	v := e.options.Sizeof(p.Elem)
	return t, v.Kind == types.IntegerValue && !v.Threads && v.Int > 0
}

// elementOf is the elements of a block and the bytes of an element of what a pointer that walks points to.
func (e *editor) elementOf(t types.Type) string {
	p := t.T.(*types.Pointer)
	return fmt.Sprintf("%d, %d", p.Elem.Block.Elements(), e.options.Sizeof(p.Elem).Int)
}

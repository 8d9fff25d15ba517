package lower

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// step is what arithmetic on a pointer to elem needs to know: the block size, the bytes of an ultimate element, and how
// many of these an elem is.
type step struct {
	block, bytes, count int64
	threads             bool // count is to be multiplied by THREADS
}

func (l *lowerer) stepOf(elem types.Type) step {
	u, n, threads := ultimate(elem)
	return step{block: elem.Block.Elements(), bytes: l.size(u), count: n, threads: threads}
}

// size is the size of a type that has one.
func (l *lowerer) size(t types.Type) int64 { return l.c.Sizeof(t).Int }

// distance prints i, an index of elements of the step, as a number of ultimate elements.
func (l *lowerer) distance(i func(), s step, negative bool) {
	if negative {
		l.Text("-")
	}
	l.Text("(long)(")
	i()
	l.Text(")")
	if s.count != 1 {
		l.Text(fmt.Sprintf("* %d", s.count))
	}
	if s.threads {
		l.Text("* upcr_threads")
	}
}

// end prints the last arguments of the run-time's arithmetic.
func (s step) end() string { return fmt.Sprintf(", %d, %d)", s.block, s.bytes) }

// moved prints the pointer p moved by i elements.
func (l *lowerer) movedBy(p, i func(), s step, negative bool) {
	l.Text("upcr_add(")
	p()
	l.Text(",")
	l.distance(i, s, negative)
	l.Text(s.end())
}

// address prints the pointer-to-shared to a shared lvalue. For an access its phase does not count.
func (l *lowerer) address(e syntax.Expr, access bool) {
	switch e := e.(type) {
	case *syntax.NameExpr:
		if o := l.info.Uses[e]; o != nil {
			l.Text("UPCR_ADDRESS(" + l.nameOf(o, e.Name) + ")")
			return
		}
	case *syntax.ParenExpr:
		l.address(e.X, access)
		return
	case *syntax.UnaryExpr:
		switch e.Op {
		case "*":
			l.value(e.X)
			return
		case "__extension__":
			l.address(e.X, access)
			return
		}
	case *syntax.IndexExpr:
		if name := l.cursors[e]; name != "" {
			l.Text(name)
			return
		}
		l.element(e, access)
		return
	case *syntax.MemberExpr:
		l.memberAddress(e, access)
		return
	}
	l.fail(e, "this form of a shared lvalue is not supported")
}

// memberAddress prints the address of a member of a shared struct (UPC 1.3, 6.4.2p11: its block size is indefinite, its
// phase 0).
func (l *lowerer) memberAddress(e *syntax.MemberExpr, access bool) {
	if access {
		l.Text("(")
	} else {
		l.Text("(upcr_resetphase(")
	}
	if e.Arrow {
		l.value(e.X)
	} else {
		l.address(e.X, true)
	}
	if !access {
		l.Text(")")
	}
	if at := l.memberOffset(e); at != 0 {
		l.Text(fmt.Sprintf("+ %d", at))
	}
	l.Text(")")
}

// memberOffset is where the member begins in its struct; for a bit-field, where its unit does.
func (l *lowerer) memberOffset(e *syntax.MemberExpr) int64 {
	at := int64(0)
	for _, f := range l.info.Members[e] {
		at += f.Offset
	}
	return at
}

// element prints the address of a subscripted shared lvalue. Subscripts of the dimensions of one array become one
// index. The phase counts in the end only, except for an access.
func (l *lowerer) element(e *syntax.IndexExpr, access bool) {
	base, parts := l.subscripts(e)
	first := parts[0].step
	index := func() {
		for i, p := range parts {
			if i > 0 {
				l.Text("+")
			}
			l.distance(func() { l.value(p.index) }, p.step, false)
		}
	}
	if o := l.arrayObject(base); o != nil {
		l.Text("UPCR_INDEX(")
		l.address(base, false)
		l.Text(",")
		index()
		l.Text(first.end())
		return
	}
	l.Text("upcr_add(")
	if m, ok := syntax.Unparen(base).(*syntax.MemberExpr); ok && access && l.sharedLvalue(m) && isArray(l.TypeOf(m)) {
		l.memberAddress(m, true)
	} else {
		l.value(base)
	}
	l.Text(",")
	index()
	l.Text(first.end())
}

// subscript is one index of an element, in units of its step.
type subscript struct {
	index syntax.Expr
	step  step
}

// subscripts takes an element apart into what the first subscript applies to, and the subscripts from the first to the
// last.
func (l *lowerer) subscripts(e *syntax.IndexExpr) (base syntax.Expr, parts []subscript) {
	base, index := l.baseAndIndex(e)
	parts = []subscript{{index, l.stepOf(l.TypeOf(e))}}
	for {
		inner, ok := syntax.Unparen(base).(*syntax.IndexExpr)
		if !ok || !isArray(l.TypeOf(inner)) || !l.sharedLvalue(inner) {
			return base, parts
		}
		base, index = l.baseAndIndex(inner)
		parts = append([]subscript{{index, l.stepOf(l.TypeOf(inner))}}, parts...)
	}
}

// baseAndIndex tells the pointer or array of X[I] from the integer: C lets them be exchanged.
func (l *lowerer) baseAndIndex(e *syntax.IndexExpr) (base, index syntax.Expr) {
	if t := decayed(l.TypeOf(e.X)); t.IsPointerToShared() {
		return e.X, e.I
	}
	return e.I, e.X
}

// arrayObject is the shared array that e names, or nil.
func (l *lowerer) arrayObject(e syntax.Expr) *types.Object {
	name, ok := syntax.Unparen(e).(*syntax.NameExpr)
	if !ok {
		return nil
	}
	if o := l.info.Uses[name]; o != nil && o.Type.IsShared() && isArray(o.Type) {
		return o
	}
	return nil
}

// conversion says what becomes of a pointer-to-shared that is converted from a type to another (UPC 1.3, 6.4.3).
type conversion uint8

const (
	keep       conversion = iota
	resetPhase            // the phase becomes 0
)

func (l *lowerer) conversion(from, to types.Type) conversion {
	f, t := pointee(from), pointee(to)
	switch {
	case isVoid(t):
		return keep
	case isVoid(f):
		if t.Block.Elements() <= 1 {
			return resetPhase
		}
		return keep
	case f.Block.Elements() <= 1:
		return keep // the phase is 0 already
	case f.Block.Elements() != t.Block.Elements():
		return resetPhase
	}
	uf, _, _ := ultimate(f)
	ut, _, _ := ultimate(t)
	sf, st := l.c.Sizeof(uf), l.c.Sizeof(ut)
	if sf.Kind != types.IntegerValue || st.Kind != types.IntegerValue || sf.Int != st.Int {
		return resetPhase
	}
	return keep
}

// converted prints a pointer-to-shared converted to another type.
func (l *lowerer) converted(print func(), from, to types.Type) {
	if l.conversion(from, to) == keep {
		print()
		return
	}
	l.Text("upcr_resetphase(")
	print()
	l.Text(")")
}

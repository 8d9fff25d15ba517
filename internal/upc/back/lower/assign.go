package lower

import (
	"strings"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// assign prints assignments to shared objects and to pointers-to-shared.
func (l *lowerer) assign(e *syntax.AssignExpr) bool {
	shared, t := l.remote(e.X), l.TypeOf(e.X)
	op := strings.TrimSuffix(e.Op, "=")
	switch {
	case op == "" && !shared:
		return false
	case op == "":
		l.goToNode(e)
		l.write(e.X, func() { l.value(e.Y) })
	case t.IsPointerToShared():
		l.goToNode(e)
		s := l.stepOf(pointee(t))
		next := func(from func()) {
			l.movedBy(from, func() { l.value(e.Y) }, s, op == "-")
		}
		l.assignPointer(e.X, next, false)
	case shared:
		l.goToNode(e)
		l.update(e.X, func(was string) {
			l.Text(was + " " + op + " (")
			l.value(e.Y)
			l.Text(")")
		}, false)
	default:
		return false
	}
	return true
}

// increment prints ++ and -- of shared objects and of pointers-to-shared; old says that the value is the one before.
func (l *lowerer) increment(e, x syntax.Expr, op string, old bool) bool {
	shared, t := l.remote(x), l.TypeOf(x)
	switch {
	case t.IsPointerToShared():
		l.goToNode(e)
		l.assignPointer(x, func(from func()) { l.next(from, l.stepOf(pointee(t)), op) }, old)
	case shared:
		l.goToNode(e)
		l.update(x, func(was string) { l.Text(was + " " + op[:1] + " 1") }, old)
	default:
		return false
	}
	return true
}

// next prints the pointer-to-shared after or before another.
func (l *lowerer) next(from func(), s step, op string) {
	if s.count != 1 || s.threads {
		l.movedBy(from, func() { l.Text("1") }, s, op == "--")
		return
	}
	if op == "++" {
		l.Text("upcr_next(")
	} else {
		l.Text("upcr_prev(")
	}
	from()
	l.Text(s.end())
}

// assignPointer prints an assignment to a pointer-to-shared of a value that next prints from the old one.
func (l *lowerer) assignPointer(x syntax.Expr, next func(from func()), old bool) {
	if l.remote(x) {
		l.update(x, func(was string) { next(func() { l.Text(was) }) }, old)
		return
	}
	place, begin := func() { l.value(x) }, func() {}
	if !l.plain(x) {
		at := l.temp()
		q := qualifiers(l.TypeOf(x).Qual & types.Volatile)
		place = func() { l.Text("*" + at) }
		begin = func() {
			l.Text(q + pointerType + " *" + at + " = &(")
			l.value(x)
			l.Text(");")
		}
	}
	if old {
		was := l.temp()
		l.Text("__extension__({")
		begin()
		l.Text(pointerType + " " + was + " =")
		place()
		l.Text(";")
		place()
		l.Text("=")
		next(func() { l.Text(was) })
		l.Text("; " + was + "; })")
		return
	}
	if l.plain(x) {
		l.Text("(")
	} else {
		l.Text("__extension__({")
		begin()
	}
	place()
	l.Text("=")
	next(place)
	if l.plain(x) {
		l.Text(")")
	} else {
		l.Text("; })")
	}
}

// plain says that a private lvalue may be written twice: a name, or a member of one.
func (l *lowerer) plain(x syntax.Expr) bool {
	for {
		switch e := syntax.Unparen(x).(type) {
		case *syntax.NameExpr:
			return l.TypeOf(e).Qual&types.Volatile == 0
		case *syntax.MemberExpr:
			if e.Arrow {
				return false
			}
			x = e.X
		default:
			return false
		}
	}
}

// remote says that an lvalue is shared and not proved to be the thread's own.
func (l *lowerer) remote(x syntax.Expr) bool { return l.sharedLvalue(x) && l.local(x) == nil }

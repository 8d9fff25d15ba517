package lower

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// strict says that an access to a shared lvalue is strict. Volatile ones are too: somebody waits for them.
func (l *lowerer) strict(e syntax.Expr) bool {
	i := l.info.Exprs[e]
	return i.Strict || i.Type.Qual&types.Volatile != 0
}

// accessor is the name of the run-time's macro for an access to a shared lvalue.
func (l *lowerer) accessor(name string, e syntax.Expr) string {
	if t := l.TypeOf(e); isStruct(t) && l.c.Padded(t) {
		name += "_WHOLE"
	}
	if l.strict(e) {
		name += "_STRICT"
	}
	return name + "("
}

func isStruct(t types.Type) bool {
	_, ok := t.T.(*types.Struct)
	return ok
}

// read prints the value of a shared object that is no array.
func (l *lowerer) read(e syntax.Expr) {
	if l.bits(e) {
		l.fenced(l.strict(e), false, func() { l.readBits(e, nil) })
		return
	}
	if l.races.on && l.strict(e) {
		l.readStrict(e)
		return
	}
	l.open(l.accessor("UPCR_READ", e) + l.ctype(l.TypeOf(e)))
	l.Text(",")
	l.seen(e, false, func() { l.address(e, true) })
	l.end(")")
}

// write prints the assignment of a value to a shared object.
func (l *lowerer) write(e syntax.Expr, value func()) {
	if l.bits(e) {
		l.fenced(l.strict(e), true, func() { l.writeBits(e, nil, value) })
		return
	}
	if l.races.on && l.strict(e) {
		l.writeStrict(e, value)
		return
	}
	l.open(l.accessor("UPCR_WRITE", e) + l.ctype(l.TypeOf(e)))
	l.Text(",")
	l.seen(e, true, func() { l.address(e, true) })
	l.Text(", (")
	value()
	l.Text(")")
	l.end(")")
}

// update prints an assignment that reads a shared object once and writes it once, at one address. next prints the new
// value from the name of a variable with the old one. The result is the old value if old says so.
func (l *lowerer) update(e syntax.Expr, next func(name string), old bool) {
	at, was := l.temp(), l.temp()
	place := func() { l.Text(at) }
	t := l.ctype(l.TypeOf(e))
	l.Text("__extension__({ " + pointerType + " " + at + " =")
	if l.bits(e) {
		l.structAddress(e)
		l.Text("; __typeof__(" + t + ") " + was + " =")
		l.fenced(l.strict(e), false, func() { l.readBits(e, place) })
		l.Text(";")
		if old {
			l.Text("(void)")
		}
		l.fenced(l.strict(e), true, func() { l.writeBits(e, place, func() { next(was) }) })
	} else {
		l.seen(e, true, func() { l.address(e, true) })
		l.Text("; " + t + " " + was + " =")
		l.open(l.accessor("UPCR_READ", e) + t + ", " + at)
		l.end("); ")
		value := func() { next(was) }
		if l.races.on && l.strict(e) {
			value = l.updatesStrict(e, at, was, t, next)
		}
		l.open(l.accessor("UPCR_WRITE", e) + t + ", " + at + ", (")
		value()
		l.end("))")
	}
	l.Text(";")
	if old {
		l.Text(was + ";")
	}
	l.Text("})")
}

// fenced prints an access between fences if it is strict.
func (l *lowerer) fenced(strict, write bool, access func()) {
	if !strict {
		access()
		return
	}
	v, before, after := l.temp(), "", ""
	switch {
	case l.races.on && write:
		before = "upcr_writes_strict_bits(); "
	case l.races.on:
		after = "upcr_saw_strict_bits(); "
	}
	l.Text("__extension__({ upcr_fence(); " + before + "__auto_type " + v + " =")
	access()
	l.Text("; upcr_fence(); " + after + v + "; })")
}

// bits says that an expression is a bit-field of a shared struct.
func (l *lowerer) bits(e syntax.Expr) bool {
	i := l.info.Exprs[e]
	return i != nil && i.Bits != nil
}

// bitField prints the arguments by which the run-time finds a bit-field: its struct, where that is, the bytes that the
// field touches, and its name.
func (l *lowerer) bitField(e syntax.Expr, write bool, place func()) {
	m := syntax.Unparen(e).(*syntax.MemberExpr)
	owner := l.TypeOf(m.X)
	if m.Arrow {
		owner = pointee(l.valueType(m.X))
	}
	f := l.info.Exprs[e].Bits
	first := l.memberOffset(m) + int64(f.Bit/8)
	bytes := (f.Bit%8 + f.Width + 7) / 8
	l.Text(l.ctype(owner) + ",")
	if place == nil {
		place = func() { l.structAddress(e) }
	}
	l.seenBits(e, write, first, bytes, place)
	l.Text(fmt.Sprintf(", %d, %d, %s", first, bytes, m.Name.Name))
}

// structAddress prints the address of the struct that a bit-field belongs to.
func (l *lowerer) structAddress(e syntax.Expr) {
	m := syntax.Unparen(e).(*syntax.MemberExpr)
	if m.Arrow {
		l.value(m.X)
	} else {
		l.address(m.X, true)
	}
}

func (l *lowerer) readBits(e syntax.Expr, place func()) {
	l.open("UPCR_BITS_READ(")
	l.bitField(e, false, place)
	l.end(")")
}

func (l *lowerer) writeBits(e syntax.Expr, place, value func()) {
	l.open("UPCR_BITS_WRITE(")
	l.bitField(e, true, place)
	l.Text(", (")
	value()
	l.Text(")")
	l.end(")")
}

package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// mismatch is why a value cannot be converted implicitly, for a person. warn says that C compilers only warn.
type mismatch struct {
	id, message, note string
	warn              bool
}

// localNote is the repair where a pointer-to-shared is used as a pointer-to-local.
const localNote = "a cast converts it, and is defined only where the object has affinity to this thread"

// assignable says why a value of one type may not be assigned to an object of another (C11 6.5.16.1; UPC 1.3, 6.5.1.1),
// nil if it may. null says that the value is a null pointer constant.
func (c Config) assignable(to, from Type, null bool) *mismatch {
	if to.bad() || from.bad() {
		return nil
	}
	to, from = to.Unqualified(), from.Unqualified()
	if _, vector := to.T.(*Vector); vector {
		if f, ok := from.T.(*Vector); ok {
			if f.Size == c.Sizeof(to).Int {
				return nil
			}
			return incompatible(to, from)
		}
	}
	switch {
	case to.opaque() && !to.IsArithmetic():
		if compatible(to, from, false) || from.opaque() || from.IsArithmetic() {
			return nil
		}
		return incompatible(to, from)
	case from.IsVoid():
		return &mismatch{message: "void value not ignored as it ought to be"}
	case to.IsArithmetic() && (from.IsArithmetic() || from.opaque()):
		return nil
	case to.basic() == Bool && from.IsPointer():
		return nil
	case to.IsPointer() && from.IsPointer():
		return c.assignablePointer(to, from, null)
	case to.IsPointerToShared() && from.IsInteger():
		if null {
			return nil
		}
		return &mismatch{id: "COMP-27",
			message: fmt.Sprintf("cannot convert the integer type %s to the pointer-to-shared %s",
				quote(from), quote(to))}
	case from.IsPointerToShared() && to.IsInteger():
		return &mismatch{
			message: fmt.Sprintf("cannot convert the pointer-to-shared %s to the integer type %s implicitly",
				quote(from), quote(to)),
			note: "use a cast if this is intended"}
	case to.IsPointer() && from.IsInteger(), from.IsPointer() && to.IsInteger():
		return &mismatch{warn: true} // the C compiler tells it as it sees fit
	}
	if s, ok := to.T.(*Struct); ok {
		if compatible(to, from, false) {
			return nil
		}
		if s.Transparent {
			for _, f := range s.Fields {
				if m := c.assignable(f.Type, from, null); m == nil || m.warn {
					return nil
				}
			}
		}
	}
	return incompatible(to, from)
}

func incompatible(to, from Type) *mismatch {
	return &mismatch{message: fmt.Sprintf("incompatible types: %s cannot become %s", quote(from), quote(to))}
}

// assignablePointer is assignable for two pointers.
func (c Config) assignablePointer(to, from Type, null bool) *mismatch {
	a, b := to.elem(), from.elem()
	switch {
	case null:
		return nil
	case a.IsShared() && !b.IsShared():
		return &mismatch{id: "COMP-26",
			message: fmt.Sprintf("cannot convert the pointer-to-local %s to the pointer-to-shared %s",
				quote(from), quote(to)),
			note: "only a null pointer constant can become a pointer-to-shared"}
	case !a.IsShared() && b.IsShared():
		return &mismatch{id: "COMP-28", message: fmt.Sprintf("cannot convert %s to %s implicitly", quote(from),
			quote(to)), note: localNote}
	case !a.IsShared():
		return nil // the C compiler tells what it does not like
	}
	if m := c.layouts(to, from, "convert"); m != nil {
		return m
	}
	return discards(a, b)
}

// layouts says why two pointers-to-shared are not of the same layout and target; generic ones fit all.
func (c Config) layouts(to, from Type, verb string) *mismatch {
	a, b := to.elem(), from.elem()
	if a.IsVoid() || b.IsVoid() || a.bad() || b.bad() {
		return nil
	}
	note := fmt.Sprintf("the cast (%s) converts it and sets the phase to 0", to)
	switch {
	case a.Block.Elements() != b.Block.Elements():
		return &mismatch{id: "COMP-29",
			message: fmt.Sprintf("cannot %s %s to %s implicitly: the block sizes are %s and %s", verb,
				quote(from), quote(to),
				blockWords(b.Block), blockWords(a.Block)), note: note}
	case !compatible(a, b, false):
		return &mismatch{id: "COMP-29",
			message: fmt.Sprintf("cannot %s %s to %s implicitly: they point to different types", verb, quote(from),
				quote(to)), note: note}
	}
	return nil
}

func blockWords(b Block) string {
	if n := b.Elements(); n > 0 {
		return fmt.Sprint(n)
	}
	return "indefinite"
}

// discards is a warning if the target of a pointer-to-shared loses a qualifier, which the C compiler cannot see.
func discards(to, from Type) *mismatch {
	for _, w := range [...]struct {
		q    Qual
		word string
	}{{Const, "const"}, {Volatile, "volatile"}, {Strict, "strict"}} {
		if from.Qual&w.q != 0 && to.Qual&w.q == 0 {
			return &mismatch{warn: true, message: fmt.Sprintf("discards '%s' qualifier from the target of %s", w.word,
				quote(Type{T: &Pointer{Elem: from}}))}
		}
	}
	return nil
}

// contextKind tells where a value is converted.
type contextKind uint8

const (
	assigning contextKind = iota
	initialising
	returning
	passing
)

// context is where a value is converted, for messages.
type context struct {
	kind contextKind
	at   syntax.Pos // of the assignment operator
	arg  int        // number of the argument, from 1
	fun  string     // name of the function, or ""
	decl *Object    // the function, or nil
}

// assign checks that the value of x may become one of type to, and notes the conversion.
func (c *checker) assign(x syntax.Expr, to Type, ctx context) {
	from := c.rvalue(x)
	if to.bad() || from.bad() {
		return
	}
	m := c.assignable(to, from, c.null(x))
	if m != nil && m.message != "" {
		c.tellMismatch(x, to, from, m, ctx)
	}
	if m == nil || m.warn {
		c.become(x, to.Unqualified())
	}
}

func (c *checker) tellMismatch(x syntax.Expr, to, from Type, m *mismatch, ctx context) {
	at, message, note := x.First(), m.message, m.note
	plain := m.id == "" && m.note == "" && !m.warn && !from.IsVoid()
	switch ctx.kind {
	case assigning:
		at = ctx.at
		if plain {
			message = fmt.Sprintf("incompatible types when assigning to type %s from type %s", quote(to), quote(from))
		} else if m.warn {
			message = "assignment " + message
		}
	case initialising:
		if plain {
			message = fmt.Sprintf("incompatible types when initializing type %s using type %s", quote(to), quote(from))
			if isAggregate(to) {
				message = "invalid initializer: " + m.message
			}
		} else if m.warn {
			message = "initialization " + message
		}
	case returning:
		if plain {
			message = fmt.Sprintf("incompatible types when returning type %s but %s was expected",
				quote(from), quote(to))
		} else if m.warn {
			message = "return " + message
		}
	case passing:
		what := fmt.Sprintf("argument %d", ctx.arg)
		if ctx.fun != "" {
			what += " of '" + ctx.fun + "'"
		}
		switch {
		case m.warn:
			message = "passing " + what + " " + message
		case from.IsVoid():
			message = "invalid use of void expression"
		case plain:
			message = fmt.Sprintf("incompatible type for %s: expected %s but it is of type %s", what,
				quote(to), quote(from))
		default:
			message = what + ": " + message
		}
	}
	d := syntax.Diagnostic{Pos: at, ID: m.id, Message: message}
	if m.warn {
		d.Severity = syntax.Warning
	}
	d = withNote(d, syntax.NoPos, note)
	if ctx.kind == passing && ctx.decl != nil && ctx.decl.Decl != nil {
		d.Notes = append(d.Notes, syntax.Diagnostic{Severity: syntax.Note, Pos: ctx.decl.Decl.First(),
			Message: fmt.Sprintf("'%s' is declared here", ctx.fun)})
	}
	c.report(d)
}

func isAggregate(t Type) bool {
	switch t.T.(type) {
	case *Array, *Struct:
		return true
	}
	return false
}

// null says that an expression is a null pointer constant (C11 6.3.2.3p3): an integer constant 0, or that cast to void
// *.
func (c *checker) null(x syntax.Expr) bool {
	x = unparen(x)
	if cast, ok := x.(*syntax.CastExpr); ok {
		t := c.info.Exprs[x].Type
		if p, ok := t.T.(*Pointer); ok && p.Elem.IsVoid() && p.Elem.Qual == 0 {
			return c.null(cast.X)
		}
	}
	e := c.info.Exprs[x]
	return e != nil && e.Type.IsInteger() && e.Value.Kind == IntegerValue && e.Value.Int == 0
}

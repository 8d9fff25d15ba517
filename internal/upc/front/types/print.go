package types

import (
	"fmt"
	"strings"
)

// String is the type as C and UPC spell it, for messages.
func (t Type) String() string { return Declare(t, "", nil) }

// Declare is a declaration of name with the type, without a semicolon; with an empty name it is a type name. shared, if
// not nil, gives the text of a type that stands for a pointer-to-shared in C ("upcr_ptr"); then shared, strict, relaxed
// and layouts are left out, and typedefs are not used.
func Declare(t Type, name string, shared func(Type) string) string {
	p := printer{shared: shared}
	return p.declare(t, name)
}

type printer struct {
	shared func(Type) string
	depth  int
}

// declare wraps the declarator in what the type derives, from the outside in.
func (p *printer) declare(t Type, d string) string {
	if p.depth++; p.depth > 100 {
		return "..." // a type cannot contain itself but through a struct, which is printed by its name
	}
	defer func() { p.depth-- }()
	if p.byName(t) {
		return joinDecl(p.quals(t, t.Qual&^t.Name.Type.Qual)+t.Name.Name, d)
	}
	switch u := t.T.(type) {
	case *Pointer:
		if p.shared != nil && u.Elem.IsShared() {
			return joinDecl(p.quals(t, t.Qual)+p.shared(t), d)
		}
		star := "*"
		if q := strings.TrimSpace(p.quals(t, t.Qual)); q != "" {
			star += q
			if d != "" {
				star += " "
			}
		}
		inner := star + d
		if !p.byName(u.Elem) {
			switch u.Elem.T.(type) {
			case *Array, *Func:
				inner = "(" + inner + ")"
			}
		}
		return p.declare(u.Elem, inner)
	case *Array:
		elem := u.Elem
		if p.shared != nil {
			elem = Private(elem)
		}
		return p.declare(elem, d+"["+length(u)+"]")
	case *Func:
		return p.declare(u.Result, d+"("+p.params(u)+")")
	}
	return joinDecl(p.quals(t, t.Qual)+p.base(t), d)
}

// byName says that the type is printed as the typedef that names it.
func (p *printer) byName(t Type) bool { return t.Name != nil && p.shared == nil }

func joinDecl(base, d string) string {
	if d == "" {
		return base
	}
	return base + " " + d
}

func length(a *Array) string {
	switch a.Kind {
	case LenKnown:
		return fmt.Sprint(a.Len)
	case LenVariable:
		return "*"
	case LenThreads:
		if a.Len == 1 {
			return "THREADS"
		}
		return fmt.Sprintf("%d*THREADS", a.Len)
	}
	return ""
}

func (p *printer) params(f *Func) string {
	if !f.Prototype {
		return ""
	}
	var list []string
	for _, t := range f.Params {
		list = append(list, p.declare(t, ""))
	}
	if f.Variadic {
		list = append(list, "...")
	}
	if len(list) == 0 {
		return "void"
	}
	return strings.Join(list, ", ")
}

// quals spells qualifiers with a blank after each.
func (p *printer) quals(t Type, q Qual) string {
	if q == 0 {
		return ""
	}
	var b strings.Builder
	if p.shared == nil {
		if q&Strict != 0 {
			b.WriteString("strict ")
		}
		if q&Relaxed != 0 {
			b.WriteString("relaxed ")
		}
		if q&Shared != 0 {
			b.WriteString("shared ")
			b.WriteString(t.Block.spelling())
		}
	}
	for _, w := range [...]struct {
		q    Qual
		word string
	}{{Const, "const "}, {Volatile, "volatile "}, {Restrict, "restrict "}, {Atomic, "_Atomic "}} {
		if q&w.q != 0 {
			b.WriteString(w.word)
		}
	}
	return b.String()
}

// spelling is the layout qualifier with a blank after it, or nothing.
func (b Block) spelling() string {
	switch b.Kind {
	case BlockSize:
		return fmt.Sprintf("[%d] ", b.Size)
	case BlockIndefinite:
		return "[] "
	case BlockStar:
		if b.Size == 0 {
			return "[*] "
		}
		return fmt.Sprintf("[%d] ", b.Size)
	}
	return ""
}

// base spells a type that is not derived.
func (p *printer) base(t Type) string {
	switch u := t.T.(type) {
	case *Basic:
		return basicFacts[u.Kind].name
	case *Struct:
		word := "struct "
		if u.Union {
			word = "union "
		}
		return tagged(word, u.Tag, u.Typedef)
	case *Enum:
		return tagged("enum ", u.Tag, u.Typedef)
	case *Vector:
		return fmt.Sprintf("__attribute__((vector_size(%d))) %s", u.Size, p.declare(u.Elem, ""))
	case *Opaque:
		return u.Name
	}
	return "<error>"
}

func tagged(word, tag string, typedef *Object) string {
	switch {
	case tag != "":
		return word + tag
	case typedef != nil:
		return typedef.Name
	}
	return word + "<anonymous>"
}

package lower

import (
	"fmt"
	"strings"

	"unknot/internal/upc/front/types"
)

// basicNames are the C spellings of arithmetic types and void.
func basicName(k types.BasicKind) string {
	switch k {
	case types.Void:
		return "void"
	case types.Bool:
		return "_Bool"
	case types.Char:
		return "char"
	case types.SChar:
		return "signed char"
	case types.UChar:
		return "unsigned char"
	case types.Short:
		return "short"
	case types.UShort:
		return "unsigned short"
	case types.UInt:
		return "unsigned"
	case types.Long:
		return "long"
	case types.ULong:
		return "unsigned long"
	case types.LongLong:
		return "long long"
	case types.ULongLong:
		return "unsigned long long"
	case types.Int128:
		return "__int128"
	case types.UInt128:
		return "unsigned __int128"
	case types.Float:
		return "float"
	case types.Double:
		return "double"
	case types.LongDouble:
		return "long double"
	case types.Float16:
		return "_Float16"
	case types.Float32:
		return "_Float32"
	case types.Float64:
		return "_Float64"
	case types.Float128:
		return "_Float128"
	case types.Float32x:
		return "_Float32x"
	case types.Float64x:
		return "_Float64x"
	case types.ComplexFloat:
		return "float _Complex"
	case types.ComplexDouble:
		return "double _Complex"
	case types.ComplexLongDouble:
		return "long double _Complex"
	case types.ComplexFloat128:
		return "_Complex _Float128"
	case types.ComplexInt:
		return "_Complex int"
	}
	return "int"
}

// pointerType is the C type of every pointer-to-shared.
const pointerType = "upcr_ptr"

// ctype is the name of t's private twin: the type without shared, strict and relaxed, in which a pointer-to-shared is
// an upcr_ptr. It is a type specifier, after which * or a name may stand.
func (l *lowerer) ctype(t types.Type) string {
	switch u := t.T.(type) {
	case *types.Basic:
		return basicName(u.Kind)
	case *types.Struct:
		if u.Union {
			return "union " + l.tag(u)
		}
		return "struct " + l.tag(u)
	case *types.Enum:
		return basicName(u.Under)
	case *types.Opaque:
		return u.Name
	case *types.Pointer:
		if u.Elem.IsShared() {
			return pointerType
		}
		switch u.Elem.T.(type) {
		case *types.Basic, *types.Struct, *types.Opaque, *types.Enum:
			return "__typeof__(" + qualifiers(u.Elem.Qual) + l.ctype(u.Elem) + " *)"
		}
	}
	return "__typeof__(" + l.declare(t, "") + ")"
}

// declare is the C declaration of a name with t's private twin, or its type name if name is empty.
func (l *lowerer) declare(t types.Type, name string) string {
	switch u := t.T.(type) {
	case *types.Pointer:
		if u.Elem.IsShared() {
			return strings.TrimRight(qualifiers(t.Qual&^types.Restrict)+pointerType+" "+name, " ")
		}
		inner := "*" + qualifiers(t.Qual) + name
		switch u.Elem.T.(type) {
		case *types.Array, *types.Func:
			inner = "(" + inner + ")"
		}
		return l.declare(u.Elem, inner)
	case *types.Array:
		length := ""
		switch u.Kind {
		case types.LenKnown:
			length = fmt.Sprint(u.Len)
		case types.LenThreads:
			length = fmt.Sprintf("%d * upcr_threads", u.Len)
		}
		return l.declare(u.Elem, name+"["+length+"]")
	case *types.Func:
		var list []string
		for _, p := range u.Params {
			list = append(list, l.declare(p, ""))
		}
		switch {
		case u.Variadic:
			list = append(list, "...")
		case len(list) == 0 && u.Prototype:
			list = append(list, "void")
		}
		return l.declare(u.Result, name+"("+strings.Join(list, ", ")+")")
	case *types.Vector:
		return strings.TrimRight(fmt.Sprintf("%s __attribute__((vector_size(%d))) %s", l.ctype(u.Elem), u.Size, name),
			" ")
	}
	return strings.TrimRight(qualifiers(t.Qual)+l.ctype(t)+" "+name, " ")
}

// qualifiers are C's own among q, each with a space after it.
func qualifiers(q types.Qual) string {
	s := ""
	if q&types.Const != 0 {
		s += "const "
	}
	if q&types.Volatile != 0 {
		s += "volatile "
	}
	if q&types.Restrict != 0 {
		s += "restrict "
	}
	if q&types.Atomic != 0 {
		s += "_Atomic "
	}
	return s
}

// ultimate goes down an array to the first type that is no array, and says how many of these there are; threads says
// that the number is to be multiplied by THREADS. An array of unknown length counts as one.
func ultimate(t types.Type) (elem types.Type, n int64, threads bool) {
	n = 1
	for {
		a, ok := t.T.(*types.Array)
		if !ok {
			return t, n, threads
		}
		switch a.Kind {
		case types.LenKnown:
			n *= a.Len
		case types.LenThreads:
			n *= a.Len
			threads = true
		}
		t = a.Elem
	}
}

// isArray, pointee and private are small questions to a type.
func isArray(t types.Type) bool {
	_, ok := t.T.(*types.Array)
	return ok
}

func pointee(t types.Type) types.Type {
	switch u := t.T.(type) {
	case *types.Pointer:
		return u.Elem
	case *types.Array:
		return u.Elem
	}
	return types.Type{}
}

func isVoid(t types.Type) bool {
	b, ok := t.T.(*types.Basic)
	return ok && b.Kind == types.Void
}

// decayed is the type that an array has as a value.
func decayed(t types.Type) types.Type {
	if a, ok := t.T.(*types.Array); ok {
		return types.Type{T: &types.Pointer{Elem: a.Elem}}
	}
	return t
}

// canonical spells a type without the names that typedefs give it, so that translation units can be compared.
func canonical(t types.Type) string { return nameless(t, 0).String() }

func nameless(t types.Type, depth int) types.Type {
	t.Name = nil
	if depth > 50 {
		return t
	}
	switch u := t.T.(type) {
	case *types.Pointer:
		t.T = &types.Pointer{Elem: nameless(u.Elem, depth+1)}
	case *types.Array:
		t.T = &types.Array{Elem: nameless(u.Elem, depth+1), Kind: u.Kind, Len: u.Len}
	case *types.Func:
		f := *u
		f.Result = nameless(u.Result, depth+1)
		f.Params = nil
		for _, p := range u.Params {
			f.Params = append(f.Params, nameless(p, depth+1))
		}
		t.T = &f
	}
	return t
}

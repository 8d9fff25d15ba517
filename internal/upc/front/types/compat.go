package types

// shape are the qualifiers that make types incompatible; strict and relaxed say how objects are accessed, and shared
// what they are.
const shape = Const | Volatile | Restrict | Atomic | Shared | Strict | Relaxed

// Compatible says whether two types are compatible (C11 6.2.7; UPC 1.3, 6.5.1.1: shared and the block size are part of
// a type).
func Compatible(a, b Type) bool {
	return a.bad() || b.bad() || sameQuals(a, b) && compatible(a, b, true)
}

// compatibleUnqualified is Compatible without the qualifiers at the outermost level.
func compatibleUnqualified(a, b Type) bool {
	return a.bad() || b.bad() || compatible(a, b, false)
}

func sameQuals(a, b Type) bool {
	return a.Qual&shape == b.Qual&shape && (!a.IsShared() || a.Block.Elements() == b.Block.Elements())
}

// compatible compares what two types are made of. Qualifiers of array elements count if quals is set.
func compatible(a, b Type, quals bool) bool {
	if a.T == b.T {
		return true
	}
	switch x := a.T.(type) {
	case *Basic:
		if y, ok := b.T.(*Enum); ok {
			return x.Kind == y.Under && y.Complete
		}
		return a.bad() || b.bad()
	case *Enum:
		y, ok := b.T.(*Basic)
		return ok && y.Kind == x.Under && x.Complete
	case *Pointer:
		y, ok := b.T.(*Pointer)
		return ok && Compatible(x.Elem, y.Elem)
	case *Array:
		y, ok := b.T.(*Array)
		if !ok || !sameLength(x, y) {
			return false
		}
		if quals {
			return Compatible(x.Elem, y.Elem)
		}
		return compatibleUnqualified(x.Elem, y.Elem)
	case *Func:
		y, ok := b.T.(*Func)
		return ok && compatibleFuncs(x, y)
	case *Vector:
		y, ok := b.T.(*Vector)
		return ok && x.Size == y.Size && compatibleUnqualified(x.Elem, y.Elem)
	case *Opaque:
		y, ok := b.T.(*Opaque)
		return ok && x.Name == y.Name
	}
	return false
}

func sameLength(x, y *Array) bool {
	if x.Kind == LenIncomplete || y.Kind == LenIncomplete || x.Kind == LenVariable || y.Kind == LenVariable {
		return true
	}
	return x.Kind == y.Kind && x.Len == y.Len
}

// compatibleFuncs is C11 6.7.6.3p15.
func compatibleFuncs(x, y *Func) bool {
	if !Compatible(x.Result.Unqualified(), y.Result.Unqualified()) {
		return false
	}
	if !x.Prototype || !y.Prototype {
		p := x
		if !p.Prototype {
			p = y
		}
		if !p.Prototype {
			return true
		}
		if p.Variadic {
			return false
		}
		for _, t := range p.Params {
			if t.IsArithmetic() && t.basic() != promotedArgument(t.basic()) {
				return false
			}
		}
		return true
	}
	if len(x.Params) != len(y.Params) || x.Variadic != y.Variadic {
		return false
	}
	for i := range x.Params {
		a, b := x.Params[i].Unqualified(), y.Params[i].Unqualified()
		if !Compatible(a, b) && !throughUnion(a, b) && !throughUnion(b, a) {
			return false
		}
	}
	return true
}

// throughUnion says that u is a transparent union, of which t is a member (the GNU C manual, "Common Type Attributes").
func throughUnion(u, t Type) bool {
	s, ok := u.T.(*Struct)
	if !ok || !s.Transparent {
		return false
	}
	for _, f := range s.Fields {
		if compatibleUnqualified(f.Type, t) {
			return true
		}
	}
	return false
}

// promotedArgument is the kind that the default argument promotions give an argument (C11 6.5.2.2p6).
func promotedArgument(k BasicKind) BasicKind {
	if k == Float || k == Float16 {
		return Double
	}
	return promoted(k)
}

// Composite is the composite of two compatible types (C11 6.2.7p3).
func Composite(a, b Type) Type {
	if a.bad() || a.T == b.T {
		if a.bad() {
			return b
		}
		return a
	}
	switch x := a.T.(type) {
	case *Array:
		y, ok := b.T.(*Array)
		if !ok {
			return a
		}
		elem := Composite(x.Elem, y.Elem)
		from := x
		if x.Kind == LenIncomplete || x.Kind == LenVariable && y.Kind != LenIncomplete {
			from = y
			a.Block = b.Block // [*] is computed where the length is known
		}
		if elem.T == x.Elem.T && from == x {
			return a
		}
		a.T, a.Name = &Array{Elem: elem, Kind: from.Kind, Len: from.Len}, nil
		return a
	case *Pointer:
		if y, ok := b.T.(*Pointer); ok {
			if elem := Composite(x.Elem, y.Elem); elem.T != x.Elem.T {
				a.T, a.Name = &Pointer{Elem: elem}, nil
			}
		}
	case *Func:
		if y, ok := b.T.(*Func); ok {
			return compositeFunc(a, x, y)
		}
	}
	return a
}

func compositeFunc(a Type, x, y *Func) Type {
	if !x.Prototype {
		a.T, a.Name = &Func{Result: Composite(x.Result, y.Result), Params: y.Params, Prototype: y.Prototype,
			Variadic: y.Variadic}, nil
		if !y.Prototype {
			a.T = x
		}
		return a
	}
	if !y.Prototype || len(x.Params) != len(y.Params) {
		return a
	}
	params := make([]Type, len(x.Params))
	for i := range params {
		params[i] = Composite(x.Params[i], y.Params[i])
	}
	a.T, a.Name = &Func{Result: Composite(x.Result, y.Result), Params: params, Prototype: true, Variadic: x.Variadic},
		nil
	return a
}

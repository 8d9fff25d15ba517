package types

// promoted is the kind that the integer promotions give (C11 6.3.1.1p2); kinds that are not small integers stay.
func promoted(k BasicKind) BasicKind {
	f := basicFacts[k]
	if f.class == classInt && f.rank < basicFacts[Int].rank {
		return Int
	}
	return k
}

// Promote is the type that the integer promotions give (C11 6.3.1.1p2). bits is the field if the operand is a
// bit-field, or nil.
func Promote(t Type, bits *Field) Type {
	k := t.basic()
	if basicFacts[k].class != classInt {
		return t.Unqualified()
	}
	if bits != nil && bits.Bits {
		if bits.Width < 32 || bits.Width == 32 && basicFacts[k].signed {
			return BasicType(Int)
		}
		if bits.Width == 32 {
			return BasicType(UInt)
		}
	}
	if p := promoted(k); p != k {
		return BasicType(p)
	}
	if _, ok := t.T.(*Enum); ok {
		return BasicType(k)
	}
	return t.Unqualified()
}

// UsualArithmetic is the common real or complex type of two arithmetic types that were promoted (C11 6.3.1.8; ISO/IEC
// TS 18661-3 for the types such as _Float128).
func UsualArithmetic(a, b Type) Type {
	if a.opaque() {
		return a.Unqualified()
	}
	if b.opaque() {
		return b.Unqualified()
	}
	x, y := a.basic(), b.basic()
	fx, fy := basicFacts[x], basicFacts[y]
	if fx.class == classComplex || fy.class == classComplex {
		rx, ry := x, y
		if fx.class == classComplex {
			rx = fx.other
		}
		if fy.class == classComplex {
			ry = fy.other
		}
		return BasicType(complexOf(usual(rx, ry)))
	}
	return BasicType(usual(x, y))
}

// usual is UsualArithmetic for real types.
func usual(x, y BasicKind) BasicKind {
	fx, fy := basicFacts[x], basicFacts[y]
	switch {
	case fx.class == classFloat && fy.class == classFloat:
		if fx.rank >= fy.rank {
			return x
		}
		return y
	case fx.class == classFloat:
		return x
	case fy.class == classFloat:
		return y
	}
	x, y = promoted(x), promoted(y)
	fx, fy = basicFacts[x], basicFacts[y]
	if x == y {
		return x
	}
	if fx.rank < fy.rank {
		x, y, fx, fy = y, x, fy, fx
	}
	// x has at least the rank of y.
	if fx.rank == fy.rank {
		if fx.signed {
			return y
		}
		return x
	}
	if fx.signed && !fy.signed && fx.size == fy.size {
		return fx.other
	}
	return x
}

// Decay is the type of a value of t: an array becomes a pointer to its first element, a function a pointer to it, and
// qualifiers are left (C11 6.3.2.1). The pointer that a shared array becomes keeps the layout (UPC 1.3, 6.5.1.1).
func Decay(t Type) Type {
	switch u := t.T.(type) {
	case *Array:
		return PointerTo(u.Elem)
	case *Func:
		return PointerTo(t)
	}
	return t.Unqualified()
}

package types

// kinds is how many basic types there are.
const kinds = int(ComplexFloat64x) + 1

// class tells the families of arithmetic types (C11 6.2.5).
type class uint8

const (
	classNone class = iota
	classInt
	classFloat
	classComplex
)

// basicFact is what is known of a basic type; sizes are alignments too, except where align says otherwise.
type basicFact struct {
	name   string
	class  class
	size   int64
	align  int64 // 0: as size
	signed bool
	rank   int8      // of an integer (C11 6.3.1.1) or the order of a floating type in the usual arithmetic conversions
	other  BasicKind // the unsigned or signed twin of an integer; the real type of a complex one
}

// basicFacts says of each basic type what holds on both processors. Plain char is signed here; Config.signed knows
// better.
var basicFacts = [kinds]basicFact{
	Invalid:           {name: "<error>"},
	Void:              {name: "void"},
	Bool:              {name: "_Bool", class: classInt, size: 1, rank: 0, other: Bool},
	Char:              {name: "char", class: classInt, size: 1, signed: true, rank: 1, other: UChar},
	SChar:             {name: "signed char", class: classInt, size: 1, signed: true, rank: 1, other: UChar},
	UChar:             {name: "unsigned char", class: classInt, size: 1, rank: 1, other: SChar},
	Short:             {name: "short int", class: classInt, size: 2, signed: true, rank: 2, other: UShort},
	UShort:            {name: "short unsigned int", class: classInt, size: 2, rank: 2, other: Short},
	Int:               {name: "int", class: classInt, size: 4, signed: true, rank: 3, other: UInt},
	UInt:              {name: "unsigned int", class: classInt, size: 4, rank: 3, other: Int},
	Long:              {name: "long int", class: classInt, size: 8, signed: true, rank: 4, other: ULong},
	ULong:             {name: "long unsigned int", class: classInt, size: 8, rank: 4, other: Long},
	LongLong:          {name: "long long int", class: classInt, size: 8, signed: true, rank: 5, other: ULongLong},
	ULongLong:         {name: "long long unsigned int", class: classInt, size: 8, rank: 5, other: LongLong},
	Int128:            {name: "__int128", class: classInt, size: 16, signed: true, rank: 6, other: UInt128},
	UInt128:           {name: "__int128 unsigned", class: classInt, size: 16, rank: 6, other: Int128},
	Float:             {name: "float", class: classFloat, size: 4, rank: 2},
	Double:            {name: "double", class: classFloat, size: 8, rank: 4},
	LongDouble:        {name: "long double", class: classFloat, size: 16, rank: 7},
	Float16:           {name: "_Float16", class: classFloat, size: 2, rank: 1},
	Float32:           {name: "_Float32", class: classFloat, size: 4, rank: 3},
	Float64:           {name: "_Float64", class: classFloat, size: 8, rank: 6},
	Float128:          {name: "_Float128", class: classFloat, size: 16, rank: 9},
	Float32x:          {name: "_Float32x", class: classFloat, size: 8, rank: 5},
	Float64x:          {name: "_Float64x", class: classFloat, size: 16, rank: 8},
	ComplexFloat:      {name: "_Complex float", class: classComplex, size: 8, align: 4, other: Float},
	ComplexDouble:     {name: "_Complex double", class: classComplex, size: 16, align: 8, other: Double},
	ComplexLongDouble: {name: "_Complex long double", class: classComplex, size: 32, align: 16, other: LongDouble},
	ComplexFloat128:   {name: "_Complex _Float128", class: classComplex, size: 32, align: 16, other: Float128},
	ComplexInt:        {name: "_Complex int", class: classComplex, size: 8, align: 4, other: Int},
	ComplexFloat16:    {name: "_Complex _Float16", class: classComplex, size: 4, align: 2, other: Float16},
	ComplexFloat32:    {name: "_Complex _Float32", class: classComplex, size: 8, align: 4, other: Float32},
	ComplexFloat64:    {name: "_Complex _Float64", class: classComplex, size: 16, align: 8, other: Float64},
	ComplexFloat32x:   {name: "_Complex _Float32x", class: classComplex, size: 16, align: 8, other: Float32x},
	ComplexFloat64x:   {name: "_Complex _Float64x", class: classComplex, size: 32, align: 16, other: Float64x},
}

// BasicType is the unqualified type of a kind.
func BasicType(k BasicKind) Type { return Type{T: basics[k]} }

// basics are the only values of *Basic, so that they may be compared as pointers.
var basics = func() (all [kinds]*Basic) {
	for k := range all {
		all[k] = &Basic{Kind: BasicKind(k)}
	}
	return all
}()

// complexOf gives the complex type of a real one, or Invalid.
func complexOf(k BasicKind) BasicKind {
	for c := ComplexFloat; int(c) < kinds; c++ {
		if basicFacts[c].class == classComplex && basicFacts[c].other == k {
			return c
		}
	}
	return Invalid
}

// basic is the kind of an arithmetic type, an enumerated one as its integer type; Invalid for all others and for
// errors.
func (t Type) basic() BasicKind {
	switch u := t.T.(type) {
	case *Basic:
		return u.Kind
	case *Enum:
		return u.Under
	}
	return Invalid
}

// bad says that the type is of something whose error was already reported; nothing more is said of it.
func (t Type) bad() bool {
	if t.T == nil {
		return true
	}
	b, ok := t.T.(*Basic)
	return ok && b.Kind == Invalid
}

func (t Type) class() class {
	if e, ok := t.T.(*Enum); ok && !e.Complete {
		return classInt // GNU: a forward enum counts as unsigned int
	}
	return basicFacts[t.basic()].class
}

// IsVoid says that the type is void, qualified or not.
func (t Type) IsVoid() bool { return t.basic() == Void }

// IsInteger says that the type is an integer type, enumerated types among them (C11 6.2.5p17).
func (t Type) IsInteger() bool { return t.class() == classInt }

// IsUnsigned says that t is an unsigned integer type.
func (t Type) IsUnsigned() bool { return t.IsInteger() && !basicFacts[t.basic()].signed }

// IsArithmetic says that the type is an integer or floating type, complex ones among them (C11 6.2.5p18).
func (t Type) IsArithmetic() bool { return t.class() != classNone }

// IsReal says that the type is an arithmetic type that is not complex.
func (t Type) IsReal() bool { c := t.class(); return c == classInt || c == classFloat }

// IsPointer says that the type is a pointer, to shared or to private.
func (t Type) IsPointer() bool { _, ok := t.T.(*Pointer); return ok }

// IsScalar says that the type is arithmetic or a pointer (C11 6.2.5p21).
func (t Type) IsScalar() bool { return t.IsArithmetic() || t.IsPointer() }

// opaque says that the checker knows too little of the type to judge its arithmetic.
func (t Type) opaque() bool {
	switch t.T.(type) {
	case *Opaque, *Vector:
		return true
	}
	return t.bad()
}

// elem is what a pointer points to.
func (t Type) elem() Type {
	if p, ok := t.T.(*Pointer); ok {
		return p.Elem
	}
	return BasicType(Invalid)
}

// Unqualified is the type without qualifiers and layout, as a value has it (C11 6.3.2.1p2). Its elements keep theirs.
func (t Type) Unqualified() Type {
	if t.Qual == 0 && t.Align == 0 {
		return t
	}
	u := Type{T: t.T}
	if t.Name != nil && t.Name.Type.Qual == 0 {
		u.Name = t.Name
	}
	return u
}

// PointerTo is the pointer type to t.
func PointerTo(t Type) Type {
	if t.Block.Kind == BlockStar && t.Qual&Shared != 0 {
		t = withBlock(t, sizedBlock(t.Block.Size))
	}
	return Type{T: &Pointer{Elem: t}}
}

// sizedBlock is the layout with blocks of n elements, where 0 means indefinite.
func sizedBlock(n int64) Block {
	if n == 0 {
		return Block{Kind: BlockIndefinite}
	}
	return Block{Kind: BlockSize, Size: n}
}

// withBlock gives a shared type and, in an array, its elements another layout.
func withBlock(t Type, b Block) Type {
	if a, ok := t.T.(*Array); ok {
		t.T = &Array{Elem: withBlock(a.Elem, b), Kind: a.Kind, Len: a.Len}
	}
	t.Block, t.Name = b, nil
	return t
}

// WithQual adds qualifiers to a type; those of an array go to its ultimate elements as well (C11 6.7.3p9).
func WithQual(t Type, q Qual, b Block) Type {
	if q == 0 || q&^t.Qual == 0 && b == t.Block {
		return t
	}
	if a, ok := t.T.(*Array); ok {
		t.T = &Array{Elem: WithQual(a.Elem, q, b), Kind: a.Kind, Len: a.Len}
	}
	t.Qual |= q
	t.Block = b
	return t
}

// ultimate is the first type that is not an array, going from an array to its elements (UPC 1.3, 6.5.1.1).
func ultimate(t Type) Type {
	for {
		a, ok := t.T.(*Array)
		if !ok {
			return t
		}
		t = a.Elem
	}
}

// Private is the type without shared, strict, relaxed and layout at its outermost level, as the value of an access or
// the object behind a pointer-to-local has it; const and volatile stay.
func Private(t Type) Type {
	if t.Qual&(Shared|Strict|Relaxed) == 0 {
		return t
	}
	if a, ok := t.T.(*Array); ok {
		t.T = &Array{Elem: Private(a.Elem), Kind: a.Kind, Len: a.Len}
	}
	t.Qual &^= Shared | Strict | Relaxed
	t.Block, t.Name = Block{}, nil
	return t
}

// IsComplete says that the size of objects of the type is known, at least at run-time (C11 6.2.5p1).
func IsComplete(t Type) bool {
	switch u := t.T.(type) {
	case *Basic:
		return u.Kind != Void
	case *Array:
		return u.Kind != LenIncomplete && IsComplete(u.Elem)
	case *Struct:
		return u.Complete
	case *Func:
		return false
	}
	return t.T != nil
}

// variable says that the size of the type is known at run-time only (C11 6.7.6.2p4): a variable-length array, and in
// the dynamic environment an array of THREADS elements.
func variable(t Type) bool {
	a, ok := t.T.(*Array)
	return ok && (a.Kind == LenVariable || a.Kind == LenThreads || variable(a.Elem))
}

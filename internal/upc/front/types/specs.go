package types

import (
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
)

// specified is what declaration specifiers say.
type specified struct {
	t       Type
	storage string // typedef, extern, static, auto, register or ""
	thread  bool   // _Thread_local
	inline  bool
	auto    bool       // __auto_type: the type comes from the initialiser
	align   int64      // of _Alignas and attribute aligned, 0: none
	packed  bool       // attribute packed
	layout  syntax.Pos // of the layout qualifier, or NoPos
	shared  syntax.Pos // of the qualifier shared, or NoPos
	atomic  syntax.Pos // of _Atomic, or NoPos
	thrPos  syntax.Pos // of _Thread_local or register
}

// specs resolves specifiers. declares says that no declarator follows ("struct s;"), which declares a tag anew in an
// inner scope (C11 6.7.2.3p7).
func (c *checker) specs(s *syntax.Specs, declares bool) specified {
	out := specified{layout: syntax.NoPos, shared: syntax.NoPos, atomic: syntax.NoPos, thrPos: s.First()}
	for _, w := range s.Storage {
		switch {
		case w == "_Thread_local":
			out.thread = true
		case out.storage == "" || out.storage == w:
			out.storage = w
		default:
			c.errorf(s.First(), "", "multiple storage classes in declaration specifiers")
		}
	}
	out.inline = slices.Contains(s.Function, "inline")
	base := c.specType(s, declares, &out)
	out.t = c.qualify(base, s.Quals, &out)
	for _, a := range s.Align {
		out.align = max(out.align, c.alignSpec(a))
	}
	c.typeAttributes(s.Attributes, &out)
	return out
}

// specType resolves the type specifiers (C11 6.7.2).
func (c *checker) specType(s *syntax.Specs, declares bool, out *specified) Type {
	switch {
	case s.Bad:
		return BasicType(Invalid)
	case s.Struct != nil:
		return c.structSpec(s.Struct, declares)
	case s.Enum != nil:
		return c.enumSpec(s.Enum)
	case s.Typedef != nil:
		o := c.lookup(s.Typedef.Name)
		if o == nil || o.Kind != ObjTypedef {
			c.errorf(s.Typedef.First(), "", "unknown type name '%s'", s.Typedef.Name)
			return BasicType(Invalid)
		}
		t := o.Type
		t.Name = o
		if t.bad() {
			t.Name = nil
		}
		return t
	case s.Typeof != nil:
		return c.typeof(s.Typeof)
	case s.Atomic != nil:
		out.atomic = s.Atomic.First()
		t := c.typeName(s.Atomic)
		if t.IsShared() {
			c.errorf(s.Atomic.First(), "COMP-36", "a shared type cannot be '_Atomic'")
			return t
		}
		t.Qual |= Atomic
		return t
	}
	return c.wordsType(s, out)
}

func (c *checker) typeof(s *syntax.TypeofSpec) Type {
	if s.Type != nil {
		return c.typeName(s.Type)
	}
	c.unevaluated++
	defer func() { c.unevaluated-- }()
	t := c.expr(s.X).Type
	if t.Block.Kind == BlockStar {
		return withBlock(t, sizedBlock(t.Block.Size))
	}
	return t
}

// words counts the keywords of an arithmetic type.
type words struct {
	long, short, signed, unsigned, char, integer, double, float, complex int
	other                                                                string // a keyword that is a type by itself
	bad                                                                  bool
}

func countWords(list []string) (w words) {
	for _, s := range list {
		switch s {
		case "long":
			w.long++
		case "short":
			w.short++
		case "signed":
			w.signed++
		case "unsigned":
			w.unsigned++
		case "char":
			w.char++
		case "int":
			w.integer++
		case "double":
			w.double++
		case "float":
			w.float++
		case "_Complex":
			w.complex++
		default:
			w.bad = w.bad || w.other != ""
			w.other = s
		}
	}
	return w
}

// wordTypes are the types that one keyword names.
var wordTypes = map[string]BasicKind{
	"void": Void, "_Bool": Bool, "__int128": Int128, "_Float16": Float16, "_Float32": Float32, "_Float64": Float64,
	"_Float128": Float128,
	"_Float32x": Float32x, "_Float64x": Float64x, "__float128": Float128, "__float80": Float64x,
}

// wordsType is the type of specifiers that are keywords (C11 6.7.2p2). Without any it is int, of which the C compiler
// warns.
func (c *checker) wordsType(s *syntax.Specs, out *specified) Type {
	w := countWords(s.Words)
	switch w.other {
	case "__builtin_va_list":
		return c.vaList()
	case "__auto_type":
		out.auto = true
		return BasicType(Invalid)
	case "_Decimal32":
		return decimalType(4)
	case "_Decimal64":
		return decimalType(8)
	case "_Decimal128":
		return decimalType(16)
	case "__fp16", "__bf16":
		return Type{T: &Opaque{Name: w.other, Size: 2, Align: 2}}
	}
	k := w.kind()
	if k == Invalid {
		if len(s.Words) > 0 && !knownWords(s.Words) {
			return BasicType(Invalid) // a type of the compiler of which nothing is known
		}
		c.errorf(s.First(), "", "'%s' is not a type", strings.Join(s.Words, " "))
		return BasicType(Invalid)
	}
	if w.complex == 0 {
		return BasicType(k)
	}
	switch real := BasicType(k); {
	case len(s.Words) == 1:
		return BasicType(ComplexDouble)
	case real.class() == classFloat && complexOf(k) != Invalid:
		return BasicType(complexOf(k))
	case k == Int:
		return BasicType(ComplexInt)
	case real.class() == classInt:
		size := basicFacts[k].size
		return Type{T: &Opaque{Name: "_Complex " + basicFacts[k].name, Size: 2 * size, Align: size}}
	}
	c.errorf(s.First(), "", "'%s' is not a type", strings.Join(s.Words, " "))
	return BasicType(Invalid)
}

func knownWords(list []string) bool {
	for _, s := range list {
		switch s {
		case "long", "short", "signed", "unsigned", "char", "int", "double", "float", "_Complex":
			continue
		}
		if _, ok := wordTypes[s]; !ok {
			return false
		}
	}
	return true
}

// kind is the arithmetic type that the words name, or Invalid.
func (w words) kind() BasicKind {
	if w.bad || w.signed > 0 && w.unsigned > 0 || w.signed > 1 || w.unsigned > 1 || w.short > 1 || w.long > 2 ||
		w.complex > 1 ||
		w.char+w.integer+w.double+w.float > 1 {
		return Invalid
	}
	sized := w.short > 0 || w.long > 0
	if w.other != "" {
		k, ok := wordTypes[w.other]
		switch {
		case !ok || sized || w.char+w.integer+w.double+w.float > 0:
			return Invalid
		case w.signed+w.unsigned == 0:
			return k
		case k != Int128:
			return Invalid
		case w.unsigned > 0:
			return UInt128
		}
		return Int128
	}
	signs := w.signed + w.unsigned
	switch {
	case w.float > 0:
		return pick(signs > 0 || sized, Invalid, Float)
	case w.double > 0:
		if signs > 0 || w.short > 0 || w.long > 1 {
			return Invalid
		}
		return pick(w.long > 0, LongDouble, Double)
	case w.char > 0:
		switch {
		case sized:
			return Invalid
		case w.signed > 0:
			return SChar
		}
		return pick(w.unsigned > 0, UChar, Char)
	case w.short > 0:
		if w.long > 0 {
			return Invalid
		}
		return pick(w.unsigned > 0, UShort, Short)
	case w.long == 2:
		return pick(w.unsigned > 0, ULongLong, LongLong)
	case w.long == 1:
		return pick(w.unsigned > 0, ULong, Long)
	}
	return pick(w.unsigned > 0, UInt, Int)
}

func pick(is bool, yes, no BasicKind) BasicKind {
	if is {
		return yes
	}
	return no
}

// alignSpec is the alignment that _Alignas asks for (C11 6.7.5).
func (c *checker) alignSpec(a *syntax.AlignSpec) int64 {
	if a.Type != nil {
		return c.Alignof(c.typeName(a.Type))
	}
	n, ok := c.constInt(a.X, "", "requested alignment is not an integer constant")
	if ok && n < 0 || n&(n-1) != 0 {
		c.errorf(a.First(), "", "requested alignment '%d' is not a positive power of 2", n)
		return 0
	}
	return n
}

// typeAttributes reads the attributes that stand among specifiers.
func (c *checker) typeAttributes(list []*syntax.Attribute, out *specified) {
	for _, a := range list {
		switch a.Name {
		case "aligned":
			out.align = max(out.align, c.alignedAttribute(a))
		case "packed":
			out.packed = true
		default:
			out.t = c.retype(out.t, a)
		}
	}
}

// alignedAttribute is the alignment of GNU's attribute aligned.
func (c *checker) alignedAttribute(a *syntax.Attribute) int64 {
	if len(a.Args) == 0 {
		if len(a.Tokens) > 0 {
			return 0
		}
		return largestAlignment
	}
	n, ok := c.constInt(a.Args[0], "", "requested alignment is not an integer constant")
	if !ok || n <= 0 || n&(n-1) != 0 || n > 1<<28 {
		return 0
	}
	return n
}

// retype applies GNU's attributes that make another type: vector_size and mode, and transparent_union, which marks the
// union itself.
func (c *checker) retype(t Type, a *syntax.Attribute) Type {
	switch a.Name {
	case "vector_size":
		if len(a.Args) == 1 {
			if n, ok := c.constInt(a.Args[0], "", "vector size is not an integer constant"); ok && n > 0 {
				return vectorize(t, n)
			}
		}
	case "mode":
		if len(a.Tokens) == 1 {
			return modeType(t, strings.Trim(a.Tokens[0].Text, "_"))
		}
	case "transparent_union":
		if u, ok := t.T.(*Struct); ok && u.Union {
			u.Transparent = true
		}
	}
	return t
}

// vectorize makes vectors of the elements at the end of a derivation.
func vectorize(t Type, size int64) Type {
	switch u := t.T.(type) {
	case *Pointer:
		t.T = &Pointer{Elem: vectorize(u.Elem, size)}
	case *Array:
		t.T = &Array{Elem: vectorize(u.Elem, size), Kind: u.Kind, Len: u.Len}
	case *Func:
		t.T = &Func{Result: vectorize(u.Result, size), Params: u.Params, Prototype: u.Prototype, Variadic: u.Variadic}
	case *Basic, *Enum:
		t.T = &Vector{Elem: t.Unqualified(), Size: size}
	}
	t.Name = nil
	return t
}

// modes are the machine modes of GNU's attribute mode: the signed integer or the floating type.
var modes = map[string]BasicKind{
	"QI": SChar, "byte": SChar, "HI": Short, "SI": Int, "DI": Long, "TI": Int128, "word": Long, "pointer": Long,
	"unwind_word":       Long,
	"libgcc_cmp_return": Long, "libgcc_shift_count": Long,
	"HF": Float16, "SF": Float, "DF": Double, "XF": LongDouble, "TF": Float128,
	"HC": ComplexFloat16, "SC": ComplexFloat, "DC": ComplexDouble, "XC": ComplexLongDouble, "TC": ComplexFloat128,
}

func modeType(t Type, mode string) Type {
	k, ok := modes[mode]
	if !ok || !t.IsArithmetic() {
		return t
	}
	if basicFacts[k].class == classInt && t.class() == classInt && !basicFacts[t.basic()].signed {
		k = basicFacts[k].other
	}
	t.T, t.Name = basics[k], nil
	return t
}

package types

import (
	"strings"

	"unknot/internal/upc/front/syntax"
)

// isBuiltinName says that a name belongs to gcc.
func isBuiltinName(name string) bool {
	return strings.HasPrefix(name, "__builtin_") || strings.HasPrefix(name, "__sync_") ||
		strings.HasPrefix(name, "__atomic_")
}

// builtinSignatures are functions of gcc, without "__builtin_": the result, and the parameters, each in one letter (see
// letters); "?" stands for parameters that are not checked.
var builtinSignatures = map[string]string{
	"expect": "lll", "expect_with_probability": "llld", "constant_p": "i?", "classify_type": "i?",
	"prefetch": "v?", "trap": "v",
	"unreachable": "v", "abort": "v", "exit": "vi", "alloca": "pL", "alloca_with_align": "pLL", "assume_aligned": "p?",
	"return_address": "pu", "frame_address": "pu", "extract_return_addr": "pp", "object_size": "LPi",
	"dynamic_object_size": "LPi",
	"va_start":            "v?", "va_end": "v?", "va_copy": "v?", "va_arg_pack": "i?",
	"va_arg_pack_len": "i", "LINE": "i",
	"FILE": "C", "FUNCTION": "C",
	"cpu_init": "i", "cpu_supports": "iC", "cpu_is": "iC", "has_attribute": "i?", "eh_return_data_regno": "ii",
	"ffs": "ii", "ffsl": "il", "ffsll": "iq", "clz": "iu", "clzl": "iL", "clzll": "iQ", "ctz": "iu", "ctzl": "iL",
	"ctzll": "iQ",
	"clrsb": "ii", "clrsbl": "il", "clrsbll": "iq", "popcount": "iu", "popcountl": "iL", "popcountll": "iQ",
	"parity": "iu", "parityl": "iL", "parityll": "iQ", "bswap16": "hh", "bswap32": "uu", "bswap64": "LL",
	"abs": "ii", "labs": "ll", "llabs": "qq",
	"memcpy": "ppPL", "memmove": "ppPL", "memset": "ppiL", "memcmp": "iPPL", "memchr": "pPiL", "mempcpy": "ppPL",
	"bcmp": "iPPL", "bzero": "vpL",
	"strlen": "LC", "strcmp": "iCC", "strncmp": "iCCL", "strcpy": "SSC", "strncpy": "SSCL", "strcat": "SSC",
	"strncat": "SSCL", "stpcpy": "SSC",
	"strchr": "SCi", "strrchr": "SCi", "strstr": "SCC", "strdup": "SC", "strspn": "LCC", "strcspn": "LCC",
	"strpbrk": "SCC", "index": "SCi",
	"malloc": "pL", "calloc": "pLL", "realloc": "ppL", "free": "vp", "printf": "i?", "fprintf": "i?", "sprintf": "i?",
	"snprintf": "i?",
	"vprintf":  "i?", "vfprintf": "i?", "vsprintf": "i?", "vsnprintf": "i?", "puts": "iC", "putchar": "ii",
	"__memcpy_chk": "p?", "__memmove_chk": "p?", "__memset_chk": "p?", "__mempcpy_chk": "p?", "__strcpy_chk": "S?",
	"__strncpy_chk": "S?",
	"__stpcpy_chk":  "S?", "__stpncpy_chk": "S?", "__strcat_chk": "S?", "__strncat_chk": "S?", "__sprintf_chk": "i?",
	"__snprintf_chk": "i?",
	"__vsprintf_chk": "i?", "__vsnprintf_chk": "i?", "__printf_chk": "i?", "__fprintf_chk": "i?", "__vprintf_chk": "i?",
	"__vfprintf_chk": "i?",
	"isnan":          "i?", "isnanf": "i?", "isnanl": "i?", "isinf": "i?", "isinff": "i?", "isinfl": "i?",
	"isfinite":   "i?",
	"isnormal":   "i?",
	"isinf_sign": "i?", "signbit": "i?", "signbitf": "i?", "signbitl": "i?", "finite": "i?", "fpclassify": "i?",
	"issignaling": "i?",
	"isgreater":   "i?", "isgreaterequal": "i?", "isless": "i?", "islessequal": "i?", "islessgreater": "i?",
	"isunordered":  "i?",
	"add_overflow": "b?", "sub_overflow": "b?", "mul_overflow": "b?", "add_overflow_p": "b?", "sub_overflow_p": "b?",
	"mul_overflow_p": "b?",
	"sadd_overflow":  "b?", "saddl_overflow": "b?", "saddll_overflow": "b?", "uadd_overflow": "b?",
	"uaddl_overflow":  "b?",
	"uaddll_overflow": "b?", "ssub_overflow": "b?", "ssubl_overflow": "b?", "ssubll_overflow": "b?",
	"usub_overflow":  "b?",
	"usubl_overflow": "b?", "usubll_overflow": "b?", "smul_overflow": "b?", "smull_overflow": "b?",
	"smulll_overflow": "b?",
	"umul_overflow":   "b?", "umull_overflow": "b?", "umulll_overflow": "b?",
	"setjmp": "i?", "longjmp": "v?", "__clear_cache": "v?", "unwind_init": "v", "eh_return": "v?", "dwarf_cfa": "p",
	"stack_save":    "p",
	"stack_restore": "vp", "apply_args": "p", "apply": "p?", "return": "v?", "ia32_pause": "v",
}

// mathBuiltins are functions of gcc of which there is one for double and, with f and l behind the name, for float and
// long double. They take values of that type, except nan and nans, and frexp and the like, which are not checked.
var mathBuiltins = map[string]string{
	"huge_val": "", "inf": "", "nan": "?", "nans": "?", "fabs": "d", "sqrt": "d", "copysign": "dd", "floor": "d",
	"ceil": "d", "trunc": "d",
	"round": "d", "rint": "d", "nearbyint": "d", "fmin": "dd", "fmax": "dd", "fma": "ddd", "pow": "dd", "exp": "d",
	"exp2": "d", "log": "d", "log2": "d",
	"log10": "d", "sin": "d", "cos": "d", "tan": "d", "asin": "d", "acos": "d", "atan": "d", "atan2": "dd",
	"sinh": "d", "cosh": "d",
	"tanh": "d", "cbrt": "d", "hypot": "dd", "fmod": "dd", "ldexp": "?", "scalbn": "?", "frexp": "?", "modf": "?",
	"logb": "d", "fdim": "dd",
	"powi": "?", "erf": "d", "erfc": "d", "tgamma": "d", "lgamma": "d", "expm1": "d", "log1p": "d", "remainder": "dd",
	"nextafter": "dd",
}

// letterType is the type that a letter of builtinSignatures stands for.
func letterType(l byte) Type {
	switch l {
	case 'v':
		return BasicType(Void)
	case 'i':
		return BasicType(Int)
	case 'u':
		return BasicType(UInt)
	case 'l':
		return BasicType(Long)
	case 'L':
		return BasicType(ULong)
	case 'q':
		return BasicType(LongLong)
	case 'Q':
		return BasicType(ULongLong)
	case 'h':
		return BasicType(UShort)
	case 'b':
		return BasicType(Bool)
	case 'd':
		return BasicType(Double)
	case 'p':
		return PointerTo(BasicType(Void))
	case 'P':
		return PointerTo(WithQual(BasicType(Void), Const, Block{}))
	case 'S':
		return PointerTo(BasicType(Char))
	case 'C':
		return PointerTo(WithQual(BasicType(Char), Const, Block{}))
	}
	return BasicType(Invalid)
}

// builtinFunction is the object of a function of gcc that has a fixed type, or nil.
func (c *checker) builtinFunction(name string) *Object {
	short, ok := strings.CutPrefix(name, "__builtin_")
	if !ok {
		return nil
	}
	if o := c.builtins[name]; o != nil {
		return o
	}
	f := signature(short)
	if f == nil {
		known := c.linkage[short]
		if known == nil || known.Kind != ObjFunc {
			return nil
		}
		f, _ = known.Type.T.(*Func)
		if f == nil {
			return nil
		}
	}
	o := &Object{Kind: ObjFunc, Name: name, Type: Type{T: f}, Storage: External}
	if c.builtins == nil {
		c.builtins = map[string]*Object{}
	}
	c.builtins[name] = o
	return o
}

// signature is the type of a function of gcc by its name without "__builtin_", or nil.
func signature(name string) *Func {
	if s, ok := builtinSignatures[name]; ok {
		f := &Func{Result: letterType(s[0]), Prototype: true}
		if s[1:] == "?" {
			f.Prototype = false
			return f
		}
		for i := 1; i < len(s); i++ {
			f.Params = append(f.Params, letterType(s[i]))
		}
		return f
	}
	for _, k := range [...]struct {
		suffix string
		kind   BasicKind
	}{{"", Double}, {"f", Float}, {"l", LongDouble}, {"f16", Float16}, {"f32", Float32}, {"f64", Float64},
		{"f128", Float128}, {"f32x", Float32x}, {"f64x", Float64x}, {"q", Float128}} {
		base, ok := strings.CutSuffix(name, k.suffix)
		params, known := mathBuiltins[base]
		if !ok || !known {
			continue
		}
		f := &Func{Result: BasicType(k.kind), Prototype: params != "?"}
		for i := 0; i < len(params) && f.Prototype; i++ {
			f.Params = append(f.Params, BasicType(k.kind))
		}
		return f
	}
	return nil
}

// specialBuiltin checks a call of a function of gcc whose type depends on its arguments, or of which nothing is known;
// false if it is another.
func (c *checker) specialBuiltin(name *syntax.NameExpr, x *syntax.CallExpr, e *ExprInfo) bool {
	if !isBuiltinName(name.Name) || c.builtinFunction(name.Name) != nil {
		return false
	}
	c.info.Exprs[x.Fun] = &ExprInfo{Type: BasicType(Invalid)}
	first := BasicType(Invalid)
	for i, a := range x.Args {
		t := c.rvalue(a)
		if t.IsPointerToShared() {
			c.errorNote(a.First(), "COMP-28", "'"+name.Name+"' cannot take the pointer-to-shared "+quote(t),
				syntax.NoPos, localNote)
		}
		if i == 0 {
			first = t
		}
	}
	e.Type = atomicType(name.Name, first)
	return true
}

// atomicType is the result of one of gcc's generic functions whose first argument has the given type; Invalid where it
// is not known.
func atomicType(name string, first Type) Type {
	switch name {
	case "__sync_bool_compare_and_swap", "__atomic_compare_exchange", "__atomic_compare_exchange_n",
		"__atomic_test_and_set",
		"__atomic_always_lock_free", "__atomic_is_lock_free":
		return BasicType(Bool)
	case "__sync_synchronize", "__sync_lock_release", "__atomic_load", "__atomic_store", "__atomic_store_n",
		"__atomic_exchange",
		"__atomic_clear", "__atomic_thread_fence", "__atomic_signal_fence":
		return BasicType(Void)
	case "__builtin_shuffle", "__builtin_speculation_safe_value":
		return first
	case "__builtin_complex":
		if k := complexOf(first.basic()); k != Invalid {
			return BasicType(k)
		}
		return BasicType(Invalid)
	}
	if strings.HasPrefix(name, "__sync_") || strings.HasPrefix(name, "__atomic_") {
		return first.elem().Unqualified()
	}
	return BasicType(Invalid)
}

// builtinValue is the value of a call of a function of gcc: constant if gcc may compute it from constant arguments.
func (c *checker) builtinValue(name string, x *syntax.CallExpr, t Type) Value {
	if len(x.Args) > 0 {
		first := c.info.Exprs[x.Args[0]].Value
		switch name {
		case "__builtin_constant_p":
			if first.Kind == NotConstant || first.Threads {
				return Value{Kind: OtherValue} // gcc may find it constant nevertheless
			}
			return integerIf(first.Kind == IntegerValue || first.Kind == FloatValue)
		case "__builtin_expect":
			return first
		}
	}
	if !t.IsArithmetic() {
		return Value{}
	}
	for _, a := range x.Args {
		if v := c.info.Exprs[a].Value; v.Kind == NotConstant || v.Threads {
			return Value{}
		}
	}
	return Value{Kind: OtherValue}
}

// builtin is one of gcc's builtins that take types.
func (c *checker) builtin(x *syntax.BuiltinExpr, e *ExprInfo) {
	switch x.Name {
	case "__builtin_offsetof":
		c.offsetof(x, e)
	case "__builtin_types_compatible_p":
		e.Type = BasicType(Int)
		if len(x.Types) == 2 {
			a, b := c.typeName(x.Types[0]), c.typeName(x.Types[1])
			e.Value = integerIf(Compatible(a.Unqualified(), b.Unqualified()))
		}
	case "__builtin_va_arg":
		for _, a := range x.Args {
			c.rvalue(a)
		}
		for _, n := range x.Types {
			t := c.typeName(n)
			if t.IsShared() {
				c.errorf(n.First(), "COMP-03", "a parameter cannot have the shared type %s", quote(t))
				t = Private(t)
			}
			e.Type = t.Unqualified()
		}
	case "__builtin_choose_expr":
		c.choose(x, e)
	case "__builtin_convertvector":
		for _, a := range x.Args {
			c.rvalue(a)
		}
		for _, n := range x.Types {
			e.Type = c.typeName(n).Unqualified()
		}
	default:
		for _, n := range x.Types {
			c.typeName(n)
		}
		for _, a := range x.Args {
			c.rvalue(a)
		}
		e.Type, e.Value = BasicType(Int), Value{Kind: OtherValue}
	}
}

// choose is __builtin_choose_expr, which is the operand that is chosen.
func (c *checker) choose(x *syntax.BuiltinExpr, e *ExprInfo) {
	if len(x.Args) != 3 {
		return
	}
	c.rvalue(x.Args[0])
	a, b := c.expr(x.Args[1]), c.expr(x.Args[2])
	switch v := c.info.Exprs[x.Args[0]].Value; {
	case v.Kind != IntegerValue:
		return
	case v.Int != 0:
		*e = *a
	default:
		*e = *b
	}
}

// offsetof is __builtin_offsetof with its member designator.
func (c *checker) offsetof(x *syntax.BuiltinExpr, e *ExprInfo) {
	e.Type = BasicType(ULong)
	e.Value = Value{Kind: OtherValue}
	if len(x.Types) != 1 {
		return
	}
	t := c.typeName(x.Types[0])
	offset, constant := int64(0), true
	for i := range x.Designators {
		d := &x.Designators[i]
		if t.bad() {
			return
		}
		if d.Name != nil {
			s, ok := t.T.(*Struct)
			if !ok || !s.Complete {
				c.errorf(d.Name.First(), "", "request for member '%s' in something not a structure or union",
					d.Name.Name)
				return
			}
			path := findMember(s, d.Name.Name)
			if path == nil {
				c.errorf(d.Name.First(), "", "'%s' has no member named '%s'", t.Unqualified(), d.Name.Name)
				return
			}
			for _, f := range path {
				offset += f.Offset
			}
			if f := path[len(path)-1]; f.Bits {
				c.errorf(d.Name.First(), "", "attempt to take address of bit-field structure member '%s'", d.Name.Name)
				return
			}
			t = memberType(t, path)
			continue
		}
		c.rvalue(d.Low)
		a, ok := t.T.(*Array)
		if !ok {
			c.errorf(d.Low.First(), "", "subscripted value is neither array nor pointer nor vector")
			return
		}
		v, size := c.info.Exprs[d.Low].Value, c.Sizeof(a.Elem)
		constant = constant && v.Kind == IntegerValue && !v.Threads && size.Kind == IntegerValue
		offset += v.Int * size.Int
		t = a.Elem
	}
	e.Value = Value{}
	if constant {
		e.Value = integer(offset)
	}
}

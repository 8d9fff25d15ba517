package types

import "math"

// truncate gives an integer value the width and signedness of a kind, as a conversion does (C11 6.3.1.3).
func (c Config) truncate(n int64, k BasicKind) int64 {
	switch basicFacts[k].size {
	case 1:
		if k == Bool {
			if n != 0 {
				return 1
			}
			return 0
		}
		if c.signed(k) {
			return int64(int8(n))
		}
		return int64(uint8(n))
	case 2:
		if c.signed(k) {
			return int64(int16(n))
		}
		return int64(uint16(n))
	case 4:
		if c.signed(k) {
			return int64(int32(n))
		}
		return int64(uint32(n))
	}
	return n
}

// convertValue is a constant after a conversion from one type to another (C11 6.3).
func (c Config) convertValue(v Value, from, to Type) Value {
	if v.Kind == NotConstant {
		return Value{}
	}
	if from.opaque() || to.opaque() {
		return Value{Kind: OtherValue}
	}
	switch {
	case to.IsPointer():
		if v.Kind == IntegerValue && !v.Threads {
			return v // such as a null pointer
		}
		if v.Kind == AddressValue || v.Kind == OtherValue {
			return v
		}
		return Value{}
	case to.basic() == Bool:
		return c.truth(v)
	case to.class() == classInt:
		return c.toInteger(v, from, to.basic())
	case to.class() == classFloat:
		return c.toFloat(v, from, to.basic())
	case to.class() == classComplex:
		return Value{Kind: OtherValue}
	}
	return Value{}
}

// truth is the value of v != 0.
func (c Config) truth(v Value) Value {
	is := false
	switch v.Kind {
	case IntegerValue:
		if v.Threads {
			return integerIf(v.Int != 0)
		}
		is = v.Int != 0
	case FloatValue:
		is = v.Float != 0
	default:
		return Value{Kind: OtherValue}
	}
	return integerIf(is)
}

func integerIf(is bool) Value {
	if is {
		return integer(1)
	}
	return integer(0)
}

func (c Config) toInteger(v Value, from Type, to BasicKind) Value {
	switch v.Kind {
	case IntegerValue:
		if v.Threads {
			return v
		}
		if basicFacts[to].size == 16 {
			// 64 bits say the value of those that fit into them.
			if v.Int >= 0 || c.signed(from.basic()) && to == Int128 {
				return v
			}
			return Value{Kind: OtherValue}
		}
		return integer(c.truncate(v.Int, to))
	case FloatValue:
		f := math.Trunc(v.Float)
		switch {
		case basicFacts[to].size == 16 || math.IsNaN(f):
			return Value{Kind: OtherValue}
		case f >= math.MinInt64 && f < math.MaxInt64:
			return integer(c.truncate(int64(f), to))
		case !c.signed(to) && f >= 0 && f < math.MaxUint64:
			return integer(int64(uint64(f)))
		}
		return Value{Kind: OtherValue}
	}
	if v.Kind == AddressValue && basicFacts[to].size < 8 {
		return Value{}
	}
	return v
}

func (c Config) toFloat(v Value, from Type, to BasicKind) Value {
	var f float64
	switch v.Kind {
	case IntegerValue:
		if v.Threads {
			return Value{}
		}
		f = float64(v.Int)
		if k := from.basic(); !c.signed(k) {
			f = float64(uint64(v.Int))
		}
	case FloatValue:
		f = v.Float
	default:
		return Value{Kind: OtherValue}
	}
	if to == Float || to == Float32 {
		f = float64(float32(f))
	}
	return Value{Kind: FloatValue, Float: f}
}

// foldUnary is the value of a prefix operator on an operand that was converted to t.
func (c Config) foldUnary(op string, t Type, v Value) Value {
	if v.Kind == NotConstant || v.Threads && op != "+" {
		return Value{}
	}
	switch v.Kind {
	case IntegerValue:
		if basicFacts[t.basic()].size == 16 {
			return Value{Kind: OtherValue}
		}
		switch op {
		case "-":
			return integer(c.truncate(-v.Int, t.basic()))
		case "~":
			return integer(c.truncate(^v.Int, t.basic()))
		case "+":
			return v
		}
	case FloatValue:
		switch op {
		case "-":
			return Value{Kind: FloatValue, Float: -v.Float}
		case "+":
			return v
		}
	}
	return Value{Kind: OtherValue}
}

// foldBinary is the value of an arithmetic operator on operands that were converted to their common type t.
func (c Config) foldBinary(op string, t Type, a, b Value) Value {
	if a.Kind == NotConstant || b.Kind == NotConstant {
		return Value{}
	}
	if a.Threads || b.Threads {
		return foldThreads(op, a, b)
	}
	switch {
	case a.Kind == IntegerValue && b.Kind == IntegerValue && t.class() == classInt:
		if basicFacts[t.basic()].size == 16 {
			return c.foldWide(op, a.Int, b.Int)
		}
		return c.foldInts(op, t.basic(), a.Int, b.Int)
	case a.Kind == FloatValue && b.Kind == FloatValue:
		return c.foldFloats(op, t, a.Float, b.Float)
	}
	return Value{Kind: OtherValue}
}

// foldThreads folds multiples of THREADS: n*THREADS times a constant, divided by one that divides n, and the quotient
// of two multiples.
func foldThreads(op string, a, b Value) Value {
	if a.Kind != IntegerValue || b.Kind != IntegerValue {
		return Value{}
	}
	switch op {
	case "*":
		if a.Threads && b.Threads {
			return Value{}
		}
		n := a.Int * b.Int
		if a.Int != 0 && n/a.Int != b.Int {
			return Value{}
		}
		return Value{Kind: IntegerValue, Int: n, Threads: true}
	case "/":
		if b.Int == 0 || a.Int%b.Int != 0 || !a.Threads {
			return Value{}
		}
		return Value{Kind: IntegerValue, Int: a.Int / b.Int, Threads: !b.Threads}
	}
	return Value{}
}

// foldWide folds what small values of __int128 allow, without their overflow.
func (c Config) foldWide(op string, a, b int64) Value {
	const half = 1 << 30
	if a < -half || a > half || b < -half || b > half {
		return Value{Kind: OtherValue}
	}
	switch op {
	case "+", "-", "*", "==", "!=", "<", ">", "<=", ">=":
		return c.foldInts(op, Long, a, b)
	}
	return Value{Kind: OtherValue}
}

func (c Config) foldInts(op string, k BasicKind, a, b int64) Value {
	signed := c.signed(k)
	var n int64
	switch op {
	case "+":
		n = a + b
	case "-":
		n = a - b
	case "*":
		n = a * b
	case "/", "%":
		switch {
		case b == 0:
			return Value{}
		case !signed && op == "/":
			n = int64(uint64(a) / uint64(b))
		case !signed:
			n = int64(uint64(a) % uint64(b))
		case b == -1:
			if op == "/" {
				n = -a
			}
		case op == "/":
			n = a / b
		default:
			n = a % b
		}
	case "&":
		n = a & b
	case "|":
		n = a | b
	case "^":
		n = a ^ b
	case "<<", ">>":
		return c.foldShift(op, k, a, b)
	case "==":
		return integerIf(a == b)
	case "!=":
		return integerIf(a != b)
	case "<":
		return integerIf(less(a, b, signed))
	case ">":
		return integerIf(less(b, a, signed))
	case "<=":
		return integerIf(!less(b, a, signed))
	case ">=":
		return integerIf(!less(a, b, signed))
	default:
		return Value{}
	}
	return integer(c.truncate(n, k))
}

func less(a, b int64, signed bool) bool {
	if signed {
		return a < b
	}
	return uint64(a) < uint64(b)
}

// foldShift is a shift of a value of kind k. A width that C leaves undefined is known to gcc only.
func (c Config) foldShift(op string, k BasicKind, a, b int64) Value {
	switch {
	case b < 0 || b >= int64(bitsOf(k)):
		return Value{Kind: OtherValue}
	case op == "<<":
		return integer(c.truncate(a<<uint(b), k))
	case c.signed(k):
		return integer(a >> uint(b))
	}
	return integer(int64(uint64(a) >> uint(b)))
}

func (c Config) foldFloats(op string, t Type, a, b float64) Value {
	var f float64
	switch op {
	case "+":
		f = a + b
	case "-":
		f = a - b
	case "*":
		f = a * b
	case "/":
		f = a / b
	case "==":
		return integerIf(a == b)
	case "!=":
		return integerIf(a != b)
	case "<":
		return integerIf(a < b)
	case ">":
		return integerIf(a > b)
	case "<=":
		return integerIf(a <= b)
	case ">=":
		return integerIf(a >= b)
	default:
		return Value{}
	}
	return c.toFloat(Value{Kind: FloatValue, Float: f}, t, t.basic())
}

package types

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"unknot/internal/upc/front/syntax"
)

// literal is the type and value of a constant (C11 6.4.4).
func (c Config) literal(x *syntax.Literal) (Type, Value) {
	switch x.Kind {
	case syntax.IntegerConstant:
		return c.integerLiteral(x.Text)
	case syntax.FloatingConstant:
		return c.floatLiteral(x.Text)
	}
	return c.characterLiteral(x.Text)
}

// integerLiteral picks the first type of C11 6.4.4.1p5 that holds the value; GNU adds __int128.
func (c Config) integerLiteral(text string) (Type, Value) {
	digits := strings.TrimRight(text, "uUlLiIjJ")
	if hex := len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x'; hex {
		digits = text[:2+spanOf(text[2:], "0123456789abcdefABCDEF")]
	}
	suffix := strings.ToLower(text[len(digits):])
	unsigned := strings.Contains(suffix, "u")
	longs := strings.Count(suffix, "l")
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		// Octal with digits 8 or 9 was reported by the lexer; the rest needs more than 64 bits.
		return BasicType(Int128), Value{Kind: OtherValue}
	}
	if strings.ContainsAny(suffix, "ij") {
		return BasicType(ComplexInt), Value{Kind: OtherValue}
	}
	decimal := digits[0] != '0'
	for _, k := range [...]BasicKind{Int, UInt, Long, ULong, LongLong, ULongLong} {
		f := basicFacts[k]
		if longs == 1 && f.rank < 4 || longs == 2 && f.rank < 5 {
			continue
		}
		if f.signed == unsigned || !f.signed && decimal && !unsigned {
			continue
		}
		limit := uint64(math.MaxUint64)
		if f.size == 4 {
			limit = math.MaxUint32
		}
		if f.signed {
			limit >>= 1
		}
		if n <= limit {
			return BasicType(k), integer(int64(n))
		}
	}
	if !decimal || unsigned {
		return BasicType(ULong), integer(int64(n))
	}
	return BasicType(Int128), Value{Kind: OtherValue}
}

func spanOf(text, chars string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(chars, r) })
	if n < 0 {
		return len(text)
	}
	return n
}

// floatSuffixes are the suffixes of floating constants, longer ones first.
var floatSuffixes = []struct {
	suffix string
	kind   BasicKind
}{
	{"f128", Float128}, {"f64x", Float64x}, {"f32x", Float32x}, {"f64", Float64}, {"f32", Float32}, {"f16", Float16},
	{"q", Float128}, {"w", Float64x}, {"l", LongDouble}, {"f", Float},
}

func (c Config) floatLiteral(text string) (Type, Value) {
	lower := strings.ToLower(text)
	kind, imaginary := Double, false
	hex := strings.HasPrefix(lower, "0x")
	exponent := strings.IndexByte(lower, 'p')
	tail := lower
	if hex && exponent >= 0 {
		tail = lower[exponent:]
	}
	if trimmed := strings.TrimRight(tail, "ij"); trimmed != tail {
		imaginary = true
		lower, tail = lower[:len(lower)-len(tail)+len(trimmed)], trimmed
	}
	for _, d := range []string{"df", "dd", "dl"} {
		if !hex && strings.HasSuffix(lower, d) {
			size := map[string]int64{"df": 4, "dd": 8, "dl": 16}[d]
			return decimalType(size), Value{Kind: OtherValue}
		}
	}
	for _, s := range floatSuffixes {
		if strings.HasSuffix(tail, s.suffix) {
			kind = s.kind
			lower = strings.TrimSuffix(lower, s.suffix)
			break
		}
	}
	if strings.ContainsAny(lower, "ij") {
		imaginary = true
		lower = strings.NewReplacer("i", "", "j", "").Replace(lower)
	}
	if imaginary {
		return BasicType(complexOf(kind)), Value{Kind: OtherValue}
	}
	f, err := strconv.ParseFloat(lower, 64)
	if err != nil && !math.IsInf(f, 0) {
		return BasicType(kind), Value{Kind: OtherValue}
	}
	t := BasicType(kind)
	return t, c.toFloat(Value{Kind: FloatValue, Float: f}, t, kind)
}

// decimalType is GNU's decimal floating type of a size, of which nothing more is known.
func decimalType(size int64) Type {
	return Type{T: &Opaque{Name: "_Decimal" + strconv.FormatInt(size*8, 10), Size: size, Align: size}}
}

// encoding tells the prefix of a character constant or string literal from its text: the type of its characters.
func (c Config) encoding(text string) (elem BasicKind, rest string) {
	switch {
	case strings.HasPrefix(text, "u8"):
		return Char, text[2:]
	case strings.HasPrefix(text, "u"):
		return UShort, text[1:]
	case strings.HasPrefix(text, "U"):
		return UInt, text[1:]
	case strings.HasPrefix(text, "L"):
		if c.Target == AArch64 {
			return UInt, text[1:]
		}
		return Int, text[1:]
	}
	return Char, text
}

func (c Config) characterLiteral(text string) (Type, Value) {
	kind, rest := c.encoding(text)
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "'"), "'")
	units := decode(rest, kind)
	if kind != Char {
		n := int64(0)
		if len(units) > 0 {
			n = int64(units[len(units)-1])
		}
		return BasicType(kind), integer(c.truncate(n, kind))
	}
	n := int64(0)
	for _, u := range units {
		n = n<<8 | int64(u&0xff)
	}
	if len(units) == 1 {
		n = c.truncate(n, Char)
	}
	return BasicType(Int), integer(c.truncate(n, Int))
}

// decode gives the code units of the text of a literal with elements of the kind, without its quotes.
func decode(text string, kind BasicKind) []uint32 {
	var units []uint32
	for len(text) > 0 {
		if text[0] == '\\' && len(text) > 1 {
			unit, n, ucn := escape(text)
			text = text[n:]
			if ucn {
				units = appendRune(units, rune(unit), kind)
			} else {
				units = append(units, unit)
			}
			continue
		}
		if kind == Char {
			units = append(units, uint32(text[0]))
			text = text[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		units = appendRune(units, r, kind)
		text = text[n:]
	}
	return units
}

// appendRune encodes a character for elements of the kind.
func appendRune(units []uint32, r rune, kind BasicKind) []uint32 {
	switch {
	case kind == Char:
		for _, b := range []byte(string(r)) {
			units = append(units, uint32(b))
		}
		return units
	case kind == UShort && r > 0xffff:
		r -= 0x10000
		return append(units, 0xd800+uint32(r>>10), 0xdc00+uint32(r&0x3ff))
	}
	return append(units, uint32(r))
}

// escape reads one escape sequence (C11 6.4.4.4; GNU's \e) and says how long it is and whether it names a character of
// ISO 10646.
func escape(text string) (unit uint32, n int, ucn bool) {
	const simple = "abfnrtve"
	switch ch := text[1]; {
	case ch >= '0' && ch <= '7':
		n = 1 + min(3, spanOf(text[1:min(4, len(text))], "01234567"))
		v, _ := strconv.ParseUint(text[1:n], 8, 32)
		return uint32(v), n, false
	case ch == 'x':
		n = 2 + spanOf(text[2:], "0123456789abcdefABCDEF")
		v, _ := strconv.ParseUint(text[2:n], 16, 32)
		return uint32(v), n, false
	case ch == 'u' || ch == 'U':
		digits := 4
		if ch == 'U' {
			digits = 8
		}
		n = min(2+digits, len(text))
		v, _ := strconv.ParseUint(text[2:n], 16, 32)
		return uint32(v), n, true
	case strings.IndexByte(simple, ch) >= 0:
		return uint32("\a\b\f\n\r\t\v\x1b"[strings.IndexByte(simple, ch)]), 2, false
	case ch == 'E':
		return 0x1b, 2, false
	default:
		return uint32(ch), 2, false
	}
}

// stringLiteral is the type of a string literal: an array of its characters with a null after them (C11 6.4.5).
func (c Config) stringLiteral(x *syntax.StringExpr) Type {
	kind := Char
	for _, part := range x.Parts {
		if k, _ := c.encoding(part); k != Char {
			kind = k
		}
	}
	n := int64(1)
	for _, part := range x.Parts {
		_, rest := c.encoding(part)
		rest = strings.TrimSuffix(strings.TrimPrefix(rest, `"`), `"`)
		if kind == Char && strings.IndexByte(rest, '\\') < 0 {
			n += int64(len(rest))
			continue
		}
		n += int64(len(decode(rest, kind)))
	}
	return Type{T: &Array{Elem: BasicType(kind), Len: n}}
}

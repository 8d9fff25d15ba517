package syntax

import "strings"

// number reads a preprocessing number (C11 6.4.8) and says of what kind of constant it is.
func (l *lexer) number(space bool) {
	i := l.at + 1
	for i < len(l.text) {
		c := l.text[i]
		sign := c == '+' || c == '-'
		if sign && strings.IndexByte("eEpP", l.text[i-1]) >= 0 &&
			!(isHexPrefix(l.text[l.at:i]) && l.text[i-1]|0x20 == 'e') {
			i++
			continue
		}
		if !isNameStart(c) && !isDigit(c) && c != '.' {
			break
		}
		i++
	}
	text := l.text[l.at:i]
	kind, problem := classify(text)
	l.token(kind, l.at, len(text), text, space)
	if problem != "" {
		l.errorf("%s", problem)
	}
}

func isHexPrefix(text string) bool { return len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x' }

// classify tells integer from floating constants, and what is wrong with one that is neither (C11 6.4.4; GNU's binary,
// imaginary and further floating constants).
func classify(text string) (Kind, string) {
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(lower, "0x"):
		return hexadecimal(text, lower)
	case strings.HasPrefix(lower, "0b"):
		digits := 2 + span(lower[2:], "01")
		if digits == 2 {
			return IntegerConstant, "invalid suffix '" + text[1:] + "' on integer constant"
		}
		return IntegerConstant, integerSuffix(text, digits)
	}
	const decimal = "0123456789"
	n := span(lower, decimal)
	floating := false
	if n < len(lower) && lower[n] == '.' {
		floating = true
		n++
		n += span(lower[n:], decimal)
	}
	if n < len(lower) && lower[n] == 'e' {
		e := n + 1
		if e < len(lower) && (lower[e] == '+' || lower[e] == '-') {
			e++
		}
		digits := span(lower[e:], decimal)
		if digits == 0 {
			return FloatingConstant, "exponent has no digits"
		}
		floating = true
		n = e + digits
	}
	if floating {
		return FloatingConstant, floatingSuffix(text, n)
	}
	if lower[0] == '0' {
		if i := strings.IndexAny(lower[:n], "89"); i >= 0 {
			return IntegerConstant, "invalid digit '" + lower[i:i+1] + "' in octal constant"
		}
	}
	return IntegerConstant, integerSuffix(text, n)
}

func hexadecimal(text, lower string) (Kind, string) {
	const hex = "0123456789abcdef"
	n := 2 + span(lower[2:], hex)
	digits, point := n-2, false
	if n < len(lower) && lower[n] == '.' {
		point = true
		m := span(lower[n+1:], hex)
		digits += m
		n += 1 + m
	}
	if n < len(lower) && lower[n] == 'p' && digits > 0 {
		e := n + 1
		if e < len(lower) && (lower[e] == '+' || lower[e] == '-') {
			e++
		}
		m := span(lower[e:], "0123456789")
		if m == 0 {
			return FloatingConstant, "exponent has no digits"
		}
		return FloatingConstant, floatingSuffix(text, e+m)
	}
	switch {
	case point:
		return FloatingConstant, "hexadecimal floating constants require an exponent"
	case digits == 0:
		return IntegerConstant, "invalid suffix '" + text[1:] + "' on integer constant"
	}
	return IntegerConstant, integerSuffix(text, n)
}

// span is the length of the part of text before the first byte that is not among chars.
func span(text, chars string) int {
	for i := range len(text) {
		if strings.IndexByte(chars, text[i]) < 0 {
			return i
		}
	}
	return len(text)
}

func integerSuffix(text string, n int) string {
	switch imaginary(strings.ReplaceAll(text[n:], "LL", "ll")) {
	case "", "u", "U", "l", "L", "ll", "ul", "uL", "Ul", "UL", "lu", "lU", "Lu", "LU", "ull", "Ull", "llu", "llU":
		return ""
	}
	return "invalid suffix '" + text[n:] + "' on integer constant"
}

func floatingSuffix(text string, n int) string {
	switch strings.ToLower(imaginary(text[n:])) {
	case "", "f", "l", "q", "w", "f16", "f32", "f64", "f128", "f32x", "f64x", "df", "dd", "dl":
		return ""
	}
	return "invalid suffix '" + text[n:] + "' on floating constant"
}

// imaginary takes GNU's i or j out of a suffix, where it may stand first or last.
func imaginary(suffix string) string {
	if suffix == "" {
		return suffix
	}
	const i = "iIjJ"
	if strings.IndexByte(i, suffix[0]) >= 0 {
		return suffix[1:]
	}
	if last := len(suffix) - 1; strings.IndexByte(i, suffix[last]) >= 0 {
		return suffix[:last]
	}
	return suffix
}

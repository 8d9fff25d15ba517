package text

import "fmt"

func (p *parser) here(at int) place { return place{p.line, p.number, at} }

// fail tells a mistake at a place of the line.
func (p *parser) fail(at int, format string, args ...any) bool {
	return p.failAt(p.here(at), format, args...)
}

func (p *parser) failAt(where place, format string, args ...any) bool {
	text, caret := excerpt(where.line, where.at)
	p.errs = append(p.errs, &SyntaxError{p.file, where.number, where.at + 1, fmt.Sprintf(format, args...), text, caret})
	return false
}

// found names what stands at the current place, for messages.
func (p *parser) found() string {
	if p.at >= len(p.line) {
		return "the end of the line"
	}
	rest := p.line[p.at:]
	n := 1
	for n < len(rest) && n < 16 && isWord(rest[0]) && isWord(rest[n]) {
		n++
	}
	return fmt.Sprintf("%q", rest[:n])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// peek is the byte at the current place, 0 at the end of the line.
func (p *parser) peek() byte {
	if p.at < len(p.line) {
		return p.line[p.at]
	}
	return 0
}

func (p *parser) blanks() {
	for p.at < len(p.line) && (p.line[p.at] == ' ' || p.line[p.at] == '\t') {
		p.at++
	}
}

// take steps over a byte if it is there.
func (p *parser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// expect is take, and a mistake if it is not there.
func (p *parser) expect(c byte, after string) bool {
	if p.take(c) {
		return true
	}
	return p.fail(p.at, "expected %q after %s, found %s", string(c), after, p.found())
}

// word reads a name; empty if there is none.
func (p *parser) word() []byte {
	from := p.at
	if isDigit(p.peek()) {
		return nil
	}
	for p.at < len(p.line) && isWord(p.line[p.at]) {
		p.at++
	}
	return p.line[from:p.at]
}

// uint reads a number of decimal digits that is at most limit.
func (p *parser) uint(limit uint64, what string) (uint64, bool) {
	from, n := p.at, uint64(0)
	for p.at < len(p.line) && isDigit(p.line[p.at]) {
		d := uint64(p.line[p.at] - '0')
		if n > (limit-d)/10 {
			return 0, p.fail(from, "expected %s of at most %d, found a larger number", what, limit)
		}
		n = n*10 + d
		p.at++
	}
	if p.at == from {
		return 0, p.fail(from, "expected %s, found %s", what, p.found())
	}
	return n, true
}

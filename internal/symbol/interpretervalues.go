package symbol

import "unicode/utf8"

const (
	mostText      = 1 << 12 // characters of a name
	mostLocations = 1 << 22 // bytes of a function's table of lines
)

// bytesOf is the content of an object of type bytes.
func (p *interpreter) bytesOf(object uint64) []byte {
	p.typed(object, p.types.bytes)
	n := p.word(object + p.layout.size)
	if p.failed || n > mostLocations {
		p.failed = true
		return nil
	}
	return p.bytes(object+p.layout.content, n)
}

// text is the content of a str.
func (p *interpreter) text(object uint64) string {
	p.typed(object, p.types.text)
	state, n := p.word(object+p.layout.state), p.word(object+p.layout.length)
	width, compact, ascii := state>>2&7, state>>5&1 == 1, state>>6&1 == 1
	if p.failed || !compact || width != 1 && width != 2 && width != 4 || n == 0 || n > mostText {
		p.failed = true
		return ""
	}
	at := object + p.layout.compact
	if ascii {
		at = object + p.layout.ascii
	}
	b := p.bytes(at, n*width)
	var out []byte
	for ; len(b) > 0; b = b[width:] {
		c := rune(b[0])
		switch width {
		case 2:
			c = rune(p.order.Uint16(b))
		case 4:
			c = rune(p.order.Uint32(b))
		}
		if c == 0 || ascii && c >= utf8.RuneSelf {
			p.failed = true
		}
		out = utf8.AppendRune(out, c) // a byte of a path that is no character becomes U+FFFD
	}
	if p.failed {
		return ""
	}
	return string(out)
}

// lineOf is the line of an instruction in a table of locations, as code objects have it since Python 3.11; 0 if it has none. The table must be of as
// many units of code.
func lineOf(table []byte, first int, unit, units uint64) (line int, ok bool) {
	const begins, more = 0x80, 0x40
	i, failed := 0, false
	take := func() byte {
		if i == len(table) || table[i]&begins != 0 {
			failed = true
			return 0
		}
		i++
		return table[i-1]
	}
	number := func() (v int) {
		for shift := 0; ; shift += 6 {
			b := take()
			v |= int(b&(more-1)) << shift
			if b&more == 0 || shift > 30 {
				failed = failed || shift > 30
				return v
			}
		}
	}
	signed := func() int {
		if v := number(); v&1 != 0 {
			return -(v >> 1)
		} else {
			return v >> 1
		}
	}
	at, now := uint64(0), first
	for i < len(table) {
		if table[i]&begins == 0 {
			return 0, false
		}
		form, length := table[i]>>3&0xf, uint64(table[i]&7)+1
		i++
		has := true
		switch {
		case form < 10: // columns in one byte
			take()
		case form < 13: // this line, or one of the next two
			now += int(form) - 10
			take()
			take()
		case form == 13: // without columns
			now += signed()
		case form == 14: // several lines
			now += signed()
			number()
			number()
			number()
		default:
			has = false
		}
		if has && unit >= at && unit < at+length {
			line = now
		}
		at += length
	}
	return line, !failed && at == units
}

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

package symbol

import "strings"

// Array reads the format of an array's elements as Python's buffer protocol has it ("h", "Zd", "T{i:id:d:x:}"). It is
// false of one that is not known, and of an order of bytes that is not the machine's.
func Array(format string) (d Declared, ok bool) {
	p := arrayFormat{rest: format}
	if !p.item() || p.rest != "" || p.at == 0 {
		return Declared{}, false
	}
	d = Declared{Size: p.at, Count: -1, Elements: p.elements, Lies: ByPointer, Python: true}
	if len(d.Elements) == 0 {
		return Declared{}, false
	}
	if d.Type = "structured"; len(p.elements) == 1 && p.elements[0].Name == "" || d.Elements[0].Name == "" {
		d.Type = d.Elements[0].Type
	}
	return d, true
}

// arrayFormat is a format that is being read.
type arrayFormat struct {
	rest     string
	at       int64 // how many bytes were read
	elements []Element
}

// item reads one item; false if it is not known.
func (p *arrayFormat) item() bool {
	times := int64(1)
	if strings.HasPrefix(p.rest, "(") { // the shape of an array
		shape, rest, closed := strings.Cut(p.rest[1:], ")")
		if !closed {
			return false
		}
		p.rest = rest
		for _, n := range strings.Split(shape, ",") {
			times *= digits(n)
		}
	}
	order := byte('@')
	for p.rest != "" && strings.IndexByte("@=<>!^", p.rest[0]) >= 0 {
		order, p.rest = p.rest[0], p.rest[1:]
	}
	n := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	repeat := int64(1)
	if n > 0 {
		repeat, p.rest = digits(p.rest[:n]), p.rest[n:]
	}
	if p.rest == "" || times < 1 || repeat < 1 || times*repeat > 1<<40 {
		return false
	}
	if strings.HasPrefix(p.rest, "T{") {
		return p.record(times * repeat)
	}
	complexes := p.rest[0] == 'Z'
	if complexes {
		if p.rest = p.rest[1:]; p.rest == "" {
			return false
		}
	}
	code := p.rest[0]
	p.rest = p.rest[1:]
	e, known := arrayElement(code)
	if !known || complexes && e.Kind != Real {
		return false
	}
	if order == '>' || order == '!' {
		e.Kind = Opaque
	}
	if order != '@' && order != '^' {
		switch code { // the sizes of Python's struct
		case 'l', 'L':
			e.Size, e.Type = 4, strings.Replace(e.Type, "64", "32", 1)
		case 'g':
			return false
		}
	}
	if code == 'x' {
		p.at += times * repeat
		return true
	}
	halves := int64(1)
	if complexes {
		halves, e.Type = 2, map[byte]string{'f': "complex64", 'd': "complex128", 'g': "clongdouble"}[code]
	}
	if code == 's' || code == 'w' {
		e.Size, repeat = e.Size*repeat, 1
	}
	for i := int64(0); i < times*repeat*halves && len(p.elements) < maxElements; i++ {
		e.At = p.at + i*e.Size
		p.elements = append(p.elements, e)
	}
	p.at += times * repeat * halves * e.Size
	return true
}

// record reads a record, so many times, whose fields have names behind them.
func (p *arrayFormat) record(times int64) bool {
	start, first := p.at, len(p.elements)
	p.rest = p.rest[len("T{"):]
	for !strings.HasPrefix(p.rest, "}") {
		at := len(p.elements)
		if !p.item() {
			return false
		}
		if !strings.HasPrefix(p.rest, ":") {
			continue // padding
		}
		field, rest, closed := strings.Cut(p.rest[1:], ":")
		if !closed {
			return false
		}
		p.rest = rest
		for i := at; i < len(p.elements); i++ {
			p.elements[i].Name = "['" + field + "']" + p.elements[i].Name
		}
	}
	p.rest = p.rest[1:]
	size, last := p.at-start, len(p.elements)
	for i := int64(1); i < times; i++ {
		for k := first; k < last && len(p.elements) < maxElements; k++ {
			e := p.elements[k]
			e.At += i * size
			p.elements = append(p.elements, e)
		}
		p.at += size
	}
	return true
}

func digits(s string) int64 {
	n := int64(0)
	for _, c := range strings.TrimSpace(s) {
		if c < '0' || c > '9' || n > 1<<40 {
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

// arrayElement is the basic element of a format's code, with NumPy's name.
func arrayElement(code byte) (e Element, known bool) {
	for _, x := range []struct {
		code byte
		Element
	}{
		{'?', Element{Size: 1, Kind: Integer, Type: "bool"}},
		{'b', Element{Size: 1, Type: "int8"}}, {'B', Element{Size: 1, Type: "uint8"}},
		{'c', Element{Size: 1, Type: "bytes"}},
		{'h', Element{Size: 2, Kind: Integer, Type: "int16"}}, {'H', Element{Size: 2, Kind: Integer, Type: "uint16"}},
		{'i', Element{Size: 4, Kind: Integer, Type: "int32"}}, {'I', Element{Size: 4, Kind: Integer, Type: "uint32"}},
		{'l', Element{Size: 8, Kind: Integer, Type: "int64"}}, {'L', Element{Size: 8, Kind: Integer, Type: "uint64"}},
		{'q', Element{Size: 8, Kind: Integer, Type: "int64"}}, {'Q', Element{Size: 8, Kind: Integer, Type: "uint64"}},
		{'e', Element{Size: 2, Kind: Real, Type: "float16"}}, {'f', Element{Size: 4, Kind: Real, Type: "float32"}},
		{'d', Element{Size: 8, Kind: Real, Type: "float64"}}, {'g', Element{Size: 16, Kind: Real, Type: "longdouble"}},
		{'s', Element{Size: 1, Type: "bytes"}}, {'w', Element{Size: 4, Type: "str"}},
		{'O', Element{Size: 8, Type: "object"}}, {'x', Element{Size: 1}},
	} {
		if x.code == code {
			return x.Element, true
		}
	}
	return e, false
}

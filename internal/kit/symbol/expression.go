package symbol

import (
	"debug/dwarf"
	"strings"
)

// expressions evaluates the type of an expression, of those that arguments of MPI are written as: names, members,
// elements, addresses of them, what a container's functions give. All else, casts among them, has no type that is
// certain.
type expressions struct {
	scope *scope
	text  string
	name  string // the variable that it begins with
}

// value is the type of an expression, and where its memory is.
type value struct {
	of    dwarf.Offset
	lies  Lies
	begun bool  // it is a part of a variable, of which nothing is known behind it
	first int64 // elements of the first dimension of Fortran's array that it is a part of
	row   bool  // it is an array: a row of one with several dimensions, by the type of its elements
}

func (x *expressions) evaluate() (Declared, bool) {
	l := &x.scope.types
	address := false
	for x.take("&") {
		if address {
			return Declared{}, false
		}
		address = true
	}
	v, ok := x.value()
	if !ok {
		return Declared{}, false
	}
	if x.text != "" { // "a + 4"
		if l.fortran || address || x.text[0] != '+' && x.text[0] != '-' || strings.HasPrefix(x.text, "->") {
			return Declared{}, false
		}
		v.begun = true
	}
	if v, _ = x.settle(v); v.of == 0 {
		return Declared{}, false
	}
	count := int64(1)
	if !address && !l.fortran && !v.row {
		t := l.resolve(v.of)
		if t == nil {
			return Declared{}, false
		}
		switch t.Tag {
		case dwarf.TagArrayType:
		case dwarf.TagPointerType:
			to, known := t.Val(dwarf.AttrType).(dwarf.Offset)
			if !known {
				return Declared{}, false // void *
			}
			v, count = value{of: to, lies: ByPointer}, -1
		default:
			return Declared{}, false
		}
	}
	if l.fortran {
		if t := l.resolve(v.of); t != nil && t.Tag == dwarf.TagPointerType { // an allocatable or a pointer
			to, known := t.Val(dwarf.AttrType).(dwarf.Offset)
			if !known {
				return Declared{}, false
			}
			v.of, v.lies = to, ByPointer
		}
	}
	d := Declared{Name: x.name, Count: count, Lies: v.lies, Fortran: l.fortran, First: v.first}
	for range maxStructDeep { // arrays of arrays
		t := l.resolve(v.of)
		if t == nil {
			return Declared{}, false
		}
		if t.Tag != dwarf.TagArrayType {
			break
		}
		of, known := t.Val(dwarf.AttrType).(dwarf.Offset)
		if !known {
			return Declared{}, false
		}
		if t.Val(attrDataLocation) != nil {
			d.Lies, d.Count = ByPointer, -1
		}
		for _, n := range l.dimensions(t) {
			if n <= 0 || d.Count < 0 {
				d.Count = -1
				break
			}
			d.Count *= n
		}
		v.of = of
	}
	t := l.resolve(v.of)
	if t == nil || !l.elements(v.of, 0, "", 0, &d.Elements) || len(d.Elements) == 0 {
		return Declared{}, false
	}
	if v.begun {
		d.Count = -1
	}
	d.Size, d.Type = l.size(t, 0), l.typeName(v.of)
	return d, d.Size > 0 && d.Type != ""
}

// take passes over a text, and the blanks after it.
func (x *expressions) take(what string) bool {
	rest, ok := strings.CutPrefix(x.text, what)
	if ok {
		x.text = strings.TrimSpace(rest)
	}
	return ok
}

// value reads a variable and what stands behind it.
func (x *expressions) value() (v value, ok bool) {
	if !x.scope.types.fortran && x.take("(") { // "(buffer)", or a cast, behind which there is more than is understood
		if v, ok = x.value(); !ok || !x.take(")") {
			return value{}, false
		}
		return x.postfix(v)
	}
	n := 0
	for n < len(x.text) && (isLetter(x.text[n]) || n > 0 && x.text[n] >= '0' && x.text[n] <= '9') {
		n++
	}
	if n == 0 {
		return value{}, false
	}
	name := x.text[:n]
	x.text = strings.TrimSpace(x.text[n:])
	if name == "this" {
		if !x.take("->") {
			return value{}, false
		}
		x.text = "->" + x.text
	}
	found, known := x.scope.find(name)
	if !known {
		return value{}, false
	}
	x.name = name
	v = value{of: found.of, lies: found.lies}
	if x.scope.types.fortran {
		return x.fortranPostfix(v)
	}
	return x.postfix(v)
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// brackets passes over what is in brackets, the first of which is taken already.
func (x *expressions) brackets(open, shut byte) (inside string, ok bool) {
	depth := 1
	for i := range len(x.text) {
		switch x.text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				inside = x.text[:i]
				x.text = strings.TrimSpace(x.text[i+1:])
				return inside, true
			}
		}
	}
	return "", false
}

// settle follows references.
func (x *expressions) settle(v value) (value, *dwarf.Entry) {
	l := &x.scope.types
	t := l.resolve(v.of)
	if t != nil && (t.Tag == dwarf.TagReferenceType || t.Tag == dwarf.TagRvalueReferenceType) {
		to, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			return value{}, nil
		}
		v.of, v.lies = to, ByPointer
		t = l.resolve(to)
	}
	return v, t
}

func (x *expressions) postfix(v value) (value, bool) {
	l := &x.scope.types
	for {
		switch {
		case v.row && x.text != "" && x.text[0] != ')':
			return value{}, false
		case x.take("["):
			if _, ok := x.brackets('[', ']'); !ok {
				return value{}, false
			}
			var t *dwarf.Entry
			if v, t = x.settle(v); t == nil {
				return value{}, false
			}
			switch {
			case t.Tag == dwarf.TagArrayType:
				of, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
				if !ok {
					return value{}, false
				}
				v.of = of
				for range len(l.dimensions(t)) - 1 {
					if v.row = !x.take("["); v.row {
						break
					}
					if _, ok := x.brackets('[', ']'); !ok {
						return value{}, false
					}
				}
			case t.Tag == dwarf.TagPointerType:
				to, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
				if !ok {
					return value{}, false
				}
				v.of, v.lies = to, ByPointer
			case isStruct(t):
				of, ok := l.method(t, "operator[]", 0)
				if !ok {
					return value{}, false
				}
				v.of, v.lies = of, ByPointer
			default:
				return value{}, false
			}
			v.begun = true
		case strings.HasPrefix(x.text, "->"), strings.HasPrefix(x.text, "."):
			arrow := x.take("->")
			if !arrow {
				x.take(".")
			}
			var ok bool
			if v, ok = x.memberOf(v, arrow); !ok {
				return value{}, false
			}
		default:
			return v, true
		}
	}
}

func (x *expressions) memberOf(v value, arrow bool) (value, bool) {
	l := &x.scope.types
	v, t := x.settle(v)
	if t == nil {
		return value{}, false
	}
	if arrow {
		switch {
		case t.Tag == dwarf.TagPointerType:
			to, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return value{}, false
			}
			v.of = to
		case isStruct(t):
			of, ok := l.method(t, "operator->", 0)
			if !ok {
				return value{}, false
			}
			e := l.resolve(of)
			to, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
			if !typed {
				return value{}, false
			}
			v.of = to
		default:
			return value{}, false
		}
		v.lies = ByPointer
		t = l.resolve(v.of)
	}
	n := 0
	for n < len(x.text) && (isLetter(x.text[n]) || n > 0 && x.text[n] >= '0' && x.text[n] <= '9') {
		n++
	}
	if n == 0 || t == nil || !isStruct(t) {
		return value{}, false
	}
	name := x.text[:n]
	x.text = strings.TrimSpace(x.text[n:])
	if x.take("(") {
		if _, ok := x.brackets('(', ')'); !ok {
			return value{}, false
		}
		of, ok := l.method(t, name, 0)
		return value{of: of, lies: ByPointer, begun: true}, ok
	}
	of, ok := l.member(t, name, 0)
	v.of = of
	return v, ok
}

func (x *expressions) fortranPostfix(v value) (value, bool) {
	l := &x.scope.types
	for {
		t := l.resolve(v.of)
		if t != nil && t.Tag == dwarf.TagPointerType {
			to, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return value{}, false
			}
			v.of, v.lies = to, ByPointer
			t = l.resolve(to)
		}
		if t == nil {
			return value{}, false
		}
		switch {
		case x.take("("):
			if _, ok := x.brackets('(', ')'); !ok || t.Tag != dwarf.TagArrayType {
				return value{}, false
			}
			of, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return value{}, false
			}
			if t.Val(attrDataLocation) != nil && v.lies != ByCaller {
				v.lies = ByPointer
			}
			v.of, v.begun = of, true
			if d := l.dimensions(t); len(d) > 0 {
				v.first = d[0]
			}
		case x.take("%"):
			if t.Tag == dwarf.TagArrayType { // "a%x" of an array is strided
				return value{}, false
			}
			n := 0
			for n < len(x.text) && (isLetter(x.text[n]) || n > 0 && x.text[n] >= '0' && x.text[n] <= '9') {
				n++
			}
			if n == 0 || !isStruct(t) {
				return value{}, false
			}
			of, ok := l.member(t, x.text[:n], 0)
			if !ok {
				return value{}, false
			}
			v.of = of
			x.text = strings.TrimSpace(x.text[n:])
		default:
			return v, x.text == ""
		}
	}
}

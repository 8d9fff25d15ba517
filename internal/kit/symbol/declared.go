package symbol

import (
	"debug/dwarf"
	"strings"
)

// Kind is what a basic element of a variable is.
type Kind uint8

// Kinds of elements.
const (
	Opaque  Kind = iota // bytes, characters, a union, or what is not known: it may hold anything
	Integer             // also a truth value, an enumeration
	Real
	Pointer
)

// Element is a basic element of an item: a complex number has two.
type Element struct {
	At, Size int64
	Kind     Kind
	// of the member that it is, as the language writes it behind the variable: ".id", "%x"; "" of what is no struct
	Name  string
	Type  string // as the language writes it
	Alias string // the name that the program declares it by, of a typedef; "" if that is the type
}

// Lies says how an expression leads to memory.
type Lies uint8

// Ways to memory.
const (
	// through a pointer, a reference, an object that owns memory: it may be anything that the pointer was set to
	ByPointer Lies = iota
	ByCaller       // an argument of Fortran, whose caller may have passed anything
	OnStack        // in a variable of the function
	InStatic       // in a variable with a fixed place
	InCommon       // in a COMMON block, of which other procedures may have other declarations
)

// Declared is what an argument of a call points to by the declarations of the program.
type Declared struct {
	Name     string // of the variable that it begins with
	Type     string // of an item
	Size     int64  // of an item
	Count    int64  // of items; -1 if that is not known
	Elements []Element
	Lies     Lies
	Fortran  bool
	First    int64 // elements of the first dimension of Fortran's array of which it is a part; 0 if that is not known
	Python   bool  // it is an array of Python, whose elements are as they say
}

const (
	maxElements = 64 // of an item
	maxEntries  = 1 << 16
)

// Declared finds out what an argument of the call at pc points to, whose expression in the source is given. It is false
// if that is not certain: the expression has a cast or a call of a function, the name stands for several variables, or
// for one that shares its memory with others.
func (r *Resolver) Declared(m *Maps, pc uint64, expression string) (v Declared, ok bool) {
	at := m.find(pc)
	if at == nil || !at.file {
		return Declared{}, false
	}
	mod := r.module(m.pid, at)
	if mod == nil {
		return Declared{}, false
	}
	mod.guarded(debugging, func() {
		address, mapped := mod.address(pc - at.start + at.offset)
		if mapped && mod.debug != nil {
			v, ok = mod.debug.declared(address-1, expression)
		}
	})
	return v, ok
}

func (d *debugInfo) declared(pc uint64, expression string) (Declared, bool) {
	u := d.unitAt(pc)
	if u == nil {
		return Declared{}, false
	}
	chain := u.scopes(d, pc)
	if len(chain) == 0 {
		return Declared{}, false
	}
	s := scope{d: d, u: u, function: chain[len(chain)-1], types: layout{d: d, unit: u, fortran: isFortran(u.root)}}
	x := expressions{scope: &s, text: strings.TrimSpace(expression)}
	if s.types.fortran {
		x.text = strings.ToLower(x.text)
	}
	return x.evaluate()
}

// typeName is a type as its language writes it.
func (l *layout) typeName(of dwarf.Offset) string {
	r := l.d.data.Reader()
	for range maxStructDeep {
		r.Seek(of)
		e, err := r.Next()
		if err != nil || e == nil {
			return ""
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		switch e.Tag {
		case dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
			next, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return ""
			}
			of = next
			continue
		case dwarf.TagTypedef: // "size_t"; what others stand for says more, as those of the C++ library do
			if !strings.HasSuffix(name, "_t") {
				next, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
				if !ok {
					return ""
				}
				of = next
				continue
			}
		case dwarf.TagPointerType:
			next, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return "void *"
			}
			if of := l.typeName(next); of != "" {
				return of + " *"
			}
			return "a pointer"
		case dwarf.TagEnumerationType:
			if name != "" {
				return "enum " + name
			}
			return "an enumeration"
		case dwarf.TagStructType:
			if name != "" && !l.fortran && !strings.Contains(name, "<") && !isCPlusPlus(l.unit.root) {
				return "struct " + name
			}
			if l.fortran {
				return "type(" + name + ")"
			}
		}
		return spelled(name)
	}
	return ""
}

// alias is the name of a typedef that a type is declared by, unless typeName says it or it is one of the C++ library's.
func (l *layout) alias(of dwarf.Offset) string {
	r := l.d.data.Reader()
	for range maxStructDeep {
		r.Seek(of)
		e, err := r.Next()
		if err != nil || e == nil {
			return ""
		}
		switch e.Tag {
		case dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
		case dwarf.TagTypedef:
			name, _ := e.Val(dwarf.AttrName).(string)
			if !ofLibrary(name) {
				if strings.HasSuffix(name, "_t") {
					return ""
				}
				return name
			}
		default:
			return ""
		}
		next, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			return ""
		}
		of = next
	}
	return ""
}

// ofLibrary says whether the name of a typedef is one that containers of the C++ library have: a program writes what it
// stands for.
func ofLibrary(name string) bool {
	switch name {
	case "value_type", "element_type", "mapped_type", "key_type", "size_type", "difference_type", "type", "pointer",
		"const_pointer", "reference", "const_reference":
		return true
	}
	return strings.HasPrefix(name, "_")
}

func isCPlusPlus(root *dwarf.Entry) bool {
	switch language, _ := root.Val(dwarf.AttrLanguage).(int64); language {
	case 0x04, 0x1a, 0x21, 0x2b, 0x3a: // DW_LANG_C_plus_plus to _20
		return true
	}
	return false
}

// spelled is the name of a base type as programs write it: GCC has "long int" and "real(kind=8)" in its debug
// information.
func spelled(name string) string {
	switch name {
	case "long int":
		return "long"
	case "long unsigned int":
		return "unsigned long"
	case "long long int":
		return "long long"
	case "long long unsigned int":
		return "unsigned long long"
	case "short int":
		return "short"
	case "short unsigned int":
		return "unsigned short"
	case "_Bool":
		return "bool"
	case "complex double":
		return "double complex"
	case "complex float":
		return "float complex"
	}
	return strings.Replace(name, "(kind=", "(", 1)
}

// elements lists the basic elements of a type; false if it has too many, or some that are not known.
func (l *layout) elements(of dwarf.Offset, at int64, name string, depth int, out *[]Element) bool {
	t := l.resolve(of)
	if t == nil || depth > maxStructDeep || len(*out) >= maxElements {
		return false
	}
	size := l.size(t, 0)
	put := func(kind Kind, at, size int64) {
		*out = append(*out, Element{At: at, Size: size, Kind: kind, Name: name, Type: l.typeName(of),
			Alias: l.alias(of)})
	}
	switch t.Tag {
	case dwarf.TagBaseType:
		const boolean, complexFloat, float, signed, unsigned = 2, 3, 4, 5, 7
		encoding, _ := t.Val(dwarf.AttrEncoding).(int64)
		switch encoding {
		case complexFloat:
			put(Real, at, size/2)
			put(Real, at+size/2, size/2)
		case float:
			put(Real, at, size)
		case boolean, signed, unsigned:
			put(Integer, at, size)
		default: // characters among them
			put(Opaque, at, size)
		}
	case dwarf.TagEnumerationType:
		put(Integer, at, size)
	case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType:
		put(Pointer, at, 8)
	case dwarf.TagArrayType:
		element, _ := t.Val(dwarf.AttrType).(dwarf.Offset)
		e := l.resolve(element)
		if e == nil || t.Val(attrDataLocation) != nil {
			put(Opaque, at, size)
			return true
		}
		each, n := l.size(e, 0), int64(1)
		for _, d := range l.dimensions(t) {
			n *= d
		}
		if each <= 0 || n <= 0 || n > maxElements {
			put(Opaque, at, size)
			return true
		}
		for i := range n {
			if !l.elements(element, at+i*each, name, depth+1, out) {
				return false
			}
		}
	case dwarf.TagStructType, dwarf.TagClassType:
		if size <= 0 {
			return false
		}
		return l.members(t.Offset, at, name, depth, out)
	default:
		put(Opaque, at, max(size, 1))
	}
	return true
}

// attrDataLocation is of an array whose variable only describes where its elements are.
const attrDataLocation dwarf.Attr = 0x50

func (l *layout) members(t dwarf.Offset, at int64, name string, depth int, out *[]Element) bool {
	w := l.unit.walk(l.d, t)
	for e := w.next(); e != nil; e = w.next() {
		w.skip()
		if e.Tag != dwarf.TagMember && e.Tag != dwarf.TagInheritance {
			continue
		}
		from, located := e.Val(dwarf.AttrDataMemberLoc).(int64)
		of, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		own, _ := e.Val(dwarf.AttrName).(string)
		if e.Val(dwarf.AttrBitSize) != nil || e.Val(dwarf.AttrDataBitOffset) != nil {
			return false
		}
		if !located || !typed {
			if e.Val(dwarf.AttrExternal) != nil {
				continue // a static member
			}
			return false
		}
		if own != "" {
			own = l.dot() + own
		}
		if !l.elements(of, at+from, name+own, depth+1, out) {
			return false
		}
	}
	return true
}

func (l *layout) dot() string {
	if l.fortran {
		return "%"
	}
	return "."
}

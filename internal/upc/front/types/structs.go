package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// structSpec is the type of a struct or union specifier (C11 6.7.2.1, 6.7.2.3).
func (c *checker) structSpec(s *syntax.StructSpec, declares bool) Type {
	st := c.structTag(s, declares)
	c.info.Structs[s] = st
	if !s.HasBody {
		return Type{T: st}
	}
	if st.Complete {
		c.errorf(s.First(), "", "redefinition of '%s'", Type{T: st})
		st = &Struct{Tag: st.Tag, Union: s.Union}
		c.info.Structs[s] = st
	}
	c.members(s, st)
	return Type{T: st}
}

// structTag finds or declares the struct of a tag.
func (c *checker) structTag(s *syntax.StructSpec, declares bool) *Struct {
	if s.Tag == nil {
		return &Struct{Union: s.Union}
	}
	name := s.Tag.Name
	t := c.scope.tags[name]
	if t == nil && !s.HasBody && !declares {
		t = c.lookupTag(name)
	}
	if t != nil {
		if t.structure != nil && t.structure.Union == s.Union {
			return t.structure
		}
		c.errorNote(s.Tag.First(), "", fmt.Sprintf("'%s' defined as wrong kind of tag", name), t.pos,
			"previously declared here")
		return &Struct{Tag: name, Union: s.Union}
	}
	t = &tag{structure: &Struct{Tag: name, Union: s.Union}, pos: s.Tag.First()}
	c.scope.declareTag(name, t)
	return t.structure
}

// members reads the members of a struct, and lays it out.
func (c *checker) members(s *syntax.StructSpec, st *Struct) {
	how := structLayout{union: s.Union, pack: c.packing}
	for _, a := range s.Attributes {
		switch a.Name {
		case "packed":
			how.packed = true
		case "aligned":
			how.align = c.alignedAttribute(a) // the last one counts
		case "transparent_union":
			st.Transparent = s.Union
		}
	}
	seen := map[string]syntax.Pos{}
	var list []memberLayout
	for _, m := range s.Members {
		if m.Assert != nil {
			c.staticAssert(m.Assert)
			continue
		}
		if m.Specs == nil {
			continue
		}
		spec := c.specs(m.Specs, false)
		if len(m.Names) == 0 {
			if inner, ok := spec.t.T.(*Struct); ok && m.Specs.Struct != nil && m.Specs.Struct.Tag == nil {
				c.unnamedMember(m, inner, seen)
				c.memberShared(m.First(), "", &spec.t)
				list = append(list, memberLayout{field: Field{Type: spec.t}, packed: spec.packed, align: spec.align})
			}
			continue
		}
		for _, n := range m.Names {
			list = append(list, c.member(n, &spec, seen))
		}
	}
	fields, size, align := c.layout(how, list)
	st.Fields, st.Size, st.Align, st.Complete = fields, size, align, true
}

// unnamedMember checks that the names inside of an unnamed struct or union are new (C11 6.7.2.1p13).
func (c *checker) unnamedMember(m *syntax.Member, inner *Struct, seen map[string]syntax.Pos) {
	for _, f := range inner.Fields {
		if f.Name == "" {
			if s, ok := f.Type.T.(*Struct); ok {
				c.unnamedMember(m, s, seen)
			}
			continue
		}
		c.newMember(f.Name, m.First(), seen)
	}
}

func (c *checker) newMember(name string, at syntax.Pos, seen map[string]syntax.Pos) {
	if old, ok := seen[name]; ok {
		c.errorNote(at, "", fmt.Sprintf("duplicate member '%s'", name), old, "previous member is here")
	}
	seen[name] = at
}

// memberShared tells members of shared type (UPC 1.3, 6.5.1).
func (c *checker) memberShared(at syntax.Pos, name string, t *Type) {
	if !t.IsShared() {
		return
	}
	if name == "" {
		name = "a member"
	} else {
		name = "member '" + name + "'"
	}
	if t.IsPointer() {
		c.errorNote(at, "COMP-06", fmt.Sprintf("%s is a shared pointer, but members cannot be shared", name),
			syntax.NoPos,
			"a pointer to shared is 'shared T *p'")
	} else {
		c.errorNote(at, "COMP-05", fmt.Sprintf("%s has the shared type %s, but members cannot be shared", name,
			quote(*t)), syntax.NoPos,
			"declare objects of the whole struct shared")
	}
	*t = Private(*t)
}

// member is one declarator of a member.
func (c *checker) member(n *syntax.MemberName, s *specified, seen map[string]syntax.Pos) memberLayout {
	t, at, name := s.t, n.First(), ""
	if d := n.Declarator; d != nil {
		t = c.declarator(d, s)
		at = place(d)
		if d.Name != nil {
			name = d.Name.Name
			c.newMember(name, at, seen)
		}
	}
	m := memberLayout{packed: s.packed, align: s.align}
	attributes := n.Attributes
	if n.Declarator != nil {
		attributes = append(attributes[:len(attributes):len(attributes)], n.Declarator.Attributes...)
	}
	for _, a := range attributes {
		switch a.Name {
		case "packed":
			m.packed = true
		case "aligned":
			m.align = max(m.align, c.alignedAttribute(a))
		}
	}
	c.memberShared(at, name, &t)
	m.field = Field{Name: name, Type: t}
	switch {
	case t.bad():
	case n.Width != nil:
		c.bitField(n, at, &m.field)
	case t.IsVoid() || !IsComplete(t):
		if a, ok := t.T.(*Array); ok && a.Kind == LenIncomplete {
			break // a flexible array member; where it may stand is the C compiler's to say
		}
		if _, function := t.T.(*Func); function {
			c.errorf(at, "", "field '%s' declared as a function", name)
		} else {
			c.errorf(at, "", "field '%s' has incomplete type %s", name, quote(t))
		}
		m.field.Type = BasicType(Invalid)
	case variable(t):
		c.errorf(at, "", "a member of a structure or union cannot have a variably modified type")
		m.field.Type = BasicType(Invalid)
	}
	return m
}

// bitField checks the width of a bit-field (C11 6.7.2.1p4).
func (c *checker) bitField(n *syntax.MemberName, at syntax.Pos, f *Field) {
	name := "'" + f.Name + "'"
	if f.Name == "" {
		name = "an unnamed bit-field"
	}
	f.Bits = true
	if !f.Type.IsInteger() {
		c.rvalue(n.Width)
		c.errorf(at, "", "bit-field %s has invalid type", name)
		f.Bits = false
		f.Type = BasicType(Invalid)
		return
	}
	width, ok := c.constInt(n.Width, "", fmt.Sprintf("bit-field %s width not an integer constant", name))
	limit := int64(bitsOf(f.Type.basic()))
	switch {
	case !ok:
		width = 1
	case width < 0:
		c.errorf(at, "", "negative width in bit-field %s", name)
		width = 1
	case width > limit:
		c.errorf(at, "", "width of %s exceeds its type", name)
		width = limit
	case width == 0 && f.Name != "":
		c.errorf(at, "", "zero width for bit-field %s", name)
		width = 1
	}
	f.Width = int(width)
}

// enumSpec is the type of an enum specifier (C11 6.7.2.2).
func (c *checker) enumSpec(s *syntax.EnumSpec) Type {
	e := c.enumTag(s)
	c.info.Enums[s] = e
	if !s.HasBody {
		return Type{T: e}
	}
	if e.Complete {
		c.errorf(s.First(), "", "redeclaration of 'enum %s'", e.Tag)
		e = &Enum{Tag: e.Tag}
		c.info.Enums[s] = e
	}
	next, low, high := int64(0), int64(0), int64(0)
	kind := Int // of the value before
	var list []*Object
	for _, v := range s.Values {
		if v.Value != nil {
			if n, ok := c.constInt(v.Value, "", fmt.Sprintf("enumerator value for '%s' is not an integer constant",
				v.Name.Name)); ok {
				next = n
				kind = c.info.Exprs[v.Value].Type.basic()
			}
		}
		unsigned := next < 0 && !c.signed(kind)
		o := &Object{Kind: ObjEnumConst, Name: v.Name.Name, Value: next, Storage: NoStorage, Defined: true,
			Decl: &v.Name, Def: &v.Name}
		o.Type = enumeratorType(next, unsigned)
		if c.fn != nil {
			o.Function = c.fn.decl
		}
		if old, ok := c.scope.names[o.Name]; ok {
			c.errorNote(v.Name.First(), "", fmt.Sprintf("redeclaration of enumerator '%s'", o.Name), declPos(old),
				"previous declaration is here")
		} else {
			c.scope.declare(o)
		}
		c.info.Defs[&v.Name] = o
		list = append(list, o)
		if unsigned || o.Type.basic() == ULong {
			high = -1 // needs 64 bits without a sign
		} else if high != -1 {
			high = max(high, next)
		}
		if !unsigned {
			low = min(low, next)
		}
		next++
		kind = o.Type.basic()
	}
	packed := false
	for _, a := range s.Attributes {
		packed = packed || a.Name == "packed"
	}
	e.Under, e.Complete = enumKind(low, high, packed), true
	if basicFacts[e.Under].size > 4 {
		for _, o := range list {
			if o.Type.basic() != Int {
				o.Type = BasicType(e.Under)
			}
		}
	}
	return Type{T: e}
}

func declPos(o *Object) syntax.Pos {
	if o.Decl == nil {
		return syntax.NoPos
	}
	return o.Decl.First()
}

func (c *checker) enumTag(s *syntax.EnumSpec) *Enum {
	if s.Tag == nil {
		return &Enum{Under: UInt}
	}
	name := s.Tag.Name
	t := c.scope.tags[name]
	if t == nil && !s.HasBody {
		t = c.lookupTag(name)
	}
	if t != nil {
		if t.enum != nil {
			return t.enum
		}
		c.errorNote(s.Tag.First(), "", fmt.Sprintf("'%s' defined as wrong kind of tag", name), t.pos,
			"previously declared here")
		return &Enum{Tag: name, Under: UInt}
	}
	t = &tag{enum: &Enum{Tag: name, Under: UInt}, pos: s.Tag.First()}
	c.scope.declareTag(name, t)
	return t.enum
}

// enumeratorType is int if the value fits, as C has it, else the wider type that GNU gives it.
func enumeratorType(n int64, unsigned bool) Type {
	switch {
	case unsigned:
		return BasicType(ULong)
	case n == int64(int32(n)):
		return BasicType(Int)
	case n == int64(uint32(n)):
		return BasicType(UInt)
	}
	return BasicType(Long)
}

// enumKind is the integer type that gcc gives an enumerated type whose values reach from low to high (-1: beyond
// int64).
func enumKind(low, high int64, packed bool) BasicKind {
	if packed && high != -1 {
		switch {
		case low >= 0 && high <= 0xff:
			return UChar
		case low >= -0x80 && high <= 0x7f:
			return SChar
		case low >= 0 && high <= 0xffff:
			return UShort
		case low >= -0x8000 && high <= 0x7fff:
			return Short
		}
	}
	switch {
	case high == -1:
		return ULong
	case low >= 0 && high <= 0xffffffff:
		return UInt
	case low >= 0:
		return ULong
	case low >= -0x80000000 && high <= 0x7fffffff:
		return Int
	}
	return Long
}

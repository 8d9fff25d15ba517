package symbol

import (
	"debug/dwarf"
	"fmt"
)

// Struct is what is known of a struct type of a program from outside: its size, at which offsets it has members, of
// which sizes these would be, and the offset of the member that is asked for.
type Struct struct {
	Size          int64
	Displacements []int64
	Sizes         []int64
	Offset        int64
}

// Bounds of what is looked at for a member's name.
const (
	maxDebugInfo  = 64 << 20 // bytes of debug information of a module
	maxMembers    = 256      // displacements
	maxStructs    = 64       // struct types of one size
	maxStructDeep = 16       // structs within structs, and types of types
)

// Field is the name of a member of a struct type in the module that has code at pc, as the language writes it: "mass",
// "pos.x", "cells[2].x". It is empty if no struct type fits what is known, or if several fit equally well and do not
// agree on the name. Those fit best in which most members have the sizes that they would have.
func (r *Resolver) Field(m *Maps, pc uint64, s Struct) string {
	at := m.find(pc)
	if at == nil || !at.file {
		return ""
	}
	mod := r.module(m.pid, at)
	if mod == nil {
		return ""
	}
	name := ""
	mod.guarded(debugging, func() {
		if mod.debug != nil {
			name = mod.debug.field(s)
		}
	})
	return name
}

// structType is the entry of a struct type.
type structType struct {
	unit *unit
	at   dwarf.Offset
}

func (d *debugInfo) field(s Struct) string {
	if len(s.Displacements) > maxMembers || d.size > maxDebugInfo {
		return ""
	}
	candidates := d.structsOf(s.Size)
	if len(candidates) > maxStructs {
		return ""
	}
	name, best := "", -1
	for _, c := range candidates {
		l := layout{d: d, unit: c.unit, fortran: isFortran(c.unit.root)}
		fit, ok := l.fit(c.at, s)
		if !ok || fit < best {
			continue
		}
		m, ok := l.locate(c.at, s.Offset, 0)
		if !ok || fit == best && m.name != name {
			m.name = ""
		}
		name, best = m.name, fit
	}
	return name
}

// structsOf lists the struct types of a size. The first question reads all entries once.
func (d *debugInfo) structsOf(size int64) []structType {
	if d.structs == nil {
		d.structs = make(map[int64][]structType)
		for _, u := range d.units {
			w := u.walk(d, u.root.Offset)
			for e := w.next(); e != nil; e = w.next() {
				if e.Tag != dwarf.TagStructType && e.Tag != dwarf.TagClassType {
					continue
				}
				if n, ok := e.Val(dwarf.AttrByteSize).(int64); ok {
					d.structs[n] = append(d.structs[n], structType{u, e.Offset})
				}
			}
		}
	}
	return d.structs[size]
}

func isFortran(root *dwarf.Entry) bool {
	switch language, _ := root.Val(dwarf.AttrLanguage).(int64); language {
	case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d: // DW_LANG_Fortran77 to _Fortran18
		return true
	}
	return false
}

// layout reads the struct types of a unit.
type layout struct {
	d       *debugInfo
	unit    *unit
	fortran bool
}

// member is what begins at some offset of a struct. The name is empty where it has none.
type member struct {
	name string
	size int64
}

// fit says how many members of a struct have the size that they would have; false if one of them does not exist.
func (l *layout) fit(at dwarf.Offset, s Struct) (n int, ok bool) {
	for i, o := range s.Displacements {
		m, ok := l.locate(at, o, 0)
		if !ok {
			return 0, false
		}
		if i < len(s.Sizes) && s.Sizes[i] == m.size {
			n++
		}
	}
	return n, true
}

// locate finds what begins at an offset of a struct; false if nothing does, or a pointer, which nobody sends.
func (l *layout) locate(at dwarf.Offset, offset int64, depth int) (m member, ok bool) {
	if depth > maxStructDeep || offset < 0 {
		return member{}, false
	}
	w := l.unit.walk(l.d, at)
	for e := w.next(); e != nil; e = w.next() {
		w.skip()
		from, located := e.Val(dwarf.AttrDataMemberLoc).(int64)
		of, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		if !located || !typed || e.Tag != dwarf.TagMember && e.Tag != dwarf.TagInheritance ||
			e.Val(dwarf.AttrBitSize) != nil {
			continue
		}
		t := l.resolve(of)
		if t == nil || offset < from || offset >= from+l.size(t, 0) {
			continue
		}
		own, _ := e.Val(dwarf.AttrName).(string)
		return l.within(t, own, offset-from, depth)
	}
	return member{}, false
}

// within finds what begins at an offset of a member of a type.
func (l *layout) within(t *dwarf.Entry, own string, offset int64, depth int) (m member, ok bool) {
	if t.Tag == dwarf.TagArrayType {
		of, _ := t.Val(dwarf.AttrType).(dwarf.Offset)
		element := l.resolve(of)
		if element == nil {
			return member{}, false
		}
		size := l.size(element, 0)
		if size <= 0 {
			return member{}, false
		}
		if isStruct(element) && !l.fortran && len(l.dimensions(t)) == 1 {
			own = fmt.Sprintf("%s[%d]", own, offset/size)
		}
		t, offset = element, offset%size
	}
	switch t.Tag {
	case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType, dwarf.TagPtrToMemberType:
		return member{}, false
	}
	if !isStruct(t) {
		return member{own, l.size(t, 0)}, offset == 0
	}
	m, ok = l.locate(t.Offset, offset, depth+1)
	switch {
	case !ok || m.name == "" || own == "": // a base class, or a struct without a name
	case l.fortran:
		m.name = own + "%" + m.name
	default:
		m.name = own + "." + m.name
	}
	return m, ok
}

func isStruct(t *dwarf.Entry) bool {
	return t.Tag == dwarf.TagStructType || t.Tag == dwarf.TagClassType
}

// resolve follows names and qualifiers of a type to what it is.
func (l *layout) resolve(of dwarf.Offset) *dwarf.Entry {
	r := l.d.data.Reader()
	for range maxStructDeep {
		r.Seek(of)
		e, err := r.Next()
		if err != nil || e == nil {
			return nil
		}
		switch e.Tag {
		case dwarf.TagTypedef, dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagRestrictType, dwarf.TagAtomicType:
			next, ok := e.Val(dwarf.AttrType).(dwarf.Offset)
			if !ok {
				return nil
			}
			of = next
		default:
			return e
		}
	}
	return nil
}

// size is that of a type in bytes, 0 if it is not known.
func (l *layout) size(t *dwarf.Entry, depth int) int64 {
	if n, ok := t.Val(dwarf.AttrByteSize).(int64); ok {
		return n
	}
	of, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
	if t.Tag != dwarf.TagArrayType || !ok || depth > maxStructDeep {
		return 0
	}
	element := l.resolve(of)
	if element == nil {
		return 0
	}
	n := l.size(element, depth+1)
	for _, d := range l.dimensions(t) {
		n *= d
	}
	return n
}

// dimensions are those of an array; one that is not constant is 0.
func (l *layout) dimensions(t *dwarf.Entry) (out []int64) {
	w := l.unit.walk(l.d, t.Offset)
	for e := w.next(); e != nil; e = w.next() {
		w.skip()
		if e.Tag != dwarf.TagSubrangeType {
			continue
		}
		n, ok := e.Val(dwarf.AttrCount).(int64)
		if upper, bounded := e.Val(dwarf.AttrUpperBound).(int64); !ok && bounded {
			lower, given := e.Val(dwarf.AttrLowerBound).(int64)
			if !given && l.fortran {
				lower = 1
			}
			n = upper - lower + 1
		}
		out = append(out, max(n, 0))
	}
	return out
}

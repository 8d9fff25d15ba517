package symbol

import (
	"bytes"
	"debug/dwarf"
	"strings"
)

// scope is where a call is written: in a function, whose variables its arguments name.
type scope struct {
	d        *debugInfo
	u        *unit
	function *dwarf.Entry
	types    layout
}

// named is the variable that a name stands for.
type named struct {
	of   dwarf.Offset // its type
	lies Lies
}

// find is the variable that a name stands for at the call; false if that is not certain.
func (s *scope) find(name string) (named, bool) {
	f := s.origin(s.function)
	if f == nil {
		return named{}, false
	}
	if v, known, sure := s.local(f, name); known {
		return v, sure
	}
	own, _ := f.Val(dwarf.AttrName).(string)
	if s.types.fortran {
		return s.fortranOuter(f, name)
	}
	if this, known, sure := s.local(f, "this"); known && sure {
		object := s.types.pointee(this.of)
		if object == nil {
			return named{}, false
		}
		class, _ := object.Val(dwarf.AttrName).(string)
		if strings.HasPrefix(class, "<lambda") || class == "" {
			return named{}, false // a variable that it captures has another name in it
		}
		if of, known := s.types.member(object, name, 0); known {
			return named{of: of, lies: ByPointer}, true
		}
	} else if known {
		return named{}, false
	}
	if strings.Contains(own, ".") {
		// a part of a function that the compiler has made another one: its variables are elsewhere
		return named{}, false
	}
	return s.global(name)
}

// origin is the entry of a function that has all its variables: an inlined one has in its own only some.
func (s *scope) origin(f *dwarf.Entry) *dwarf.Entry {
	of, ok := f.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
	if !ok {
		return f
	}
	r := s.d.data.Reader()
	r.Seek(of)
	e, err := r.Next()
	if err != nil || e == nil {
		return nil
	}
	return e
}

// unitOf is the unit that has an entry.
func (s *scope) unitOf(at dwarf.Offset) *unit {
	for _, u := range s.d.units {
		if at >= u.root.Offset && at < u.end {
			return u
		}
	}
	return s.u
}

// local looks among the variables of a function. It is not sure if several of that name have different types, or if the
// memory is shared.
func (s *scope) local(f *dwarf.Entry, name string) (v named, known, sure bool) {
	w := s.unitOf(f.Offset).walk(s.d, f.Offset)
	var place []byte
	var others [][]byte
	common, shadowed, n := dwarf.Offset(0), false, 0
	for e := w.next(); e != nil && n < maxEntries; e = w.next() {
		n++
		switch e.Tag {
		case dwarf.TagCommonDwarfBlock:
			common = e.Offset
			continue
		case dwarf.TagLexDwarfBlock:
			continue
		case dwarf.TagVariable, dwarf.TagFormalParameter:
		default:
			w.skip()
			continue
		}
		at, _ := e.Val(dwarf.AttrLocation).([]byte)
		own := s.nameOf(e)
		if own != name {
			others = append(others, at)
			continue
		}
		of, ok := s.typeOf(e)
		if !ok {
			return named{}, true, false
		}
		if known && of != v.of {
			shadowed = true
		}
		known, place = true, at
		v = named{of: of, lies: OnStack}
		switch {
		case common != 0 && s.within(common, e.Offset):
			v.lies = InCommon
		case e.Tag == dwarf.TagFormalParameter && s.types.fortran:
			v.lies = ByCaller
		case len(at) > 0 && at[0] == opAddr || e.Val(dwarf.AttrExternal) != nil:
			v.lies = InStatic
		}
	}
	for _, o := range others {
		if s.types.fortran && len(place) > 0 && bytes.Equal(o, place) {
			shadowed = true // EQUIVALENCE
		}
	}
	return v, known, known && !shadowed
}

// opAddr is DW_OP_addr.
const opAddr = 0x03

// within says whether an entry is below another one.
func (s *scope) within(top, at dwarf.Offset) bool {
	w := s.unitOf(top).walk(s.d, top)
	for e := w.next(); e != nil; e = w.next() {
		if e.Offset == at {
			return true
		}
	}
	return false
}

// nameOf and typeOf follow an entry to its declaration.
func (s *scope) nameOf(e *dwarf.Entry) string {
	for range 4 {
		if name, ok := e.Val(dwarf.AttrName).(string); ok {
			return name
		}
		if e = s.declaration(e); e == nil {
			break
		}
	}
	return ""
}

func (s *scope) typeOf(e *dwarf.Entry) (dwarf.Offset, bool) {
	for range 4 {
		if of, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok {
			return of, true
		}
		if e = s.declaration(e); e == nil {
			break
		}
	}
	return 0, false
}

func (s *scope) declaration(e *dwarf.Entry) *dwarf.Entry {
	next, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
	if !ok {
		next, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
	}
	if !ok {
		return nil
	}
	r := s.d.data.Reader()
	r.Seek(next)
	d, err := r.Next()
	if err != nil {
		return nil
	}
	return d
}

// global looks among the variables of a unit outside of functions, in all its namespaces: those of the name must agree.
func (s *scope) global(name string) (v named, ok bool) {
	w := s.u.walk(s.d, s.u.root.Offset)
	for e := w.next(); e != nil; e = w.next() {
		if e.Tag == dwarf.TagVariable && s.nameOf(e) == name {
			of, typed := s.typeOf(e)
			if !typed || ok && of != v.of {
				return named{}, false
			}
			v, ok = named{of: of, lies: InStatic}, true
		}
		if e.Tag != dwarf.TagNamespace {
			w.skip()
		}
	}
	return v, ok
}

// fortranOuter looks in what a procedure is in, and in the modules that it or these use: those of the name must agree.
func (s *scope) fortranOuter(f *dwarf.Entry, name string) (v named, ok bool) {
	u := s.unitOf(f.Offset)
	outer := []*dwarf.Entry{}
	w := u.walk(s.d, u.root.Offset)
	for e := w.next(); e != nil && e.Offset <= f.Offset; e = w.next() {
		if e.Offset == f.Offset {
			break
		}
		if (e.Tag == dwarf.TagModule || e.Tag == dwarf.TagSubprogram) && e.Children && s.within(e.Offset, f.Offset) {
			outer = append(outer, e)
			continue
		}
		w.skip()
	}
	take := func(at named, sure bool) bool {
		if !sure || ok && at.of != v.of {
			return false
		}
		v, ok = at, true
		return true
	}
	modules := make(map[dwarf.Offset]bool)
	imports := func(e *dwarf.Entry) bool {
		w := s.unitOf(e.Offset).walk(s.d, e.Offset)
		for c := w.next(); c != nil; c = w.next() {
			at, _ := c.Val(dwarf.AttrImport).(dwarf.Offset)
			switch {
			case c.Tag == dwarf.TagImportedModule && at != 0:
				modules[at] = true
			case c.Tag == dwarf.TagImportedDeclaration && at != 0:
				d := s.at(at)
				if as, _ := c.Val(dwarf.AttrName).(string); d != nil && d.Tag == dwarf.TagVariable &&
					(as == name || as == "" && s.nameOf(d) == name) {
					of, typed := s.typeOf(d)
					if !take(named{of: of, lies: InStatic}, typed) {
						return false
					}
				}
			}
			w.skip()
		}
		return true
	}
	if !imports(f) {
		return named{}, false
	}
	for i := len(outer) - 1; i >= 0; i-- {
		if outer[i].Tag == dwarf.TagModule {
			modules[outer[i].Offset] = true
		} else if found, known, sure := s.local(outer[i], name); known {
			return found, sure && !ok
		}
		if !imports(outer[i]) {
			return named{}, false
		}
	}
	for at := range modules {
		w := s.unitOf(at).walk(s.d, at)
		for e := w.next(); e != nil; e = w.next() {
			w.skip()
			if e.Tag != dwarf.TagVariable || s.nameOf(e) != name {
				continue
			}
			of, typed := s.typeOf(e)
			if !take(named{of: of, lies: InStatic}, typed) {
				return named{}, false
			}
		}
	}
	return v, ok
}

func (s *scope) at(o dwarf.Offset) *dwarf.Entry {
	r := s.d.data.Reader()
	r.Seek(o)
	e, err := r.Next()
	if err != nil {
		return nil
	}
	return e
}

// pointee is what a pointer or a reference points to, nil if that is not known.
func (l *layout) pointee(of dwarf.Offset) *dwarf.Entry {
	t := l.resolve(of)
	if t == nil || t.Tag != dwarf.TagPointerType && t.Tag != dwarf.TagReferenceType &&
		t.Tag != dwarf.TagRvalueReferenceType {
		return nil
	}
	to, ok := t.Val(dwarf.AttrType).(dwarf.Offset)
	if !ok {
		return nil
	}
	return l.resolve(to)
}

// member is the type of a member of a struct or of what it is derived from.
func (l *layout) member(t *dwarf.Entry, name string, depth int) (of dwarf.Offset, ok bool) {
	if depth > maxStructDeep {
		return 0, false
	}
	var bases []dwarf.Offset
	w := l.unit.walk(l.d, t.Offset)
	if w.top == nil {
		return 0, false
	}
	for e := w.next(); e != nil; e = w.next() {
		w.skip()
		own, _ := e.Val(dwarf.AttrName).(string)
		at, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		switch {
		case !typed:
		case e.Tag == dwarf.TagMember && own == name:
			return at, true
		case e.Tag == dwarf.TagInheritance, e.Tag == dwarf.TagMember && own == "":
			bases = append(bases, at)
		}
	}
	for _, b := range bases {
		if base := l.resolve(b); base != nil && isStruct(base) {
			if of, ok := l.member(base, name, depth+1); ok {
				return of, true
			}
		}
	}
	return 0, false
}

// method is the type that the functions of a name give which belong to a class; false if they do not agree, except for
// const.
func (l *layout) method(t *dwarf.Entry, name string, depth int) (of dwarf.Offset, ok bool) {
	if depth > maxStructDeep {
		return 0, false
	}
	var found *dwarf.Entry
	w := l.unit.walk(l.d, t.Offset)
	if w.top == nil {
		return 0, false
	}
	var bases []dwarf.Offset
	for e := w.next(); e != nil; e = w.next() {
		w.skip()
		own, _ := e.Val(dwarf.AttrName).(string)
		at, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		switch {
		case e.Tag == dwarf.TagInheritance && typed:
			bases = append(bases, at)
		case e.Tag != dwarf.TagSubprogram || own != name:
		case !typed:
			return 0, false
		default:
			to := l.pointee(at)
			if to == nil || found != nil && to.Offset != found.Offset {
				return 0, false
			}
			found, of = to, at
		}
	}
	if found != nil {
		return of, true
	}
	for _, b := range bases {
		if base := l.resolve(b); base != nil && isStruct(base) {
			if of, ok := l.method(base, name, depth+1); ok {
				return of, true
			}
		}
	}
	return 0, false
}

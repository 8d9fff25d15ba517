package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// declarator derives the type of a declarator from the specifiers' one (C11 6.7.6), from the specifiers towards the
// name.
func (c *checker) declarator(d *syntax.Declarator, s *specified) Type {
	return c.derive(d, s, false)
}

// derive is declarator; param says that it declares a parameter, whose outermost array becomes a pointer (C11
// 6.7.6.3p7).
func (c *checker) derive(d *syntax.Declarator, s *specified, param bool) Type {
	t := s.t
	at := s.layout
	for i := len(d.Parts) - 1; i >= 0; i-- {
		switch p := d.Parts[i].(type) {
		case *syntax.PointerPart:
			if at < 0 {
				at = p.First()
			}
			t = c.qualify(Type{T: &Pointer{Elem: c.pointedTo(at, t)}}, p.Quals, nil)
			if t.IsShared() {
				at = p.Quals[0].First()
			}
		case *syntax.ArrayPart:
			if param && i == 0 {
				t = c.parameterArray(p, t, d)
				continue
			}
			t = c.arrayPart(p, t, d)
		case *syntax.FuncPart:
			t = c.funcPart(p, t, d)
		}
	}
	for _, a := range d.Attributes {
		t = c.retype(t, a)
	}
	if param {
		t = c.adjust(t)
	}
	c.info.Declarators[d] = t
	return t
}

// adjust makes a pointer of a parameter of array or function type (C11 6.7.6.3p7, p8).
func (c *checker) adjust(t Type) Type {
	switch u := t.T.(type) {
	case *Array:
		return PointerTo(u.Elem)
	case *Func:
		return PointerTo(t)
	}
	return t
}

// declared names what a declarator declares, for messages.
func declared(d *syntax.Declarator) string {
	if d.Name == nil {
		return "type name"
	}
	return "'" + d.Name.Name + "'"
}

// place is where messages on a declarator point to: the name, or the start of an abstract one.
func place(d *syntax.Declarator) syntax.Pos {
	if d.Name != nil {
		return d.Name.First()
	}
	return d.First()
}

func (c *checker) parameterArray(p *syntax.ArrayPart, t Type, d *syntax.Declarator) Type {
	if p.Size != nil {
		c.rvalue(p.Size)
	}
	if !t.bad() && !IsComplete(t) && !opaqueForgiven(t) {
		c.errorf(place(d), "", "array type has incomplete element type %s", quote(t))
	}
	at := place(d)
	return c.qualify(PointerTo(c.pointedTo(at, t)), p.Quals, nil)
}

func opaqueForgiven(t Type) bool {
	a, ok := t.T.(*Array)
	return ok && a.Kind != LenIncomplete && opaqueForgiven(a.Elem)
}

// arrayPart is an array of t (C11 6.7.6.2; UPC 1.3, 6.5.2).
func (c *checker) arrayPart(p *syntax.ArrayPart, t Type, d *syntax.Declarator) Type {
	a := &Array{Elem: t}
	v := Value{}
	if p.Size != nil {
		v = c.arraySize(p, d)
		if v.Kind == OtherValue {
			return BasicType(Invalid)
		}
	}
	switch {
	case t.bad():
		return t
	case t.IsVoid():
		c.errorf(place(d), "", "declaration of %s as array of voids", declared(d))
		return BasicType(Invalid)
	case !IsComplete(t):
		if _, function := t.T.(*Func); function {
			c.errorf(place(d), "", "declaration of %s as array of functions", declared(d))
		} else {
			c.errorf(place(d), "", "array type has incomplete element type %s", quote(t))
		}
		return BasicType(Invalid)
	}
	switch {
	case p.Size == nil && p.Star:
		a.Kind = LenVariable
	case p.Size == nil:
		a.Kind = LenIncomplete
	case v.Kind != IntegerValue:
		a.Kind = LenVariable
		if !c.variableArray(p, t, d) {
			return BasicType(Invalid)
		}
	case v.Threads:
		a.Kind, a.Len = LenThreads, v.Int
		switch {
		case v.Int <= 0:
			c.errorf(p.Size.First(), "COMP-17", "THREADS must be multiplied by a positive constant, but it is %d",
				v.Int)
			a.Len = 1
		case t.IsShared() && hasThreads(t):
			c.errorf(p.Size.First(), "COMP-16", "THREADS can be in only one dimension of %s", declared(d))
			a.Kind = LenKnown
		}
	default:
		a.Len = v.Int
	}
	if a.Kind == LenKnown {
		size := c.Sizeof(t)
		if bytes, ok := multiply(size.Int, a.Len); size.Kind == IntegerValue && (!ok || bytes > 1<<62) {
			c.errorf(place(d), "", "size of array %s is too large", declared(d))
			return BasicType(Invalid)
		}
	}
	return Type{T: a, Qual: t.Qual, Align: t.Align, Block: t.Block}
}

func hasThreads(t Type) bool {
	a, ok := t.T.(*Array)
	return ok && (a.Kind == LenThreads || hasThreads(a.Elem))
}

// arraySize checks the length of an array. OtherValue means that nothing can be said of the array.
func (c *checker) arraySize(p *syntax.ArrayPart, d *syntax.Declarator) Value {
	c.rvalue(p.Size)
	e := c.info.Exprs[p.Size]
	switch {
	case e.Type.bad():
		return Value{Kind: OtherValue}
	case !e.Type.IsInteger():
		c.errorf(place(d), "", "size of array %s has non-integer type", declared(d))
		return Value{Kind: OtherValue}
	case e.Value.Kind == IntegerValue && !e.Value.Threads && e.Value.Int < 0 && c.signed(e.Type.basic()):
		c.errorf(place(d), "", "size of array %s is negative", declared(d))
		return Value{Kind: OtherValue}
	case e.Value.Kind == AddressValue || e.Value.Kind == FloatValue:
		return Value{}
	}
	return e.Value
}

// variableArray says whether an array may have a length that is not constant, and tells if not.
func (c *checker) variableArray(p *syntax.ArrayPart, t Type, d *syntax.Declarator) bool {
	switch {
	case t.IsShared() && c.Threads == 0 && occurrences(p.Size, "THREADS") > 1:
		c.errorf(p.Size.First(), "COMP-16", "THREADS can appear only once in the dimensions of %s", declared(d))
	case t.IsShared() && c.Threads == 0 && mentions(p.Size, "THREADS"):
		c.errorNote(p.Size.First(), "COMP-17",
			fmt.Sprintf("THREADS must stand alone or be multiplied by a constant in the dimension of %s", declared(d)),
			syntax.NoPos, "with -T the number of threads is known, and any constant expression is allowed here")
	case t.IsShared():
		c.errorf(p.Size.First(), "COMP-35", "%s has shared elements and cannot have variable length", declared(d))
	case c.fn == nil && !c.inParams():
		c.errorf(place(d), "", "variably modified %s at file scope", declared(d))
	default:
		return true
	}
	return false
}

// inParams says that a parameter list is being read.
func (c *checker) inParams() bool { return c.paramDepth > 0 }

// funcPart is a function that returns t (C11 6.7.6.3).
func (c *checker) funcPart(p *syntax.FuncPart, t Type, d *syntax.Declarator) Type {
	f := &Func{Result: t, Prototype: p.Prototype, Variadic: p.Variadic}
	switch t.T.(type) {
	case *Array:
		c.errorf(place(d), "", "%s declared as function returning an array", declared(d))
		f.Result = BasicType(Invalid)
	case *Func:
		c.errorf(place(d), "", "%s declared as function returning a function", declared(d))
		f.Result = BasicType(Invalid)
	}
	if f.Result.IsShared() {
		c.errorNote(place(d), "COMP-02", fmt.Sprintf("%s cannot return the shared type %s", declared(d), quote(t)),
			syntax.NoPos,
			"return a pointer to it, or its value without 'shared'")
		f.Result = Private(f.Result)
	}
	c.push()
	c.paramDepth++
	for _, q := range p.Params {
		s := c.specs(q.Specs, false)
		pt := c.param(q.Declarator, &s)
		if len(p.Params) == 1 && pt.IsVoid() && q.Declarator.Name == nil && pt.Qual == 0 {
			break
		}
		f.Params = append(f.Params, pt)
	}
	c.params[p] = c.scope
	c.paramDepth--
	c.pop()
	return Type{T: f}
}

// param declares a parameter and returns its adjusted type.
func (c *checker) param(d *syntax.Declarator, s *specified) Type {
	t := c.derive(d, s, true)
	if t.IsShared() {
		name := "a parameter"
		if d.Name != nil {
			name = "parameter '" + d.Name.Name + "'"
		}
		c.errorNote(place(d), "COMP-03", fmt.Sprintf("%s cannot have the shared type %s", name, quote(t)), syntax.NoPos,
			"pass a pointer to it, or its value without 'shared'")
		t = Private(t)
	}
	if d.Name == nil {
		return t
	}
	if t.IsVoid() {
		c.errorf(place(d), "", "parameter '%s' has void type", d.Name.Name)
		t = BasicType(Invalid)
	}
	if old, ok := c.scope.names[d.Name.Name]; ok {
		c.errorNote(place(d), "", fmt.Sprintf("redefinition of parameter '%s'", d.Name.Name), old.Decl.First(),
			"previous definition is here")
		return t
	}
	o := &Object{Kind: ObjParam, Name: d.Name.Name, Type: t, Storage: Automatic, Defined: true,
		Decl: d.Name, Def: d.Name}
	c.scope.declare(o)
	c.info.Defs[d.Name] = o
	return t
}

// typeName is the type of a type name (C11 6.7.7).
func (c *checker) typeName(n *syntax.TypeName) Type {
	if t, ok := c.info.Types[n]; ok {
		return t
	}
	s := c.specs(n.Specs, false)
	t := c.declarator(n.Declarator, &s)
	c.info.Types[n] = t
	return t
}

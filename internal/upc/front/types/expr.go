package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// expr checks an expression and notes what is found. It is called once for each expression.
func (c *checker) expr(x syntax.Expr) *ExprInfo {
	e := c.newInfo()
	c.info.Exprs[x] = e
	e.Type = BasicType(Invalid)
	switch x := x.(type) {
	case *syntax.NameExpr:
		c.name(x, e)
	case *syntax.Literal:
		e.Type, e.Value = c.literal(x)
	case *syntax.StringExpr:
		e.Type, e.Value, e.Lvalue = c.stringLiteral(x), Value{Kind: AddressValue}, true
	case *syntax.ThreadExpr:
		c.thread(x, e)
	case *syntax.ParenExpr:
		*e = *c.expr(x.X)
	case *syntax.UnaryExpr:
		c.unary(x, e)
	case *syntax.PostfixExpr:
		c.increment(x.X, x.Op, x.From, e)
	case *syntax.BinaryExpr:
		c.binary(x, e)
	case *syntax.AssignExpr:
		c.assignment(x, e)
	case *syntax.CondExpr:
		c.conditional(x, e)
	case *syntax.CallExpr:
		c.call(x, e)
	case *syntax.IndexExpr:
		c.index(x, e)
	case *syntax.MemberExpr:
		c.memberExpr(x, e)
	case *syntax.CastExpr:
		c.cast(x, e)
	case *syntax.CompoundLiteral:
		c.compoundLiteral(x, e)
	case *syntax.SizeExpr:
		c.size(x, e)
	case *syntax.GenericExpr:
		c.generic(x, e)
	case *syntax.StmtExpr:
		c.stmtExpr(x, e)
	case *syntax.LabelAddr:
		c.useLabel(&x.Label)
		e.Type, e.Value = PointerTo(BasicType(Void)), Value{Kind: AddressValue}
	case *syntax.BuiltinExpr:
		c.builtin(x, e)
	}
	return e
}

// newInfo takes an ExprInfo from a slab, since there are very many.
func (c *checker) newInfo() *ExprInfo {
	if len(c.slab) == 0 {
		c.slab = make([]ExprInfo, 256)
	}
	e := &c.slab[0]
	c.slab = c.slab[1:]
	return e
}

// rvalue checks an expression whose value is used, notes how that differs from the expression's type, and returns the
// value's type.
func (c *checker) rvalue(x syntax.Expr) Type {
	return c.value(x, c.typed(x))
}

// value is rvalue for an expression that was checked.
func (c *checker) value(x syntax.Expr, t Type) Type {
	switch u := t.T.(type) {
	case *Array:
		v := PointerTo(u.Elem)
		c.info.Converted[x] = v
		return v
	case *Func:
		return PointerTo(t)
	case *Struct:
		if !u.Complete {
			return c.incompleteValue(x, t)
		}
	}
	if t.IsShared() {
		if t.IsVoid() {
			return BasicType(Void)
		}
		v := t.Unqualified()
		c.info.Converted[x] = v
		return v
	}
	return t.Unqualified()
}

// incompleteValue tells the use of a value whose type is incomplete.
func (c *checker) incompleteValue(x syntax.Expr, t Type) Type {
	if name := opaqueName(t); name != "" {
		c.errorf(x.First(), "COMP-34", "'%s' is opaque: programs can only have pointers to it, not its value", name)
	} else {
		c.errorf(x.First(), "", "invalid use of undefined type '%s'", t.Unqualified())
	}
	return BasicType(Invalid)
}

// become notes that a value is converted to a type.
func (c *checker) become(x syntax.Expr, to Type) {
	from := c.info.Exprs[x].Type
	if from.IsShared() || !sameValue(from, to) {
		c.info.Converted[x] = to
		return
	}
	delete(c.info.Converted, x)
}

// sameValue says that two types of values differ at most in their qualifiers.
func sameValue(a, b Type) bool {
	if a.T == b.T {
		return true
	}
	if _, ok := a.T.(*Basic); ok {
		return false
	}
	return compatible(a, b, false)
}

// constInt is the value of an integer constant expression, or tells message.
func (c *checker) constInt(x syntax.Expr, id, message string) (int64, bool) {
	t := c.rvalue(x)
	v := c.info.Exprs[x].Value
	switch {
	case t.bad() || v.Kind == OtherValue:
		return 0, false
	case v.Kind != IntegerValue || v.Threads || !t.IsInteger():
		d := syntax.Diagnostic{Pos: x.First(), ID: id, Message: message}
		if c.Threads == 0 && mentions(x, "THREADS") {
			d = withNote(d, syntax.NoPos, "with -T the number of threads is known when the program is compiled")
		}
		c.report(d)
		return 0, false
	}
	return v.Int, true
}

// functionNames are the names that each function has of itself (C11 6.4.2.2 and GNU's).
var functionNames = map[string]bool{"__func__": true, "__FUNCTION__": true, "__PRETTY_FUNCTION__": true}

func (c *checker) name(x *syntax.NameExpr, e *ExprInfo) {
	o := c.lookup(x.Name)
	if o == nil {
		o = c.unknownName(x)
	}
	if o == nil {
		return
	}
	c.info.Uses[x] = o
	e.Type = o.Type
	switch o.Kind {
	case ObjEnumConst:
		e.Value = integer(o.Value)
	case ObjVar:
		e.Lvalue = true
		if _, array := o.Type.T.(*Array); array && o.Storage != Automatic && o.Storage != ThreadLocal {
			e.Value = Value{Kind: AddressValue}
		}
	case ObjParam:
		e.Lvalue = true
	case ObjFunc:
		e.Value = Value{Kind: AddressValue}
	case ObjTypedef:
		c.errorf(x.First(), "", "unexpected type name '%s': expected expression", x.Name)
		e.Type = BasicType(Invalid)
	}
	c.sharedAccess(e)
}

// sharedAccess says of a shared lvalue whether accesses to it are strict (UPC 1.3, 6.5.1.1 and 6.7.1).
func (c *checker) sharedAccess(e *ExprInfo) {
	if !e.Type.IsShared() {
		return
	}
	switch {
	case e.Type.Qual&Strict != 0:
		e.Strict = true
	case e.Type.Qual&Relaxed != 0:
		e.Strict = false
	default:
		e.Strict = c.strict
	}
}

// unknownName is the object of a name that no declaration in scope has, or nil after telling that there is none.
func (c *checker) unknownName(x *syntax.NameExpr) *Object {
	if functionNames[x.Name] {
		t := WithQual(BasicType(Char), Const, Block{})
		o := &Object{Kind: ObjVar, Name: x.Name, Storage: StaticLocal, Defined: true}
		n := int64(1)
		if c.fn != nil {
			o.Function = c.fn.decl
			n += int64(len(c.fn.object.Name))
		}
		o.Type = Type{T: &Array{Elem: t, Len: n}, Qual: Const}
		return o
	}
	if o := c.builtinFunction(x.Name); o != nil {
		return o
	}
	if isBuiltinName(x.Name) {
		return nil
	}
	if c.fn == nil {
		c.errorf(x.First(), "", "'%s' undeclared here (not in a function)", x.Name)
		return nil
	}
	if !c.fn.undeclared[x.Name] {
		if c.fn.undeclared == nil {
			c.fn.undeclared = map[string]bool{}
		}
		c.fn.undeclared[x.Name] = true
		d := syntax.Diagnostic{Pos: x.First(), Message: fmt.Sprintf("'%s' undeclared (first use in this function)",
			x.Name)}
		c.report(withNote(d, syntax.NoPos, c.unknownHint(x.Name)))
	}
	return nil
}

// thread is THREADS, MYTHREAD or UPC_MAX_BLOCK_SIZE (UPC 1.3, 6.3).
func (c *checker) thread(x *syntax.ThreadExpr, e *ExprInfo) {
	e.Type = BasicType(Int)
	switch x.Name {
	case "THREADS":
		e.Value = Value{Kind: IntegerValue, Int: 1, Threads: true}
		if c.Threads > 0 {
			e.Value = integer(int64(c.Threads))
		}
	case "UPC_MAX_BLOCK_SIZE":
		e.Value = integer(c.MaxBlock)
	}
}

// index is X[I] (C11 6.5.2.1).
func (c *checker) index(x *syntax.IndexExpr, e *ExprInfo) {
	a, b := c.rvalue(x.X), c.rvalue(x.I)
	if v, ok := a.T.(*Vector); ok && b.IsInteger() {
		e.Type, e.Lvalue = WithQual(v.Elem, c.info.Exprs[x.X].Type.Qual&(Const|Volatile), Block{}), true
		return
	}
	pointer, at, i := a, x.I, b
	if !a.IsPointer() && b.IsPointer() {
		pointer, at, i = b, x.X, a
	}
	switch {
	case a.bad() || b.bad():
		return
	case !pointer.IsPointer():
		c.errorf(c.after(x.X), "", "subscripted value is neither array nor pointer nor vector")
		return
	case !i.IsInteger() && !i.opaque():
		c.errorf(at.First(), "", "array subscript is not an integer")
		return
	}
	if !c.pointerArithmetic(x.First(), pointer) {
		return
	}
	c.become(at, Promote(i, c.info.Exprs[at].Bits))
	c.dereferenced(pointer.elem(), e)
	if isArrayLike(e.Type) && c.addressConstant(x) {
		e.Value = Value{Kind: AddressValue}
	}
}

// after is the token behind an expression, where messages on its use point to.
func (c *checker) after(x syntax.Expr) syntax.Pos { return x.Last() + 1 }

// pointerArithmetic says whether a pointer may be added to, and tells if not (C11 6.5.6p2; UPC 1.3, 6.4.2: never one to
// an incomplete type).
func (c *checker) pointerArithmetic(at syntax.Pos, p Type) bool {
	t := p.elem()
	switch {
	case t.bad():
		return false
	case t.IsShared() && t.IsVoid():
		c.errorNote(at, "COMP-25", "arithmetic on the generic pointer-to-shared 'shared void *'", syntax.NoPos,
			"cast it to 'shared [] char *' to count bytes")
		return false
	case t.IsVoid() || isFunc(t):
		return true // GNU counts bytes
	case opaqueName(t) != "":
		c.errorf(at, "COMP-34", "arithmetic on a pointer to the opaque type '%s'", opaqueName(t))
		return false
	case !IsComplete(t):
		c.errorf(at, "", "arithmetic on a pointer to an incomplete type")
		return false
	}
	return true
}

// dereferenced makes e the object that a pointer points to (C11 6.5.3.2p4).
func (c *checker) dereferenced(t Type, e *ExprInfo) {
	e.Type, e.Lvalue = t, !isFunc(t)
	c.sharedAccess(e)
}

// memberExpr is X.Name and X->Name (C11 6.5.2.3).
func (c *checker) memberExpr(x *syntax.MemberExpr, e *ExprInfo) {
	var t Type
	lvalue := true
	if x.Arrow {
		p := c.rvalue(x.X)
		if p.bad() {
			return
		}
		if !p.IsPointer() {
			c.errorf(x.Name.First()-1, "", "invalid type argument of '->' (have %s)", quote(p))
			return
		}
		t = p.elem()
	} else {
		inner := c.typed(x.X)
		lvalue = c.info.Exprs[x.X].Lvalue
		t = inner
	}
	if t.bad() {
		return
	}
	s, ok := t.T.(*Struct)
	switch {
	case !ok && !x.Arrow && t.IsPointer():
		c.errorNote(x.Name.First()-1, "", fmt.Sprintf("%s is a pointer", quote(t)), syntax.NoPos, "write '->'")
		return
	case !ok:
		c.errorf(x.Name.First()-1, "", "request for member '%s' in something not a structure or union", x.Name.Name)
		return
	case !s.Complete:
		if name := opaqueName(t); name != "" {
			c.errorf(x.Name.First()-1, "COMP-34", "'%s' is opaque: programs cannot access its members", name)
			return
		}
		c.errorf(x.Name.First()-1, "", "invalid use of undefined type '%s'", t.Unqualified())
		return
	}
	path := findMember(s, x.Name.Name)
	if path == nil {
		c.errorf(x.Name.First(), "", "'%s' has no member named '%s'", t.Unqualified(), x.Name.Name)
		return
	}
	c.info.Members[x] = path
	f := path[len(path)-1]
	e.Type = memberType(t, path)
	e.Lvalue = lvalue
	if f.Bits {
		e.Bits = f
	}
	c.sharedAccess(e)
	if isArrayLike(e.Type) && c.addressConstant(x) {
		e.Value = Value{Kind: AddressValue}
	}
}

// memberType is the type of the last field of a path: it has the qualifiers of the struct and of each field on the way,
// and a member of a shared struct is of indefinite layout (UPC 1.3, 6.4.2.2).
func memberType(s Type, path []*Field) Type {
	q := s.Qual &^ Restrict
	for _, f := range path[:len(path)-1] {
		q |= f.Type.Qual &^ Restrict
	}
	t := path[len(path)-1].Type
	var b Block
	if q&Shared != 0 {
		b = Block{Kind: BlockIndefinite}
	}
	return WithQual(t, q, b)
}

// findMember is the path of fields to a member, through unnamed structs and unions, or nil.
func findMember(s *Struct, name string) []*Field {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Name == name && name != "" {
			return []*Field{f}
		}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Name != "" || f.Bits {
			continue
		}
		if inner, ok := f.Type.T.(*Struct); ok {
			if path := findMember(inner, name); path != nil {
				return append([]*Field{f}, path...)
			}
		}
	}
	return nil
}

// compoundLiteral is (Type){…} (C11 6.5.2.5).
func (c *checker) compoundLiteral(x *syntax.CompoundLiteral, e *ExprInfo) {
	t := c.typeName(x.Type)
	if t.IsShared() {
		c.errorf(x.First(), "COMP-37", "a compound literal cannot have the shared type %s", quote(t))
		t = Private(t)
	}
	switch {
	case isFunc(t) || t.IsVoid():
		c.errorf(x.First(), "", "compound literal has invalid type %s", quote(t))
		t = BasicType(Invalid)
	case variable(t):
		c.errorf(x.First(), "", "compound literal has variable size")
	}
	if x.Init != nil {
		c.initialise(x.Init, &t, c.fn == nil)
	}
	e.Type, e.Lvalue = t, true
	if isArrayLike(t) && c.fn == nil {
		e.Value = Value{Kind: AddressValue}
	} else if c.fn == nil {
		e.Value = Value{Kind: OtherValue}
	}
}

// generic is _Generic (C11 6.5.1.1).
func (c *checker) generic(x *syntax.GenericExpr, e *ExprInfo) {
	c.unevaluated++
	t := c.rvalue(x.X)
	c.unevaluated--
	var chosen, other syntax.Expr
	for _, k := range x.Cases {
		if k.Type == nil {
			other = k.X
			continue
		}
		if kt := c.typeName(k.Type); chosen == nil && !t.bad() && Compatible(kt, t) {
			chosen = k.X
		}
	}
	if chosen == nil {
		chosen = other
	}
	for _, k := range x.Cases {
		if k.X == chosen {
			*e = *c.expr(k.X)
			continue
		}
		c.unevaluated++
		c.expr(k.X)
		c.unevaluated--
	}
	if chosen == nil && !t.bad() {
		c.errorf(x.First(), "", "'_Generic' selector of type %s is not compatible with any association", quote(t))
	}
}

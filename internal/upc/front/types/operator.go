package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// unary is a prefix operator (C11 6.5.3).
func (c *checker) unary(x *syntax.UnaryExpr, e *ExprInfo) {
	switch x.Op {
	case "&":
		c.address(x, e)
		return
	case "*":
		c.indirect(x, e)
		return
	case "++", "--":
		c.increment(x.X, x.Op, x.From, e)
		return
	case "__extension__":
		*e = *c.expr(x.X)
		return
	case "__real__", "__imag__":
		c.part(x, e)
		return
	}
	t := c.rvalue(x.X)
	if t.bad() {
		return
	}
	in := c.info.Exprs[x.X]
	if x.Op == "!" {
		if !t.IsScalar() && !t.opaque() {
			c.wrongOperand(x.From, "!", t, "unary exclamation mark")
			return
		}
		e.Type = BasicType(Int)
		if in.Value.Kind != NotConstant {
			e.Value = c.not(in.Value, t)
		}
		return
	}
	if t.opaque() {
		e.Type = t
		return
	}
	ok := t.IsArithmetic()
	if x.Op == "~" {
		ok = t.IsInteger() || t.class() == classComplex
	}
	if !ok {
		c.wrongOperand(x.From, x.Op, t, map[string]string{"~": "bit-complement", "-": "unary minus",
			"+": "unary plus"}[x.Op])
		return
	}
	e.Type = Promote(t, in.Bits)
	c.become(x.X, e.Type)
	e.Value = c.foldUnary(x.Op, e.Type, c.convertValue(in.Value, t, e.Type))
}

// not is the value of !v.
func (c *checker) not(v Value, t Type) Value {
	if v.Kind == AddressValue {
		return Value{Kind: OtherValue}
	}
	v = c.truth(v)
	if v.Kind == IntegerValue {
		v.Int ^= 1
	}
	return v
}

func (c *checker) wrongOperand(at syntax.Pos, op string, t Type, what string) {
	if name := opaqueName(t); name != "" {
		c.errorf(at, "COMP-34", "'%s' is opaque: programs can only have pointers to it", name)
		return
	}
	c.errorf(at, "", "wrong type argument to %s (have %s)", what, quote(t))
}

// part is GNU's __real__ or __imag__.
func (c *checker) part(x *syntax.UnaryExpr, e *ExprInfo) {
	t := c.typed(x.X)
	switch {
	case t.bad():
	case t.class() == classComplex && t.IsShared():
		// A shared number is read whole; its parts are no objects.
		c.rvalue(x.X)
		e.Type = BasicType(basicFacts[t.basic()].other)
	case t.class() == classComplex:
		e.Type = WithQual(BasicType(basicFacts[t.basic()].other), t.Qual&^Restrict, Block{})
		e.Lvalue = c.info.Exprs[x.X].Lvalue
	case t.IsArithmetic():
		e.Type = c.rvalue(x.X)
	case t.opaque():
		e.Type = BasicType(Invalid)
	default:
		c.wrongOperand(x.From, x.Op, t, x.Op)
	}
}

// address is &X (C11 6.5.3.2; UPC 1.3, 6.4.2.2).
func (c *checker) address(x *syntax.UnaryExpr, e *ExprInfo) {
	t := c.typed(x.X)
	in := c.info.Exprs[x.X]
	if thread, ok := unparen(x.X).(*syntax.ThreadExpr); ok {
		c.errorf(x.From, "COMP-19", "'%s' is not an object and has no address", thread.Name)
		return
	}
	if t.bad() {
		return
	}
	switch {
	case isFunc(t):
	case !in.Lvalue:
		c.errorf(x.From, "", "lvalue required as unary '&' operand")
		return
	case in.Bits != nil:
		c.errorf(x.From, "", "cannot take address of bit-field '%s'", in.Bits.Name)
		return
	}
	e.Type = PointerTo(t)
	if c.addressConstant(x.X) {
		e.Value = Value{Kind: AddressValue}
	}
}

// indirect is *X (C11 6.5.3.2p4).
func (c *checker) indirect(x *syntax.UnaryExpr, e *ExprInfo) {
	t := c.rvalue(x.X)
	if t.bad() {
		return
	}
	if !t.IsPointer() {
		c.errorf(x.From, "", "invalid type argument of unary '*' (have %s)", quote(t))
		return
	}
	c.dereferenced(t.elem(), e)
	if name := opaqueName(t.elem()); name != "" {
		c.errorf(x.From, "COMP-34", "'%s' is opaque: programs can only have pointers to it and cannot access it", name)
		e.Type = BasicType(Invalid)
		return
	}
	if t.elem().IsVoid() && t.elem().IsShared() {
		c.errorNote(x.From, "COMP-25", "dereference of the generic pointer-to-shared 'shared void *'", syntax.NoPos,
			"cast it to a pointer to the object's type first")
		e.Type = BasicType(Invalid)
		return
	}
	if isArrayLike(e.Type) && c.constantPointer(x.X) {
		e.Value = Value{Kind: AddressValue}
	}
}

// increment is ++ or --, before or behind its operand (C11 6.5.2.4, 6.5.3.1).
func (c *checker) increment(operand syntax.Expr, op string, at syntax.Pos, e *ExprInfo) {
	t := c.typed(operand)
	what := "increment"
	if op == "--" {
		what = "decrement"
	}
	if !c.modifiable(operand, at, what+" operand", what+" of") || t.bad() {
		return
	}
	switch {
	case t.IsPointer():
		if !c.pointerArithmetic(at, t) {
			return
		}
	case !t.IsArithmetic() && !t.opaque():
		c.errorf(at, "", "wrong type argument to %s", what)
		return
	}
	e.Type = t.Unqualified()
}

// modifiable says that an expression is a modifiable lvalue (C11 6.3.2.1p1), and tells if not.
func (c *checker) modifiable(x syntax.Expr, at syntax.Pos, what, of string) bool {
	e := c.info.Exprs[x]
	if thread, ok := unparen(x).(*syntax.ThreadExpr); ok {
		c.errorf(at, "COMP-19", "%s '%s', which a program cannot change", of, thread.Name)
		return false
	}
	switch {
	case e.Type.bad():
		return false
	case isFunc(e.Type) || !e.Lvalue:
		c.errorf(at, "", "lvalue required as %s", what)
		return false
	case e.Type.Qual&Const != 0 || constMember(e.Type):
		c.errorf(at, "", "%s %s", of, c.readOnly(x, e.Type))
		return false
	}
	if _, array := e.Type.T.(*Array); array {
		c.errorf(at, "", "assignment to expression with array type")
		return false
	}
	if !IsComplete(e.Type) && !e.Type.IsVoid() {
		c.incompleteValue(x, e.Type)
		return false
	}
	if e.Type.IsVoid() {
		c.errorf(at, "", "invalid use of void expression")
		return false
	}
	return true
}

func constMember(t Type) bool {
	s, ok := t.T.(*Struct)
	if !ok {
		return false
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if u := ultimate(f.Type); u.Qual&Const != 0 || constMember(u) {
			return true
		}
	}
	return false
}

// readOnly names an lvalue that is const.
func (c *checker) readOnly(x syntax.Expr, t Type) string {
	switch y := unparen(x).(type) {
	case *syntax.NameExpr:
		if o := c.info.Uses[y]; o != nil && o.Kind == ObjParam {
			return fmt.Sprintf("read-only parameter '%s'", y.Name)
		}
		return fmt.Sprintf("read-only variable '%s'", y.Name)
	case *syntax.MemberExpr:
		return fmt.Sprintf("read-only member '%s'", y.Name.Name)
	}
	return fmt.Sprintf("read-only location of type %s", quote(t))
}

// assignment is = and the compound assignments (C11 6.5.16).
func (c *checker) assignment(x *syntax.AssignExpr, e *ExprInfo) {
	to := c.typed(x.X)
	ok := c.modifiable(x.X, x.OpPos, "left operand of assignment", "assignment of")
	if x.Op == "=" {
		if !ok {
			c.rvalue(x.Y)
			return
		}
		c.assign(x.Y, to, context{kind: assigning, at: x.OpPos})
		e.Type = to.Unqualified()
		return
	}
	from := c.rvalue(x.Y)
	if !ok || from.bad() || to.bad() {
		return
	}
	op := x.Op[:len(x.Op)-1]
	e.Type = to.Unqualified()
	left := to.Unqualified()
	if left.IsPointer() && (op == "+" || op == "-") {
		if !from.IsInteger() && !from.opaque() {
			c.invalidOperands(x.OpPos, x.Op, left, from)
			return
		}
		if c.pointerArithmetic(x.OpPos, left) {
			c.become(x.Y, Promote(from, c.info.Exprs[x.Y].Bits))
		}
		return
	}
	common := c.arithmetic(x.OpPos, op, left, from, c.info.Exprs[x.X].Bits, c.info.Exprs[x.Y].Bits)
	if common.bad() {
		return
	}
	if op == "<<" || op == ">>" {
		common = Promote(from, c.info.Exprs[x.Y].Bits)
	}
	c.become(x.Y, common)
}

// arithmetic is the common type of the operands of an arithmetic or bitwise operator, or Invalid after telling that
// they do not fit.
func (c *checker) arithmetic(at syntax.Pos, op string, a, b Type, abits, bbits *Field) Type {
	if a.bad() || b.bad() {
		return BasicType(Invalid)
	}
	ok := a.IsArithmetic() && b.IsArithmetic()
	switch op {
	case "%", "&", "|", "^", "<<", ">>":
		ok = a.IsInteger() && b.IsInteger()
	}
	if a.opaque() || b.opaque() {
		ok = ok || (a.opaque() || a.IsArithmetic()) && (b.opaque() || b.IsArithmetic())
	}
	if !ok {
		c.invalidOperands(at, op, a, b)
		return BasicType(Invalid)
	}
	a, b = Promote(a, abits), Promote(b, bbits)
	if op == "<<" || op == ">>" {
		return a
	}
	return UsualArithmetic(a, b)
}

func (c *checker) invalidOperands(at syntax.Pos, op string, a, b Type) {
	for _, t := range []Type{a, b} {
		if name := opaqueName(t); name != "" {
			c.errorf(at, "COMP-34", "'%s' is opaque: programs can only have pointers to it", name)
			return
		}
		if t.IsVoid() {
			c.errorf(at, "", "void value not ignored as it ought to be")
			return
		}
	}
	c.errorf(at, "", "invalid operands to binary %s (have %s and %s)", op, quote(a), quote(b))
}

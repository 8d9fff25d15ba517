package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// binary is an operator between two operands (C11 6.5.5 to 6.5.14, 6.5.17).
func (c *checker) binary(x *syntax.BinaryExpr, e *ExprInfo) {
	if x.Op == "," {
		c.rvalue(x.X)
		e.Type = c.rvalue(x.Y)
		return
	}
	a, b := c.rvalue(x.X), c.rvalue(x.Y)
	if x.Op == "&&" || x.Op == "||" {
		c.logical(x, a, b, e)
		return
	}
	if a.bad() || b.bad() {
		if comparison(x.Op) {
			e.Type = BasicType(Int)
			e.Value = Value{Kind: OtherValue}
		}
		return
	}
	switch {
	case comparison(x.Op) && (a.IsPointer() || b.IsPointer()):
		c.comparePointers(x, a, b, e)
		return
	case (x.Op == "+" || x.Op == "-") && (a.IsPointer() || b.IsPointer()):
		c.addPointers(x, a, b, e)
		return
	}
	l, r := c.info.Exprs[x.X], c.info.Exprs[x.Y]
	common := c.arithmetic(x.OpPos, x.Op, a, b, l.Bits, r.Bits)
	if common.bad() {
		return
	}
	e.Type = common
	if comparison(x.Op) {
		e.Type = BasicType(Int)
		if v, ok := common.T.(*Vector); ok {
			e.Type = comparedVector(v)
		}
	}
	right := common
	if x.Op == "<<" || x.Op == ">>" {
		right = Promote(b, r.Bits)
		if right.opaque() {
			return
		}
	}
	c.become(x.X, common)
	c.become(x.Y, right)
	e.Value = c.foldBinary(x.Op, common, c.convertValue(l.Value, a, common), c.convertValue(r.Value, b, right))
}

// comparison says that an operator is relational or for equality.
func comparison(op string) bool {
	switch op {
	case "==", "!=", "<", ">", "<=", ">=":
		return true
	}
	return false
}

// comparedVector is the type of a comparison of vectors: signed integers of the elements' size.
func comparedVector(v *Vector) Type {
	k := Long
	switch basicFacts[v.Elem.basic()].size {
	case 1:
		k = SChar
	case 2:
		k = Short
	case 4:
		k = Int
	}
	return Type{T: &Vector{Elem: BasicType(k), Size: v.Size}}
}

// logical is && and || (C11 6.5.13, 6.5.14).
func (c *checker) logical(x *syntax.BinaryExpr, a, b Type, e *ExprInfo) {
	e.Type = BasicType(Int)
	for _, t := range []Type{a, b} {
		if !t.IsScalar() && !t.opaque() {
			c.invalidOperands(x.OpPos, x.Op, a, b)
			return
		}
	}
	l, r := c.info.Exprs[x.X].Value, c.info.Exprs[x.Y].Value
	if l.Kind == NotConstant {
		return
	}
	l = c.truth(l)
	decided := int64(0)
	if x.Op == "||" {
		decided = 1
	}
	switch {
	case l.Kind == IntegerValue && l.Int == decided:
		e.Value = l
	case r.Kind == NotConstant:
	case l.Kind == IntegerValue:
		e.Value = c.truth(r)
	default:
		e.Value = Value{Kind: OtherValue}
	}
}

// comparePointers is a comparison of which one operand at least is a pointer (C11 6.5.8, 6.5.9; UPC 1.3, 6.4.2.3).
func (c *checker) comparePointers(x *syntax.BinaryExpr, a, b Type, e *ExprInfo) {
	e.Type = BasicType(Int)
	equality := x.Op == "==" || x.Op == "!="
	l, r := c.info.Exprs[x.X], c.info.Exprs[x.Y]
	if l.Value.Kind != NotConstant && r.Value.Kind != NotConstant {
		e.Value = Value{Kind: OtherValue}
		if l.Value.Kind == IntegerValue && r.Value.Kind == IntegerValue {
			e.Value = c.foldInts(x.Op, ULong, l.Value.Int, r.Value.Int)
		}
	}
	anull, bnull := c.null(x.X), c.null(x.Y)
	switch {
	case equality && anull && b.IsPointer():
		c.become(x.X, b)
		return
	case equality && bnull && a.IsPointer():
		c.become(x.Y, a)
		return
	case a.IsPointer() && b.IsPointer():
		c.comparable(x, a, b, equality)
		return
	}
	pointer, other := a, b
	if b.IsPointer() {
		pointer, other = b, a
	}
	switch {
	case !other.IsInteger() && !other.opaque():
		c.invalidOperands(x.OpPos, x.Op, a, b)
	case pointer.IsPointerToShared():
		c.errorf(x.OpPos, "COMP-27", "comparison between the pointer-to-shared %s and the integer type %s",
			quote(pointer), quote(other))
	}
}

// comparable checks the types of two pointers that are compared.
func (c *checker) comparable(x *syntax.BinaryExpr, a, b Type, equality bool) {
	if !a.IsPointerToShared() && !b.IsPointerToShared() {
		return
	}
	if c.mixed(x, a, b) {
		return
	}
	if !equality {
		for _, t := range []Type{a, b} {
			if name := opaqueName(t.elem()); name != "" {
				c.errorf(x.OpPos, "COMP-34", "comparison of the order of pointers to the opaque type '%s'", name)
				return
			}
			if !IsComplete(t.elem()) {
				c.errorNote(x.OpPos, "COMP-24", fmt.Sprintf("'%s' between pointers to the incomplete shared type %s",
					x.Op, quote(t.elem())), syntax.NoPos,
					"cast both to pointers to the object's type first")
				return
			}
		}
	}
	if m := c.layouts(a, b, "compare"); m != nil {
		message := fmt.Sprintf("'%s' between %s and %s: the block sizes are %s and %s", x.Op, quote(a), quote(b),
			blockWords(a.elem().Block), blockWords(b.elem().Block))
		if a.elem().Block.Elements() == b.elem().Block.Elements() {
			message = fmt.Sprintf("'%s' between %s and %s, which point to different types", x.Op, quote(a), quote(b))
		}
		if equality {
			c.warnNote(x.OpPos, "COMP-29", message, "cast one of them if this is intended")
		} else {
			c.errorNote(x.OpPos, "COMP-29", message, syntax.NoPos, "cast one of them")
		}
	}
}

// mixed tells an operator between a pointer-to-shared and a pointer-to-local (UPC 1.3, 6.4.2).
func (c *checker) mixed(x *syntax.BinaryExpr, a, b Type) bool {
	if a.IsPointerToShared() == b.IsPointerToShared() {
		return false
	}
	c.errorNote(x.OpPos, "COMP-23", fmt.Sprintf("'%s' between a pointer-to-shared and a pointer-to-local (%s and %s)",
		x.Op, quote(a), quote(b)),
		syntax.NoPos, "cast the pointer-to-shared, if its object has affinity to this thread")
	return true
}

// addPointers is + and - of which one operand at least is a pointer (C11 6.5.6; UPC 1.3, 6.4.2).
func (c *checker) addPointers(x *syntax.BinaryExpr, a, b Type, e *ExprInfo) {
	if a.IsPointer() && b.IsPointer() {
		if x.Op == "+" {
			c.invalidOperands(x.OpPos, x.Op, a, b)
			return
		}
		c.subtract(x, a, b, e)
		return
	}
	pointer, other, px, ox := a, b, x.X, x.Y
	if b.IsPointer() {
		pointer, other, px, ox = b, a, x.Y, x.X
		if x.Op == "-" {
			c.invalidOperands(x.OpPos, x.Op, a, b)
			return
		}
	}
	if !other.IsInteger() {
		if !other.opaque() {
			c.invalidOperands(x.OpPos, x.Op, a, b)
		}
		return
	}
	if !c.pointerArithmetic(x.OpPos, pointer) {
		return
	}
	e.Type = pointer
	o := c.info.Exprs[ox]
	c.become(ox, Promote(other, o.Bits))
	p := c.info.Exprs[px].Value
	if p.Kind == NotConstant || o.Value.Kind == NotConstant || o.Value.Threads {
		return
	}
	e.Value = Value{Kind: AddressValue}
	size := c.Sizeof(pointer.elem())
	if p.Kind == IntegerValue && o.Value.Kind == IntegerValue && size.Kind == IntegerValue &&
		!pointer.IsPointerToShared() {
		d := o.Value.Int * size.Int
		if x.Op == "-" {
			d = -d
		}
		e.Value = integer(p.Int + d)
	}
}

// subtract is the difference of two pointers.
func (c *checker) subtract(x *syntax.BinaryExpr, a, b Type, e *ExprInfo) {
	if c.mixed(x, a, b) {
		return
	}
	if !c.pointerArithmetic(x.OpPos, a) || !c.pointerArithmetic(x.OpPos, b) {
		return
	}
	e.Type = BasicType(Long)
	if a.IsPointerToShared() {
		if m := c.layouts(a, b, "subtract"); m != nil {
			c.errorNote(x.OpPos, "COMP-29", fmt.Sprintf("'-' between %s and %s, which differ in block size or target",
				quote(a), quote(b)), syntax.NoPos, "cast one of them")
		}
		return
	}
	if !compatible(a.elem(), b.elem(), false) {
		c.invalidOperands(x.OpPos, x.Op, a, b)
		return
	}
	l, r := c.info.Exprs[x.X].Value, c.info.Exprs[x.Y].Value
	size := c.Sizeof(a.elem())
	switch {
	case l.Kind == NotConstant || r.Kind == NotConstant:
	case l.Kind == IntegerValue && r.Kind == IntegerValue && size.Kind == IntegerValue && size.Int > 0 && !size.Threads:
		e.Value = integer((l.Int - r.Int) / size.Int)
	default:
		e.Value = Value{Kind: OtherValue}
	}
}

// conditional is C ? X : Y (C11 6.5.15), and GNU's C ?: Y.
func (c *checker) conditional(x *syntax.CondExpr, e *ExprInfo) {
	cond := c.rvalue(x.C)
	if !cond.IsScalar() && !cond.opaque() {
		c.errorf(x.C.First(), "", "used %s type value where scalar is required", kindWords(cond))
	}
	first := x.X
	if first == nil {
		first = x.C
	}
	a, b := c.rvalue(first), c.rvalue(x.Y)
	e.Type = c.branches(x, first, a, b)
	l, r := c.info.Exprs[first], c.info.Exprs[x.Y]
	if !e.Type.bad() && !e.Type.IsVoid() {
		if x.X != nil {
			c.become(first, e.Type)
		}
		c.become(x.Y, e.Type)
	}
	v := c.info.Exprs[x.C].Value
	if v.Kind == NotConstant {
		return
	}
	switch v = c.truth(v); {
	case v.Kind != IntegerValue:
		if l.Value.Kind != NotConstant && r.Value.Kind != NotConstant {
			e.Value = Value{Kind: OtherValue}
		}
	case v.Int != 0:
		e.Value = c.convertValue(l.Value, a, e.Type)
	default:
		e.Value = c.convertValue(r.Value, b, e.Type)
	}
}

func kindWords(t Type) string {
	switch u := t.T.(type) {
	case *Struct:
		if u.Union {
			return "union"
		}
		return "struct"
	case *Array:
		return "array"
	}
	if t.IsVoid() {
		return "void"
	}
	return t.String()
}

// branches is the type of a conditional expression with branches of two types.
func (c *checker) branches(x *syntax.CondExpr, first syntax.Expr, a, b Type) Type {
	switch {
	case a.bad() || b.bad():
		if a.bad() {
			return b
		}
		return a
	case a.IsVoid() || b.IsVoid():
		return BasicType(Void)
	case a.IsArithmetic() && b.IsArithmetic():
		return UsualArithmetic(Promote(a, c.info.Exprs[first].Bits), Promote(b, c.info.Exprs[x.Y].Bits))
	case a.IsPointer() && c.null(x.Y):
		return a
	case b.IsPointer() && c.null(first):
		return b
	case a.IsPointer() && b.IsPointer():
		return c.pointerBranches(x, a, b)
	case a.IsPointer() && b.IsInteger() && !a.IsPointerToShared():
		return a
	case b.IsPointer() && a.IsInteger() && !b.IsPointerToShared():
		return b
	case a.opaque() && (b.opaque() || b.IsArithmetic()):
		return a
	case b.opaque() && a.IsArithmetic():
		return b
	case compatible(a, b, false):
		return a
	}
	c.errorf(c.question(x), "", "type mismatch in conditional expression (%s and %s)", quote(a), quote(b))
	return BasicType(Invalid)
}

// question is where the ? of a conditional expression stands.
func (c *checker) question(x *syntax.CondExpr) syntax.Pos { return c.after(x.C) }

func (c *checker) pointerBranches(x *syntax.CondExpr, a, b Type) Type {
	p, q := a.elem(), b.elem()
	quals := (p.Qual | q.Qual) &^ (Shared | Strict | Relaxed)
	if p.IsShared() != q.IsShared() {
		c.errorNote(c.question(x), "COMP-23",
			fmt.Sprintf("the branches of a conditional expression are a pointer-to-shared and a pointer-to-local "+
				"(%s and %s)", quote(a), quote(b)),
			syntax.NoPos, "cast the pointer-to-shared, if its object has affinity to this thread")
		return BasicType(Invalid)
	}
	quals |= (p.Qual | q.Qual) & (Shared | Strict | Relaxed)
	if quals&Strict != 0 {
		quals &^= Relaxed
	}
	switch {
	case p.IsVoid() || q.IsVoid():
		return PointerTo(WithQual(BasicType(Void), quals, Block{}))
	case p.IsShared():
		if m := c.layouts(a, b, "mix"); m != nil {
			c.errorNote(c.question(x), "COMP-29",
				fmt.Sprintf("the branches of a conditional expression are pointers-to-shared of different block "+
					"sizes or targets (%s and %s)", quote(a), quote(b)),
				syntax.NoPos, "cast one of them")
			return BasicType(Invalid)
		}
	case !compatible(p, q, false):
		return PointerTo(WithQual(BasicType(Void), quals, Block{})) // the C compiler warns
	}
	return PointerTo(WithQual(Composite(p, q), quals, p.Block))
}

// cast is (Type)X (C11 6.5.4; UPC 1.3, 6.4.3).
func (c *checker) cast(x *syntax.CastExpr, e *ExprInfo) {
	to := c.typeName(x.Type)
	from := c.rvalue(x.X)
	e.Type = to.Unqualified()
	in := c.info.Exprs[x.X]
	switch {
	case to.bad() || from.bad() || to.IsVoid():
		return
	case isAggregate(to) || isFunc(to):
		c.castAggregate(x, to, from)
		return
	case from.IsVoid():
		c.errorf(x.X.First(), "", "void value not ignored as it ought to be")
		return
	case to.opaque() || from.opaque():
		e.Value = c.convertValue(in.Value, from, to)
		return
	case !from.IsScalar():
		c.errorf(x.From, "", "%s value used where scalar type %s was expected", kindWords(from), quote(to))
		return
	case to.IsPointer() && from.IsArithmetic() && !from.IsInteger():
		c.errorf(x.From, "", "cannot convert to a pointer type")
		return
	case from.IsPointer() && !to.IsPointer() && !to.IsInteger():
		c.errorf(x.From, "", "pointer value used where a floating-point was expected")
		return
	case to.IsPointerToShared() && from.IsPointer() && !from.IsPointerToShared() && !c.null(x.X):
		c.errorNote(x.From, "COMP-26", fmt.Sprintf("cannot cast the pointer-to-local %s to the pointer-to-shared %s",
			quote(from), quote(to)),
			syntax.NoPos, "only a null pointer constant can become a pointer-to-shared")
		return
	case to.IsPointerToShared() && from.IsInteger() && !c.null(x.X):
		c.errorNote(x.From, "COMP-27", fmt.Sprintf("cannot cast the integer type %s to the pointer-to-shared %s",
			quote(from), quote(to)),
			syntax.NoPos, "only the constant 0 can become a pointer-to-shared")
		return
	}
	e.Value = c.convertValue(in.Value, from, to)
}

// castAggregate is GNU's cast to a union, or to the same struct.
func (c *checker) castAggregate(x *syntax.CastExpr, to, from Type) {
	if s, ok := to.T.(*Struct); ok && s.Complete {
		if compatible(to, from, false) {
			return
		}
		if s.Union {
			for _, f := range s.Fields {
				if compatibleUnqualified(f.Type, from) {
					return
				}
			}
			c.errorf(x.From, "", "cast to union type from type not present in union")
			return
		}
	}
	if _, array := to.T.(*Array); array {
		c.errorf(x.From, "", "cast specifies array type")
		return
	}
	if isFunc(to) {
		c.errorf(x.From, "", "cast specifies function type")
		return
	}
	c.errorf(x.From, "", "conversion to non-scalar type requested")
}

package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// size is sizeof, _Alignof (C11 6.5.3.4) and UPC's three operators (UPC 1.3, 6.4.3). Their operands are not evaluated.
func (c *checker) size(x *syntax.SizeExpr, e *ExprInfo) {
	e.Type = BasicType(ULong)
	c.unevaluated++
	var t Type
	var bits *Field
	at := x.First()
	if x.Type != nil {
		t = c.typeName(x.Type)
	} else {
		t = c.typed(x.X)
		bits = c.info.Exprs[x.X].Bits
		if t.Block.Kind == BlockStar && t.Block.Size == 0 && !t.bad() {
			t = withBlock(t, Block{})
		}
	}
	c.unevaluated--
	if t.bad() {
		e.Value = Value{Kind: OtherValue}
		return
	}
	if x.Op != "sizeof" && x.Op != "_Alignof" {
		c.sharedSize(x, t, bits, e)
		return
	}
	switch {
	case x.Op == "sizeof" && t.IsVoid():
		c.warnNote(at, "", "'sizeof' applied to 'void', which has no size: GNU C takes it as 1", "")
	case bits != nil:
		if x.Op == "sizeof" {
			c.errorf(at, "", "'sizeof' applied to a bit-field")
		} else {
			c.errorf(at, "", "'_Alignof' applied to a bit-field")
		}
	case !IsComplete(t) && !t.IsVoid() && !isFunc(t):
		if name := opaqueName(t); name != "" {
			c.errorf(at, "COMP-34", "'%s' is opaque: programs can only have pointers to it, not its size", name)
		} else if x.Op == "sizeof" || !isIncompleteArray(t) {
			c.errorf(at, "", "invalid application of '%s' to incomplete type %s", x.Op, quote(t))
		}
	}
	if x.Op == "_Alignof" {
		e.Value = integer(c.alignOf(x, t))
		return
	}
	e.Value = c.Sizeof(t)
}

func isIncompleteArray(t Type) bool {
	a, ok := t.T.(*Array)
	return ok && a.Kind == LenIncomplete
}

// alignOf is the alignment of a type, or, as GNU has it, of the object that an expression names.
func (c *checker) alignOf(x *syntax.SizeExpr, t Type) int64 {
	n := c.Alignof(t)
	if x.X == nil {
		return n
	}
	if name, ok := unparen(x.X).(*syntax.NameExpr); ok {
		if o := c.info.Uses[name]; o != nil {
			return max(n, o.Align)
		}
	}
	return n
}

// sharedSize is upc_localsizeof, upc_blocksizeof or upc_elemsizeof.
func (c *checker) sharedSize(x *syntax.SizeExpr, t Type, bits *Field, e *ExprInfo) {
	problem := ""
	switch {
	case bits != nil:
		problem = "a bit-field"
	case isFunc(t):
		problem = "a function"
	case !t.IsShared():
		problem = fmt.Sprintf("the private type %s", quote(t))
	case !IsComplete(t):
		problem = fmt.Sprintf("the incomplete type %s", quote(t))
	}
	if problem != "" {
		note := ""
		if t.IsPointerToShared() {
			note = "apply it to what the pointer points to"
		}
		c.errorNote(x.First(), "COMP-22", fmt.Sprintf("'%s' applied to %s", x.Op, problem), syntax.NoPos, note)
		e.Value = Value{Kind: OtherValue}
		return
	}
	switch x.Op {
	case "upc_localsizeof":
		e.Value = c.LocalSize(t)
	case "upc_blocksizeof":
		e.Value = c.BlockSize(t)
	case "upc_elemsizeof":
		e.Value = c.ElemSize(t)
	}
}

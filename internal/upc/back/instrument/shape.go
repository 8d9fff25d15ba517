package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// shape says what is known of an argument when the program is compiled, as an initialiser of struct upck_shape: layout
// and kind of the elements that it points to, and the object that it is made of.
func (e *editor) shape(a syntax.Expr) string {
	block, element, kind := int64(-1), int64(0), layout.ElementKind(0)
	if t, ok := e.target(a); ok {
		block, element, kind = e.elementsOf(t)
	}
	object, bytes, times := e.object(a)
	objectBlock := int64(-1)
	if object != "0" {
		objectBlock = e.blockBytes(e.base(a).Type)
	}
	unset := ""
	if o := e.pointed(a); o != nil && e.unset[o] {
		unset = ", 1"
	}
	return fmt.Sprintf("{ %d, %d, %d, %s, %d, %d, %d, %d%s }", block, element, kind, object, bytes, times, e.room(a),
		objectBlock, unset)
}

// shapeOf is the shape of a pointer of which the type is all that is known.
func (e *editor) shapeOf(target types.Type) string {
	block, element, kind := e.elementsOf(target)
	return fmt.Sprintf("{ %d, %d, %d, 0, 0, 0, -1, -1 }", block, element, kind)
}

// elementsOf is what the type that a pointer points to says: elements of a block or -1, bytes of an element or 0, and
// their kind.
func (e *editor) elementsOf(t types.Type) (block, element int64, kind layout.ElementKind) {
	last := ultimate(t)
	block = -1
	if t.IsShared() && !last.IsVoid() {
		block = t.Block.Elements()
	}
	if v := e.options.Sizeof(last); v.Kind == types.IntegerValue && !v.Threads && !last.IsVoid() {
		element = v.Int
	}
	return block, element, kindOf(last)
}

// blockBytes is how many bytes a block of a shared object has, 0 if it is one without end, or -1 if that is not known
// here.
func (e *editor) blockBytes(t types.Type) int64 {
	if t.Block.Kind == types.BlockStar && t.Block.Size == 0 {
		return -1
	}
	v := e.options.Sizeof(ultimate(t))
	if v.Kind != types.IntegerValue || v.Threads {
		return -1
	}
	return t.Block.Elements() * v.Int
}

// ultimate is what an array is made of in the end.
func ultimate(t types.Type) types.Type {
	for {
		array, ok := t.T.(*types.Array)
		if !ok {
			return t
		}
		t = array.Elem
	}
}

// target is what an argument points to, before it is converted to the parameter's type. A cast to shared void * is
// looked through.
func (e *editor) target(a syntax.Expr) (types.Type, bool) {
	a = syntax.Unparen(a)
	t := types.Decay(e.TypeOf(a))
	p, ok := t.T.(*types.Pointer)
	if !ok {
		return types.Type{}, false
	}
	if c, ok := a.(*syntax.CastExpr); ok && p.Elem.IsShared() && p.Elem.IsVoid() {
		if inner, ok := e.target(c.X); ok {
			return inner, true
		}
	}
	return p.Elem, true
}

// kindOf is the kind of the arithmetic types that the collective functions are made for.
func kindOf(t types.Type) layout.ElementKind {
	b, ok := t.T.(*types.Basic)
	if !ok {
		return 0
	}
	switch b.Kind {
	case types.Char, types.SChar:
		return layout.CharElement
	case types.UChar:
		return layout.UCharElement
	case types.Short:
		return layout.ShortElement
	case types.UShort:
		return layout.UShortElement
	case types.Int:
		return layout.IntElement
	case types.UInt:
		return layout.UIntElement
	case types.Long, types.LongLong:
		return layout.LongElement
	case types.ULong, types.ULongLong:
		return layout.ULongElement
	case types.Float:
		return layout.FloatElement
	case types.Double:
		return layout.DoubleElement
	case types.LongDouble:
		return layout.LongDoubleElement
	}
	return 0
}

// object is the shared object of file scope that a pointer is made of, if that is certain: its address, its size in
// bytes, and whether this is for one thread (times), as sizes in the dynamic THREADS environment are.
func (e *editor) object(a syntax.Expr) (address string, bytes int64, times int) {
	o := e.base(a)
	if o == nil || !o.Type.IsShared() || o.Function != nil || o.Storage != types.External &&
		o.Storage != types.Internal {
		return "0", 0, 0
	}
	address = o.Name
	if _, array := o.Type.T.(*types.Array); !array {
		address = "&" + o.Name
	}
	v := e.options.Sizeof(o.Type)
	if v.Kind != types.IntegerValue || !types.IsComplete(o.Type) {
		return address, 0, 0
	}
	if v.Threads {
		times = 1
	}
	return address, v.Int, times
}

// base is the variable that a pointer points into, or nil: a, &a[i], a + n, &s, &s.m, through casts between pointers.
func (e *editor) base(a syntax.Expr) *types.Object {
	switch a := syntax.Unparen(a).(type) {
	case *syntax.NameExpr:
		if _, array := e.TypeOf(a).T.(*types.Array); array {
			return e.variable(a)
		}
	case *syntax.CastExpr:
		if e.points(a.X) && e.points(a) {
			return e.base(a.X)
		}
	case *syntax.UnaryExpr:
		if a.Op == "&" {
			return e.owner(a.X)
		}
	case *syntax.BinaryExpr:
		switch {
		case (a.Op == "+" || a.Op == "-") && e.points(a.X) && !e.points(a.Y):
			return e.base(a.X)
		case a.Op == "+" && e.points(a.Y):
			return e.base(a.Y)
		}
	case *syntax.IndexExpr, *syntax.MemberExpr:
		if _, array := e.TypeOf(a).T.(*types.Array); array {
			return e.owner(a)
		}
	}
	return nil
}

// owner is the variable that an lvalue is a part of, or nil.
func (e *editor) owner(x syntax.Expr) *types.Object {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.NameExpr:
		return e.variable(x)
	case *syntax.IndexExpr:
		if _, array := e.TypeOf(x.X).T.(*types.Array); array {
			return e.owner(x.X)
		}
	case *syntax.MemberExpr:
		if !x.Arrow {
			return e.owner(x.X)
		}
	}
	return nil
}

// variable is the variable that a name stands for, or nil.
func (e *editor) variable(x *syntax.NameExpr) *types.Object {
	if o := e.info.Uses[x]; o != nil && o.Kind == types.ObjVar {
		return o
	}
	return nil
}

// points says that an expression is a pointer, or becomes one.
func (e *editor) points(x syntax.Expr) bool { return types.Decay(e.TypeOf(x)).IsPointer() }

// room is how many bytes there are from where a pointer points to the end of the private object of constant size that
// it is made of, or -1.
func (e *editor) room(a syntax.Expr) int64 {
	o := e.base(a)
	if o == nil || o.Type.IsShared() || !types.IsComplete(o.Type) || openEnded(o.Type) {
		return -1
	}
	size := e.options.Sizeof(o.Type)
	at, ok := e.distance(a)
	if !ok || size.Kind != types.IntegerValue || size.Threads || at < 0 || at > size.Int {
		return -1
	}
	return size.Int - at
}

// openEnded says that a struct ends in an array without a length, for which an initialiser may have made room.
func openEnded(t types.Type) bool {
	s, ok := t.T.(*types.Struct)
	if !ok || len(s.Fields) == 0 {
		return false
	}
	return !types.IsComplete(s.Fields[len(s.Fields)-1].Type)
}

// distance is how many bytes a pointer is from the start of the variable that it is made of, if all of that is
// constant.
func (e *editor) distance(a syntax.Expr) (int64, bool) {
	switch a := syntax.Unparen(a).(type) {
	case *syntax.NameExpr:
		return 0, true
	case *syntax.CastExpr:
		return e.distance(a.X)
	case *syntax.UnaryExpr:
		return e.offset(a.X)
	case *syntax.BinaryExpr:
		base, index, sign := a.X, a.Y, int64(1)
		if !e.points(base) {
			base, index = index, base
		}
		if a.Op == "-" {
			sign = -1
		}
		p, ok := types.Decay(e.TypeOf(base)).T.(*types.Pointer)
		at, known := e.distance(base)
		step, constant := e.elements(p, index)
		return at + sign*step, ok && known && constant
	case *syntax.IndexExpr, *syntax.MemberExpr:
		return e.offset(a)
	}
	return 0, false
}

// offset is where an lvalue begins in its variable.
func (e *editor) offset(x syntax.Expr) (int64, bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.NameExpr:
		return 0, true
	case *syntax.IndexExpr:
		p, ok := types.Decay(e.TypeOf(x.X)).T.(*types.Pointer)
		if !ok {
			return 0, false
		}
		at, known := e.offset(x.X)
		step, constant := e.elements(p, x.I)
		return at + step, known && constant
	case *syntax.MemberExpr:
		at, known := e.offset(x.X)
		for _, f := range e.info.Members[x] {
			at += f.Offset
		}
		return at, known && len(e.info.Members[x]) > 0
	}
	return 0, false
}

// elements is the size of a constant number of elements.
func (e *editor) elements(p *types.Pointer, index syntax.Expr) (int64, bool) {
	v := e.Constant(index)
	if p == nil || v.Kind != types.IntegerValue || !types.IsComplete(p.Elem) {
		return 0, false
	}
	const most = 1 << 30
	size := e.options.Sizeof(p.Elem)
	if size.Kind != types.IntegerValue || size.Threads || v.Int < -most || v.Int > most || size.Int > most {
		return 0, false
	}
	return v.Int * size.Int, true
}

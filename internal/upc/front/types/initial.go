package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// initialise checks an initialiser of an object of type t, and gives an array without a length the length that it has
// then (C11 6.7.9).
func (c *checker) initialise(init syntax.Init, t *Type, static bool) {
	in := &initialiser{checker: c, static: static}
	in.whole(init, t, 0, nil)
}

// initialiser is one initialiser and what holds in all of it.
type initialiser struct {
	*checker
	static bool
}

// repeat says that something stands count times, stride bytes apart (GNU's [low ... high]).
type repeat struct{ count, stride int64 }

// whole initialises a subobject at an offset with an expression or a list in braces.
func (in *initialiser) whole(init syntax.Init, t *Type, offset int64, times []repeat) {
	switch init := init.(type) {
	case *syntax.InitExpr:
		in.with(init, t, offset, times)
	case *syntax.InitList:
		in.list(init, t, offset, times)
	}
}

// typed is the type of an expression, which is checked only once.
func (c *checker) typed(x syntax.Expr) Type {
	if e, ok := c.info.Exprs[x]; ok {
		return e.Type
	}
	return c.expr(x).Type
}

// with initialises a subobject with one expression.
func (in *initialiser) with(init *syntax.InitExpr, t *Type, offset int64, times []repeat) {
	if a, ok := t.T.(*Array); ok {
		in.array(init, t, a)
		return
	}
	from := in.typed(init.X)
	if t.bad() || from.bad() {
		in.rvalue(init.X)
		return
	}
	if !IsComplete(*t) {
		in.rvalue(init.X)
		in.errorf(init.First(), "", "invalid initializer of incomplete type %s", quote(*t))
		return
	}
	in.assign(init.X, *t, context{kind: initialising})
	if in.static {
		in.constant(init.X)
		if t.IsPointerToShared() {
			in.start(init, offset, times)
		}
	}
}

// start notes where a pointer-to-shared stands in an object of static storage.
func (in *initialiser) start(init *syntax.InitExpr, offset int64, times []repeat) {
	all := []int64{offset}
	for _, r := range times {
		if r.count > 1<<20/int64(len(all)) {
			in.errorf(init.First(), "", "too many pointers-to-shared are initialized at once")
			return
		}
		one := all
		for i := int64(1); i < r.count; i++ {
			for _, o := range one {
				all = append(all, o+i*r.stride)
			}
		}
	}
	in.info.Starts[init] = all
}

// array initialises an array with an expression, which has to be a string literal, or, for GNU, a compound literal.
func (in *initialiser) array(init *syntax.InitExpr, t *Type, a *Array) {
	from := in.typed(init.X)
	if s := stringOf(init.X); s != nil {
		if stringFits(a.Elem, from) {
			in.completeArray(t, a, from)
			return
		}
	} else if _, literal := unparen(init.X).(*syntax.CompoundLiteral); literal && compatibleUnqualified(*t, from) {
		in.completeArray(t, a, from)
		return
	}
	in.rvalue(init.X)
	if !t.bad() && !from.bad() && !ultimate(*t).bad() {
		in.errorf(init.First(), "", "invalid initializer for an array of type %s", quote(*t))
	}
}

// completeArray gives an array the length of what initialises it, if it has none.
func (in *initialiser) completeArray(t *Type, a *Array, from Type) {
	if b, ok := from.T.(*Array); ok && a.Kind == LenIncomplete {
		t.T, t.Name = &Array{Elem: a.Elem, Kind: b.Kind, Len: b.Len}, nil
	}
}

// stringOf is the string literal that an expression is, or nil.
func stringOf(x syntax.Expr) *syntax.StringExpr {
	s, _ := unparen(x).(*syntax.StringExpr)
	return s
}

// stringFits says that a string literal may initialise an array of such elements (C11 6.7.9p14, p15).
func stringFits(elem, literal Type) bool {
	a, ok := literal.T.(*Array)
	if !ok || !elem.IsInteger() {
		return false
	}
	size, want := basicFacts[elem.basic()].size, basicFacts[a.Elem.basic()].size
	return size == want
}

// list initialises a subobject with a list in braces.
func (in *initialiser) list(l *syntax.InitList, t *Type, offset int64, times []repeat) {
	defer func() { in.info.Inits[l] = *t }()
	switch u := t.T.(type) {
	case *Struct:
		if !u.Complete {
			in.errorf(l.First(), "", "invalid initializer of incomplete type %s", quote(*t))
			in.only(l)
			return
		}
		in.aggregate(l, *t, offset, times)
		return
	case *Array:
		if s := loneString(l); s != nil && stringFits(u.Elem, in.typed(s.X)) {
			in.completeArray(t, u, in.typed(s.X))
			return
		}
		n := in.aggregate(l, *t, offset, times)
		if u.Kind == LenIncomplete {
			t.T, t.Name = &Array{Elem: u.Elem, Len: n}, nil
		}
		return
	case *Vector:
		for _, item := range l.Items {
			in.whole(item.Value, &u.Elem, offset, times)
		}
		return
	}
	if t.opaque() {
		in.only(l)
		return
	}
	in.scalarList(l, t, offset, times)
}

// scalarList initialises a scalar with { value }.
func (in *initialiser) scalarList(l *syntax.InitList, t *Type, offset int64, times []repeat) {
	if len(l.Items) == 0 {
		in.errorf(l.First(), "", "empty scalar initializer")
		return
	}
	for i, item := range l.Items {
		if len(item.Designators) > 0 {
			in.errorf(item.First(), "", "a designator in the initializer of a scalar")
		}
		if i == 0 {
			in.whole(item.Value, t, offset, times)
			continue
		}
		in.onlyInit(item.Value)
	}
}

// loneString is the string of { "string" }, or nil.
func loneString(l *syntax.InitList) *syntax.InitExpr {
	if len(l.Items) == 1 && len(l.Items[0].Designators) == 0 {
		if x, ok := l.Items[0].Value.(*syntax.InitExpr); ok && stringOf(x.X) != nil {
			return x
		}
	}
	return nil
}

// only checks the expressions of a list of which nothing else is known.
func (in *initialiser) only(l *syntax.InitList) {
	for _, item := range l.Items {
		in.onlyInit(item.Value)
	}
}

func (in *initialiser) onlyInit(init syntax.Init) {
	switch init := init.(type) {
	case *syntax.InitExpr:
		in.rvalue(init.X)
	case *syntax.InitList:
		in.only(init)
	}
}

// cursor is the next subobject of an aggregate that a list initialises next.
type cursor struct {
	t      Type
	index  int64
	chosen bool // a designator has chosen the member; in a union it need not be the first then
	offset int64
	times  []repeat
}

// aggregate initialises a struct, union or array with a list, in which the braces of inner aggregates may be left out
// (C11 6.7.9p17 to p20), and says how many elements of an array it initialises.
func (in *initialiser) aggregate(l *syntax.InitList, t Type, offset int64, times []repeat) int64 {
	stack := []cursor{{t: t, offset: offset, times: times}}
	most, told := int64(0), false
	for _, item := range l.Items {
		stack = in.designate(item, stack)
		if stack == nil {
			in.onlyInit(item.Value)
			stack = []cursor{{t: t, offset: offset, times: times, index: most}}
			continue
		}
		for len(stack) > 1 && stack[len(stack)-1].exhausted() {
			stack = stack[:len(stack)-1]
		}
		if stack[0].exhausted() && len(stack) == 1 {
			in.excess(item, t, &told)
			continue
		}
		stack = in.descend(item, stack)
		top := &stack[len(stack)-1]
		sub, at, ok := in.subobject(top)
		if !ok {
			in.onlyInit(item.Value)
			continue
		}
		in.whole(item.Value, &sub, at, in.ranges(item, top))
		if high, ok := in.rangeEnd(item); ok {
			top.index = high
		}
		top.pass()
		most = max(most, stack[0].index)
	}
	return most
}

// excess checks an initialiser that nothing is left for. The C compiler warns of it; for an object without elements it
// is the only word.
func (in *initialiser) excess(item *syntax.InitItem, t Type, told *bool) {
	in.onlyInit(item.Value)
	if !*told && t.IsShared() {
		*told = true
		in.report(syntax.Diagnostic{Severity: syntax.Warning, Pos: item.First(),
			Message: "excess elements in initializer"})
	}
}

// exhausted says that an aggregate has no further subobject.
func (k *cursor) exhausted() bool {
	switch u := k.t.T.(type) {
	case *Array:
		return u.Kind == LenKnown && k.index >= u.Len
	case *Struct:
		k.skip(u)
		return u.Union && k.index > 0 && !k.chosen || k.index >= int64(len(u.Fields))
	}
	return true
}

// skip passes unnamed bit-fields.
func (k *cursor) skip(u *Struct) {
	for !u.Union && k.index < int64(len(u.Fields)) && u.Fields[k.index].Bits && u.Fields[k.index].Name == "" {
		k.index++
	}
}

// subobject is the type and offset of the subobject that a cursor stands at.
func (in *initialiser) subobject(k *cursor) (Type, int64, bool) {
	switch u := k.t.T.(type) {
	case *Array:
		size := in.Sizeof(u.Elem)
		return u.Elem, k.offset + k.index*size.Int, true
	case *Struct:
		if k.index < int64(len(u.Fields)) {
			f := u.Fields[k.index]
			return f.Type, k.offset + f.Offset, true
		}
	}
	return Type{}, 0, false
}

// descend enters inner aggregates for an expression that initialises their first scalar.
func (in *initialiser) descend(item *syntax.InitItem, stack []cursor) []cursor {
	x, ok := item.Value.(*syntax.InitExpr)
	if !ok {
		return stack
	}
	for len(stack) < 1000 {
		top := &stack[len(stack)-1]
		if top.exhausted() {
			return stack
		}
		sub, at, ok := in.subobject(top)
		if !ok || !in.entered(x, sub) {
			return stack
		}
		next := cursor{t: sub, offset: at, times: in.ranges(item, top)}
		if next.exhausted() {
			return stack
		}
		if high, ok := in.rangeEnd(item); ok {
			top.index = high
		}
		top.pass()
		stack = append(stack, next)
		item = &syntax.InitItem{Span: item.Span, Value: item.Value}
	}
	return stack
}

// entered says that an expression does not initialise an aggregate as a whole, but what is in it.
func (in *initialiser) entered(x *syntax.InitExpr, sub Type) bool {
	switch u := sub.T.(type) {
	case *Array:
		from := in.typed(x.X)
		if stringOf(x.X) != nil && stringFits(u.Elem, from) {
			return false
		}
		_, literal := unparen(x.X).(*syntax.CompoundLiteral)
		return !literal || !compatibleUnqualified(sub, from)
	case *Struct:
		from := in.typed(x.X)
		return !from.bad() && !compatibleUnqualified(sub, from)
	}
	return false
}

// ranges adds the repetition of a designator's range to those of the cursor.
func (in *initialiser) ranges(item *syntax.InitItem, top *cursor) []repeat {
	high, ok := in.rangeEnd(item)
	if !ok {
		return top.times
	}
	a, isArray := top.t.T.(*Array)
	if !isArray || high < top.index {
		return top.times
	}
	return append(top.times[:len(top.times):len(top.times)], repeat{high - top.index + 1, in.Sizeof(a.Elem).Int})
}

// rangeEnd is the high end of the last designator, if it is a range.
func (in *initialiser) rangeEnd(item *syntax.InitItem) (int64, bool) {
	n := len(item.Designators)
	if n == 0 || item.Designators[n-1].High == nil {
		return 0, false
	}
	e, ok := in.info.Exprs[item.Designators[n-1].High]
	if !ok || e.Value.Kind != IntegerValue {
		return 0, false
	}
	return e.Value.Int, true
}

// designate follows designators from the aggregate that the braces belong to (C11 6.7.9p6, p7); it returns nil after an
// error.
func (in *initialiser) designate(item *syntax.InitItem, stack []cursor) []cursor {
	if len(item.Designators) == 0 {
		return stack
	}
	stack = stack[:1]
	for i := range item.Designators {
		d := &item.Designators[i]
		if i > 0 {
			top := &stack[len(stack)-1]
			sub, at, ok := in.subobject(top)
			if !ok {
				return nil
			}
			next := cursor{t: sub, offset: at, times: top.times}
			top.pass()
			stack = append(stack, next)
		}
		var ok bool
		if d.Name != nil {
			stack, ok = in.designateMember(d, stack)
		} else {
			ok = in.designateElement(d, &stack[len(stack)-1])
		}
		if !ok {
			return nil
		}
	}
	return stack
}

// pass moves a cursor behind the subobject that it stands at.
func (k *cursor) pass() {
	k.index++
	k.chosen = false
	if s, ok := k.t.T.(*Struct); ok && s.Union {
		k.index = int64(len(s.Fields))
	}
}

func (in *initialiser) designateMember(d *syntax.Designator, stack []cursor) ([]cursor, bool) {
	top := &stack[len(stack)-1]
	s, ok := top.t.T.(*Struct)
	if !ok {
		if !top.t.bad() {
			in.errorf(d.Name.First(), "", "field name not in record or union initializer")
		}
		return nil, false
	}
	path := findMember(s, d.Name.Name)
	if path == nil {
		in.errorf(d.Name.First(), "", "%s has no member named '%s'", quote(top.t), d.Name.Name)
		return nil, false
	}
	for i, f := range path {
		top := &stack[len(stack)-1]
		s := top.t.T.(*Struct)
		for j := range s.Fields {
			if &s.Fields[j] == f {
				top.index, top.chosen = int64(j), true
			}
		}
		if i < len(path)-1 {
			next := cursor{t: f.Type, offset: top.offset + f.Offset, times: top.times}
			top.pass()
			stack = append(stack, next)
		}
	}
	return stack, true
}

func (in *initialiser) designateElement(d *syntax.Designator, top *cursor) bool {
	low, ok := in.constInt(d.Low, "", "nonconstant array index in initializer")
	if d.High != nil {
		high, okHigh := in.constInt(d.High, "", "nonconstant array index in initializer")
		ok = ok && okHigh
		if ok && high < low {
			in.errorf(d.Low.First(), "", "empty index range in initializer")
			return false
		}
	}
	a, array := top.t.T.(*Array)
	switch {
	case !ok:
		return false
	case !array:
		if !top.t.bad() {
			in.errorf(d.Low.First(), "", "array index in non-array initializer")
		}
		return false
	case low < 0 || a.Kind == LenKnown && low >= a.Len:
		in.errorf(d.Low.First(), "", "%s", fmt.Sprintf("array index %d in initializer exceeds array bounds", low))
		return false
	}
	top.index = low
	return true
}

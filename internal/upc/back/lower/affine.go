package lower

import (
	"fmt"

	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// owned says which iterations of a counted loop belong to a thread: those with (i + shift) / block mod THREADS equal to
// MYTHREAD.
type owned struct {
	*loops.Counted
	block int64
	shift int64         // a constant that is added to i
	base  *types.Object // the pointer-to-shared whose thread and phase are added too, or nil
	// at is the name of the variable in the C text that locals are subscripted with.
	at string
	// locals are the arrays and pointers of which the thread's own elements are at hand, with the name of the pointer
	// to them.
	locals map[*types.Object]string
	listed []*types.Object
	effect *loops.Effects
}

// place is an element's first index: i + shift over rows of some number of ultimate elements.
type place struct {
	object *types.Object // an array or a pointer
	shift  int64
	block  int64 // in rows
	rest   []subscript
	step   step
}

// owned recognises an affinity that gives whole blocks of iterations to threads.
func (l *lowerer) owned(c *loops.Counted, affinity syntax.Expr, e *loops.Effects) *owned {
	o := &owned{Counted: c, effect: e, locals: map[*types.Object]string{}}
	if !decayed(l.TypeOf(affinity)).IsPointerToShared() {
		shift, ok := l.shifted(affinity, c.I)
		o.block, o.shift = 1, shift
		if !ok {
			return nil
		}
		return o
	}
	var p *place
	switch x := syntax.Unparen(affinity).(type) {
	case *syntax.UnaryExpr:
		if index, ok := syntax.Unparen(x.X).(*syntax.IndexExpr); ok && x.Op == "&" {
			p = l.place(index, c.I, e)
		}
	case *syntax.BinaryExpr:
		if x.Op == "+" {
			p = l.placeOf(x.X, x.Y, l.stepOf(pointee(decayed(l.TypeOf(x.X)))), c.I, e)
		}
	}
	if p == nil {
		return nil
	}
	for _, r := range p.rest {
		if v := l.Constant(r.index); v.Kind != types.IntegerValue || v.Int < 0 || v.Int*r.step.count >= p.step.count {
			return nil
		}
	}
	o.block, o.shift = p.block, p.shift
	if !p.object.Type.IsShared() {
		o.base = p.object
	}
	return o
}

// shifted recognises i, i + constant, constant + i and i - constant.
func (l *lowerer) shifted(x syntax.Expr, i *types.Object) (shift int64, ok bool) {
	if l.Variable(x) == i {
		return 0, true
	}
	b, ok := syntax.Unparen(x).(*syntax.BinaryExpr)
	if !ok || b.Op != "+" && b.Op != "-" {
		return 0, false
	}
	v, w := l.Constant(b.X), l.Constant(b.Y)
	const most = 1 << 30
	switch {
	case l.Variable(b.X) == i && w.Kind == types.IntegerValue && w.Int > -most && w.Int < most:
		if b.Op == "-" {
			return -w.Int, true
		}
		return w.Int, true
	case b.Op == "+" && l.Variable(b.Y) == i && v.Kind == types.IntegerValue && v.Int > -most && v.Int < most:
		return v.Int, true
	}
	return 0, false
}

// place recognises an element whose first index is i and a constant.
func (l *lowerer) place(x *syntax.IndexExpr, i *types.Object, e *loops.Effects) *place {
	base, parts := l.subscripts(x)
	p := l.placeOf(base, parts[0].index, parts[0].step, i, e)
	if p != nil {
		p.rest = parts[1:]
	}
	return p
}

func (l *lowerer) placeOf(base, index syntax.Expr, s step, i *types.Object, e *loops.Effects) *place {
	shift, ok := l.shifted(index, i)
	if !ok || s.threads || s.count == 0 || s.block == 0 || s.block%s.count != 0 {
		return nil
	}
	p := &place{shift: shift, step: s, block: s.block / s.count}
	if p.object = l.arrayObject(base); p.object != nil {
		return p
	}
	p.object = l.Variable(base)
	if p.object == nil || !p.object.Type.IsPointerToShared() || !l.Invariant(base, e) || s.count != 1 {
		return nil
	}
	if _, ok := l.info.Converted[base]; ok {
		return nil
	}
	return p
}

// local gives the print of an element's private twin if it is proved to be the thread's own, and nil otherwise.
func (l *lowerer) local(e syntax.Expr) func() {
	i := l.info.Exprs[e]
	if i == nil || i.Strict || i.Type.Qual&types.Volatile != 0 || !i.Type.IsShared() {
		return nil
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return l.local(e.X)
	case *syntax.MemberExpr:
		if e.Arrow {
			return nil
		}
		if of := l.local(e.X); of != nil {
			return func() {
				of()
				l.Text("." + e.Name.Name)
			}
		}
	case *syntax.IndexExpr:
		if of := l.local(e.X); of != nil && isArray(l.TypeOf(e.X)) {
			return func() {
				of()
				l.Text("[")
				l.value(e.I)
				l.Text("]")
			}
		}
		return l.localElement(e)
	}
	return nil
}

// localElement is local for an element of an array of the program.
func (l *lowerer) localElement(x *syntax.IndexExpr) func() {
	if isArray(l.TypeOf(x)) {
		return nil
	}
	for n := len(l.own) - 1; n >= 0; n-- {
		o := l.own[n]
		p := l.place(x, o.I, o.effect)
		if p == nil || p.block != o.block || p.shift != o.shift || o.locals[p.object] == "" {
			continue
		}
		return func() {
			l.goToNode(x)
			l.ownElement(o.locals[p.object], o.at, p)
		}
	}
	base, parts := l.subscripts(x)
	t, ok := syntax.Unparen(parts[0].index).(*syntax.ThreadExpr)
	s := parts[0].step
	if o := l.arrayObject(base); ok && o != nil && t.Name == "MYTHREAD" && !s.threads && s.block == s.count {
		p := &place{object: o, rest: parts[1:], step: s}
		return func() {
			l.goToNode(x)
			l.ownElement("(("+l.ctype(pointeeOf(o))+" *)(upcr_mine + UPCR_OFFSET("+l.nameOf(o, o.Name)+")))", "0", p)
		}
	}
	return nil
}

// ownElement prints an element of one's own, by a pointer to the first and the row.
func (l *lowerer) ownElement(name, row string, p *place) {
	l.Text(name + "[" + row)
	if p.step.count != 1 {
		l.Text(fmt.Sprintf("* %d", p.step.count))
	}
	for _, r := range p.rest {
		l.Text("+")
		l.distance(func() { l.value(r.index) }, r.step, false)
	}
	l.Text("]")
}

func pointeeOf(o *types.Object) types.Type {
	t, _, _ := ultimate(pointee(o.Type))
	return t
}

// findLocals notes the arrays and pointers whose elements in the body are the thread's own.
func (l *lowerer) findLocals(o *owned, body syntax.Stmt) {
	syntax.Walk(body, func(n syntax.Node) bool {
		x, ok := n.(*syntax.IndexExpr)
		if !ok || !l.sharedLvalue(x) {
			return true
		}
		if i := l.info.Exprs[x]; i.Strict || i.Type.Qual&types.Volatile != 0 || isArray(i.Type) {
			return true
		}
		p := l.place(x, o.I, o.effect)
		if p == nil || p.block != o.block || p.shift != o.shift || o.locals[p.object] != "" {
			return true
		}
		l.temps++
		o.locals[p.object] = fmt.Sprintf("upcr_%s_%d", p.object.Name, l.temps)
		o.listed = append(o.listed, p.object)
		return true
	})
}

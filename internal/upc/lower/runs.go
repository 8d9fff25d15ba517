package lower

import (
	"fmt"

	"unknot/internal/upc/syntax"
	"unknot/internal/upc/types"
)

// copying is a loop that does nothing but copy elements of blocks to private ones or back, one after the other.
type copying struct {
	*counted
	shared, private *syntax.IndexExpr
	step            step
	get             bool
}

// copying recognises such a loop. The private elements may not move with what is copied, which the run-time looks at again when it runs:
// a pointer-to-local may point into shared memory.
func (l *lowerer) copying(s *syntax.ForStmt) *copying {
	if s.Init == nil || s.Cond == nil || s.Post == nil {
		return nil
	}
	a, ok := onlyAssignment(s.Body)
	if !ok {
		return nil
	}
	x, okX := strip(a.X).(*syntax.IndexExpr)
	y, okY := strip(a.Y).(*syntax.IndexExpr)
	if !okX || !okY || l.sharedLvalue(x) == l.sharedLvalue(y) {
		return nil
	}
	c := &copying{counted: l.counted(s.Init, s.Cond, s.Post, s.Body), shared: x, private: y}
	e := l.effects(s.Body)
	if c.counted == nil || !l.invariant(c.from, e) {
		return nil
	}
	if c.get = l.sharedLvalue(y); c.get {
		c.shared, c.private = y, x
	}
	_, c.step, ok = l.along(c.shared, c.i, e)
	if !ok || l.strict(c.shared) || !l.steady(c.private, c.i) {
		return nil
	}
	from, to := l.typeOf(c.shared), l.typeOf(c.private)
	if to.Qual&types.Volatile != 0 || !types.Compatible(unqualified(from), unqualified(to)) {
		return nil
	}
	return c
}

// onlyAssignment is the assignment that is all of a loop's body.
func onlyAssignment(s syntax.Stmt) (*syntax.AssignExpr, bool) {
	if b, ok := s.(*syntax.Block); ok && len(b.Stmts) == 1 {
		s = b.Stmts[0]
	}
	e, ok := s.(*syntax.ExprStmt)
	if !ok || e.X == nil {
		return nil, false
	}
	a, ok := strip(e.X).(*syntax.AssignExpr)
	return a, ok && a.Op == "="
}

// steady says that a private element is one of a variable of the function or of an array, reached by i and a constant.
func (l *lowerer) steady(x *syntax.IndexExpr, i *types.Object) bool {
	o := l.variable(x.X)
	if o == nil || !isArray(o.Type) && (o.Storage != types.Automatic || l.addressed[o]) {
		return false
	}
	_, ok := l.shifted(x.I, i)
	return ok
}

// runs prints a copying loop so that runs of elements of other nodes are fetched or sent together, and says false if it is none.
func (l *lowerer) runs(s *syntax.ForStmt) bool {
	c := l.copying(s)
	if c == nil {
		return false
	}
	done, to := l.name("done"), l.name("to")
	count := func() { l.text(to + " - " + c.i.Name) }
	l.breakLine(s.First())
	l.text("{ int " + done + " = upcr_one_node; if (__builtin_expect(!" + done + ", 0)) {")
	if c.declared != nil {
		l.declareCounter(c.counted)
		l.text("=")
	} else {
		l.text(c.i.Name + " =")
	}
	l.held++
	l.value(c.from)
	l.text("; const long " + to + " = (long)(")
	l.value(c.to)
	l.text(")")
	if c.through {
		l.text("+ 1")
	}
	l.text("; if (" + c.i.Name + " < " + to + " && upcr_is_private(&")
	l.value(c.private)
	l.text(",")
	count()
	l.text(fmt.Sprintf(", %d)) {", c.step.bytes))
	if c.get {
		l.text("upcr_get_run(&")
		l.value(c.private)
		l.text(",")
		l.element(c.shared, false)
	} else {
		l.text("upcr_put_run(")
		l.element(c.shared, false)
		l.text(", &")
		l.value(c.private)
	}
	l.text(",")
	count()
	l.text(c.step.end())
	l.text("; " + done + " = 1;")
	if c.declared == nil {
		l.text(c.i.Name + " = (" + l.ctype(c.i.Type) + ")" + to + ";")
	}
	l.text("} } if (" + done + " == upcr_one_node)")
	l.held--
	l.loop(s)
	l.text("}")
	return true
}

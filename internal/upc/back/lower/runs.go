package lower

import (
	"fmt"

	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// copying is a loop that does nothing but copy elements of blocks to private ones or back, one after the other.
type copying struct {
	*loops.Counted
	shared, private *syntax.IndexExpr
	step            step
	get             bool
}

// copying recognises such a loop. The private elements may not move with what is copied, which the run-time looks at
// again when it runs: a pointer-to-local may point into shared memory.
func (l *lowerer) copying(s *syntax.ForStmt) *copying {
	if s.Init == nil || s.Cond == nil || s.Post == nil || l.races.on {
		return nil
	}
	a, ok := onlyAssignment(s.Body)
	if !ok {
		return nil
	}
	x, okX := syntax.Unparen(a.X).(*syntax.IndexExpr)
	y, okY := syntax.Unparen(a.Y).(*syntax.IndexExpr)
	if !okX || !okY || l.sharedLvalue(x) == l.sharedLvalue(y) {
		return nil
	}
	c := &copying{Counted: l.Counted(s.Init, s.Cond, s.Post, s.Body), shared: x, private: y}
	e := l.Effects(s.Body)
	if c.Counted == nil || !l.Invariant(c.From, e) {
		return nil
	}
	if c.get = l.sharedLvalue(y); c.get {
		c.shared, c.private = y, x
	}
	_, c.step, ok = l.along(c.shared, c.I, e)
	if !ok || l.strict(c.shared) || !l.steady(c.private, c.I) {
		return nil
	}
	from, to := l.TypeOf(c.shared), l.TypeOf(c.private)
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
	a, ok := syntax.Unparen(e.X).(*syntax.AssignExpr)
	return a, ok && a.Op == "="
}

// steady says that a private element is one of a variable of the function or of an array, reached by i and a constant.
func (l *lowerer) steady(x *syntax.IndexExpr, i *types.Object) bool {
	o := l.Variable(x.X)
	if o == nil || !isArray(o.Type) && (o.Storage != types.Automatic || l.Addressed(o)) {
		return false
	}
	_, ok := l.shifted(x.I, i)
	return ok
}

// runs prints a copying loop so that runs of elements of other nodes are fetched or sent together, and returns false
// for any other loop.
func (l *lowerer) runs(s *syntax.ForStmt) bool {
	c := l.copying(s)
	if c == nil {
		return false
	}
	done, to := l.name("done"), l.name("to")
	count := func() { l.Text(to + " - " + c.I.Name) }
	l.BreakLine(s.First())
	l.Text("{ int " + done + " = upcr_one_node; if (__builtin_expect(!" + done + ", 0)) {")
	if c.Declared != nil {
		l.declareCounter(c.Counted)
		l.Text("=")
	} else {
		l.Text(c.I.Name + " =")
	}
	l.Hold()
	l.value(c.From)
	l.Text("; const long " + to + " = (long)(")
	l.value(c.To)
	l.Text(")")
	if c.Through {
		l.Text("+ 1")
	}
	l.Text("; if (" + c.I.Name + " < " + to + " && upcr_is_private(&")
	l.value(c.private)
	l.Text(",")
	count()
	l.Text(fmt.Sprintf(", %d)) {", c.step.bytes))
	if c.get {
		l.Text("upcr_get_run(&")
		l.value(c.private)
		l.Text(",")
		l.element(c.shared, false)
	} else {
		l.Text("upcr_put_run(")
		l.element(c.shared, false)
		l.Text(", &")
		l.value(c.private)
	}
	l.Text(",")
	count()
	l.Text(c.step.end())
	l.Text("; " + done + " = 1;")
	if c.Declared == nil {
		l.Text(c.I.Name + " = (" + l.ctype(c.I.Type) + ")" + to + ";")
	}
	l.Text("} } if (" + done + " == upcr_one_node)")
	l.Release()
	l.loop(s)
	l.Text("}")
	return true
}

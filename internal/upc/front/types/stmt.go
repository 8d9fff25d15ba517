package types

import (
	"cmp"
	"fmt"
	"slices"

	"unknot/internal/upc/front/syntax"
)

// function is what the statements of a function depend on.
type function struct {
	decl   *syntax.FuncDecl
	object *Object
	result Type
	// undeclared are names without a declaration that were reported once.
	undeclared map[string]bool
	labels     map[string]*label
	gotos      []jump
	loops      []loop
	// foralls counts the upc_forall statements around that divide their iterations among the threads.
	foralls int
	// myThread counts the statements around whose condition depends on MYTHREAD.
	myThread int
	// inForall is the innermost upc_forall around, or nil.
	inForall *forall
}

// forall is a upc_forall and the one around it.
type forall struct{ outer *forall }

// label is a label of a function, declared or not yet.
type label struct {
	object *Object
	at     *forall
	placed bool
}

// jump is a goto.
type jump struct {
	name *syntax.Ident
	from *forall
	to   *label
}

// loop is a statement that break or continue leaves.
type loop struct {
	sw     *switches // of a switch
	forall bool      // of a upc_forall
}

// switches are the labels of a switch.
type switches struct {
	t         Type
	cases     []caseRange
	hasOther  bool
	otherPos  syntax.Pos
	notScalar bool
}

type caseRange struct {
	low, high int64
	at        syntax.Pos
}

// function checks the body of a function.
func (c *checker) function(d *syntax.FuncDecl, o *Object, f *Func, part *syntax.FuncPart, params *scope) {
	c.fn = &function{decl: d, object: o, result: f.Result, labels: map[string]*label{}}
	defer func() { c.fn = nil }()
	c.scope = params
	for _, p := range params.names {
		p.Function = d
	}
	if !IsComplete(f.Result) && !f.Result.IsVoid() && !f.Result.bad() {
		c.errorf(place(d.Name), "", "return type is an incomplete type")
		c.fn.result = BasicType(Invalid)
	}
	for i, p := range part.Params {
		if i >= len(f.Params) {
			break
		}
		t := f.Params[i]
		if p.Declarator.Name == nil || t.bad() {
			continue
		}
		if !IsComplete(t) && !t.IsVoid() {
			c.errorf(place(p.Declarator), "", "parameter %d ('%s') has incomplete type", i+1, p.Declarator.Name.Name)
		}
	}
	if d.Body != nil {
		c.block(d.Body, false)
	}
	c.checkGotos()
}

// block is a compound statement; scoped says that it has its scope.
func (c *checker) block(b *syntax.Block, scoped bool) {
	if scoped {
		c.push()
		defer c.pop()
	}
	strict, packing := c.strict, c.packing
	defer func() { c.strict, c.packing = strict, packing }()
	for i := range b.Labels {
		l := &b.Labels[i]
		c.fn.labels[l.Name] = &label{object: &Object{Kind: ObjLabel, Name: l.Name, Storage: NoStorage,
			Function: c.fn.decl}}
	}
	for _, s := range b.Stmts {
		c.stmt(s)
	}
}

// stmt checks a statement (C11 6.8; UPC 1.3, 6.6).
func (c *checker) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		c.block(s, true)
	case *syntax.DeclStmt:
		c.external(s.Decl)
	case *syntax.ExprStmt:
		if s.X != nil {
			c.rvalue(s.X)
		}
	case *syntax.IfStmt:
		c.push()
		c.condition(s.Cond)
		c.depends(s.Cond, func() {
			before := len(c.info.Diagnostics)
			c.substatement(s.Then)
			if s.Else != nil {
				between := len(c.info.Diagnostics)
				c.substatement(s.Else)
				c.tellOnce(before, between)
			}
		})
		c.pop()
	case *syntax.SwitchStmt:
		c.switchStmt(s)
	case *syntax.CaseStmt:
		c.caseStmt(s)
	case *syntax.LabelStmt:
		c.labelStmt(s)
	case *syntax.WhileStmt:
		c.push()
		c.condition(s.Cond)
		c.depends(s.Cond, func() { c.loop(loop{}, s.Body) })
		c.pop()
	case *syntax.DoStmt:
		c.push()
		c.depends(s.Cond, func() { c.loop(loop{}, s.Body) })
		c.condition(s.Cond)
		c.pop()
	case *syntax.ForStmt:
		c.forStmt(s)
	case *syntax.ForallStmt:
		c.forallStmt(s)
	case *syntax.BranchStmt:
		c.branch(s)
	case *syntax.ReturnStmt:
		c.returnStmt(s)
	case *syntax.SyncStmt:
		c.syncStmt(s)
	case *syntax.AsmStmt:
		for _, x := range s.Operands {
			c.asmOperand(x)
		}
	case *syntax.PragmaStmt:
		c.pragma(&s.PragmaDecl)
	}
}

// substatement checks a statement in a separate scope (C11 6.8.4p3, 6.8.5p5).
func (c *checker) substatement(s syntax.Stmt) {
	if s == nil {
		return
	}
	c.push()
	c.stmt(s)
	c.pop()
}

// condition checks a controlling expression.
func (c *checker) condition(x syntax.Expr) {
	t := c.rvalue(x)
	if !t.IsScalar() && !t.opaque() {
		c.errorf(x.First(), "", "used %s type value where scalar is required", kindWords(t))
	}
}

// depends checks statements that a condition decides on.
func (c *checker) depends(cond syntax.Expr, check func()) {
	if cond != nil && mentions(cond, "MYTHREAD") {
		c.fn.myThread++
		defer func() { c.fn.myThread-- }()
	}
	check()
}

// loop checks the body of a statement that break leaves.
func (c *checker) loop(l loop, body syntax.Stmt) {
	c.fn.loops = append(c.fn.loops, l)
	c.substatement(body)
	c.fn.loops = c.fn.loops[:len(c.fn.loops)-1]
}

func (c *checker) forStmt(s *syntax.ForStmt) {
	c.push()
	defer c.pop()
	if s.Init != nil {
		c.stmt(s.Init)
	}
	if s.Cond != nil {
		c.condition(s.Cond)
	}
	if s.Post != nil {
		c.rvalue(s.Post)
	}
	c.depends(s.Cond, func() { c.loop(loop{}, s.Body) })
}

func (c *checker) switchStmt(s *syntax.SwitchStmt) {
	c.push()
	defer c.pop()
	t := c.rvalue(s.X)
	sw := &switches{t: t}
	switch {
	case t.IsInteger():
		sw.t = Promote(t, c.info.Exprs[s.X].Bits)
		c.become(s.X, sw.t)
	default:
		if !t.bad() {
			c.errorf(s.X.First(), "", "switch quantity not an integer")
		}
		sw.notScalar = true
	}
	c.depends(s.X, func() { c.loop(loop{sw: sw}, s.Body) })
	c.duplicates(sw)
}

// innerSwitch is the innermost switch around, or nil.
func (c *checker) innerSwitch() *switches {
	for i := len(c.fn.loops) - 1; i >= 0; i-- {
		if sw := c.fn.loops[i].sw; sw != nil {
			return sw
		}
	}
	return nil
}

func (c *checker) caseStmt(s *syntax.CaseStmt) {
	sw := c.innerSwitch()
	switch {
	case sw == nil && s.Low == nil:
		c.errorf(s.First(), "", "'default' label not within a switch statement")
	case sw == nil:
		c.errorf(s.First(), "", "case label not within a switch statement")
	case s.Low == nil:
		if sw.hasOther {
			c.errorNote(s.First(), "", "multiple default labels in one switch", sw.otherPos,
				"this is the first default label")
		}
		sw.hasOther, sw.otherPos = true, s.First()
	}
	if s.Low != nil {
		c.caseLabel(s, sw)
	}
	if s.Body != nil {
		c.stmt(s.Body)
	}
}

func (c *checker) caseLabel(s *syntax.CaseStmt, sw *switches) {
	const message = "case label does not reduce to an integer constant"
	low, ok := c.constInt(s.Low, "", message)
	high := low
	if s.High != nil {
		var okHigh bool
		high, okHigh = c.constInt(s.High, "", message)
		ok = ok && okHigh
	}
	if !ok || sw == nil || sw.notScalar {
		return
	}
	k := sw.t.basic()
	if basicFacts[k].size == 16 {
		return
	}
	low, high = c.truncate(low, k), c.truncate(high, k)
	if less(high, low, c.signed(k)) {
		return // an empty range, of which the C compiler warns
	}
	sw.cases = append(sw.cases, caseRange{low, high, s.First()})
}

// duplicates tells cases of a switch that are there twice (C11 6.8.4.2p3).
func (c *checker) duplicates(sw *switches) {
	signed := c.signed(sw.t.basic())
	slices.SortFunc(sw.cases, func(a, b caseRange) int {
		switch {
		case less(a.low, b.low, signed):
			return -1
		case less(b.low, a.low, signed):
			return 1
		}
		return cmp.Compare(a.at, b.at)
	})
	for i := 1; i < len(sw.cases); i++ {
		old, dup := sw.cases[i-1], sw.cases[i]
		if less(old.high, dup.low, signed) {
			continue
		}
		if old.at > dup.at {
			old, dup = dup, old
		}
		message := "duplicate case value"
		if old.low != old.high || dup.low != dup.high {
			message = "duplicate (or overlapping) case value"
		}
		c.errorNote(dup.at, "", message, old.at, "previously used here")
	}
}

func (c *checker) returnStmt(s *syntax.ReturnStmt) {
	if c.fn.inForall != nil {
		c.leaves(s.First(), "return")
	}
	if s.X == nil {
		return // the C compiler warns if the function has a value
	}
	t := c.typed(s.X)
	if c.fn.result.IsVoid() {
		c.rvalue(s.X)
		if !t.IsVoid() && !t.bad() && isAggregate(t) {
			return // a warning of the C compiler
		}
		return
	}
	c.assign(s.X, c.fn.result, context{kind: returning})
}

// stmtExpr is GNU's ({ … }), whose value is that of its last statement.
func (c *checker) stmtExpr(x *syntax.StmtExpr, e *ExprInfo) {
	e.Type = BasicType(Void)
	if c.fn == nil {
		c.errorf(x.First(), "", "braced-group within expression allowed only inside a function")
		return
	}
	if x.Body == nil {
		return
	}
	c.block(x.Body, true)
	n := len(x.Body.Stmts)
	if n == 0 {
		return
	}
	last := x.Body.Stmts[n-1]
	for {
		l, ok := last.(*syntax.LabelStmt)
		if !ok || l.Body == nil {
			break
		}
		last = l.Body
	}
	if s, ok := last.(*syntax.ExprStmt); ok && s.X != nil {
		e.Type = Decay(c.info.Exprs[s.X].Type)
		if e.Type.IsShared() {
			e.Type = e.Type.Unqualified()
		}
	}
}

// asmOperand checks an operand of asm, which has to be private, since the processor sees no shared objects (COMP-38).
func (c *checker) asmOperand(x syntax.Expr) {
	t := c.typed(x)
	e := c.info.Exprs[x]
	if t.IsShared() && e.Lvalue {
		c.errorNote(x.First(), "COMP-38", "an operand of 'asm' cannot be shared", syntax.NoPos,
			"copy it to a private object")
		return
	}
	if !e.Lvalue {
		c.value(x, t)
	}
}

// labelStmt places a label.
func (c *checker) labelStmt(s *syntax.LabelStmt) {
	l := c.label(&s.Label)
	if l.placed {
		c.errorNote(s.Label.First(), "", fmt.Sprintf("duplicate label '%s'", s.Label.Name), declPos(l.object),
			"previous definition is here")
	}
	l.placed, l.at = true, c.fn.inForall
	l.object.Defined, l.object.Decl, l.object.Def = true, &s.Label, &s.Label
	c.info.Defs[&s.Label] = l.object
	if s.Body != nil {
		c.stmt(s.Body)
	}
}

// label is the label of a name, which may stand further below.
func (c *checker) label(id *syntax.Ident) *label {
	l := c.fn.labels[id.Name]
	if l == nil {
		l = &label{object: &Object{Kind: ObjLabel, Name: id.Name, Storage: NoStorage, Function: c.fn.decl}}
		c.fn.labels[id.Name] = l
	}
	return l
}

// useLabel notes the use of a label.
func (c *checker) useLabel(id *syntax.Ident) {
	if c.fn == nil {
		c.errorf(id.First(), "", "label '%s' referenced outside of any function", id.Name)
		return
	}
	c.fn.gotos = append(c.fn.gotos, jump{name: id, from: c.fn.inForall, to: c.label(id)})
}

// checkGotos checks the uses of labels at the end of a function.
func (c *checker) checkGotos() {
	told := map[*label]bool{}
	for _, j := range c.fn.gotos {
		if !j.to.placed {
			if !told[j.to] {
				c.errorf(j.name.First(), "", "label '%s' used but not defined", j.name.Name)
			}
			told[j.to] = true
			continue
		}
		c.crosses(j)
	}
}

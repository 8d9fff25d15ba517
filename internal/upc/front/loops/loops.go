// Package loops recognises for loops and upc_foralls whose iterations are known when they begin, and says what
// statements may change. The lowering makes faster loops of them, and the instrumentation describes them by their
// bounds.
package loops

import (
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// Finder looks at the loops of a checked translation unit.
type Finder struct {
	file *syntax.File
	info *types.Info
	// addressed holds the variables of the current function whose addresses are taken.
	addressed map[*types.Object]bool
}

// New is a Finder that has seen no function yet.
func New(f *syntax.File, info *types.Info) *Finder {
	return &Finder{file: f, info: info, addressed: map[*types.Object]bool{}}
}

// Addressed says that the current function takes the address of a variable.
func (l *Finder) Addressed(o *types.Object) bool { return l.addressed[o] }

// TypeOf is the type of an expression before its context converts it.
func (l *Finder) TypeOf(e syntax.Expr) types.Type {
	if i := l.info.Exprs[e]; i != nil {
		return i.Type
	}
	return types.Type{}
}

// Counted is a loop for (i = from; i < to; i++) whose body changes neither i nor what to is made of, so that its
// iterations are known when it begins.
type Counted struct {
	I        *types.Object
	Declared *syntax.VarDecl // the declaration of i in the loop's head, or nil
	From, To syntax.Expr
	Through  bool // i <= to
}

// Counted recognises such a loop.
func (l *Finder) Counted(init syntax.Stmt, cond, post syntax.Expr, body syntax.Stmt) *Counted {
	c := &Counted{}
	switch s := init.(type) {
	case *syntax.ExprStmt:
		a, ok := syntax.Unparen(s.X).(*syntax.AssignExpr)
		if !ok || a.Op != "=" {
			return nil
		}
		c.I, c.From = l.Variable(a.X), a.Y
	case *syntax.DeclStmt:
		d, ok := s.Decl.(*syntax.VarDecl)
		if !ok || len(d.Names) != 1 || d.Names[0].Declarator.Name == nil {
			return nil
		}
		x, ok := d.Names[0].Init.(*syntax.InitExpr)
		if !ok {
			return nil
		}
		c.I, c.From, c.Declared = l.info.Defs[d.Names[0].Declarator.Name], x.X, d
	}
	if c.I == nil || c.I.Type.Qual != 0 || !l.Countable(c.I) {
		return nil
	}
	b, ok := unparen(cond).(*syntax.BinaryExpr)
	if !ok || b.Op != "<" && b.Op != "<=" || l.Variable(b.X) != c.I {
		return nil
	}
	c.To, c.Through = b.Y, b.Op == "<="
	if !l.sameSign(c) || !l.increments(post, c.I) {
		return nil
	}
	e := l.Effects(body)
	if e.Opaque || e.Changed[c.I] || !l.Invariant(c.To, e) || l.Mentions(c.To, c.I) {
		return nil
	}
	return c
}

// unparen is syntax.Unparen for an expression that may be missing.
func unparen(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return syntax.Unparen(e)
}

// Variable is the private variable that an expression names, or nil.
func (l *Finder) Variable(e syntax.Expr) *types.Object {
	n, ok := unparen(e).(*syntax.NameExpr)
	if !ok {
		return nil
	}
	o := l.info.Uses[n]
	if o == nil || o.Kind != types.ObjVar && o.Kind != types.ObjParam || o.Type.IsShared() {
		return nil
	}
	return o
}

// Countable says that an object is an automatic variable of an integer type of at least int's size, whose address
// nobody takes.
func (l *Finder) Countable(o *types.Object) bool {
	b, ok := o.Type.T.(*types.Basic)
	if !ok || o.Storage != types.Automatic || l.addressed[o] {
		return false
	}
	switch b.Kind {
	case types.Int, types.UInt, types.Long, types.ULong, types.LongLong, types.ULongLong:
		return true
	}
	return false
}

// sameSign says that the comparison of i with to is one of their values as numbers.
func (l *Finder) sameSign(c *Counted) bool {
	t, ok := l.TypeOf(c.To).T.(*types.Basic)
	if !ok {
		return false
	}
	i := c.I.Type.T.(*types.Basic)
	switch {
	case unsigned(t.Kind) && !unsigned(i.Kind), unsigned(i.Kind) && !unsigned(t.Kind):
		v := l.Constant(c.From)
		w := l.Constant(c.To)
		return v.Kind == types.IntegerValue && v.Int >= 0 && (unsigned(t.Kind) || w.Kind == types.IntegerValue &&
			w.Int >= 0 || l.isThreads(c.To))
	}
	switch t.Kind {
	case types.Int128, types.UInt128, types.Float, types.Double, types.LongDouble:
		return false
	}
	return true
}

func (l *Finder) isThreads(e syntax.Expr) bool {
	t, ok := syntax.Unparen(e).(*syntax.ThreadExpr)
	return ok && t.Name == "THREADS"
}

func unsigned(k types.BasicKind) bool {
	switch k {
	case types.UInt, types.ULong, types.ULongLong:
		return true
	}
	return false
}

func (l *Finder) Constant(e syntax.Expr) types.Value {
	if i := l.info.Exprs[e]; i != nil && !i.Value.Threads {
		return i.Value
	}
	return types.Value{}
}

// increments says that an expression adds one to a variable and does nothing else.
func (l *Finder) increments(e syntax.Expr, o *types.Object) bool {
	switch e := unparen(e).(type) {
	case *syntax.UnaryExpr:
		return e.Op == "++" && l.Variable(e.X) == o
	case *syntax.PostfixExpr:
		return e.Op == "++" && l.Variable(e.X) == o
	case *syntax.AssignExpr:
		v := l.Constant(e.Y)
		return e.Op == "+=" && l.Variable(e.X) == o && v.Kind == types.IntegerValue && v.Int == 1
	}
	return false
}

// Effects is what a statement may change.
type Effects struct {
	Changed map[*types.Object]bool
	// Opaque says that it has something that cannot be judged, or that cannot be printed twice: jumps, labels,
	// assembly, definitions of types and of static objects.
	Opaque bool
	// Calls says that it calls functions of the program, Pointers that it changes a pointer-to-shared other than by its
	// name.
	Calls, Pointers bool
}

// Effects looks through a statement.
func (l *Finder) Effects(s syntax.Stmt) *Effects {
	e := &Effects{Changed: map[*types.Object]bool{}}
	change := func(x syntax.Expr) {
		if o := l.Variable(x); o != nil {
			e.Changed[o] = true
		} else if l.TypeOf(x).IsPointerToShared() {
			e.Pointers = true
		}
		if _, record := l.TypeOf(x).T.(*types.Struct); record {
			e.Pointers = true
		}
	}
	var walk func(n syntax.Node, loops, switches int)
	walk = func(n syntax.Node, loops, switches int) {
		switch n := n.(type) {
		case *syntax.AssignExpr:
			change(n.X)
		case *syntax.UnaryExpr:
			if n.Op == "++" || n.Op == "--" {
				change(n.X)
			}
		case *syntax.PostfixExpr:
			change(n.X)
		case *syntax.CallExpr:
			e.Calls = e.Calls || !l.library(n)
		case *syntax.BranchStmt:
			if n.Word == "goto" || n.Word == "break" && loops == 0 {
				e.Opaque = true
			}
		case *syntax.ReturnStmt, *syntax.LabelStmt, *syntax.AsmStmt, *syntax.LabelAddr, *syntax.PragmaStmt:
			e.Opaque = true
		case *syntax.StructSpec:
			e.Opaque = e.Opaque || n.HasBody
		case *syntax.EnumSpec:
			e.Opaque = e.Opaque || n.HasBody
		case *syntax.VarDecl:
			e.Opaque = e.Opaque || len(n.Specs.Storage) > 0
		case *syntax.CaseStmt:
			e.Opaque = e.Opaque || switches == 0
		case *syntax.SwitchStmt:
			loops++
			switches++
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForallStmt:
			loops++
		}
		syntax.Children(n, func(c syntax.Node) { walk(c, loops, switches) })
	}
	walk(s, 0, 0)
	return e
}

// library says that a call is one of a function that a system header declares, which knows no variable of the program.
func (l *Finder) library(c *syntax.CallExpr) bool {
	n, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	if !ok {
		return false
	}
	o := l.info.Uses[n]
	if o == nil || o.Kind != types.ObjFunc || o.Decl == nil {
		return o == nil
	}
	at := l.file.Tokens[o.Decl.First()].File
	return int(at) < len(l.file.System) && l.file.System[at]
}

// Invariant says that an expression has no effects and has the same value before and after a statement with the given
// effects.
func (l *Finder) Invariant(x syntax.Expr, e *Effects) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Literal, *syntax.ThreadExpr, *syntax.SizeExpr:
		return true
	case *syntax.NameExpr:
		o := l.info.Uses[x]
		if o != nil && o.Kind == types.ObjEnumConst {
			return true
		}
		o = l.Variable(x)
		if o == nil || o.Type.Qual&types.Volatile != 0 || e.Changed[o] {
			return false
		}
		if o.Storage == types.Automatic && !l.addressed[o] {
			return true
		}
		return o.Type.IsPointerToShared() && !e.Calls && !e.Pointers || o.Type.Qual&types.Const != 0
	case *syntax.UnaryExpr:
		switch x.Op {
		case "+", "-", "~", "!":
			return l.Invariant(x.X, e)
		}
	case *syntax.BinaryExpr:
		return x.Op != "," && l.Invariant(x.X, e) && l.Invariant(x.Y, e)
	case *syntax.CastExpr:
		return l.Invariant(x.X, e)
	}
	return false
}

// Mentions says that an expression names a variable.
func (l *Finder) Mentions(x syntax.Node, o *types.Object) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.NameExpr); ok && l.info.Uses[name] == o {
			found = true
		}
		return !found
	})
	return found
}

// FindAddressed notes the variables of a function whose addresses it takes.
func (l *Finder) FindAddressed(f *syntax.FuncDecl) {
	clear(l.addressed)
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryExpr:
			if n.Op == "&" {
				if o := l.Variable(n.X); o != nil {
					l.addressed[o] = true
				}
			}
		case *syntax.AsmStmt:
			for _, x := range n.Operands {
				if o := l.Variable(x); o != nil {
					l.addressed[o] = true
				}
			}
		}
		return true
	})
}

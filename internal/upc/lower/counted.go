package lower

import (
	"unknot/internal/upc/syntax"
	"unknot/internal/upc/types"
)

// counted is a loop for (i = from; i < to; i++) whose body changes neither i nor what to is made of, so that its iterations are known when
// it begins.
type counted struct {
	i        *types.Object
	declared *syntax.VarDecl // the declaration of i in the loop's head, or nil
	from, to syntax.Expr
	through  bool // i <= to
}

// counted recognises such a loop.
func (l *lowerer) counted(init syntax.Stmt, cond, post syntax.Expr, body syntax.Stmt) *counted {
	c := &counted{}
	switch s := init.(type) {
	case *syntax.ExprStmt:
		a, ok := strip(s.X).(*syntax.AssignExpr)
		if !ok || a.Op != "=" {
			return nil
		}
		c.i, c.from = l.variable(a.X), a.Y
	case *syntax.DeclStmt:
		d, ok := s.Decl.(*syntax.VarDecl)
		if !ok || len(d.Names) != 1 || d.Names[0].Declarator.Name == nil {
			return nil
		}
		x, ok := d.Names[0].Init.(*syntax.InitExpr)
		if !ok {
			return nil
		}
		c.i, c.from, c.declared = l.info.Defs[d.Names[0].Declarator.Name], x.X, d
	}
	if c.i == nil || c.i.Type.Qual != 0 || !l.countable(c.i) {
		return nil
	}
	b, ok := strip0(cond).(*syntax.BinaryExpr)
	if !ok || b.Op != "<" && b.Op != "<=" || l.variable(b.X) != c.i {
		return nil
	}
	c.to, c.through = b.Y, b.Op == "<="
	if !l.sameSign(c) || !l.increments(post, c.i) {
		return nil
	}
	e := l.effects(body)
	if e.opaque || e.changed[c.i] || !l.invariant(c.to, e) || l.mentions(c.to, c.i) {
		return nil
	}
	return c
}

// strip0 is strip for an expression that may be missing.
func strip0(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return strip(e)
}

// variable is the private variable that an expression names, or nil.
func (l *lowerer) variable(e syntax.Expr) *types.Object {
	n, ok := strip0(e).(*syntax.NameExpr)
	if !ok {
		return nil
	}
	o := l.info.Uses[n]
	if o == nil || o.Kind != types.ObjVar && o.Kind != types.ObjParam || o.Type.IsShared() {
		return nil
	}
	return o
}

// countable says that an object is an automatic variable of an integer type of at least int's size, whose address nobody takes.
func (l *lowerer) countable(o *types.Object) bool {
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
func (l *lowerer) sameSign(c *counted) bool {
	t, ok := l.typeOf(c.to).T.(*types.Basic)
	if !ok {
		return false
	}
	i := c.i.Type.T.(*types.Basic)
	switch {
	case unsigned(t.Kind) && !unsigned(i.Kind), unsigned(i.Kind) && !unsigned(t.Kind):
		v := l.constant(c.from)
		w := l.constant(c.to)
		return v.Kind == types.IntegerValue && v.Int >= 0 && (unsigned(t.Kind) || w.Kind == types.IntegerValue && w.Int >= 0 || l.isThreads(c.to))
	}
	switch t.Kind {
	case types.Int128, types.UInt128, types.Float, types.Double, types.LongDouble:
		return false
	}
	return true
}

func (l *lowerer) isThreads(e syntax.Expr) bool {
	t, ok := strip(e).(*syntax.ThreadExpr)
	return ok && t.Name == "THREADS"
}

func unsigned(k types.BasicKind) bool {
	switch k {
	case types.UInt, types.ULong, types.ULongLong:
		return true
	}
	return false
}

func (l *lowerer) constant(e syntax.Expr) types.Value {
	if i := l.info.Exprs[e]; i != nil && !i.Value.Threads {
		return i.Value
	}
	return types.Value{}
}

// increments says that an expression adds one to a variable and does nothing else.
func (l *lowerer) increments(e syntax.Expr, o *types.Object) bool {
	switch e := strip0(e).(type) {
	case *syntax.UnaryExpr:
		return e.Op == "++" && l.variable(e.X) == o
	case *syntax.PostfixExpr:
		return e.Op == "++" && l.variable(e.X) == o
	case *syntax.AssignExpr:
		v := l.constant(e.Y)
		return e.Op == "+=" && l.variable(e.X) == o && v.Kind == types.IntegerValue && v.Int == 1
	}
	return false
}

// effects is what a statement may change.
type effects struct {
	changed map[*types.Object]bool
	// opaque says that it has something that cannot be judged, or that cannot be printed twice: jumps, labels, assembly, definitions of
	// types and of static objects.
	opaque bool
	// calls says that it calls functions of the program, pointers that it changes a pointer-to-shared other than by its name.
	calls, pointers bool
}

// effects looks through a statement.
func (l *lowerer) effects(s syntax.Stmt) *effects {
	e := &effects{changed: map[*types.Object]bool{}}
	change := func(x syntax.Expr) {
		if o := l.variable(x); o != nil {
			e.changed[o] = true
		} else if l.typeOf(x).IsPointerToShared() {
			e.pointers = true
		}
		if _, record := l.typeOf(x).T.(*types.Struct); record {
			e.pointers = true
		}
	}
	var walk func(n syntax.Node, loops int)
	walk = func(n syntax.Node, loops int) {
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
			e.calls = e.calls || !l.library(n)
		case *syntax.BranchStmt:
			if n.Word == "goto" || n.Word == "break" && loops == 0 {
				e.opaque = true
			}
		case *syntax.ReturnStmt, *syntax.LabelStmt, *syntax.AsmStmt, *syntax.LabelAddr, *syntax.PragmaStmt:
			e.opaque = true
		case *syntax.StructSpec:
			e.opaque = e.opaque || n.HasBody
		case *syntax.EnumSpec:
			e.opaque = e.opaque || n.HasBody
		case *syntax.VarDecl:
			e.opaque = e.opaque || len(n.Specs.Storage) > 0
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.SwitchStmt, *syntax.ForallStmt:
			loops++
		}
		syntax.Children(n, func(c syntax.Node) { walk(c, loops) })
	}
	walk(s, 0)
	return e
}

// library says that a call is one of a function that a system header declares, which knows no variable of the program.
func (l *lowerer) library(c *syntax.CallExpr) bool {
	n, ok := strip(c.Fun).(*syntax.NameExpr)
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

// invariant says that an expression has no effects and has the same value before and after a statement with the given effects.
func (l *lowerer) invariant(x syntax.Expr, e *effects) bool {
	switch x := strip(x).(type) {
	case *syntax.Literal, *syntax.ThreadExpr, *syntax.SizeExpr:
		return true
	case *syntax.NameExpr:
		o := l.info.Uses[x]
		if o != nil && o.Kind == types.ObjEnumConst {
			return true
		}
		o = l.variable(x)
		if o == nil || o.Type.Qual&types.Volatile != 0 || e.changed[o] {
			return false
		}
		if o.Storage == types.Automatic && !l.addressed[o] {
			return true
		}
		return o.Type.IsPointerToShared() && !e.calls && !e.pointers || o.Type.Qual&types.Const != 0
	case *syntax.UnaryExpr:
		switch x.Op {
		case "+", "-", "~", "!":
			return l.invariant(x.X, e)
		}
	case *syntax.BinaryExpr:
		return x.Op != "," && l.invariant(x.X, e) && l.invariant(x.Y, e)
	case *syntax.CastExpr:
		return l.invariant(x.X, e)
	}
	return false
}

// mentions says that an expression names a variable.
func (l *lowerer) mentions(x syntax.Node, o *types.Object) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.NameExpr); ok && l.info.Uses[name] == o {
			found = true
		}
		return !found
	})
	return found
}

// findAddressed notes the variables of a function whose addresses it takes.
func (l *lowerer) findAddressed(f *syntax.FuncDecl) {
	clear(l.addressed)
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryExpr:
			if n.Op == "&" {
				if o := l.variable(n.X); o != nil {
					l.addressed[o] = true
				}
			}
		case *syntax.AsmStmt:
			for _, x := range n.Operands {
				if o := l.variable(x); o != nil {
					l.addressed[o] = true
				}
			}
		}
		return true
	})
}

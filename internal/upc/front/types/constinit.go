package types

import "unknot/internal/upc/front/syntax"

// constant tells an initialiser of static storage that is not constant (C11 6.7.9p4). GNU knows more constants than C;
// so it is reported only if something in it cannot be known before the program runs.
func (c *checker) constant(x syntax.Expr) {
	e := c.info.Exprs[x]
	if e == nil || e.Type.bad() || e.Value.Kind != NotConstant && !e.Value.Threads {
		return
	}
	if c.Threads == 0 && mentions(x, "THREADS") {
		c.errorNote(x.First(), "", "initializer element is not constant, since the number of threads is not known "+
			"when the program is compiled",
			syntax.NoPos, "with -T the number of threads is known")
		return
	}
	if c.runs(x) {
		c.errorf(x.First(), "", "initializer element is not constant")
	}
}

// runs says that the value of an expression depends on the run: on a call, an assignment, an object that may change,
// MYTHREAD.
func (c *checker) runs(x syntax.Expr) bool {
	e := c.info.Exprs[x]
	if e == nil || e.Value.Kind != NotConstant && !e.Value.Threads {
		return false
	}
	switch x := x.(type) {
	case *syntax.NameExpr:
		return c.changes(x)
	case *syntax.ThreadExpr:
		return true
	case *syntax.AssignExpr, *syntax.PostfixExpr:
		return true
	case *syntax.CallExpr:
		name, ok := unparen(x.Fun).(*syntax.NameExpr)
		return !ok || !isBuiltinName(name.Name)
	case *syntax.UnaryExpr:
		switch x.Op {
		case "&":
			return !c.addressConstant(x.X)
		case "++", "--", "*":
			return x.Op != "*" || !isArrayLike(e.Type)
		}
	case *syntax.IndexExpr:
		if isArrayLike(e.Type) {
			return !c.addressConstant(x)
		}
		return e.Type.Qual&Const == 0
	case *syntax.MemberExpr:
		if isArrayLike(e.Type) {
			return !c.addressConstant(x)
		}
		return e.Type.Qual&Const == 0
	case *syntax.StmtExpr:
		return true
	case *syntax.CompoundLiteral, *syntax.BuiltinExpr, *syntax.SizeExpr, *syntax.GenericExpr:
		return false
	case *syntax.CondExpr:
		if v := c.info.Exprs[x.C]; v != nil && v.Value.Kind == IntegerValue {
			return false // the branch that is not taken does not count
		}
	case *syntax.BinaryExpr:
		if x.Op == "&&" || x.Op == "||" {
			return false
		}
	}
	for _, y := range operands(x) {
		if y != nil && c.runs(y) {
			return true
		}
	}
	return false
}

func isArrayLike(t Type) bool {
	switch t.T.(type) {
	case *Array, *Func:
		return true
	}
	return false
}

// changes says that a name stands for an object whose value the compiler does not know.
func (c *checker) changes(x *syntax.NameExpr) bool {
	o := c.info.Uses[x]
	if o == nil || o.Kind != ObjVar && o.Kind != ObjParam {
		return false
	}
	if isArrayLike(o.Type) {
		return o.Storage == Automatic || o.Storage == ThreadLocal
	}
	return o.Type.IsShared() || o.Type.Qual&Const == 0
}

// addressConstant says that the address of an lvalue, or the value of an array or function, is an address constant (C11
// 6.6p9).
func (c *checker) addressConstant(x syntax.Expr) bool {
	switch x := unparen(x).(type) {
	case *syntax.NameExpr:
		o := c.info.Uses[x]
		return o != nil && (o.Kind == ObjFunc || o.Kind == ObjVar && o.Storage != Automatic && o.Storage != ThreadLocal)
	case *syntax.StringExpr:
		return true
	case *syntax.CompoundLiteral:
		return c.fn == nil
	case *syntax.MemberExpr:
		if x.Arrow {
			return c.constantPointer(x.X)
		}
		return c.addressConstant(x.X)
	case *syntax.IndexExpr:
		if i := c.info.Exprs[x.I]; i == nil || i.Value.Kind == NotConstant || i.Value.Threads {
			return false
		}
		return c.constantPointer(x.X)
	case *syntax.UnaryExpr:
		return x.Op == "*" && c.constantPointer(x.X)
	}
	return false
}

// constantPointer says that a pointer, or an array that becomes one, is an address constant.
func (c *checker) constantPointer(x syntax.Expr) bool {
	e := c.info.Exprs[x]
	if e == nil {
		return false
	}
	if isArrayLike(e.Type) {
		return c.addressConstant(x)
	}
	return e.Value.Kind != NotConstant && !e.Value.Threads
}

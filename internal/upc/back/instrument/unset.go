package instrument

import (
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// findUnset notes what a function never sets, as far as all mentions of its variables say: private objects that are
// only sources of transfers, and allocated shared objects that are only read.
func (e *editor) findUnset(f *syntax.FuncDecl) {
	e.unset, e.unwritten = map[*types.Object]bool{}, map[*types.Object]bool{}
	mentions, sources, reads := map[*types.Object]int{}, map[*types.Object]int{}, map[*types.Object]int{}
	fresh := map[*types.Object]bool{}
	var walk func(n syntax.Node)
	walk = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.SizeExpr, *syntax.TypeName:
			return
		case *syntax.VarDecl:
			for _, d := range n.Names {
				if o := e.automatic(d); o != nil && d.Init == nil && !o.Type.IsPointer() {
					fresh[o] = true
				}
			}
		case *syntax.NameExpr:
			mentions[e.Variable(n)]++
		case *syntax.CallExpr:
			for i, a := range n.Args {
				if e.isSource(n, i) {
					sources[e.pointed(a)] += e.mentions(a, e.pointed(a))
				} else if e.calls(n, "upc_free") || e.calls(n, "upc_all_free") || e.named(n, "free") {
					reads[e.Variable(a)]++
					sources[e.Variable(a)]++
				}
			}
		case *syntax.AssignExpr:
			if e.setOnce[e.Variable(n.X)] == n.Y {
				mentions[e.Variable(n.X)]--
			}
			mentions[e.Variable(followed(syntax.Unparen(n.X)))]++ // written, and perhaps read
		case *syntax.PostfixExpr:
			mentions[e.Variable(followed(syntax.Unparen(n.X)))]++
		case *syntax.UnaryExpr, *syntax.IndexExpr, *syntax.MemberExpr:
			if o := e.Variable(followed(n.(syntax.Expr))); o != nil && e.isRead(n.(syntax.Expr)) {
				reads[o]++
			}
			if u, ok := n.(*syntax.UnaryExpr); ok && (u.Op == "++" || u.Op == "--") {
				mentions[e.Variable(followed(syntax.Unparen(u.X)))]++
			}
		}
		syntax.Children(n, walk)
	}
	walk(f.Body)
	for o, n := range mentions {
		value, once := e.setOnce[o]
		private := fresh[o] || once && e.allocates(value, "malloc")
		e.unset[o] = private && n > 0 && n == sources[o]
		e.unwritten[o] = once && e.allocates(value, allocations...) && n == reads[o]
	}
}

// automatic is the variable that a declaration makes on the stack, or nil.
func (e *editor) automatic(d *syntax.InitDeclarator) *types.Object {
	if d.Declarator.Name == nil {
		return nil
	}
	o := e.info.Defs[d.Declarator.Name]
	if o == nil || o.Kind != types.ObjVar || o.Storage != types.Automatic || o.Type.Qual&types.Volatile != 0 {
		return nil
	}
	return o
}

// isSource says that an argument is the private source of a transfer.
func (e *editor) isSource(c *syntax.CallExpr, i int) bool {
	name, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	return ok && i == 1 && strings.HasPrefix(name.Name, "upc_memput") && e.calls(c, name.Name)
}

// pointed is the private variable that a source is, or that points to it, or nil.
func (e *editor) pointed(x syntax.Expr) *types.Object {
	if o := e.base(x); o != nil {
		return o
	}
	if c, ok := syntax.Unparen(x).(*syntax.CastExpr); ok {
		return e.pointed(c.X)
	}
	return e.Variable(x)
}

// mentions counts the mentions of a variable in an expression.
func (e *editor) mentions(x syntax.Expr, o *types.Object) (n int) {
	syntax.Walk(x, func(c syntax.Node) bool {
		if name, ok := c.(*syntax.NameExpr); ok && o != nil && e.info.Uses[name] == o {
			n++
		}
		_, size := c.(*syntax.SizeExpr)
		return !size
	})
	return n
}

// isRead says that the value of an lvalue is used.
func (e *editor) isRead(x syntax.Expr) bool {
	_, ok := e.info.Converted[x]
	return ok && e.TypeOf(x).IsShared() && !isArray(e.TypeOf(x))
}

// allocates says that a value is what one of some functions has given.
func (e *editor) allocates(x syntax.Expr, names ...string) bool {
	if c, ok := syntax.Unparen(x).(*syntax.CastExpr); ok {
		return e.allocates(c.X, names...)
	}
	c, ok := unparenCall(x)
	return ok && slices.ContainsFunc(names, func(name string) bool { return e.named(c, name) })
}

// named says that a call is one of a library function of a name.
func (e *editor) named(c *syntax.CallExpr, name string) bool {
	n, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	return ok && n.Name == name && e.info.Uses[n] != nil && isLibrary(e.info.Uses[n])
}

// readsUnwritten edits a read of an allocated object that nobody has written.
func (e *editor) readsUnwritten(x syntax.Expr) {
	p := followed(x)
	if p == nil || !e.isRead(x) || !e.unwritten[e.Variable(p)] {
		return
	}
	e.warn(x, p, "an access", "LANG-25",
		"pointer points to an object that was allocated and never written: its contents are not defined")
}

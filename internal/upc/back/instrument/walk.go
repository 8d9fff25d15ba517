package instrument

import (
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// external edits a declaration of file scope.
func (e *editor) external(d syntax.Decl) {
	if e.system(d.First()) {
		return
	}
	f, ok := d.(*syntax.FuncDecl)
	if !ok {
		e.renameMain(d)
		syntax.Walk(d, func(n syntax.Node) bool {
			if name, ok := n.(*syntax.NameExpr); ok {
				e.address(name)
			}
			return true
		})
		return
	}
	o := e.objectOf(f)
	if o == nil {
		return
	}
	e.renameMain(d)
	e.function = function{name: o.Name, isMain: isMain(o), inline: o.Inline && o.Storage == types.External,
		combines: combines(o)}
	e.FindAddressed(f)
	e.findLabels(f.Body)
	e.findLocal(f)
	e.findSet(f)
	e.findGiven(f)
	e.findUnset(f)
	e.node(f.Body)
	if e.isMain {
		e.endOfMain(f, o)
	}
	e.declareResults(f)
}

func (e *editor) objectOf(f *syntax.FuncDecl) *types.Object {
	if f.Name == nil || f.Name.Name == nil {
		return nil
	}
	return e.info.Defs[f.Name.Name]
}

func isMain(o *types.Object) bool {
	return o != nil && o.Kind == types.ObjFunc && o.Name == "main" && o.Function == nil
}

// UserMain is what the program's main is called, since the run-time's comes first.
const UserMain = "upck_user_main"

// renameMain gives main its other name wherever a declaration has it.
func (e *editor) renameMain(d syntax.Decl) {
	inMain := false
	syntax.Walk(d, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			inMain = isMain(e.objectOf(n))
		case *syntax.Declarator:
			if n.Name != nil && isMain(e.info.Defs[n.Name]) {
				e.instead[n.Name.First()] = UserMain
			}
		case *syntax.NameExpr:
			switch o := e.info.Uses[n]; {
			case isMain(o):
				e.instead[n.First()] = UserMain
			case inMain && slices.Contains(functionNames, n.Name):
				e.instead[n.First()] = `"main"`
			}
		}
		return true
	})
}

// functionNames are the names by which a function knows its own.
var functionNames = []string{"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"}

// endOfMain makes the end of main's body a return of 0, which it is in main only (C11 5.1.2.2.3).
func (e *editor) endOfMain(f *syntax.FuncDecl, o *types.Object) {
	if n := len(f.Body.Stmts); n > 0 {
		if _, ok := f.Body.Stmts[n-1].(*syntax.ReturnStmt); ok {
			return
		}
	}
	text := e.hook("upck_leave") + "(" + e.site("return from main", f.Body.Last(), nil, false) + ");"
	if t, ok := o.Type.T.(*types.Func); ok && !t.Result.IsVoid() {
		text += " return 0;"
	}
	e.put(f.Body.Last(), text)
}

// node edits a part of a function.
func (e *editor) node(n syntax.Node) {
	if x, ok := n.(syntax.Expr); ok {
		defer e.readsUnwritten(x)
		if e.kept[x] != "" {
			defer e.keep(x)
		}
	}
	switch n := n.(type) {
	case *syntax.ForallStmt:
		e.forallStmt(n)
		return
	case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt:
		e.loops++
		e.loop(n)
		defer func() { e.loops-- }()
	case *syntax.SwitchStmt:
		e.loops++
		e.switches++
		defer func() { e.loops--; e.switches-- }()
	case *syntax.CaseStmt:
		e.caseStmt(n)
		return
	case *syntax.BranchStmt:
		e.branch(n)
	case *syntax.ReturnStmt:
		e.returnStmt(n)
		return
	case *syntax.SyncStmt:
		e.sync(n)
		return
	case *syntax.ExprStmt:
		if c, ok := unparenCall(n.X); ok && !e.wanted[n] {
			e.unused[c] = true
		}
		if !e.wanted[n] {
			if text := e.aliases(n); text != "" {
				defer e.append(n.X.Last(), text)
			}
		}
	case *syntax.InitDeclarator:
		was := e.constant
		e.constant = was || n.Declarator.Name != nil && isStatic(e.info.Defs[n.Declarator.Name])
		if x, ok := n.Init.(*syntax.InitExpr); ok && n.Declarator.Name != nil && !e.constant {
			defer e.set(e.info.Defs[n.Declarator.Name], x.X)
		}
		defer func() { e.constant = was }()
	case *syntax.StmtExpr:
		if k := len(n.Body.Stmts); k > 0 {
			e.wanted[n.Body.Stmts[k-1]] = true // its value is that of the expression
		}
	case *syntax.CastExpr:
		e.becomes(n)
		defer e.cast(n)
	case *syntax.IndexExpr:
		e.findAccess(n)
		defer e.access(n)
		defer e.dereference(n)
		defer e.subscript(n)
	case *syntax.MemberExpr:
		e.findAccess(n)
		defer e.access(n)
		defer e.dereference(n)
	case *syntax.BinaryExpr:
		e.findSum(n)
		defer e.differ(n)
		defer e.moves(n)
	case *syntax.AssignExpr:
		defer e.writes(n, n.X)
		defer e.writesConst(n, n.X)
		defer e.moves(n)
		defer e.storesTicks(n)
		defer e.stored(n)
		if n.Op == "=" {
			defer e.set(e.Variable(n.X), n.Y)
		}
	case *syntax.PostfixExpr:
		defer e.writes(n, n.X)
		defer e.writesConst(n, n.X)
		defer e.moves(n)
	case *syntax.UnaryExpr:
		e.findAccess(n)
		defer e.access(n)
		defer e.dereference(n)
		if n.Op == "++" || n.Op == "--" {
			defer e.writes(n, n.X)
			defer e.writesConst(n, n.X)
			defer e.moves(n)
		}
	case *syntax.SizeExpr, *syntax.TypeofSpec:
		return // not evaluated, except for arrays of variable length
	case *syntax.GenericExpr:
		e.untouched[n.X] = true
	case *syntax.CallExpr:
		e.call(n)
		return
	case *syntax.NameExpr:
		e.address(n)
		return
	case *syntax.Attribute:
		return
	}
	e.children(n)
}

func isStatic(o *types.Object) bool { return o != nil && o.Storage == types.StaticLocal }

func (e *editor) children(n syntax.Node) {
	syntax.Children(n, func(c syntax.Node) {
		if !e.untouched[c] {
			e.node(c)
		}
	})
}

func unparenCall(x syntax.Expr) (*syntax.CallExpr, bool) {
	if x == nil {
		return nil, false
	}
	c, ok := syntax.Unparen(x).(*syntax.CallExpr)
	return c, ok
}

// sync edits upc_barrier, upc_notify and upc_wait, which the run-time carries out.
func (e *editor) sync(s *syntax.SyncStmt) {
	e.children(s)
	if s.Word == "upc_fence" {
		return
	}
	name := e.hook("upck_" + strings.TrimPrefix(s.Word, "upc_"))
	e.instead[s.First()] = name
	if s.X == nil {
		e.append(s.First(), "("+e.site(s.Word, s.First(), nil, false)+", 0, 0)")
		return
	}
	e.put(s.X.First(), "("+e.site(s.Word, s.First(), []syntax.Expr{s.X}, false)+", 1, (")
	e.append(s.X.Last(), "))")
}

package lower

import "unknot/internal/upc/front/syntax"

// stmt prints a statement.
func (l *lowerer) stmt(s syntax.Stmt) {
	if l.afterPragma(s) {
		// Threads of OpenMP do not share a count of iterations.
		around := l.races.left
		l.races.left = ""
		defer func() { l.races.left = around }()
	}
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if s.X != nil && !l.wanted[s] {
			l.unused[s.X] = true
		}
	case *syntax.ForStmt:
		if l.afterPragma(s) || !l.runs(s) && !l.sampledFor(s.Init, s.Cond, s.Post, s.Body, s) {
			l.loop(s)
		}
		return
	case *syntax.WhileStmt:
		if l.sampledWhile(s) {
			return
		}
	case *syntax.DoStmt:
		if l.sampledDo(s) {
			return
		}
	case *syntax.ForallStmt:
		l.forall(s)
		return
	case *syntax.SyncStmt:
		l.sync(s)
		return
	}
	l.between(s)
}

// afterPragma says that a pragma, none of UPC, stands right before a statement. It may be about that statement: those of
// OpenMP want a loop of the usual form, whose iterations do not depend on each other.
func (l *lowerer) afterPragma(s syntax.Stmt) bool {
	i := s.First()
	return i > 0 && l.file.Tokens[i-1].OtherPragma()
}

// loop prints a for loop.
func (l *lowerer) loop(s *syntax.ForStmt) {
	if !l.afterPragma(s) && l.stepping(s, false) {
		return
	}
	if l.several(s.Init) {
		l.apart(s, false, nil)
		return
	}
	if s.Post != nil {
		l.unused[s.Post] = true
	}
	l.between(s)
}

// several says whether the head of a loop declares names of which C needs a declaration each: they stand before the
// loop.
func (l *lowerer) several(init syntax.Stmt) bool {
	s, ok := init.(*syntax.DeclStmt)
	if !ok {
		return false
	}
	d, ok := s.Decl.(*syntax.VarDecl)
	return ok && len(d.Names) > 1 && l.splits(d)
}

// sync prints upc_barrier, upc_notify, upc_wait and upc_fence (UPC 1.3, 6.6.1).
func (l *lowerer) sync(s *syntax.SyncStmt) {
	l.goToNode(s)
	name := "upcr_" + s.Word[len("upc_"):]
	if l.races.on && s.Word != "upc_fence" {
		l.Text("{ upcr_caller = " + l.site(s, false) + ";")
		defer l.Text("upcr_caller = (struct upcr_site *)0; }")
	}
	switch {
	case s.Word == "upc_fence":
		l.Text(name + "();")
	case s.X == nil:
		l.Text(name + "(0, 0);")
	default:
		l.open(name + "(1,")
		l.value(s.X)
		l.end(");")
	}
}

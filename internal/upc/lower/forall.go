package lower

import "unknot/internal/upc/syntax"

// forall is an upc_forall around the current statement.
type forall struct {
	// controls says that its affinity decides who runs the body, so that foralls within it do not (UPC 1.3, 6.6.2p5).
	controls bool
}

// forall prints an upc_forall.
func (l *lowerer) forall(s *syntax.ForallStmt) {
	l.goToNode(s)
	within := false
	for _, f := range l.loops {
		within = within || f.controls
	}
	l.loops = append(l.loops, &forall{controls: within || s.Affinity != nil})
	defer func() { l.loops = l.loops[:len(l.loops)-1] }()
	if s.Affinity == nil || within {
		l.forHead(s, "", "")
		l.node(s.Body)
		return
	}
	l.temps++
	outer := "upcr_outer" + itoa(int64(l.temps))
	calls, headCalls := hasCalls(s.Body), hasCalls(s.Cond) || hasCalls(s.Post) || hasCalls(s.Affinity)
	if calls {
		l.text("{ int " + outer + " __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_enter();")
	} else {
		l.text("{ const int " + outer + " = upcr_forall_depth;")
	}
	back, in := "", ""
	if calls && headCalls {
		back, in = "upcr_forall_depth = "+outer+",", "upcr_forall_depth = "+outer+" + 1;"
	}
	l.forHead(s, back, back)
	if back != "" {
		l.text("if (" + back + outer + "||")
	} else {
		l.text("if (" + outer + "||")
	}
	l.affinity(s.Affinity)
	l.text(") {" + in)
	l.node(s.Body)
	l.text("} }")
}

// affinity prints whether the calling thread runs the body.
func (l *lowerer) affinity(a syntax.Expr) {
	if decayed(l.typeOf(a)).IsPointerToShared() {
		l.text("upcr_is_mine(")
	} else {
		l.text("upcr_is_mine_int(")
	}
	l.value(a)
	l.text(")")
}

// forHead prints for (init; cond; post).
func (l *lowerer) forHead(s *syntax.ForallStmt, beforeCond, beforePost string) {
	l.text("for (")
	if s.Init != nil {
		l.node(s.Init)
	} else {
		l.text(";")
	}
	if s.Cond != nil {
		l.text(beforeCond)
		l.value(s.Cond)
	}
	l.text(";")
	if s.Post != nil {
		l.text(beforePost)
		l.unused[s.Post] = true
		l.value(s.Post)
	}
	l.text(")")
}

// hasCalls says that a part of the program calls functions, which may have an upc_forall of their own.
func hasCalls(n syntax.Node) bool {
	found := false
	if e, ok := n.(syntax.Expr); n == nil || ok && e == nil {
		return false
	}
	syntax.Walk(n, func(c syntax.Node) bool {
		if _, ok := c.(*syntax.CallExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

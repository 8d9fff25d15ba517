package instrument

import (
	"slices"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// loop looks at a loop that waits for other threads and does nothing else: until a lock can be had, or until a strict
// shared object has changed. It ends only by what others do, so the checker may take the thread for one that waits.
func (e *editor) loop(n syntax.Node) {
	var cond, post syntax.Expr
	var body syntax.Stmt
	switch n := n.(type) {
	case *syntax.WhileStmt:
		cond, body = n.Cond, n.Body
	case *syntax.DoStmt:
		cond, body = n.Cond, n.Body
	case *syntax.ForStmt:
		cond, body, post = n.Cond, n.Body, n.Post
	}
	if cond == nil {
		return
	}
	if c := e.attempt(cond); c != nil {
		counts := func(x syntax.Expr) bool { return e.counts(x, c.Args[0]) }
		e.endless[c] = e.idle(body, counts) && (post == nil || counts(post))
		return
	}
	if post != nil || !e.idle(body, nil) {
		return
	}
	if strict, ok := e.reads(cond); !ok || !strict {
		return
	}
	e.put(cond.First(), e.hook("upck_spins")+"("+e.site("a loop that reads `"+shortened(e.source(cond))+"`",
		cond.First(), nil, false)+", (")
	e.append(cond.Last(), ") != 0)")
}

// pauses are functions that do nothing but to let time pass.
var pauses = []string{"usleep", "sleep", "sched_yield"}

// idle says that a statement does nothing that anybody could see, and does not leave the loop around it. counts says of
// an expression that it is no more than that either; nil if none is.
func (e *editor) idle(s syntax.Stmt, counts func(syntax.Expr) bool) bool {
	switch s := s.(type) {
	case nil:
		return true
	case *syntax.Block:
		for _, one := range s.Stmts {
			if !e.idle(one, counts) {
				return false
			}
		}
		return true
	case *syntax.BranchStmt:
		return s.Word == "continue"
	case *syntax.SyncStmt:
		return s.Word == "upc_fence"
	case *syntax.ExprStmt:
		if s.X == nil {
			return true
		}
		if c, ok := unparenCall(s.X); ok {
			return e.pause(c)
		}
		return counts != nil && counts(s.X)
	}
	return false
}

// counts says that an expression only counts how often a lock could not be had: in a private variable that says nothing
// of which lock that is.
func (e *editor) counts(x, lock syntax.Expr) bool {
	var target syntax.Expr
	switch n := syntax.Unparen(x).(type) {
	case *syntax.PostfixExpr:
		target = n.X
	case *syntax.UnaryExpr:
		if n.Op == "++" || n.Op == "--" {
			target = n.X
		}
	case *syntax.AssignExpr:
		if by := e.Constant(n.Y); (n.Op == "+=" || n.Op == "-=") && by.Kind == types.IntegerValue {
			target = n.X
		}
	}
	if target == nil {
		return false
	}
	name, ok := syntax.Unparen(target).(*syntax.NameExpr)
	if !ok {
		return false
	}
	counter, t := e.info.Uses[name], e.TypeOf(name)
	if counter == nil || counter.Kind != types.ObjVar || t.IsShared() || t.Qual&(types.Volatile|types.Atomic) != 0 {
		return false
	}
	named := false
	syntax.Walk(lock, func(n syntax.Node) bool {
		if m, ok := n.(*syntax.NameExpr); ok {
			named = named || e.info.Uses[m] == counter
		}
		return !named
	})
	return !named
}

func (e *editor) pause(c *syntax.CallExpr) bool {
	name, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	if !ok || !slices.Contains(pauses, name.Name) {
		return false
	}
	o := e.info.Uses[name]
	if o == nil || o.Kind != types.ObjFunc || !isLibrary(o) {
		return false
	}
	return !slices.ContainsFunc(c.Args, func(a syntax.Expr) bool { return !e.private(a) })
}

// attempt is the upc_lock_attempt that a condition waits for, always of the same lock, or nil.
func (e *editor) attempt(cond syntax.Expr) *syntax.CallExpr {
	var x syntax.Expr
	switch n := syntax.Unparen(cond).(type) {
	case *syntax.UnaryExpr:
		if n.Op == "!" {
			x = n.X
		}
	case *syntax.BinaryExpr:
		zero := func(x syntax.Expr) bool { c := e.Constant(x); return c.Kind == types.IntegerValue && c.Int == 0 }
		switch {
		case n.Op == "==" && zero(n.Y):
			x = n.X
		case n.Op == "==" && zero(n.X):
			x = n.Y
		}
	}
	c, ok := unparenCall(x)
	if !ok || len(c.Args) != 1 || !e.private(c.Args[0]) {
		return nil
	}
	name, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	if !ok || name.Name != "upc_lock_attempt" || !e.wrapped(e.info.Uses[name]) {
		return nil
	}
	return c
}

// private says that an expression has the same value as long as the thread itself changes nothing.
func (e *editor) private(x syntax.Expr) bool {
	shared := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if y, ok := n.(syntax.Expr); ok {
			shared = shared || e.TypeOf(y).IsShared()
		}
		return !shared
	})
	_, ok := e.reads(x)
	return ok && !shared
}

// reads says whether the evaluation of an expression reads anything by a strict access. It is not ok if it has effects,
// or if its value may change without a write of another thread of the program.
func (e *editor) reads(x syntax.Expr) (strict, ok bool) {
	ok = true
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NameExpr, *syntax.IndexExpr, *syntax.MemberExpr, *syntax.UnaryExpr:
			x := n.(syntax.Expr)
			i := e.info.Exprs[x]
			t := e.TypeOf(x)
			if u, unary := n.(*syntax.UnaryExpr); unary && (u.Op == "++" || u.Op == "--") ||
				t.Qual&(types.Volatile|types.Atomic) != 0 {
				ok = false
			}
			strict = strict || t.IsShared() && i.Strict
		case *syntax.Literal, *syntax.ThreadExpr, *syntax.ParenExpr, *syntax.BinaryExpr, *syntax.CondExpr:
		case *syntax.CastExpr:
			_, ofSame := e.reads(n.X)
			ok = ok && ofSame
			return false
		case syntax.Expr:
			ok = false
		}
		return ok
	})
	return strict, ok
}

package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// forallStmt is upc_forall (UPC 1.3, 6.6.2).
func (c *checker) forallStmt(s *syntax.ForallStmt) {
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
	if c.fn == nil {
		return
	}
	controls := false
	if s.Affinity != nil {
		controls = c.affinity(s.Affinity)
	}
	f := &forall{outer: c.fn.inForall}
	c.fn.inForall = f
	if controls {
		c.fn.foralls++
	}
	c.loop(loop{forall: true}, s.Body)
	if controls {
		c.fn.foralls--
	}
	c.fn.inForall = f.outer
}

// affinity checks an affinity expression, and says whether it is one (UPC 1.3, 6.6.2p3).
func (c *checker) affinity(x syntax.Expr) bool {
	t := c.rvalue(x)
	switch {
	case t.bad():
		return false
	case t.IsPointerToShared():
		return true
	case t.IsInteger():
		c.become(x, Promote(t, c.info.Exprs[x].Bits))
		return true
	}
	note := ""
	if t.IsPointer() {
		note = "'&a[i]' of a shared array 'a' is a pointer-to-shared"
	}
	c.errorNote(x.First(), "COMP-31",
		fmt.Sprintf("the affinity of upc_forall is an integer or a pointer-to-shared, not %s", quote(t)),
		syntax.NoPos, note)
	return false
}

// branch is break, continue or goto (C11 6.8.6).
func (c *checker) branch(s *syntax.BranchStmt) {
	switch s.Word {
	case "goto":
		if s.Target != nil {
			c.rvalue(s.Target)
			return
		}
		c.useLabel(&s.Label)
	case "break":
		n := len(c.fn.loops)
		if n == 0 {
			c.errorf(s.First(), "", "break statement not within loop or switch")
			return
		}
		if c.fn.loops[n-1].forall {
			c.leaves(s.First(), "break")
		}
	case "continue":
		for i := len(c.fn.loops) - 1; i >= 0; i-- {
			if c.fn.loops[i].sw == nil {
				return
			}
		}
		c.errorf(s.First(), "", "continue statement not within a loop")
	}
}

// leaves warns of a statement that leaves a upc_forall before its end (UPC 1.3, 6.6.2p9: what happens then is
// undefined).
func (c *checker) leaves(at syntax.Pos, word string) {
	c.warnNote(at, "COMP-32", fmt.Sprintf("'%s' leaves the upc_forall on this thread only, which UPC leaves undefined",
		word),
		"'continue' ends an iteration")
}

// crosses tells a goto out of or into a upc_forall.
func (c *checker) crosses(j jump) {
	if j.from == j.to.at {
		return
	}
	for f := j.from; f != nil; f = f.outer {
		if f.outer == j.to.at {
			c.leaves(j.name.First()-1, "goto")
			return
		}
	}
	c.report(syntax.Diagnostic{Severity: syntax.Warning, Pos: j.name.First() - 1, ID: "COMP-32",
		Message: fmt.Sprintf("'goto %s' jumps into a upc_forall, which UPC leaves undefined", j.name.Name)})
}

// syncStmt is upc_notify, upc_wait, upc_barrier or upc_fence (UPC 1.3, 6.6.1).
func (c *checker) syncStmt(s *syntax.SyncStmt) {
	if s.X != nil {
		t := c.rvalue(s.X)
		m := c.assignable(BasicType(Int), t, false)
		switch {
		case t.bad():
		case m != nil:
			c.errorf(s.X.First(), "COMP-30", "the value of '%s' must be convertible to int, which %s is not",
				s.Word, quote(t))
		default:
			c.become(s.X, BasicType(Int))
		}
	}
	if s.Word != "upc_fence" {
		c.together(s.First(), "'"+s.Word+"'")
	}
}

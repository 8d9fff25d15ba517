package lower

import (
	"fmt"

	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// forall is a upc_forall around the current statement.
type forall struct {
	// controls says that its affinity decides who runs the body, so that foralls within it do not (UPC 1.3, 6.6.2p5).
	controls bool
}

// forall prints a upc_forall.
func (l *lowerer) forall(s *syntax.ForallStmt) {
	l.goToNode(s)
	within := false
	for _, f := range l.loops {
		within = within || f.controls
	}
	l.loops = append(l.loops, &forall{controls: within || s.Affinity != nil})
	defer func() { l.loops = l.loops[:len(l.loops)-1] }()
	if s.Affinity == nil || within {
		if l.sampledFor(s.Init, s.Cond, s.Post, s.Body, s) {
			return
		}
		l.Text("{")
		l.forHead(s, "", "")
		l.node(s.Body)
		l.Text("}")
		return
	}
	if l.ownIterations(s) {
		return
	}
	if !l.sampledWhole(s, func() { l.everyIteration(s) }) {
		l.everyIteration(s)
	}
}

// everyIteration prints a upc_forall that looks at the affinity of each iteration.
func (l *lowerer) everyIteration(s *syntax.ForallStmt) {
	outer := l.name("outer")
	calls, headCalls := hasCalls(s.Body), hasCalls(s.Cond) || hasCalls(s.Post) || hasCalls(s.Affinity)
	if calls {
		l.Text("{ int " + outer + " __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_enter();")
	} else {
		l.Text("{ const int " + outer + " = upcr_forall_depth;")
	}
	back, in := "", ""
	if calls && headCalls {
		back, in = "upcr_forall_depth = "+outer+",", "upcr_forall_depth = "+outer+" + 1;"
	}
	l.forHead(s, back, back)
	if back != "" {
		l.Text("if (" + back + outer + " ||")
	} else {
		l.Text("if (" + outer + " ||")
	}
	l.affinity(s.Affinity)
	l.Text(") {" + in)
	l.node(s.Body)
	l.Text("} }")
}

// affinity prints whether the calling thread runs the body.
func (l *lowerer) affinity(a syntax.Expr) {
	switch t := decayed(l.TypeOf(a)); {
	case t.IsPointerToShared():
		l.Text("upcr_is_mine(")
	case t.IsUnsigned():
		l.Text("upcr_is_mine_unsigned(")
	default:
		l.Text("upcr_is_mine_int(")
	}
	if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == "," {
		l.Text("(")
		defer l.Text(")")
	}
	l.value(a)
	l.Text(")")
}

// name is a new name for a variable of the lowered text.
func (l *lowerer) name(what string) string {
	l.temps++
	return "upcr_" + what + itoa(int64(l.temps))
}

// forHead prints for (init; cond; post), in a separate block.
func (l *lowerer) forHead(s *syntax.ForallStmt, beforeCond, beforePost string) {
	apart := l.several(s.Init)
	if apart {
		l.node(s.Init)
	}
	l.Text("for (")
	if s.Init != nil && !apart {
		l.node(s.Init)
	} else {
		l.Text(";")
	}
	if s.Cond != nil {
		l.Text(beforeCond)
		l.value(s.Cond)
	}
	l.Text(";")
	if s.Post != nil {
		l.Text(beforePost)
		l.unused[s.Post] = true
		l.value(s.Post)
	}
	l.Text(")")
}

// hasCalls says that a part of the program calls functions, which may have a upc_forall of their own.
func hasCalls(n syntax.Node) bool {
	found := false
	if n == nil {
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

// ownIterations prints a upc_forall that runs only through the iterations of the calling thread, and says false if
// these are not known beforehand. Within a controlling one of a calling function it must run them all: then, and where
// pointers turn out to begin at another thread or phase than thought, the loop is the general one.
func (l *lowerer) ownIterations(s *syntax.ForallStmt) bool {
	if s.Init == nil || s.Cond == nil || s.Post == nil {
		return false
	}
	c := l.Counted(s.Init, s.Cond, s.Post, s.Body)
	if c == nil {
		return false
	}
	e := l.Effects(s.Body)
	o := l.owned(c, s.Affinity, e)
	if o == nil {
		return false
	}
	l.findLocals(o, s.Body)
	outer, from, to, shift := l.name("outer"), l.name("from"), l.name("to"), l.name("shift")
	here := s.First()
	l.BreakLine(here)
	l.Text("{ const long " + from + " =")
	l.value(c.From)
	l.Text(", " + to + " = (long)(")
	l.value(c.To)
	l.Text(")")
	if c.Through {
		l.Text("+ 1")
	}
	l.Text(", " + shift + " = " + itoa(o.shift))
	if o.base != nil {
		l.Text("+ " + l.origin(o.base))
	}
	l.Text(";")
	l.BreakLine(here)
	if e.Calls {
		l.Text("int " + outer + " __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_enter();")
	} else {
		l.Text("const int " + outer + " = upcr_forall_depth;")
	}
	l.Text("if (__builtin_expect(" + outer + " != 0")
	for _, v := range o.listed {
		if want := l.origin(v); v != o.base && want+l.originOf(o) != "00" {
			l.Text("|| " + want + " != " + l.originOf(o))
		}
	}
	l.Text(", 0)) { for (")
	l.declareCounter(c)
	l.Text("= " + from + ";")
	l.value(s.Cond)
	l.Text(";")
	l.unused[s.Post] = true
	l.value(s.Post)
	l.Text(") if (" + outer + " ||")
	l.affinity(s.Affinity)
	l.Text(") {")
	l.node(s.Body)
	l.BreakLine(here)
	l.Text("} } else {")
	l.own = append(l.own, o)
	left := l.granted(s)
	if o.block == 1 {
		l.rows(o, s.Body, from, to, shift, left)
	} else {
		l.blocks(o, s.Body, from, to, shift, left)
	}
	l.own = l.own[:len(l.own)-1]
	l.Text("}")
	if c.Declared == nil {
		l.BreakLine(here)
		l.Text(c.I.Name + " = " + from + " < " + to + " ? " + to + " : " + from + ";")
	}
	l.Text("}")
	return true
}

// origin is how far the place that an array or pointer begins at is from thread 0 and phase 0, in elements.
func (l *lowerer) origin(o *types.Object) string {
	if o.Type.IsShared() {
		return "0"
	}
	name, b := l.nameOf(o, o.Name), pointee(o.Type).Block.Elements()
	return fmt.Sprintf("((long)(upcr_threadof(%s) * %d + upcr_phaseof(%s)))", name, b, name)
}

func (l *lowerer) originOf(o *owned) string {
	if o.base == nil {
		return "0"
	}
	return l.origin(o.base)
}

// declareCounter prints the loop's variable, with its type if the loop declares it.
func (l *lowerer) declareCounter(c *loops.Counted) {
	if c.Declared != nil {
		l.Text(l.ctype(c.I.Type) + " __attribute__((unused))") // the body may not use it
	}
	l.Text(c.I.Name)
}

// iteration prints the body for the iteration at a position.
func (l *lowerer) iteration(o *owned, body syntax.Stmt, position string) {
	l.Text("{")
	l.declareCounter(o.Counted)
	l.Text("= (" + l.ctype(o.I.Type) + ")(" + position + ");")
	l.node(body)
	l.Text("}")
}

// rows prints the loop over iterations that threads take in turns.
func (l *lowerer) rows(o *owned, body syntax.Stmt, from, to, shift, left string) {
	row, last := l.name("row"), l.name("last")
	o.at = row
	for _, v := range o.listed {
		l.BreakLine(body.First())
		l.Text(fmt.Sprintf("%s *const %s __attribute__((unused)) = (%s *)(upcr_mine + %s);", l.ctype(pointeeOf(v)),
			o.locals[v], l.ctype(pointeeOf(v)), l.firstOf(v)))
	}
	l.BreakLine(body.First())
	l.Text(fmt.Sprintf("const long %s = upcr_rows(%s + %s);", last, to, shift))
	l.through(row, fmt.Sprintf("upcr_rows(%s + %s)", from, shift), last, left, func() {
		l.iteration(o, body, fmt.Sprintf("%s * upcr_threads + upcr_thread - %s", row, shift))
	})
}

// blocks prints the loops over the thread's own blocks and over the iterations of each.
func (l *lowerer) blocks(o *owned, body syntax.Stmt, from, to, shift, left string) {
	row, start, at, end := l.name("row"), l.name("start"), l.name("at"), l.name("end")
	o.at = at
	l.Text(fmt.Sprintf("for (long %s = upcr_rows(upcr_floor(%s + %s, %d)), %s; (%s = (%s * upcr_threads + "+
		"upcr_thread) * %d) < %s + %s; %s++) {",
		row, from, shift, o.block, start, start, row, o.block, to, shift, row))
	for _, v := range o.listed {
		elem, n, _ := ultimate(pointee(v.Type))
		if !v.Type.IsShared() {
			n = 1
		}
		l.BreakLine(body.First())
		l.Text(fmt.Sprintf("%s *const %s __attribute__((unused)) = (%s *)(upcr_mine + (%s + (%s * %d - %s) * %d));",
			l.ctype(elem), o.locals[v], l.ctype(elem), l.firstOf(v), row, o.block, start, n*l.size(elem)))
	}
	l.BreakLine(body.First())
	l.Text(fmt.Sprintf("const long %s = %s + %d < %s + %s ? %s + %d : %s + %s;", end, start, o.block, to, shift, start,
		o.block, to, shift))
	l.BreakLine(body.First())
	l.through(at, fmt.Sprintf("%s > %s + %s ? %s : %s + %s", start, from, shift, start, from, shift), end, left,
		func() { l.iteration(o, body, at+" - "+shift) })
	l.Text("}")
}

// through prints the loop of a variable that it declares, from one value to another, with its plain copy if it has one.
func (l *lowerer) through(name, from, to, left string, body func()) {
	declared := "long " + name + " = " + from
	if left != "" {
		l.Text(declared + ";")
		declared = ""
	}
	l.twice(left, func(granted string) {
		l.Text(fmt.Sprintf("for (%s; %s%s < %s; %s++)", declared, granted, name, to, name))
		body()
	})
}

// firstOf is the offset, in every thread's segment, of an array's first own element; for a pointer, of where phase 0 of
// its row is.
func (l *lowerer) firstOf(o *types.Object) string {
	name := l.nameOf(o, o.Name)
	if o.Type.IsShared() {
		return "(long)UPCR_OFFSET(" + name + ")"
	}
	return fmt.Sprintf("(long)(upcr_offset(%s) - upcr_phaseof(%s) * %d)", name, name, l.size(pointeeOf(o)))
}

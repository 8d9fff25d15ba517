package instrument

import (
	"fmt"
	"strings"

	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// forall is a upc_forall that is being edited. Those in the body of a controlling one are plain loops (UPC 1.3,
// 6.6.2p5) and have none.
type forall struct {
	stmt *syntax.ForallStmt
	// number is its own in the translation unit, and that of its body as a region.
	number int
	site   string
	// needsDepth says that the text uses the depth of controlling upc_foralls before it.
	needsDepth bool
}

// name is a variable of the edited text.
func (f *forall) name(letter string) string { return fmt.Sprintf("upck_%s%d", letter, f.number) }

func (f *forall) depth() string { return f.name("d") }

// forallStmt edits a upc_forall. It tells the checker how many iterations it has and a hash of its affinity, since all
// threads must agree in both (UPC 1.3, 6.6.2p8), and that its body runs, in which there are no collective operations.
func (e *editor) forallStmt(s *syntax.ForallStmt) {
	if e.forall != nil {
		e.loops++
		e.children(s)
		e.loops--
		return
	}
	e.foralls++
	f := &forall{stmt: s, number: e.foralls}
	f.site = e.site("upc_forall", s.First(), nil, false)
	for _, n := range []syntax.Node{s.Init, s.Cond, s.Post, s.Affinity} {
		if n != nil {
			e.node(n)
		}
	}
	e.body(f)
	if c := e.known(s); c != nil {
		e.knownForall(f, c)
	} else {
		e.countingForall(f)
	}
}

// body edits the body.
func (e *editor) body(f *forall) {
	was := e.function
	if f.stmt.Affinity != nil {
		e.forall, e.function.loops, e.switches = f, 0, 0
	} else {
		e.function.loops++
	}
	e.node(f.stmt.Body)
	e.forall, e.function.loops, e.switches = was.forall, was.loops, was.switches
}

// known recognises a upc_forall whose iterations are known when it begins, and whose affinity in all of them is known
// by that in the first and in the last one. The lowering makes the same loops fast, so nothing is put into their heads
// and bodies.
func (e *editor) known(s *syntax.ForallStmt) *loops.Counted {
	if s.Init == nil || s.Cond == nil || s.Post == nil {
		return nil
	}
	c := e.Counted(s.Init, s.Cond, s.Post, s.Body)
	if c == nil || s.Affinity == nil {
		return c
	}
	a := &affinity{editor: e, i: c.I, body: e.Effects(s.Body), alike: e.common(c.From, nil)}
	if f := a.steady(s.Affinity); !f.ok || !f.linear {
		return nil
	}
	return c
}

// knownForall edits such a loop.
func (e *editor) knownForall(f *forall, c *loops.Counted) {
	s := f.stmt
	first := "(" + e.source(c.From) + ")"
	var text strings.Builder
	text.WriteString("{")
	if !e.isConstant(c.From) {
		first = f.name("f")
		fmt.Fprintf(&text, " %s = %s;", types.Declare(c.I.Type, first, nil), e.changed(c.From))
		for p := c.From.First(); p <= c.From.Last(); p++ {
			e.instead[p] = ""
			delete(e.before, p)
			delete(e.after, p)
		}
		e.instead[c.From.First()] = first
	}
	to := "(" + e.source(c.To) + ")"
	compare, one := "<", ""
	if c.Through {
		compare, one = "<=", " + 1"
	}
	trips, hash := f.name("n"), f.name("h")
	e.begin(&text, f)
	fmt.Fprintf(&text, " unsigned long %s = %s %s %s ? (unsigned long)%s - (unsigned long)%s%s : 0;", trips, first,
		compare, to, to, first, one)
	value := "1"
	if s.Affinity != nil {
		last := "(" + to + " - 1)"
		if c.Through {
			last = to
		}
		inner := e.mixed(f, "1", e.with(s.Affinity, c.I, first))
		if first != last {
			inner = e.mixed(f, inner, e.with(s.Affinity, c.I, "(("+types.Declare(c.I.Type, "", nil)+")"+last+")"))
		}
		value = trips + " ? " + inner + " : 1"
	}
	fmt.Fprintf(&text, " unsigned long %s = %s;", hash, value)
	e.put(s.First(), text.String())
	e.end(f, hash, trips, "")
}

// mixed adds the value of an affinity expression to a hash by a call.
func (e *editor) mixed(f *forall, hash, affinity string) string {
	x := f.stmt.Affinity
	t := types.Decay(e.TypeOf(x))
	if t.IsPointerToShared() {
		return fmt.Sprintf("%s(%s, %s, (shared const void *)(%s))", e.hook("upck_forall_pointer"), f.site,
			hash, affinity)
	}
	if isUnsigned(types.Promote(t, nil)) {
		return fmt.Sprintf("%s(%s, %s, (long)((%s) & 0x7fffffffffffffffUL))", e.hook("upck_forall_integer"), f.site,
			hash, affinity)
	}
	return fmt.Sprintf("%s(%s, %s, (long)(%s))", e.hook("upck_forall_integer"), f.site, hash, affinity)
}

func isUnsigned(t types.Type) bool {
	b, ok := t.T.(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind {
	case types.UInt, types.ULong, types.ULongLong, types.UInt128:
		return true
	}
	return false
}

// begin prints what comes before the loop.
func (e *editor) begin(text *strings.Builder, f *forall) {
	if f.needsDepth {
		fmt.Fprintf(text, " int %s = %s();", f.depth(), e.hook("upck_forall_depth"))
	}
	controlling := 0
	if f.stmt.Affinity != nil {
		controlling = 1
	}
	fmt.Fprintf(text, " %s(%s, %d);", e.hook("upck_forall_begin"), f.site, controlling)
}

// end prints what comes after it.
func (e *editor) end(f *forall, hash, trips, before string) {
	e.append(f.stmt.Last(), joined(before, fmt.Sprintf("%s(%s, %s, %s); }", e.hook("upck_forall_end"), f.site,
		hash, trips)))
}

// countingForall edits a upc_forall that counts its iterations as it goes, and mixes its affinity in each of them.
func (e *editor) countingForall(f *forall) {
	s := f.stmt
	trips, hash, value, least := f.name("n"), f.name("h"), f.name("a"), f.name("m")
	headCalls := calls(s.Init) || calls(s.Cond) || calls(s.Post) || calls(s.Affinity)
	toggles := s.Affinity != nil && headCalls
	f.needsDepth = f.needsDepth || toggles
	var text strings.Builder
	text.WriteString("{")
	e.begin(&text, f)
	if toggles {
		fmt.Fprintf(&text, " %s(%s);", e.hook("upck_forall_left"), f.depth())
	}
	if s.Affinity == nil && leaves(s.Body) {
		e.put(s.First(), text.String())
		e.end(f, "0", "0", "")
		return
	}
	fmt.Fprintf(&text, " unsigned long %s = 0, %s = 1;", trips, hash)
	before := ""
	if s.Affinity != nil {
		t := types.Decay(e.TypeOf(s.Affinity))
		if t.IsPointerToShared() {
			fmt.Fprintf(&text, " shared const void *%s;", value)
			e.put(s.Affinity.First(), value+" = (shared const void *)(")
			e.append(s.Affinity.Last(), fmt.Sprintf("), %s = %s(%s, %s, %s), %s", hash, e.hook("upck_forall_pointer"),
				f.site, hash, value, value))
		} else {
			t = types.Promote(t, nil)
			fmt.Fprintf(&text, " %s;", types.Declare(t, value, nil))
			e.put(s.Affinity.First(), value+" = (")
			after := fmt.Sprintf("), %s = (%s ^ (unsigned long)%s) * %s", hash, hash, value, prime)
			if !isUnsigned(t) {
				fmt.Fprintf(&text, " %s = 0;", types.Declare(t, least, nil))
				after += fmt.Sprintf(", %s = %s < %s ? %s : %s", least, value, least, value, least)
				before = fmt.Sprintf("if (%s < 0) %s(%s, (long)%s);", least, e.hook("upck_forall_negative"),
					f.site, least)
			}
			e.append(s.Affinity.Last(), after+", "+value)
		}
	}
	e.head(s, trips)
	if toggles {
		e.put(s.Body.First(), fmt.Sprintf("{ %s(%s + 1);", e.hook("upck_forall_left"), f.depth()))
		e.append(s.Body.Last(), "}")
		back := fmt.Sprintf("%s(%s)", e.hook("upck_forall_left"), f.depth())
		if s.Post != nil {
			e.put(s.Post.First(), back+", (")
			e.append(s.Post.Last(), ")")
		} else {
			e.put(e.condEnd(s)+1, back)
		}
	}
	e.put(s.First(), text.String())
	e.end(f, hash, trips, before)
}

// prime is that of the FNV-1a hash with 64 bits.
const prime = "1099511628211UL"

// head has the condition count the iterations.
func (e *editor) head(s *syntax.ForallStmt, trips string) {
	if s.Cond == nil {
		e.put(e.condEnd(s), "++"+trips)
		return
	}
	e.put(s.Cond.First(), "(")
	e.append(s.Cond.Last(), ") && ++"+trips)
}

// condEnd is the semicolon after the condition.
func (e *editor) condEnd(s *syntax.ForallStmt) syntax.Pos {
	switch {
	case s.Cond != nil:
		return s.Cond.Last() + 1
	case s.Init != nil:
		return s.Init.Last() + 1
	}
	return s.First() + 3 // upc_forall ( ;
}

// calls says that a part of the program calls functions.
func calls(n syntax.Node) bool {
	if n == nil {
		return false
	}
	found := false
	syntax.Walk(n, func(c syntax.Node) bool {
		if _, ok := c.(*syntax.CallExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

// leaves says that the body of a loop has a statement that may leave the loop before its condition says so.
func leaves(body syntax.Stmt) bool {
	found := false
	var walk func(n syntax.Node, loops int)
	walk = func(n syntax.Node, loops int) {
		switch n := n.(type) {
		case *syntax.BranchStmt:
			found = found || n.Word == "goto" || n.Word == "break" && loops == 0
		case *syntax.ReturnStmt, *syntax.LabelStmt:
			found = true
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.SwitchStmt, *syntax.ForallStmt:
			loops++
		}
		syntax.Children(n, func(c syntax.Node) { walk(c, loops) })
	}
	walk(body, 0)
	return found
}

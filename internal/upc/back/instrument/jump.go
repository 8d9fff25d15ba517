package instrument

import (
	"fmt"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// Functions of setjmp.h, as libraries call them after their macros are expanded.
var (
	setsJump = map[string]bool{"setjmp": true, "_setjmp": true, "sigsetjmp": true, "__sigsetjmp": true}
	jumps    = map[string]bool{"longjmp": true, "_longjmp": true, "siglongjmp": true}
)

// findLabels notes for each label of a function the controlling upc_forall that it is in, the outermost one if these
// are nested.
func (e *editor) findLabels(body *syntax.Block) {
	e.labels, e.doubtful = map[string]*syntax.ForallStmt{}, map[string]bool{}
	var walk func(n syntax.Node, in *syntax.ForallStmt)
	walk = func(n syntax.Node, in *syntax.ForallStmt) {
		switch n := n.(type) {
		case *syntax.ForallStmt:
			if in == nil && n.Affinity != nil {
				in = n
			}
		case *syntax.LabelStmt:
			if _, ok := e.labels[n.Label.Name]; ok {
				e.doubtful[n.Label.Name] = true
			}
			e.labels[n.Label.Name] = in
		}
		syntax.Children(n, func(c syntax.Node) { walk(c, in) })
	}
	walk(body, nil)
}

// returnStmt edits return: of main, where the checker remembers the place, and out of the body of a controlling
// upc_forall.
func (e *editor) returnStmt(s *syntax.ReturnStmt) {
	e.children(s)
	text := ""
	switch {
	case e.forall != nil && e.isMain:
		text = e.leaves("FORA-16", "return", s, "the thread ends in the body of the upc_forall")
	case e.forall != nil:
		text = e.leaves("FORA-11", "return", s, "it leaves the body of the upc_forall")
	}
	if e.isMain {
		text = joined(text, e.hook("upck_leave")+"("+e.site("return from main", s.First(), nil, false)+");")
	}
	e.around(s, text)
}

// branch edits break and goto where they leave or enter the body of a controlling upc_forall.
func (e *editor) branch(s *syntax.BranchStmt) {
	switch {
	case s.Word == "break" && e.forall != nil && e.loops == 0:
		e.around(s, e.leaves("FORA-12", "break", s, "it leaves the upc_forall"))
	case s.Word == "goto" && s.Target == nil:
		to, known := e.labels[s.Label.Name]
		if !known || e.doubtful[s.Label.Name] {
			return
		}
		switch {
		case e.forall != nil && to != e.forall.stmt:
			e.around(s, e.leaves("FORA-13", "goto", s, "it leaves the body of the upc_forall"))
		case e.forall == nil && to != nil:
			e.around(s, e.wrong("FORA-14", "goto", s, fmt.Sprintf("it enters the body of the upc_forall of line %d",
				e.file.Position(to.First()).Line)))
		}
	}
}

// around puts statements before a statement, which become one with it.
func (e *editor) around(s syntax.Stmt, text string) {
	if text != "" {
		e.put(s.First(), "{ "+text)
		e.append(s.Last(), "}")
	}
}

// wrong reports an error when the program reaches a statement.
func (e *editor) wrong(id, word string, s syntax.Stmt, words string) string {
	return fmt.Sprintf("%s(%s, %s, %d, -1, %s);", e.hook("upck_wrong"), e.site(word, s.First(), nil, false),
		emit.Quote(id), layout.Error, emit.Quote(words))
}

// leaves is wrong for a statement that leaves the body of the current upc_forall, which ends here for the checker.
func (e *editor) leaves(id, word string, s syntax.Stmt, words string) string {
	e.forall.needsDepth = true
	return e.wrong(id, word, s, words) + " " + e.hook("upck_forall_left") + "(" + e.forall.depth() + ");"
}

// caseStmt edits a label of a switch around the controlling upc_forall in whose body the label is: a thread that
// reaches it by the switch has not come through the upc_forall.
func (e *editor) caseStmt(s *syntax.CaseStmt) {
	if s.Body != nil {
		e.node(s.Body)
	}
	if e.forall == nil || e.switches > 0 {
		return
	}
	text := e.hook("upck_forall_enters") + "(" + e.site("switch", s.First(), nil, false) + ");"
	switch s.Body.(type) {
	case nil:
		e.append(s.Last(), text)
	case *syntax.DeclStmt:
		e.put(s.Body.First(), text)
	default:
		e.put(s.Body.First(), "{ "+text)
		e.append(s.Body.Last(), "}")
	}
}

// setjmp has the checker remember in which body of a upc_forall a buffer was filled.
func (e *editor) setjmp(c *syntax.CallExpr, open syntax.Pos) {
	if !e.repeatable(c.Args[0]) {
		return
	}
	e.append(open, "("+e.hook("upck_forall_setjmp")+"("+e.source(c.Args[0])+"),")
	e.append(c.Args[0].Last(), ")")
}

// longjmp tells the checker to which buffer the program jumps.
func (e *editor) longjmp(c *syntax.CallExpr, open syntax.Pos, name string) {
	if !e.repeatable(c.Args[0]) {
		return
	}
	e.append(open, "("+e.hook("upck_forall_longjmp")+"("+e.site(name, c.First(), nil, false)+", "+
		e.source(c.Args[0])+"),")
	e.append(c.Args[0].Last(), ")")
}

// repeatable says that an expression of private objects may be evaluated twice.
func (e *editor) repeatable(x syntax.Expr) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.NameExpr:
		o := e.info.Uses[x]
		return o != nil && !o.Type.IsShared() && o.Type.Qual&types.Volatile == 0
	case *syntax.Literal, *syntax.ThreadExpr:
		return true
	case *syntax.IndexExpr:
		return e.repeatable(x.X) && e.repeatable(x.I)
	case *syntax.MemberExpr:
		return e.repeatable(x.X)
	case *syntax.UnaryExpr:
		return (x.Op == "&" || x.Op == "*") && e.repeatable(x.X)
	}
	return false
}

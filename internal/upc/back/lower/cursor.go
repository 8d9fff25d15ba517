package lower

import (
	"fmt"

	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// mostCursors is how many pointers a loop keeps in step: more would not stay in registers.
const mostCursors = 6

// cursor is a pointer-to-shared that goes along with a loop's variable, so that elements of blocks are reached without
// a division.
type cursor struct {
	name  string
	first *syntax.IndexExpr // the element that it is made for
	step  step
}

// stepping prints a for loop whose variable goes up by one, with cursors for the elements that its body reaches by this
// variable. It says false, and prints nothing, if there are none. begun says that the loop is under way: its variable
// is not set.
func (l *lowerer) stepping(s *syntax.ForStmt, begun bool) bool {
	if s.Post == nil || s.Init == nil {
		return false
	}
	i := l.stepped(s.Post)
	if i == nil || i.Type.Qual != 0 || !l.Countable(i) {
		return false
	}
	e := l.Effects(s.Body)
	if e.Opaque || e.Changed[i] || s.Cond != nil && (l.changes(s.Cond, i) || hasCalls(s.Cond)) {
		return false
	}
	list := l.findCursors(s.Body, i, e)
	if len(list) == 0 {
		return false
	}
	l.apart(s, begun, list)
	return true
}

// apart prints a for loop with its declarations and cursors before it, in a block. begun says that its initialisation
// has been made.
func (l *lowerer) apart(s *syntax.ForStmt, begun bool, list []cursor) {
	l.goToNode(s)
	l.Text("{")
	if !begun {
		l.node(s.Init)
	}
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.name] {
			continue
		}
		seen[c.name] = true
		l.Text(pointerType + " " + c.name + " =")
		l.Hold() // it stands in a later line
		l.element(c.first, false)
		l.Release()
		l.Text(";")
	}
	l.Text("for (;")
	if s.Cond != nil {
		l.value(s.Cond)
	}
	l.Text(";")
	if s.Post != nil {
		l.unused[s.Post] = true
		l.value(s.Post)
	}
	for _, c := range list {
		if seen[c.name] {
			seen[c.name] = false
			l.Text(fmt.Sprintf(", %s = upcr_next(%s%s", c.name, c.name, c.step.end()))
		}
	}
	l.Text(")")
	for _, c := range list {
		l.cursors[c.first] = c.name
	}
	l.node(s.Body)
	for _, c := range list {
		delete(l.cursors, c.first)
	}
	l.Text("}")
}

// stepped is the variable to which an expression adds one.
func (l *lowerer) stepped(post syntax.Expr) *types.Object {
	switch e := syntax.Unparen(post).(type) {
	case *syntax.UnaryExpr:
		if e.Op == "++" {
			return l.Variable(e.X)
		}
	case *syntax.PostfixExpr:
		if e.Op == "++" {
			return l.Variable(e.X)
		}
	}
	return nil
}

// changes says that an expression assigns to a variable.
func (l *lowerer) changes(x syntax.Expr, o *types.Object) bool {
	return l.Effects(&syntax.ExprStmt{X: x}).Changed[o]
}

// findCursors gives the elements that a body reaches in each of its iterations by the loop's variable. Those at the
// same place share a name.
func (l *lowerer) findCursors(body syntax.Stmt, i *types.Object, e *loops.Effects) []cursor {
	var list []cursor
	names := map[string]string{}
	var walk func(n syntax.Node)
	walk = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.IfStmt, *syntax.SwitchStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForallStmt,
			*syntax.CondExpr,
			*syntax.StmtExpr, *syntax.SizeExpr, *syntax.GenericExpr, *syntax.TypeofSpec:
			return
		case *syntax.BinaryExpr:
			if n.Op == "&&" || n.Op == "||" {
				walk(n.X)
				return
			}
		case *syntax.IndexExpr:
			if key, s, ok := l.along(n, i, e); ok && s.block > 1 {
				if names[key] == "" && len(names) < mostCursors {
					names[key] = l.name("at")
				}
				if names[key] != "" {
					list = append(list, cursor{names[key], n, s})
					return
				}
			}
		}
		syntax.Children(n, walk)
	}
	walk(body)
	return list
}

// along says that an element is reached by i and a constant in the innermost dimension, that all else of it stays as it
// is, and that it stands in a block or all on one thread; the key is the same for elements at the same place.
func (l *lowerer) along(x *syntax.IndexExpr, i *types.Object, e *loops.Effects) (key string, s step, ok bool) {
	if !l.sharedLvalue(x) || isArray(l.TypeOf(x)) || l.local(x) != nil || l.cursors[x] != "" {
		return "", s, false
	}
	base, parts := l.subscripts(x)
	last := parts[len(parts)-1]
	s = last.step
	shift, ok := l.shifted(last.index, i)
	if !ok || s.block == 1 || s.count != 1 || s.threads {
		return "", s, false
	}
	key = fmt.Sprint(shift)
	for _, p := range parts[:len(parts)-1] {
		if !l.Invariant(p.index, e) || l.Mentions(p.index, i) {
			return "", s, false
		}
		key += "|" + l.spelling(p.index)
	}
	o := l.arrayObject(base)
	if o == nil {
		o = l.Variable(base)
		if _, converted := l.info.Converted[base]; o == nil || converted || !o.Type.IsPointerToShared() ||
			!l.Invariant(base, e) {
			return "", s, false
		}
	}
	return key + "|" + fmt.Sprintf("%p", o), s, true
}

// spelling is the text of an expression.
func (l *lowerer) spelling(n syntax.Node) string {
	from, to := l.file.Tokens[n.First()], l.file.Tokens[n.Last()]
	return string(l.file.Text[from.Offset : to.Offset+to.Length])
}

package instrument

import (
	"fmt"
	"slices"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// localPointer says that an expression has a pointer-to-local to an object.
func (e *editor) localPointer(x syntax.Expr) (types.Type, bool) {
	t := e.TypeOf(x).Unqualified()
	p, ok := t.T.(*types.Pointer)
	if !ok || p.Elem.IsShared() || !e.nameable(t) {
		return t, false
	}
	_, function := p.Elem.T.(*types.Func)
	return t, !function
}

// stored edits an assignment of a pointer-to-local to a shared object: the checker is given the place and the value.
func (e *editor) stored(n *syntax.AssignExpr) {
	t, ok := e.localPointer(n.X)
	place := types.PointerTo(e.TypeOf(n.X))
	if !ok || n.Op != "=" || !e.TypeOf(n.X).IsShared() || !e.nameable(place) {
		return
	}
	at, value := e.variableOf(place), e.variableOf(t)
	e.put(n.X.First(), "("+at+" = &")
	e.instead[n.OpPos] = ", " + value + " ="
	e.append(n.Y.Last(), fmt.Sprintf(", %[3]s(%[4]s, %[1]s, (const void *)%[2]s, %[5]d), *%[1]s = %[2]s)", at, value,
		e.hook("upck_stored"),
		e.site("an assignment", n.First(), []syntax.Expr{n.Y}, false), e.origin(n.Y)))
}

// fetches says that an expression is a shared object that has a pointer-to-local.
func (e *editor) fetches(x syntax.Expr) bool {
	_, ok := e.localPointer(x)
	return ok && e.TypeOf(x).IsShared() && e.info.Exprs[x].Lvalue && e.nameable(types.PointerTo(e.TypeOf(x)))
}

// findSet notes the automatic variables of a function that are set once, and those that are set from a shared object:
// for each of these another variable says what the checker knows of its value.
func (e *editor) findSet(f *syntax.FuncDecl) {
	set := map[*types.Object][]syntax.Expr{}
	var order []*types.Object
	note := func(o *types.Object, x syntax.Expr) {
		if o == nil || o.Kind != types.ObjVar || o.Storage != types.Automatic || e.Addressed(o) {
			return
		}
		if set[o] == nil {
			order = append(order, o)
		}
		set[o] = append(set[o], x)
	}
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.InitDeclarator:
			if x, ok := n.Init.(*syntax.InitExpr); ok && n.Declarator.Name != nil {
				note(e.info.Defs[n.Declarator.Name], x.X)
			}
		case *syntax.AssignExpr:
			if n.Op == "=" {
				note(e.Variable(n.X), n.Y)
			}
		}
		return true
	})
	e.fetched, e.setOnce = map[*types.Object]string{}, map[*types.Object]syntax.Expr{}
	for _, o := range order {
		if len(set[o]) == 1 {
			e.setOnce[o] = set[o][0]
		}
		if slices.ContainsFunc(set[o], e.fetches) {
			e.fetched[o] = fmt.Sprintf("upck_r%d", len(e.results)+1)
			e.results = append(e.results, "int "+e.fetched[o]+" = 0;")
		}
	}
}

// set edits a value that a variable is set to, for the other variable.
func (e *editor) set(o *types.Object, x syntax.Expr) {
	known := e.fetched[o]
	switch {
	case o == nil || known == "":
	case e.fetches(x):
		e.read(x, known+" = %s")
	default:
		e.put(x.First(), "("+known+" = 0,")
		e.append(x.Last(), ")")
	}
}

// read keeps a shared object's place and value in variables; use has the text of what the checker knows of it put in.
func (e *editor) read(x syntax.Expr, use string) {
	t, _ := e.localPointer(x)
	at, value := e.variableOf(types.PointerTo(e.TypeOf(x))), e.variableOf(t)
	e.put(x.First(), "("+at+" = &")
	e.append(x.Last(), fmt.Sprintf(", %s = *%s, %s, %[1]s)", value, at,
		fmt.Sprintf(use, fmt.Sprintf("%s(%s, (const void *)%s)", e.hook("upck_fetched"), at, value))))
}

// followFetched edits a pointer that is followed, if it is a shared object or a variable that was set from one.
func (e *editor) followFetched(n, x syntax.Expr, t types.Type) {
	site := func() string { return e.site("an access", n.First(), []syntax.Expr{x}, false) }
	if e.fetches(x) {
		e.read(x, e.hook("upck_follows")+"("+site()+", %s)")
		return
	}
	o := e.Variable(x)
	if known := e.fetched[o]; o != nil && known != "" {
		v := e.variableOf(t)
		e.put(x.First(), "("+v+" =")
		e.append(x.Last(), fmt.Sprintf(", %s(%s, %s), %s)", e.hook("upck_follows"), site(), known, v))
	}
}

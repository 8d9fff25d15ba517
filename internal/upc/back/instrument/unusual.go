package instrument

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// unusual reports to the checker what is legal and rarely intended, before n; about is the expression that the words
// begin with.
func (e *editor) unusual(n, about syntax.Expr, call, id, words string) {
	e.put(n.First(), fmt.Sprintf("(%s(%s, \"%s\", \"%s\"),", e.hook("upck_doubtful"),
		e.site(call, n.First(), []syntax.Expr{about}, false), id, words))
	e.append(n.Last(), ")")
}

// warn reports to the checker what is suspicious.
func (e *editor) warn(n, about syntax.Expr, call, id, words string) {
	e.put(n.First(), fmt.Sprintf("(%s(%s, \"%s\", %d, 0, \"%s\"),", e.hook("upck_wrong"),
		e.site(call, n.First(), []syntax.Expr{about}, false), id, layout.Warning, words))
	e.append(n.Last(), ")")
}

// storesTicks edits an assignment of what upc_ticks_now gives to a shared object.
func (e *editor) storesTicks(n *syntax.AssignExpr) {
	y := syntax.Unparen(n.Y)
	if c, ok := y.(*syntax.CastExpr); ok {
		y = syntax.Unparen(c.X)
	}
	if c, ok := y.(*syntax.CallExpr); ok && e.TypeOf(n.X).IsShared() && e.calls(c, "upc_ticks_now") {
		e.unusual(n, n.Y, "an assignment", "TNOW-01",
			"value is stored in shared memory, and ticks of different threads must not be combined")
	}
}

// readsTicks edits a call of upc_ticks_to_ns whose argument reads ticks from shared memory.
func (e *editor) readsTicks(c *syntax.CallExpr) {
	if !e.calls(c, "upc_ticks_to_ns") || len(c.Args) != 1 {
		return
	}
	var found syntax.Expr
	syntax.Walk(c.Args[0], func(n syntax.Node) bool {
		x, ok := n.(syntax.Expr)
		if ok && found == nil && e.info.Exprs[x] != nil && e.info.Exprs[x].Lvalue && e.TypeOf(x).IsShared() &&
			isTicks(e.TypeOf(x)) {
			found = x
		}
		return found == nil
	})
	if found != nil {
		e.unusual(c, found, "upc_ticks_to_ns", "TONS-02",
			"value is read from shared memory, and ticks of different threads must not be combined")
	}
}

func isTicks(t types.Type) bool { return t.Name != nil && t.Name.Name == "upc_tick_t" }

// calls says that a call is one of a library function that has a wrapper.
func (e *editor) calls(c *syntax.CallExpr, name string) bool {
	n, ok := syntax.Unparen(c.Fun).(*syntax.NameExpr)
	return ok && n.Name == name && e.wrapped(e.info.Uses[n])
}

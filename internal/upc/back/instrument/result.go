package instrument

import (
	"slices"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// allocations return generic pointers. The checker is passed what they become.
var allocations = []string{"upc_global_alloc", "upc_all_alloc", "upc_alloc"}

// becomes notes the type that a cast gives the result of a call.
func (e *editor) becomes(cast *syntax.CastExpr) {
	if c, ok := unparenCall(cast.X); ok {
		e.casts[c] = e.TypeOf(cast)
	}
}

// result is the shape of what the result of an allocation becomes at once, by a cast or without.
func (e *editor) result(name string, c *syntax.CallExpr) []string {
	if !slices.Contains(allocations, name) {
		return nil
	}
	t, ok := e.casts[c]
	if !ok {
		t = e.info.Converted[c]
	}
	p, ok := t.T.(*types.Pointer)
	if !ok || !p.Elem.IsShared() {
		return []string{"{ -1, 0, 0, 0, 0, 0, -1, -1 }"}
	}
	return []string{e.shapeOf(p.Elem)}
}

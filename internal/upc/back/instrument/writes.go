package instrument

import (
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// combines says that a function can be one that a reduction calls: it makes one number of two of the same type.
func combines(o *types.Object) bool {
	f, ok := o.Type.T.(*types.Func)
	return ok && len(f.Params) == 2 && kindOf(f.Result) != 0 && types.Compatible(f.Result.Unqualified(),
		f.Params[0].Unqualified()) &&
		types.Compatible(f.Result.Unqualified(), f.Params[1].Unqualified())
}

// writes tells the checker that a shared object is about to be written, in functions that a reduction may call.
func (e *editor) writes(n, to syntax.Expr) {
	if !e.combines || !e.TypeOf(to).IsShared() {
		return
	}
	e.put(n.First(), "("+e.hook("upck_writes")+"("+e.site("an assignment", n.First(), nil, false)+"),")
	e.append(n.Last(), ")")
}

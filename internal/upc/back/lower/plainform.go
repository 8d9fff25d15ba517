package lower

import (
	"slices"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// What a function does outside of loops belongs to the loop that calls it: the plain copy of a loop (regions.go) calls
// its plain form, in which nothing is recorded but in loops, which are regions as elsewhere. The compiler can expand a
// form without any there, as in a program that was compiled without --check=race. In the copy that is recorded, and
// outside of loops, the function itself is called.

// shortLoop is how many iterations a loop may have that is no region: it is a part of what is around it.
const shortLoop = 16

// short says that a loop, and each in it, has few iterations whenever it is entered: for (int m = 0; m < 5; m++).
func (l *lowerer) short(n syntax.Node) bool {
	_, all := l.iterations(n)
	if !all {
		return false
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.ForallStmt:
			_, few := l.iterations(n)
			all = all && few
		}
		return all
	})
	return all
}

// iterations is how many a loop has whenever it is entered, and whether these are few.
func (l *lowerer) iterations(n syntax.Node) (int, bool) {
	f, ok := n.(*syntax.ForStmt)
	if !ok || f.Cond == nil || f.Post == nil {
		return 0, false
	}
	c := l.Counted(f.Init, f.Cond, f.Post, f.Body)
	if c == nil {
		return 0, false
	}
	from, to := l.Constant(c.From), l.Constant(c.To)
	if from.Kind != types.IntegerValue || to.Kind != types.IntegerValue || from.Threads || to.Threads {
		return 0, false
	}
	count := to.Int - from.Int
	if c.Through {
		count++
	}
	return max(int(count), 0), count <= shortLoop
}

// heaviest is the largest weight there is.
const heaviest = 1 << 20

// weight is how many iterations of short loops a part of the program has, if each other loop has one.
func (l *lowerer) weight(n syntax.Node) int {
	sum := 0
	var add func(n syntax.Node, times int)
	add = func(n syntax.Node, times int) {
		if count, short := l.iterations(n); short {
			times *= count
			sum = min(sum+times, heaviest)
		}
		if name, ok := n.(*syntax.NameExpr); ok {
			sum = min(sum+times*l.races.weights[l.info.Uses[name]], heaviest)
		}
		syntax.Children(n, func(c syntax.Node) { add(c, min(times, heaviest)) })
	}
	add(n, 1)
	return sum
}

// plainPrefix is what the C name of a plain form begins with.
const plainPrefix = "upcr_plain_"

// plainForm prints the plain form of a function before the function, if it has one.
func (l *lowerer) plainForm(f *syntax.FuncDecl, o *types.Object) {
	if !l.races.on || o == nil || f.Body == nil || !l.copiesLoop(f.Body) || !l.hasPlainForm(f, o) {
		return
	}
	name := plainPrefix + f.Name.Name.Name
	l.rename[o] = name
	print := func() {
		l.goToNode(f)
		l.Text("__attribute__((unused))")
		if len(f.Specs.Storage) == 0 {
			l.Text("static")
		}
		l.pair(f.Specs, f.Name, l.info.Declarators[f.Name])
		l.body(f.Body, o)
	}
	l.as(true, true, true, func() { l.Again(print) })
	delete(l.rename, o)
	if l.races.plain == nil {
		l.races.plain, l.races.weights = make(map[*types.Object]string), make(map[*types.Object]int)
	}
	l.races.plain[o], l.races.weights[o] = name, l.weight(f.Body)
}

// hasPlainForm says that a function can be called by its plain form: it has no attributes, does not name itself, in C's
// words or by __func__, and neither waits for other threads nor calls UPC's library, of which reports name the caller.
func (l *lowerer) hasPlainForm(f *syntax.FuncDecl, o *types.Object) bool {
	if isMain(o) || l.rename[o] != "" || len(f.Params) > 0 || !twofold(f.Specs) || !twofold(f.Name) ||
		len(f.Specs.Storage) > 0 && !slices.Equal(f.Specs.Storage, []string{"static"}) ||
		len(f.Specs.Attributes) > 0 || len(f.Name.Attributes) > 0 || f.Name.Asm != nil {
		return false
	}
	fine := true
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.SyncStmt, *syntax.AsmStmt:
			fine = false
		case *syntax.NameExpr:
			fine = fine && l.info.Uses[n] != o && !inLibrary(n.Name) &&
				!slices.Contains([]string{"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"}, n.Name)
		case syntax.Expr:
			i := l.info.Exprs[n]
			fine = fine && !(i != nil && i.Lvalue && i.Type.IsShared() && i.Strict)
		}
		return fine
	})
	return fine
}

// callsPlainForm says that a part of the program calls a function that has a plain form.
func (l *lowerer) callsPlainForm(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && !found {
			name, named := call.Fun.(*syntax.NameExpr)
			found = named && l.races.plain[l.info.Uses[name]] != ""
		}
		return !found
	})
	return found
}

// callsPlain prints the call of a function's plain form, in the plain copy of a loop, and says false, and prints
// nothing, of other calls.
func (l *lowerer) callsPlain(e *syntax.CallExpr) bool {
	name, ok := e.Fun.(*syntax.NameExpr)
	if !ok || !l.races.inPlainLoop {
		return false
	}
	plain := l.races.plain[l.info.Uses[name]]
	if plain == "" {
		return false
	}
	l.goToNode(e)
	l.Text(plain)
	l.rest(e, e.Fun.Last()+1)
	return true
}

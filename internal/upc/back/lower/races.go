package lower

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// Accesses are recorded for the detection of data races (Config.Races). Each place where the program accesses memory
// that may be shared is a site: a struct of the run-time with what a report says of the place. The sites of a
// translation unit are an array that is defined at its end.

// sitesHere is the C name of this array where it is used, sitesDefined where it is defined; sitesSymbol is what the
// assembler calls both.
const (
	sitesHere    = "upcr_sites_here"
	sitesDefined = "upcr_sites_defined"
	sitesSymbol  = "upcr_sites_of_this_unit"
)

// races is what is known while a translation unit is printed.
type races struct {
	on bool
	// quiet is that relaxed accesses are not recorded in what is being printed: a plain copy, or a plain form except
	// its loops, which are regions. What is called there is called by its plain form if it has one.
	quiet, inPlainLoop, inPlainForm bool
	plain                           map[*types.Object]string // the names of functions' plain forms
	// weights are those of the functions that have plain forms, weighed the initialisers of regions that have weights.
	weights map[*types.Object]int
	weighed []string
	sites   []string // the initialisers of the sites
	known   map[siteKey]int
	// regions counts those of the unit, depth those around the current statement.
	regions, depth int
	// left is the variable that counts the iterations which are still recorded of the loops around the current
	// statement; "" outside of these.
	left string
	// regionOf is the region of the variable that was made last.
	regionOf map[string]string
	// stored are private lvalues that are assigned to; bare ones are not accessed where they stand, or recorded
	// already.
	stored, bare map[syntax.Expr]bool
	function     string
	// leads are the functions that keep the chain of callers.
	leads map[*types.Object]bool
}

// siteKey is a node of the program that reads or writes.
type siteKey struct {
	node  syntax.Node
	write bool
}

// relaxed says that relaxed accesses are recorded here.
func (l *lowerer) relaxed() bool { return l.races.on && !l.races.quiet }

// declareSites prints what the uses of the sites and regions need.
func (l *lowerer) declareSites() {
	if l.races.on {
		l.races.leads = l.leadsToLoops()
		l.Line("extern struct upcr_region " + regionsHere + `[] __asm__("` + regionsSymbol + `");`)
		l.Line("extern struct upcr_site " + sitesHere + `[] __asm__("` + sitesSymbol + `");`)
	}
}

// defineSites prints the sites, and what the shared objects are called.
func (l *lowerer) defineSites() {
	if !l.races.on {
		return
	}
	if len(l.races.sites) > 0 {
		l.Line("static struct upcr_site " + sitesDefined + `[] __asm__("` + sitesSymbol +
			`") __attribute__((section("upcr_sites"), used)) = {`)
		for _, s := range l.races.sites {
			l.Line(s)
		}
		l.Line("};")
	}
	if l.races.regions > 0 {
		l.Line(fmt.Sprintf(`static struct upcr_region %s[%d] __asm__("%s") __attribute__((used)) = {%s};`,
			regionsDefined, l.races.regions, regionsSymbol, strings.Join(l.races.weighed, ", ")))
	}
	for _, o := range l.info.Objects {
		if l.placed[o] && o.Type.IsShared() {
			l.nameObject(o)
		}
	}
}

// nameObject prints the description of a shared object.
func (l *lowerer) nameObject(o *types.Object) {
	elem, _, _ := ultimate(o.Type)
	at := l.file.Position(o.Decl.First())
	if o.Def != nil {
		at = l.file.Position(o.Def.First())
	}
	l.temps++
	l.Line(
		fmt.Sprintf(
			`static const struct upcr_named upcr_named%d __attribute__((section("upcr_names"), used)) = { %s, %d, %d, %s, %s, %d, %d, %d, %s };`,
			l.temps, emit.Quote(at.File), at.Line, at.Column, emit.Quote(o.Name), l.nameOf(o, o.Name),
			max(l.c.LocalSize(o.Type).Int, 1), l.size(elem),
			o.Type.Block.Elements(), emit.Quote(shape(o.Type))))
}

// shape are the inner dimensions of an array, as C writes them: "[3][4]".
func shape(t types.Type) string {
	var text strings.Builder
	for depth := 0; ; depth++ {
		a, ok := t.T.(*types.Array)
		if !ok {
			if depth == 0 {
				return ""
			}
			return "." + text.String() // an array
		}
		if depth > 0 {
			if a.Kind == types.LenThreads {
				fmt.Fprintf(&text, "[%d*THREADS]", a.Len)
			} else {
				fmt.Fprintf(&text, "[%d]", a.Len)
			}
		}
		t = a.Elem
	}
}

// site notes a place of the program and gives the C expression for it.
func (l *lowerer) site(e syntax.Node, write bool) string {
	key := siteKey{e, write}
	if n, ok := l.races.known[key]; ok {
		return fmt.Sprintf("(%s + %d)", sitesHere, n)
	}
	l.races.known[key] = len(l.races.sites)
	at := l.file.Position(e.First())
	flags := ""
	if write {
		flags += ", .write = 1"
	}
	if x, ok := e.(syntax.Expr); ok && l.near(x) {
		flags += ", .near = 1"
	}
	l.races.sites = append(l.races.sites,
		fmt.Sprintf("{ .file = %s, .line = %d, .column = %d, .function = %s, .text = %s%s },",
			emit.Quote(at.File), at.Line, at.Column, emit.Quote(l.races.function), emit.Quote(l.words(e)), flags))
	return fmt.Sprintf("(%s + %d)", sitesHere, len(l.races.sites)-1)
}

// near says that an expression is accessed by a pointer-to-local.
func (l *lowerer) near(e syntax.Expr) bool {
	i := l.info.Exprs[e]
	return i != nil && i.Lvalue && !i.Type.IsShared()
}

// words is the text of an expression, or a statement of synchronisation, in one line, of a bounded length.
func (l *lowerer) words(n syntax.Node) string {
	const most = 80
	if e, ok := n.(*syntax.CallExpr); ok && len(e.Args) > 0 {
		if name, ok := syntax.Unparen(e.Fun).(*syntax.NameExpr); ok && strings.HasPrefix(name.Name, wrapperPrefix) {
			return shortened(l.wrapped(e, name), most)
		} else if ok {
			if word, ok := synchronises(name.Name); ok {
				return shortened(l.statement(e, word), most)
			}
		}
	}
	last := n.Last()
	if _, ok := n.(*syntax.SyncStmt); ok {
		last-- // its semicolon
	}
	file, first, last := l.c.Source.written(l.file, n.First(), last)
	var text strings.Builder
	for p := first; p <= last; p++ {
		t := &file.Tokens[p]
		if (t.Space || t.First) && p > first && t.Text != ")" && t.Text != "," {
			text.WriteByte(' ')
		}
		text.Write(file.Text[t.Offset : t.Offset+t.Length])
		if text.Len() > most {
			break
		}
	}
	return shortened(text.String(), most)
}

// wrapped is the text of the call of a wrapper as the program has it: without the first argument, which is upc-check's.
func (l *lowerer) wrapped(e *syntax.CallExpr, name *syntax.NameExpr) string {
	var args []string
	for _, a := range e.Args[1:] {
		args = append(args, l.words(a))
	}
	return strings.TrimPrefix(name.Name, wrapperPrefix) + "(" + strings.Join(args, ", ") + ")"
}

// statement is the text of a statement of synchronisation as the program has it.
func (l *lowerer) statement(e *syntax.CallExpr, word string) string {
	if len(e.Args) == 3 && l.words(e.Args[1]) == "1" {
		return word + " " + l.words(syntax.Unparen(e.Args[2]))
	}
	return word
}

func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// seen prints the address of a shared lvalue that is about to be accessed, and records the access if it is relaxed.
func (l *lowerer) seen(e syntax.Expr, write bool, address func()) {
	if !l.relaxed() || l.strict(e) {
		address()
		return
	}
	l.Text("upcr_sees(" + l.site(e, write) + ",")
	address()
	l.Text(", sizeof(" + l.ctype(l.TypeOf(e)) + "))")
}

// readStrict prints the value of a strict object, and records it.
func (l *lowerer) readStrict(e syntax.Expr) {
	at, v, t := l.temp(), l.temp(), l.ctype(l.TypeOf(e))
	l.Text("__extension__({ " + pointerType + " " + at + " =")
	l.address(e, true)
	l.Text("; " + t + " " + v + " =")
	l.open(l.accessor("UPCR_READ", e) + t + "," + at)
	l.end(");")
	l.Text("upcr_saw_strict(" + l.site(e, false) + "," + at + ", &" + v + ", sizeof " + v + "); " + v + "; })")
}

// writeStrict prints the assignment to a strict object, and records it.
func (l *lowerer) writeStrict(e syntax.Expr, value func()) {
	at, v, t := l.temp(), l.temp(), l.ctype(l.TypeOf(e))
	l.Text("__extension__({ " + pointerType + " " + at + " =")
	l.address(e, true)
	l.Text("; " + t + " " + v + " = (")
	value()
	l.Text("); upcr_writes_strict(" + l.site(e, true) + "," + at + ", &" + v + ", sizeof " + v + ");")
	l.open(l.accessor("UPCR_WRITE", e) + t + "," + at + ", " + v)
	l.end("); })")
}

// updatesStrict prints that a strict object has been read, and gives the print of its new value with the word that it
// will be written.
func (l *lowerer) updatesStrict(e syntax.Expr, at, was, t string, next func(name string)) func() {
	l.Text("upcr_saw_strict(" + l.site(e, false) + "," + at + ", &" + was + ", sizeof " + was + ");")
	return func() {
		v := l.temp()
		l.Text("__extension__({ " + t + " " + v + " = (")
		next(was)
		l.Text("); upcr_writes_strict(" + l.site(e, true) + "," + at + ", &" + v + ", sizeof " + v + "); " + v + "; })")
	}
}

// seenBits prints the address of the struct of a bit-field that is about to be accessed, and records a relaxed access
// to the bytes of the field. Of a strict one only the order is recorded (fenced).
func (l *lowerer) seenBits(e syntax.Expr, write bool, first int64, bytes int, address func()) {
	if !l.relaxed() || l.strict(e) {
		address()
		return
	}
	l.Text("(upcr_sees(" + l.site(e, write) + ",")
	address()
	l.Text(fmt.Sprintf("+ %d, %d) - %d)", first, bytes, first))
}

// seenPrivately prints a private lvalue that is reached through a pointer, and records the access if the pointer points
// into shared memory. It says false, and prints nothing, of other expressions.
func (l *lowerer) seenPrivately(e syntax.Expr, print func()) bool {
	if !l.relaxed() || !l.inside || l.races.bare[e] || !l.throughPointer(e) {
		return false
	}
	l.goToNode(e)
	l.open("UPCR_SEEN(" + l.site(e, l.races.stored[e]) + ",")
	var once []syntax.Expr
	for spine := e; spine != nil; spine = inner(spine) {
		if !l.races.bare[spine] {
			l.races.bare[spine] = true
			once = append(once, spine)
		}
	}
	print()
	for _, spine := range once {
		delete(l.races.bare, spine) // it may be printed again
	}
	l.end(")")
	return true
}

// throughPointer says that an expression is a private object, no array and no bit-field, that a pointer points to.
func (l *lowerer) throughPointer(e syntax.Expr) bool {
	i := l.info.Exprs[e]
	if i == nil || !i.Lvalue || i.Bits != nil || isArray(i.Type) || isFunc(i.Type) || i.Type.IsShared() &&
		l.local(e) == nil {
		return false
	}
	if i.Type.IsShared() {
		return true // one's own element, which is at hand
	}
	for x := e; x != nil; x = inner(x) {
		switch n := x.(type) {
		case *syntax.UnaryExpr:
			return n.Op == "*"
		case *syntax.IndexExpr:
			if !isArray(l.TypeOf(n.X)) {
				return !isArray(l.TypeOf(n.I))
			}
		case *syntax.MemberExpr:
			if n.Arrow {
				return true
			}
		}
	}
	return false
}

// inner is the object that an lvalue is part of, or nil.
func inner(e syntax.Expr) syntax.Expr {
	switch n := e.(type) {
	case *syntax.ParenExpr:
		return n.X
	case *syntax.IndexExpr:
		return n.X
	case *syntax.MemberExpr:
		if !n.Arrow {
			return n.X
		}
	}
	return nil
}

func isFunc(t types.Type) bool {
	_, ok := t.T.(*types.Func)
	return ok
}

// mark notes for what the expressions of a function stand: which are assigned to, and which are never accessed.
func (l *lowerer) mark(body syntax.Node) {
	if !l.races.on {
		return
	}
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignExpr:
			l.store(n.X)
		case *syntax.PostfixExpr:
			l.store(n.X)
		case *syntax.UnaryExpr:
			switch n.Op {
			case "++", "--":
				l.store(n.X)
			case "&":
				l.leave(n.X)
			}
		case *syntax.MemberExpr:
			if !n.Arrow {
				l.leave(n.X)
			}
		case *syntax.SizeExpr, *syntax.TypeofSpec, *syntax.GenericExpr, *syntax.BuiltinExpr, *syntax.TypeName,
			*syntax.AsmStmt:
			syntax.Walk(n, func(x syntax.Node) bool {
				if e, ok := x.(syntax.Expr); ok {
					l.races.bare[e] = true
				}
				return true
			})
			return false
		}
		return true
	})
}

// store notes that an lvalue is assigned to, in whatever parentheses.
func (l *lowerer) store(e syntax.Expr) {
	for ; e != nil; e = unparen(e) {
		l.races.stored[e] = true
	}
}

// leave notes that an lvalue is not accessed as a whole.
func (l *lowerer) leave(e syntax.Expr) {
	for ; e != nil; e = unparen(e) {
		l.races.bare[e] = true
	}
}

func unparen(e syntax.Expr) syntax.Expr {
	if p, ok := e.(*syntax.ParenExpr); ok {
		return p.X
	}
	return nil
}

// moves prints a call of memcpy, memmove or memset, which may be given shared memory that is at hand, and says false,
// and prints nothing, of another one.
func (l *lowerer) moves(e *syntax.CallExpr, name *syntax.NameExpr) bool {
	o := l.info.Uses[name]
	if o == nil || o.Kind != types.ObjFunc || o.Defined ||
		!slices.Contains([]string{"memcpy", "memmove", "memset"}, name.Name) {
		return false
	}
	to, what, bytes := l.temp(), l.temp(), l.temp()
	l.goToNode(e)
	l.Text("__extension__({ void *" + to + " = (")
	l.value(e.Args[0])
	if name.Name == "memset" {
		l.Text("); int " + what + " = (")
	} else {
		l.Text("); const void *" + what + " = (")
	}
	l.value(e.Args[1])
	l.Text("); unsigned long " + bytes + " = (")
	l.value(e.Args[2])
	l.Text("); upcr_moves_near(" + l.site(e, true) + "," + to + "," + bytes + ");")
	if name.Name != "memset" {
		l.Text("upcr_moves_near(" + l.site(e, false) + "," + what + "," + bytes + ");")
	}
	l.Text(name.Name + "(" + to + "," + what + "," + bytes + "); })")
	return true
}

// libraryPrefixes are what the names of UPC's library functions begin with, and those of upc-check's wrappers of them.
var libraryPrefixes = []string{"upc_", "bupc_", wrapperPrefix}

const wrapperPrefix = "upckw_"

// synchronises gives the statement that upc-check has replaced by a call of one of its functions: function(site, has a
// value, value).
func synchronises(function string) (word string, ok bool) {
	switch function {
	case "upck_barrier", "upck_notify", "upck_wait":
		return strings.Replace(function, "upck_", "upc_", 1), true
	}
	return "", false
}

// inLibrary says whether a function is one of the library of UPC or stands for it, so that what it does is done by its
// caller.
func inLibrary(function string) bool {
	_, ok := synchronises(function)
	return ok || slices.ContainsFunc(libraryPrefixes, func(p string) bool { return strings.HasPrefix(function, p) })
}

// calling prints, before a call of a library function of UPC, that what it accesses is accessed there.
func (l *lowerer) calling(e *syntax.CallExpr) bool {
	name, ok := syntax.Unparen(e.Fun).(*syntax.NameExpr)
	if ok && l.relaxed() && len(e.Args) == 3 && l.moves(e, name) {
		return true
	}
	if !ok || !l.races.on || l.races.bare[e] || !inLibrary(name.Name) {
		return false
	}
	o := l.info.Uses[name]
	if o == nil || o.Kind != types.ObjFunc || o.Defined || o.Storage != types.External {
		return false
	}
	l.races.bare[e] = true
	defer delete(l.races.bare, e)
	l.goToNode(e)
	l.Text("__extension__({ upcr_caller = " + l.site(e, false) + ";")
	if isVoid(l.TypeOf(e)) {
		l.expr(e)
		l.Text("; upcr_caller = (struct upcr_site *)0; })")
		return true
	}
	v := l.temp()
	l.Text("__auto_type " + v + " =")
	l.expr(e)
	l.Text("; upcr_caller = (struct upcr_site *)0; " + v + "; })")
	return true
}

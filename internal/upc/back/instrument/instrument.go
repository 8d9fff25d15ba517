package instrument

import (
	"strings"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// Options say what is to be put in.
type Options struct {
	types.Config
	// Stack asks for the calls of the program's own functions to be followed.
	Stack bool
	// Pointers asks for each access through a pointer-to-shared to be checked.
	Pointers bool
	// Native says that the library is declared by headers of a native compiler, which need not be marked as the
	// system's.
	Native bool
	// Wrapped says that there is a wrapper upckw_NAME for a library function.
	Wrapped func(name string) bool
}

// Instrument gives the text of a translation unit that was checked without errors, with calls of the checker in it. A
// source in which nothing is checked comes out as it is.
func Instrument(f *syntax.File, info *types.Info, o Options) emit.Text {
	e := &editor{
		Finder:    loops.New(f, info),
		options:   o,
		file:      f,
		info:      info,
		before:    map[syntax.Pos]string{},
		after:     map[syntax.Pos]string{},
		instead:   map[syntax.Pos]string{},
		declared:  map[string]bool{},
		used:      map[string]bool{},
		unused:    map[*syntax.CallExpr]bool{},
		casts:     map[*syntax.CallExpr]types.Type{},
		accesses:  map[syntax.Expr]int{},
		summed:    map[*syntax.BinaryExpr]bool{},
		kept:      map[syntax.Expr]string{},
		endless:   map[*syntax.CallExpr]bool{},
		wanted:    map[syntax.Stmt]bool{},
		untouched: map[syntax.Node]bool{},
	}
	e.from = e.origins()
	w := emit.New(f)
	w.UPC = true
	at := syntax.Pos(0)
	for _, d := range f.Decls {
		e.external(d)
		if d.First() < at || d.Last() < d.First() {
			continue
		}
		e.print(w, at, d.First()-1)
		for _, line := range e.needed {
			w.Line(line)
		}
		e.needed = nil
		e.print(w, d.First(), d.Last())
		at = d.Last() + 1
	}
	e.print(w, at, syntax.Pos(len(f.Tokens)-1))
	for _, line := range e.shapesTable() {
		w.Line(line)
	}
	w.Fresh()
	return w.Printed(e.prelude())
}

// editor knows what is to be changed in the text of a translation unit: text before, after and instead of tokens.
type editor struct {
	*loops.Finder
	options                Options
	file                   *syntax.File
	info                   *types.Info
	before, after, instead map[syntax.Pos]string
	// needed are lines that must come before the current declaration, and declared the functions of the checker that
	// are declared already.
	needed   []string
	declared map[string]bool
	// used are the hooks that the text calls.
	used map[string]bool
	tables
	// foralls counts the upc_foralls that are reported to the checker.
	foralls int
	// unused holds the calls whose value nobody takes, wanted the statements whose value is that of a statement
	// expression, untouched the operands that are not evaluated.
	unused    map[*syntax.CallExpr]bool
	wanted    map[syntax.Stmt]bool
	untouched map[syntax.Node]bool
	// casts has the types that casts give the results of calls.
	casts map[*syntax.CallExpr]types.Type
	// accesses says of lvalues how much of them is accessed, if it is not all.
	accesses map[syntax.Expr]int
	// summed has sums that are the pointers of other ones.
	summed map[*syntax.BinaryExpr]bool
	// kept has the variables for the addresses of lvalues.
	kept map[syntax.Expr]string
	// endless holds the calls of upc_lock_attempt that are made until they succeed.
	endless map[*syntax.CallExpr]bool
	// from says where the values of variables come from.
	from map[*types.Object]int
	function
}

// function is what is known of the function that is being edited.
type function struct {
	name   string
	isMain bool
	// inline says that it is inline and not static.
	inline bool
	// combines says that it has the type of those that reductions call.
	combines bool
	// forall is the upc_forall whose body decides which threads come here, the outermost one, or nil.
	forall *forall
	// loops counts the loops and switches around the current statement that break would leave, from the body of forall
	// on; switches those switch statements.
	loops, switches int
	// labels says for each label of the function in the body of which controlling upc_forall it is, or nil.
	labels map[string]*syntax.ForallStmt
	// doubtful are labels that are declared more than once.
	doubtful map[string]bool
	// local holds the structs and enums that the function declares.
	local map[types.Underlying]bool
	// constant says that this is an initialiser of a static object.
	constant bool
	// setOnce has the values of automatic variables that are set once, and fetched, of those that are set from a shared
	// object, the variable that says what the checker knows of their value.
	setOnce map[*types.Object]syntax.Expr
	fetched map[*types.Object]string
	// unset has the variables whose private objects are never set, and unwritten those that point to shared objects
	// that are only read.
	unset, unwritten map[*types.Object]bool
	// given has those that hold what upc_all_fcntl gives.
	given map[*types.Object]bool
	// results are the variables for the values of calls that are followed, and for pointers.
	results []string
}

// put adds text before a token, and append after one. Parts of a construct are edited first, so that its own text
// stands around theirs.
func (e *editor) put(at syntax.Pos, text string) { e.before[at] = joined(text, e.before[at]) }

func (e *editor) append(at syntax.Pos, text string) { e.after[at] = joined(e.after[at], text) }

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// print prints tokens with the changes.
func (e *editor) print(w *emit.Writer, from, to syntax.Pos) {
	for p := from; p <= to; p++ {
		if text := e.before[p]; text != "" {
			w.At(p)
			w.Text(text)
		}
		if text, ok := e.instead[p]; ok {
			w.At(p)
			w.Text(text)
		} else {
			w.Token(p)
		}
		w.Text(e.after[p])
	}
}

// changed is the text of a part of the source with the changes in it, in one line.
func (e *editor) changed(n syntax.Node) string {
	var b strings.Builder
	for p := n.First(); p <= n.Last(); p++ {
		text, ok := e.instead[p]
		if !ok {
			text = e.spelling(p)
		}
		for _, part := range []string{e.before[p], text, e.after[p]} {
			if part != "" {
				if b.Len() > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(part)
			}
		}
	}
	return b.String()
}

// with is the text of an expression in which a variable is replaced by something else.
func (e *editor) with(x syntax.Expr, o *types.Object, replacement string) string {
	names := map[syntax.Pos]bool{}
	syntax.Walk(x, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.NameExpr); ok && o != nil && e.info.Uses[name] == o {
			names[name.First()] = true
		}
		return true
	})
	var b strings.Builder
	for p := x.First(); p <= x.Last(); p++ {
		if t := e.file.Tokens[p]; b.Len() > 0 && (t.Space || t.First) {
			b.WriteByte(' ')
		}
		if names[p] {
			b.WriteString(replacement)
		} else {
			b.WriteString(e.spelling(p))
		}
	}
	return b.String()
}

// spelling is a token as it is written.
func (e *editor) spelling(p syntax.Pos) string {
	t := e.file.Tokens[p]
	return string(e.file.Text[t.Offset : t.Offset+t.Length])
}

// source is the text of an expression as it is written, in one line.
func (e *editor) source(x syntax.Expr) string { return e.with(x, nil, "") }

// system says that a token stands in a system header.
func (e *editor) system(p syntax.Pos) bool {
	if p < 0 || int(p) >= len(e.file.Tokens) {
		return false
	}
	f := int(e.file.Tokens[p].File)
	return f < len(e.file.System) && e.file.System[f]
}

package lower

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/upc/back/emit"
	"unknot/internal/upc/front/loops"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
	"unknot/internal/upc/layout"
)

// Config is the options of Lower.
type Config struct {
	types.Config
	// Header is how the run-time's header is included, upcr.h if it is empty.
	Header string
	// Checked is written into the object, for the linking step, if the source was instrumented: the checks that it is
	// to do without.
	Checked string
	// Main is what the source calls its main, if not that.
	Main string
	// Races has accesses to shared memory recorded, if the program is run with somebody who reads that.
	Races bool
	// Source is the unit without its checks.
	Source Source
}

// Lower gives the C text of a translation unit that was checked without errors.
func Lower(f *syntax.File, info *types.Info, c Config) (emit.Text, error) {
	l := newLowerer(f, info, c)
	l.nameTags()
	l.findInitialised()
	l.head()
	for _, d := range f.Decls {
		l.external(d)
	}
	l.foot()
	if len(l.errors) > 0 {
		return emit.Text{}, fmt.Errorf("%s", strings.Join(l.errors, "\n"))
	}
	return l.Printed(""), nil
}

// newLowerer is ready to print the first declaration.
func newLowerer(f *syntax.File, info *types.Info, c Config) *lowerer {
	return &lowerer{
		Writer:  emit.New(f),
		Finder:  loops.New(f, info),
		file:    f,
		info:    info,
		c:       c,
		rename:  map[*types.Object]string{},
		tags:    map[*types.Struct]string{},
		printed: map[syntax.Node]bool{},
		moved:   map[*syntax.InitDeclarator]bool{},
		placed:  map[*types.Object]bool{},
		unused:  map[syntax.Expr]bool{},
		wanted:  map[syntax.Stmt]bool{},
		blank:   map[*syntax.InitExpr]bool{},

		cursors:     map[*syntax.IndexExpr]string{},
		initialised: map[*types.Object]bool{},

		races: races{on: c.Races, known: map[siteKey]int{},
			stored: map[syntax.Expr]bool{}, bare: map[syntax.Expr]bool{}},
	}
}

// lowerer carries what is known while a translation unit is printed.
type lowerer struct {
	*emit.Writer
	*loops.Finder
	file *syntax.File
	info *types.Info
	c    Config
	// rename holds the objects whose names differ in C: static objects of blocks that are moved to file scope.
	rename map[*types.Object]string
	// tags are the names that structs without a tag are given where a type must be named.
	tags map[*types.Struct]string
	// printed holds struct and enum specifiers whose bodies are printed: they are named by their tags from then on.
	printed map[syntax.Node]bool
	// moved holds the declarators that stand at file scope instead.
	moved map[*syntax.InitDeclarator]bool
	// placed holds the shared objects that are defined already, initialised those that have an initialiser somewhere.
	placed, initialised map[*types.Object]bool
	// unused holds expressions whose value nobody takes, wanted the last statements of statement expressions, whose
	// value is theirs.
	unused map[syntax.Expr]bool
	wanted map[syntax.Stmt]bool
	// blank holds initialisers for which a null pointer stands until the program starts.
	blank map[*syntax.InitExpr]bool
	// thawed says that an object is declared without const, since it is initialised at the start.
	thawed bool
	// starts counts the functions that run at the start, temps the variables of lowered expressions.
	starts, temps int
	// loops are the upc_foralls around the current statement, outermost first, and own those that run through a
	// thread's own iterations only.
	loops []*forall
	own   []*owned
	// cursors are the elements that loops reach by a pointer that goes along.
	cursors map[*syntax.IndexExpr]string
	// inside says that the body of a function is being printed.
	inside bool
	// main is the program's main, if it is defined here.
	main   *types.Object
	races  races
	errors []string
}

// fail notes something that cannot be translated; where says what, in the user's terms.
func (l *lowerer) fail(at syntax.Node, what string) {
	l.errors = append(l.errors, fmt.Sprintf("%s: error: %s", l.file.Position(at.First()), what))
}

// temp is a new name for a variable of a lowered expression.
func (l *lowerer) temp() string {
	l.temps++
	return fmt.Sprintf("upcr_t%d", l.temps)
}

// head prints what stands before the program's own text.
func (l *lowerer) head() {
	if l.c.Threads > 0 {
		l.Line(fmt.Sprintf("#define UPCR_STATIC_THREADS %d", int(l.c.Threads)))
	}
	header := l.c.Header
	if header == "" {
		header = "upcr.h"
	}
	l.Line(`#include "` + header + `"`)
	// The text is preprocessed already; these two are the predefined macros that a program may have undefined.
	l.Line("#undef linux")
	l.Line("#undef unix")
	l.declareSites()
	for _, o := range l.info.Objects {
		if isMain(o) {
			l.nameMain(o)
		}
	}
}

// nameMain gives the program's main another name for the linker, since the run-time's function of that name comes
// first. In C it stays main, which may end without a return and knows its name.
func (l *lowerer) nameMain(o *types.Object) {
	t := nameless(o.Type, 0)
	if f, ok := t.T.(*types.Func); ok && !f.Prototype {
		t.T = &types.Func{Result: f.Result}
	}
	l.Line(types.Declare(t, "main", nil) + ` __asm__("` + userMain + `");`)
}

// foot prints what stands after it: the way to main, and what the linker step compares between translation units.
func (l *lowerer) foot() {
	if l.main != nil {
		l.entry()
	}
	l.defineSites()
	var lines []string
	for _, o := range l.info.Objects {
		if o.Kind == types.ObjVar && o.Storage == types.External && o.Type.IsShared() {
			at := syntax.Position{File: l.file.Path}
			if o.Def != nil {
				at = l.file.Position(o.Def.First())
			} else if o.Decl != nil {
				at = l.file.Position(o.Decl.First())
			}
			lines = append(lines, fmt.Sprintf("%s\t%s\t%s:%d", o.Name, canonical(o.Type), at.File, at.Line))
		}
	}
	threads := layout.Dynamic
	if l.c.Threads > 0 {
		threads = fmt.Sprint(int(l.c.Threads))
	}
	about := func(name, value string) { lines = append(lines, name+"\t"+value+"\t"+l.file.Path) }
	about(layout.ObjectLayout, fmt.Sprint(layout.ObjectVersion))
	about(layout.ObjectThreads, threads)
	if l.c.Checked != "" {
		about(layout.ObjectChecked, l.c.Checked)
	}
	if l.races.on {
		about(layout.ObjectRaces, "yes")
	}
	var text strings.Builder
	text.WriteString(`__asm__(".pushsection ` + layout.ObjectSection + `,\"\",%progbits\n"`)
	for _, line := range lines {
		text.WriteString(` "` + strings.ReplaceAll(emit.Quote(`.ascii `+emit.Quote(line+"\n")), "\n", "") + `\n"`)
	}
	text.WriteString(` ".popsection");`)
	l.Line(strings.ReplaceAll(strings.ReplaceAll(text.String(), ` ""`, ` "`), `"\n"`, `\n"`))
}

// entry defines upcr_main, by which the run-time calls main in whichever form it is written.
func (l *lowerer) entry() {
	n, void := 0, false
	if f, ok := l.main.Type.T.(*types.Func); ok {
		n, void = len(f.Params), isVoid(f.Result)
	}
	args := strings.Join([]string{"upcr_argc", "upcr_argv", "upcr_envp"}[:min(n, 3)], ", ")
	call := "return main(" + args + ");"
	if void {
		call = "main(" + args + "); return 0;"
	}
	l.Line("int upcr_main(int upcr_argc, char **upcr_argv, char **upcr_envp) { (void)upcr_argc; (void)upcr_argv; " +
		"(void)upcr_envp; " + call + " }")
}

// userMain is the name of the program's main for the linker.
const userMain = "upcr_user_main"

// external prints a declaration of file scope.
func (l *lowerer) external(d syntax.Decl) {
	if !l.concerns(d) {
		l.Tokens(d.First(), d.Last())
		return
	}
	if f, ok := d.(*syntax.FuncDecl); ok {
		l.moveStatics(f)
	}
	l.node(d)
}

// concerns says that a declaration has anything that C says otherwise.
func (l *lowerer) concerns(d syntax.Decl) bool {
	found := false
	if _, function := d.(*syntax.FuncDecl); function && l.races.on && !l.file.System[l.file.Tokens[d.First()].File] {
		return true
	}
	syntax.Walk(d, func(n syntax.Node) bool {
		if found {
			return false
		}
		switch n := n.(type) {
		case *syntax.ThreadExpr, *syntax.ForallStmt, *syntax.SyncStmt:
			found = true
		case *syntax.Qualifier:
			found = n.Word == "shared" || n.Word == "strict" || n.Word == "relaxed"
		case *syntax.StructSpec:
			s := l.info.Structs[n]
			found = s != nil && l.tags[s] != ""
		case *syntax.Declarator:
			found = involves(l.info.Declarators[n])
			if n.Name != nil {
				if o := l.info.Defs[n.Name]; o != nil && isMain(o) {
					found = true
				}
			}
		case *syntax.TypeName:
			found = involves(l.info.Types[n])
		case syntax.Expr:
			if i := l.info.Exprs[n]; i != nil {
				found = involves(i.Type)
			}
		}
		return !found
	})
	return found
}

func isMain(o *types.Object) bool {
	return o.Kind == types.ObjFunc && o.Name == "main" && o.Function == nil
}

// involves says that a type is shared or has a pointer-to-shared in it, as far as it is written out: what structs hold
// is theirs.
func involves(t types.Type) bool {
	for depth := 0; depth < 64; depth++ {
		if t.IsShared() {
			return true
		}
		switch u := t.T.(type) {
		case *types.Pointer:
			t = u.Elem
		case *types.Array:
			t = u.Elem
		case *types.Func:
			if slices.ContainsFunc(u.Params, involves) {
				return true
			}
			t = u.Result
		default:
			return false
		}
	}
	return false
}

// nameTags gives a name to every struct without a tag of which shared objects are made.
func (l *lowerer) nameTags() {
	where := map[*types.Struct]*syntax.StructSpec{}
	for spec, s := range l.info.Structs {
		if spec.Tag == nil && spec.HasBody {
			where[s] = spec
		}
	}
	if len(where) == 0 {
		return
	}
	var name func(t types.Type, depth int)
	name = func(t types.Type, depth int) {
		switch u := t.T.(type) {
		case *types.Array:
			name(u.Elem, depth)
		case *types.Pointer:
			if depth < 16 {
				name(u.Elem, depth+1)
			}
		case *types.Func:
			if depth < 16 {
				name(u.Result, depth+1)
				for _, p := range u.Params {
					name(p, depth+1)
				}
			}
		case *types.Struct:
			if spec := where[u]; spec != nil {
				l.tags[u] = l.tagFor(spec)
			}
		}
	}
	for _, e := range l.info.Exprs {
		if e.Type.IsShared() || e.Type.IsPointerToShared() {
			name(e.Type, 0)
		}
	}
	for _, o := range l.info.Objects {
		if o.Kind == types.ObjVar && involves(o.Type) {
			name(o.Type, 0)
		}
	}
}

// tag is the name of a struct after its keyword.
func (l *lowerer) tag(s *types.Struct) string {
	if s.Tag != "" {
		return s.Tag
	}
	return l.tags[s]
}

// node prints any node.
func (l *lowerer) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.PragmaStmt:
		l.Tokens(n.First(), n.Last())
	case *syntax.DeclStmt:
		l.node(n.Decl)
	case syntax.Expr:
		l.value(n)
	case syntax.Stmt:
		l.stmt(n)
	case *syntax.VarDecl:
		l.varDecl(n)
	case *syntax.FuncDecl:
		l.funcDecl(n)
	case *syntax.Specs:
		l.specs(n)
	case *syntax.StructSpec:
		l.structSpec(n)
	case *syntax.EnumSpec:
		l.enumSpec(n)
	case *syntax.Member:
		l.member(n)
	case *syntax.TypeName:
		l.typeName(n)
	case *syntax.Param:
		l.pair(n.Specs, n.Declarator, l.info.Declarators[n.Declarator])
	case *syntax.Declarator:
		l.declarator(n)
	case *syntax.InitExpr:
		if l.blank[n] {
			l.goToNode(n)
			l.Text("UPCR_NULL")
			return
		}
		l.value(n.X)
	case *syntax.Qualifier:
		if !isUPC(n) {
			l.Tokens(n.First(), n.Last())
		}
	default:
		l.between(n)
	}
}

// between prints a node's own tokens as they are, and its children in their places.
func (l *lowerer) between(n syntax.Node) {
	at := n.First()
	for _, c := range children(n) {
		if c.First() < at || c.Last() < c.First() {
			continue
		}
		l.Tokens(at, c.First()-1)
		l.node(c)
		at = c.Last() + 1
	}
	l.Tokens(at, n.Last())
}

// children are the nodes right below n, in the order of the text.
func children(n syntax.Node) []syntax.Node {
	var list []syntax.Node
	syntax.Children(n, func(c syntax.Node) { list = append(list, c) })
	slices.SortStableFunc(list, func(a, b syntax.Node) int { return int(a.First()) - int(b.First()) })
	return list
}

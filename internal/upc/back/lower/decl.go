package lower

import (
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// isUPC says that C does not know a qualifier.
func isUPC(q *syntax.Qualifier) bool {
	return q.Word == "shared" || q.Word == "strict" || q.Word == "relaxed"
}

// typeAfter is what is left of a type after one part of its declarator.
func typeAfter(t types.Type) types.Type {
	if f, ok := t.T.(*types.Func); ok {
		return f.Result
	}
	return pointee(t)
}

// absorbed is the first part of a declarator, from the name on, that makes a pointer-to-shared: from there on the type
// is upcr_ptr in C. It is -1 if there is none.
func absorbed(parts []syntax.DeclPart, t types.Type) int {
	for i, p := range parts {
		_, function := p.(*syntax.FuncPart)
		if t.IsPointerToShared() && !function {
			return i
		}
		t = typeAfter(t)
	}
	return -1
}

// pair prints specifiers and one declarator of theirs.
func (l *lowerer) pair(s *syntax.Specs, d *syntax.Declarator, t types.Type) {
	k := absorbed(d.Parts, t)
	if len(d.Parts) == 0 && t.IsPointerToShared() {
		k = 0 // a parameter of an array type that a typedef names, or a pointer that one does
	}
	if k < 0 {
		l.node(s)
		l.node(d)
		return
	}
	l.goToNode(s)
	l.storage(s)
	for range k {
		t = typeAfter(t)
	}
	if l.thawed {
		t.Qual &^= types.Const
	}
	l.Text(qualifiers(t.Qual & (types.Const | types.Volatile)))
	l.Text(pointerType)
	l.parts(d, d.Parts[:k])
	if d.Asm != nil {
		l.Text("__asm__(")
		l.Tokens(d.Asm.First(), d.Asm.Last())
		l.Text(")")
	}
	l.attributes(d.Attributes)
}

// storage prints the storage class, function specifiers and attributes of specifiers whose type C has no use for.
func (l *lowerer) storage(s *syntax.Specs) {
	for _, word := range slices.Concat(s.Storage, s.Function) {
		l.Text(word)
	}
	l.attributes(s.Attributes)
}

func (l *lowerer) attributes(list []*syntax.Attribute) {
	for _, a := range list {
		l.Text("__attribute__((")
		l.Tokens(a.First(), a.Last())
		l.Text("))")
	}
}

// parts prints a declarator's name with some of its parts around it.
func (l *lowerer) parts(d *syntax.Declarator, parts []syntax.DeclPart) {
	if len(parts) == 0 {
		if d.Name != nil {
			l.declName(d.Name)
		}
		return
	}
	last, rest := parts[len(parts)-1], parts[:len(parts)-1]
	if p, ok := last.(*syntax.PointerPart); ok {
		l.Text("*")
		for _, q := range p.Quals {
			l.node(q)
		}
		l.parts(d, rest)
		return
	}
	group := false
	if len(rest) > 0 {
		_, group = rest[len(rest)-1].(*syntax.PointerPart)
	}
	if group {
		l.Text("(")
	}
	l.parts(d, rest)
	if group {
		l.Text(")")
	}
	l.node(last)
}

// declName prints a name where it is declared.
func (l *lowerer) declName(name *syntax.Ident) {
	if o := l.info.Defs[name]; o != nil {
		if n := l.rename[o]; n != "" {
			l.goToNode(name)
			l.Text(n)
			return
		}
	}
	l.Tokens(name.First(), name.Last())
}

// declarator prints a declarator in which nothing is absorbed.
func (l *lowerer) declarator(d *syntax.Declarator) {
	if d.Name == nil {
		l.between(d)
		return
	}
	at := d.First()
	named := false
	name := func() {
		l.Tokens(at, d.Name.First()-1)
		l.declName(d.Name)
		at = d.Name.Last() + 1
		named = true
	}
	for _, c := range children(d) {
		if !named && c.First() > d.Name.First() {
			name()
		}
		if c.First() < at || c.First() > d.Last() || c.Last() < c.First() {
			continue
		}
		if _, pointer := c.(*syntax.PointerPart); !pointer && c.Last() > d.Last() {
			continue
		}
		l.Tokens(at, c.First()-1)
		l.node(c)
		at = c.Last() + 1
	}
	if !named {
		name()
	}
	l.Tokens(at, d.Last())
}

// specs prints specifiers without UPC's qualifiers.
func (l *lowerer) specs(s *syntax.Specs) {
	if s.Typeof != nil && (involves(l.typeofType(s.Typeof)) || s.Typeof.X != nil && l.touches(s.Typeof.X)) {
		l.goToNode(s)
		l.storage(s)
		for _, q := range s.Quals {
			l.node(q)
		}
		l.Text(l.declare(types.Type{T: l.typeofType(s.Typeof).T}, ""))
		return
	}
	at := s.First()
	for _, c := range children(s) {
		if c.First() < at || c.Last() < c.First() {
			continue
		}
		l.Tokens(at, c.First()-1)
		if q, ok := c.(*syntax.Qualifier); ok && (isUPC(q) || l.thawed && q.Word == "const") {
			at = c.Last() + 1
			continue
		}
		l.node(c)
		at = c.Last() + 1
	}
	l.Tokens(at, s.Last())
}

// typeofType is the type that typeof names.
func (l *lowerer) typeofType(s *syntax.TypeofSpec) types.Type {
	if s.Type != nil {
		return l.info.Types[s.Type]
	}
	return l.TypeOf(s.X)
}

// structSpec prints a struct: its body once, with the tag that it was given if it has none.
func (l *lowerer) structSpec(s *syntax.StructSpec) {
	t := l.info.Structs[s]
	if !s.HasBody || t == nil {
		l.between(s)
		return
	}
	word := "struct"
	if s.Union {
		word = "union"
	}
	if l.printed[s] {
		l.goToNode(s)
		l.Text(word + " " + l.tag(t))
		return
	}
	l.printed[s] = true
	if s.Tag != nil || l.tags[t] == "" {
		l.between(s)
		return
	}
	brace := l.find(s, "{")
	l.Tokens(s.First(), brace-1)
	l.Text(l.tags[t])
	l.rest(s, brace)
}

// rest prints a node from one of its tokens on.
func (l *lowerer) rest(n syntax.Node, at syntax.Pos) {
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

// find is the first token of a node with a text.
func (l *lowerer) find(n syntax.Node, text string) syntax.Pos {
	for p := n.First(); p < n.Last(); p++ {
		if t := &l.file.Tokens[p]; t.Kind == syntax.Punctuator && t.Text == text {
			return p
		}
	}
	return n.Last()
}

// enumSpec prints an enum: its body once.
func (l *lowerer) enumSpec(s *syntax.EnumSpec) {
	if s.HasBody && l.printed[s] {
		l.goToNode(s)
		if s.Tag != nil {
			l.Text("enum " + s.Tag.Name)
		} else {
			l.Text(basicName(l.info.Enums[s].Under))
		}
		return
	}
	l.printed[s] = true
	l.between(s)
}

// member prints a declaration of members.
func (l *lowerer) member(m *syntax.Member) {
	split := false
	for _, n := range m.Names {
		if n.Declarator != nil && absorbed(n.Declarator.Parts, l.info.Declarators[n.Declarator]) >= 0 {
			split = true
		}
	}
	if !split {
		l.between(m)
		return
	}
	l.bodyAlone(m.Specs)
	for _, n := range m.Names {
		if n.Declarator == nil {
			l.node(m.Specs)
		} else {
			l.pair(m.Specs, n.Declarator, l.info.Declarators[n.Declarator])
		}
		if n.Width != nil {
			l.Text(":")
			l.value(n.Width)
		}
		l.attributes(n.Attributes)
		l.Text(";")
	}
}

// bodyAlone prints the body of a struct or enum as a separate declaration, so that several declarations can use it.
func (l *lowerer) bodyAlone(s *syntax.Specs) {
	switch {
	case s.Struct != nil && s.Struct.HasBody && !l.printed[s.Struct]:
		if t := l.info.Structs[s.Struct]; t != nil && l.tag(t) == "" {
			l.tags[t] = l.tagFor(s.Struct)
		}
		l.node(s.Struct)
		l.Text(";")
	case s.Enum != nil && s.Enum.HasBody && !l.printed[s.Enum]:
		l.node(s.Enum)
		l.Text(";")
	}
}

// typeName prints a type where it stands alone.
func (l *lowerer) typeName(t *syntax.TypeName) { l.pair(t.Specs, t.Declarator, l.info.Types[t]) }

// funcDecl prints the definition of a function.
func (l *lowerer) funcDecl(f *syntax.FuncDecl) {
	o := l.info.Defs[f.Name.Name]
	if o != nil && isMain(o) {
		l.main = o
	}
	l.FindAddressed(f)
	l.mark(f.Body)
	l.races.function = f.Name.Name.Name
	if l.races.function == l.c.Main {
		l.races.function = "main"
	}
	l.inside = true
	l.plainForm(f, o)
	l.inside = false
	l.pair(f.Specs, f.Name, l.info.Declarators[f.Name])
	for _, p := range f.Params {
		l.varDecl(p)
	}
	l.inside = true
	l.body(f.Body, o)
	l.inside = false
}

// varDecl prints a declaration: as it is written if C says the same, or else a declaration for each name.
func (l *lowerer) varDecl(d *syntax.VarDecl) {
	if !l.splits(d) {
		l.between(d)
		return
	}
	l.goToNode(d)
	if d.Specs.Extension {
		l.Text("__extension__")
	}
	l.bodyAlone(d.Specs)
	for _, n := range d.Names {
		t := l.info.Declarators[n.Declarator]
		switch {
		case l.moved[n], l.isTypedef(d) && t.IsShared() && isArray(t):
		case t.IsShared() && !l.isTypedef(d):
			l.sharedObject(n)
		default:
			l.declaration(d, n, t)
		}
	}
}

func (l *lowerer) isTypedef(d *syntax.VarDecl) bool {
	return slices.Contains(d.Specs.Storage, "typedef")
}

// splits says that a declaration has a name that C must declare otherwise.
func (l *lowerer) splits(d *syntax.VarDecl) bool {
	for _, n := range d.Names {
		t := l.info.Declarators[n.Declarator]
		if l.moved[n] || t.IsShared() || absorbed(n.Declarator.Parts, t) >= 0 || len(l.starting(n)) > 0 {
			return true
		}
	}
	return false
}

// declaration prints the declaration of one private name, and the function that initialises its pointers-to-shared at
// the start.
func (l *lowerer) declaration(d *syntax.VarDecl, n *syntax.InitDeclarator, t types.Type) {
	starting := l.starting(n)
	l.thawed = len(starting) > 0
	l.pair(d.Specs, n.Declarator, t)
	l.thawed = false
	if n.Init != nil {
		l.Text("=")
		for _, s := range starting {
			l.blank[s] = true
		}
		l.node(n.Init)
	}
	l.Text(";")
	if len(starting) > 0 {
		l.startPointers(n, starting)
	}
}

// tagFor is the name of a struct without a tag.
func (l *lowerer) tagFor(s *syntax.StructSpec) string {
	return "upcr_struct" + strings.TrimLeft(itoa(int64(s.First())), "-")
}

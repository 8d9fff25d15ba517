package types

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"unknot/internal/upc/front/syntax"
)

// Check checks a translation unit. It says what it finds in the result's Diagnostics and finds something out of every
// expression: what has an error is of the basic type Invalid. Warnings about C are left to the C compiler that comes
// after; what UPC adds is checked here alone.
func Check(f *syntax.File, cfg Config) *Info {
	if cfg.PointerSize == 0 {
		cfg.PointerSize, cfg.PointerAlign = 8, 8
	}
	if cfg.MaxBlock == 0 {
		cfg.MaxBlock = 1 << 20
	}
	c := &checker{
		Config: cfg,
		file:   f,
		info: &Info{
			Exprs:       map[syntax.Expr]*ExprInfo{},
			Converted:   map[syntax.Expr]Type{},
			Uses:        map[*syntax.NameExpr]*Object{},
			Defs:        map[*syntax.Ident]*Object{},
			Types:       map[*syntax.TypeName]Type{},
			Declarators: map[*syntax.Declarator]Type{},
			Structs:     map[*syntax.StructSpec]*Struct{},
			Enums:       map[*syntax.EnumSpec]*Enum{},
			Members:     map[*syntax.MemberExpr][]*Field{},
			Starts:      map[*syntax.InitExpr][]int64{},
			Inits:       map[*syntax.InitList]Type{},
		},
		linkage: map[string]*Object{},
		params:  map[*syntax.FuncPart]*scope{},
		strict:  cfg.Strict,
	}
	c.scope = &scope{}
	c.builtinTypes()
	for _, d := range f.Decls {
		c.external(d)
	}
	c.tellUndeclared()
	c.finish()
	return c.info
}

// checker is the state of one check: what the place that is looked at depends on.
type checker struct {
	Config
	file  *syntax.File
	info  *Info
	scope *scope
	// linkage holds the objects with linkage by their names, visible or not (C11 6.2.2).
	linkage map[string]*Object
	// undeclared are warnings of functions of the C library that are called without a declaration.
	undeclared []syntax.Diagnostic
	// params are the scopes of parameter lists, which the body of a function continues.
	params map[*syntax.FuncPart]*scope
	// paramDepth is not zero inside of parameter lists.
	paramDepth int
	fn         *function // nil outside of functions
	// strict is the memory mode that the pragmas in force set for accesses that no type decides (UPC 1.3, 6.7.1).
	strict bool
	// packing is the alignment limit of #pragma pack, 0 for none, and packs those that were pushed.
	packing int64
	packs   []int64
	// unevaluated is not zero in operands that are not evaluated.
	unevaluated int
	builtins    map[string]*Object // those of gcc that were used
	slab        []ExprInfo
}

// finish checks what can only be said at the end of the file, and orders the diagnostics.
func (c *checker) finish() {
	for _, o := range c.info.Objects {
		c.atEnd(o)
	}
	slices.SortStableFunc(c.info.Diagnostics, func(a, b syntax.Diagnostic) int { return cmp.Compare(a.Pos, b.Pos) })
}

// atEnd completes a tentative definition: an array without a length gets one element (C11 6.9.2p5).
func (c *checker) atEnd(o *Object) {
	if o.Kind != ObjVar || !o.Defined || o.Decl == nil {
		return
	}
	a, ok := o.Type.T.(*Array)
	switch {
	case ok && a.Kind == LenIncomplete:
		o.Type.T = &Array{Elem: a.Elem, Len: 1}
		if o.Type.IsShared() {
			c.sharedArray(o.Decl.First(), &o.Type)
		}
	case !ok && !IsComplete(o.Type) && !o.Type.bad() && o.Function == nil:
		c.unknownSize(o.Decl.First(), o)
	}
}

// unknownSize tells an object of incomplete type.
func (c *checker) unknownSize(at syntax.Pos, o *Object) {
	if name := opaqueName(o.Type); name != "" {
		c.errorNote(at, "COMP-34", fmt.Sprintf("'%s' is opaque: programs cannot declare objects of it", name),
			syntax.NoPos, fmt.Sprintf("declare '%s *%s'", name, o.Name))
		return
	}
	c.errorf(at, "", "storage size of '%s' isn't known", o.Name)
}

// scope is a block, a file or a parameter list: its ordinary names and its tags (C11 6.2.1, 6.2.3).
type scope struct {
	outer *scope
	names map[string]*Object
	tags  map[string]*tag
}

// tag is a struct, union or enum by its tag.
type tag struct {
	structure *Struct
	enum      *Enum
	pos       syntax.Pos
}

func (c *checker) push() { c.scope = &scope{outer: c.scope} }
func (c *checker) pop()  { c.scope = c.scope.outer }

func (c *checker) lookup(name string) *Object {
	for s := c.scope; s != nil; s = s.outer {
		if o, ok := s.names[name]; ok {
			return o
		}
	}
	return nil
}

func (s *scope) declare(o *Object) {
	if s.names == nil {
		s.names = map[string]*Object{}
	}
	s.names[o.Name] = o
}

func (s *scope) declareTag(name string, t *tag) {
	if s.tags == nil {
		s.tags = map[string]*tag{}
	}
	s.tags[name] = t
}

func (c *checker) lookupTag(name string) *tag {
	for s := c.scope; s != nil; s = s.outer {
		if t, ok := s.tags[name]; ok {
			return t
		}
	}
	return nil
}

// builtinTypes declares the types that gcc has by itself.
func (c *checker) builtinTypes() {
	for name, t := range map[string]Type{
		"__int128_t":           BasicType(Int128),
		"__uint128_t":          BasicType(UInt128),
		"__builtin_va_list":    c.vaList(),
		"__builtin_ms_va_list": PointerTo(BasicType(Char)),
	} {
		c.scope.declare(&Object{Kind: ObjTypedef, Name: name, Type: t, Storage: NoStorage, Defined: true})
	}
}

// vaList is __builtin_va_list: an array of one struct on x86-64, a struct on AArch64.
func (c Config) vaList() Type {
	if c.Target == AArch64 {
		return Type{T: &Opaque{Name: "__builtin_va_list", Size: 32, Align: 8}}
	}
	tag := &Struct{Tag: "__va_list_tag", Complete: true, Size: 24, Align: 8}
	return Type{T: &Array{Elem: Type{T: tag}, Len: 1}}
}

// report tells a diagnostic. In system headers only errors are reported.
func (c *checker) report(d syntax.Diagnostic) {
	if d.Severity != syntax.Error && c.system(d.Pos) {
		return
	}
	c.info.Diagnostics = append(c.info.Diagnostics, d)
}

func (c *checker) system(p syntax.Pos) bool {
	if p < 0 || int(p) >= len(c.file.Tokens) {
		return false
	}
	i := int(c.file.Tokens[p].File)
	return i < len(c.file.System) && c.file.System[i]
}

func (c *checker) errorf(p syntax.Pos, id, format string, args ...any) {
	c.report(syntax.Diagnostic{Pos: p, ID: id, Message: fmt.Sprintf(format, args...)})
}

// errorNote is errorf with a note at another place, or, for NoPos, at the same.
func (c *checker) errorNote(p syntax.Pos, id, message string, notePos syntax.Pos, note string) {
	c.report(withNote(syntax.Diagnostic{Pos: p, ID: id, Message: message}, notePos, note))
}

func (c *checker) warnNote(p syntax.Pos, id, message, note string) {
	c.report(withNote(syntax.Diagnostic{Severity: syntax.Warning, Pos: p, ID: id, Message: message},
		syntax.NoPos, note))
}

func withNote(d syntax.Diagnostic, at syntax.Pos, note string) syntax.Diagnostic {
	if note == "" {
		return d
	}
	if at == syntax.NoPos {
		at = d.Pos
	}
	d.Notes = append(d.Notes, syntax.Diagnostic{Severity: syntax.Note, Pos: at, Message: note})
	return d
}

// quote spells a type for a message, with what its typedef stands for.
func quote(t Type) string {
	s := "'" + t.String() + "'"
	if t.Name == nil {
		return s
	}
	u := t
	u.Name = nil
	if full := u.String(); "'"+full+"'" != s && !strings.Contains(full, "<anonymous>") {
		s += " {aka '" + full + "'}"
	}
	return s
}

// external checks an external declaration.
func (c *checker) external(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.VarDecl:
		c.varDecl(d)
	case *syntax.FuncDecl:
		c.funcDecl(d)
	case *syntax.StaticAssert:
		c.staticAssert(d)
	case *syntax.PragmaDecl:
		c.pragma(d)
	}
}

// pragma follows #pragma upc (UPC 1.3, 6.7.1) and #pragma pack.
func (c *checker) pragma(d *syntax.PragmaDecl) {
	switch d.Upc {
	case "strict":
		c.strict = true
	case "relaxed":
		c.strict = false
	}
	if len(d.Words) > 0 && strings.HasPrefix(d.Words[0], "pack") {
		c.pragmaPack(strings.Join(d.Words, ""))
	}
}

// pragmaPack follows pack(), pack(n), pack(push), pack(push, n) and pack(pop), whose words stand together in text.
func (c *checker) pragmaPack(text string) {
	list, ok := strings.CutPrefix(text, "pack(")
	if !ok {
		return
	}
	list, _, _ = strings.Cut(list, ")")
	if list == "" {
		c.packing = 0
		return
	}
	for _, word := range strings.Split(list, ",") {
		switch {
		case word == "push":
			c.packs = append(c.packs, c.packing)
		case word == "pop":
			if n := len(c.packs); n > 0 {
				c.packing, c.packs = c.packs[n-1], c.packs[:n-1]
			}
		case len(word) > 0 && word[0] >= '0' && word[0] <= '9':
			n := int64(0)
			for _, ch := range word {
				n = n*10 + int64(ch-'0')
			}
			if n <= 16 && n&(n-1) == 0 {
				c.packing = n
			}
		}
	}
}

// staticAssert checks _Static_assert (C11 6.7.10).
func (c *checker) staticAssert(d *syntax.StaticAssert) {
	c.rvalue(d.Cond)
	e := c.info.Exprs[d.Cond]
	switch {
	case e.Type.bad() || e.Value.Kind == OtherValue:
	case e.Value.Kind != IntegerValue || !e.Type.IsInteger() || e.Value.Threads:
		c.errorf(d.Cond.First(), "", "expression in static assertion is not constant")
	case e.Value.Int == 0:
		message := "static assertion failed"
		if d.Message != nil {
			message += ": " + strings.Join(d.Message.Parts, " ")
		}
		c.errorf(d.First(), "", "%s", message)
	}
}

package types

import (
	"fmt"

	"unknot/internal/upc/front/syntax"
)

// varDecl checks a declaration (C11 6.7).
func (c *checker) varDecl(d *syntax.VarDecl) {
	s := c.specs(d.Specs, len(d.Names) == 0)
	if len(d.Names) == 0 && d.Specs.Struct == nil && d.Specs.Enum == nil {
		for _, q := range d.Specs.Quals {
			if qualWords[q.Word]&(Shared|Strict|Relaxed) != 0 {
				c.errorf(q.First(), "COMP-20", "'%s' is a keyword of UPC and cannot be declared", q.Word)
			}
		}
	}
	for _, n := range d.Names {
		c.initDeclarator(n, &s)
	}
}

// initDeclarator checks one declarator of a declaration and its initialiser.
func (c *checker) initDeclarator(n *syntax.InitDeclarator, s *specified) {
	d := n.Declarator
	if s.auto && n.Init != nil {
		c.autoType(n, s)
		return
	}
	t := c.declarator(d, s)
	if d.Name == nil {
		return
	}
	align := s.align
	for _, a := range d.Attributes {
		if a.Name == "aligned" {
			align = max(align, c.alignedAttribute(a))
		}
	}
	switch {
	case s.storage == "typedef":
		c.typedef(d, t, s, align)
	case isFunc(t):
		if n.Init != nil {
			c.errorf(place(d), "", "function '%s' is initialized like a variable", d.Name.Name)
		}
		c.declareFunc(d, t, s)
	default:
		o := c.declareVar(d, t, s, n.Init != nil)
		o.Align = max(o.Align, align)
		c.initObject(n, o)
	}
}

// autoType declares a variable of GNU's __auto_type.
func (c *checker) autoType(n *syntax.InitDeclarator, s *specified) {
	d := n.Declarator
	t := BasicType(Invalid)
	if x, ok := n.Init.(*syntax.InitExpr); ok {
		t = c.rvalue(x.X)
	}
	c.info.Declarators[d] = t
	if d.Name != nil {
		o := c.declareVar(d, WithQual(t, s.t.Qual, s.t.Block), s, true)
		o.Defined = true
	}
}

func isFunc(t Type) bool { _, ok := t.T.(*Func); return ok }

// typedef declares a typedef name (C11 6.7.8).
func (c *checker) typedef(d *syntax.Declarator, t Type, s *specified, align int64) {
	name := d.Name.Name
	if t.IsShared() && t.Block.Kind == BlockStar {
		c.errorNote(s.layout, "COMP-12", "[*] is not allowed in a typedef", syntax.NoPos,
			"write it where the array is declared")
		t = withBlock(t, Block{})
	}
	if align != 0 {
		t.Align = int32(align)
	}
	if old, ok := c.scope.names[name]; ok {
		switch {
		case old.Kind != ObjTypedef:
			c.errorNote(place(d), "", fmt.Sprintf("'%s' redeclared as different kind of symbol", name), declPos(old),
				"previous declaration is here")
		case !Compatible(old.Type, t):
			c.errorNote(place(d), "", fmt.Sprintf("conflicting types for '%s'; have %s", name, quote(t)), declPos(old),
				fmt.Sprintf("previous declaration of '%s' with type %s", name, quote(old.Type)))
		default:
			c.info.Defs[d.Name] = old
			return
		}
	}
	o := &Object{Kind: ObjTypedef, Name: name, Type: t, Storage: NoStorage, Defined: true, Decl: d.Name, Def: d.Name}
	if c.fn != nil {
		o.Function = c.fn.decl
	}
	switch u := t.T.(type) {
	case *Struct:
		if u.Tag == "" && u.Typedef == nil && t.Qual == 0 {
			u.Typedef = o
		}
	case *Enum:
		if u.Tag == "" && u.Typedef == nil && t.Qual == 0 {
			u.Typedef = o
		}
	}
	c.scope.declare(o)
	c.info.Defs[d.Name] = o
}

// declareFunc declares a function (C11 6.2.2, 6.7).
func (c *checker) declareFunc(d *syntax.Declarator, t Type, s *specified) *Object {
	storage := External
	if s.storage == "static" {
		storage = Internal
	}
	switch {
	case s.thread || s.storage == "auto" && c.fn == nil || s.storage == "register":
		c.errorf(place(d), "", "invalid storage class for function '%s'", d.Name.Name)
	case storage == Internal && c.fn != nil:
		c.errorf(place(d), "", "invalid storage class for function '%s'", d.Name.Name)
		storage = External
	}
	o := c.link(d, ObjFunc, t, storage, s)
	o.Inline = o.Inline || s.inline
	return o
}

// declareVar declares an object (C11 6.2.2, 6.2.4).
func (c *checker) declareVar(d *syntax.Declarator, t Type, s *specified, init bool) *Object {
	if t.IsVoid() {
		c.errorf(place(d), "", "variable or field '%s' declared void", d.Name.Name)
		t = BasicType(Invalid)
	}
	if c.fn == nil || s.storage == "extern" {
		return c.linkedVar(d, t, s, init)
	}
	o := &Object{Kind: ObjVar, Name: d.Name.Name, Type: t, Storage: Automatic, Defined: true, Decl: d.Name, Def: d.Name,
		Function: c.fn.decl}
	switch {
	case s.storage == "static":
		o.Storage = StaticLocal
	case s.thread && s.storage == "":
		if !t.IsShared() {
			c.errorf(place(d), "", "function-scope '%s' implicitly auto and declared '_Thread_local'", o.Name)
		}
	}
	if s.thread && s.storage == "static" {
		o.Storage = ThreadLocal
	}
	if old, ok := c.scope.names[o.Name]; ok {
		c.redeclaredLocal(d, old, t)
	}
	c.scope.declare(o)
	c.info.Defs[d.Name] = o
	if o.Storage != Automatic {
		c.info.Objects = append(c.info.Objects, o)
	}
	c.sharedObject(place(d), o, s)
	switch {
	case o.Storage != Automatic && variable(t) && !t.IsShared():
		c.errorf(place(d), "", "storage size of '%s' isn't constant", o.Name)
	case !t.bad() && !IsComplete(t) && !init:
		c.unknownSize(place(d), o)
	}
	return o
}

func (c *checker) redeclaredLocal(d *syntax.Declarator, old *Object, t Type) {
	name := d.Name.Name
	message := fmt.Sprintf("redeclaration of '%s' with no linkage", name)
	switch {
	case old.Kind == ObjParam || old.Kind != ObjVar:
		message = fmt.Sprintf("'%s' redeclared as different kind of symbol", name)
	case !Compatible(old.Type, t):
		message = fmt.Sprintf("conflicting types for '%s'; have %s", name, quote(t))
	}
	c.errorNote(place(d), "", message, declPos(old), fmt.Sprintf("previous declaration of '%s' with type %s", name,
		quote(old.Type)))
}

// linkedVar declares an object with linkage: at file scope, or extern in a block.
func (c *checker) linkedVar(d *syntax.Declarator, t Type, s *specified, init bool) *Object {
	storage := External
	switch {
	case s.storage == "static":
		storage = Internal
	case s.storage == "auto" || s.storage == "register" && !t.IsShared():
		c.errorf(place(d), "", "file-scope declaration of '%s' specifies '%s'", d.Name.Name, s.storage)
	}
	if s.thread {
		storage = ThreadLocal
	}
	if init && c.fn != nil {
		c.errorf(place(d), "", "'%s' has both 'extern' and initializer", d.Name.Name)
	}
	o := c.link(d, ObjVar, t, storage, s)
	if init || s.storage != "extern" {
		if o.initialised && init {
			c.errorNote(place(d), "", fmt.Sprintf("redefinition of '%s'", o.Name), declPos(o),
				fmt.Sprintf("previous definition of '%s' with type %s", o.Name, quote(o.Type)))
		}
		o.initialised = o.initialised || init
		if !o.Defined || init {
			o.Def = d.Name
		}
		o.Defined = true
	}
	c.sharedObject(place(d), o, s)
	if variable(o.Type) && hasThreads(o.Type) && !t.IsShared() {
		c.errorNote(place(d), "", fmt.Sprintf("'%s' is private and cannot have THREADS elements at file scope, since "+
			"the number of threads is not known when the program is compiled", o.Name),
			syntax.NoPos, "with -T the number of threads is known")
	}
	return o
}

// link declares a name with linkage, or finds the object that it was declared as before.
func (c *checker) link(d *syntax.Declarator, kind ObjectKind, t Type, storage Storage, s *specified) *Object {
	name := d.Name.Name
	old, visible := c.scope.names[name]
	if !visible {
		old = c.linkage[name]
	}
	if old != nil && old.Kind == kind && old.linked() {
		c.relink(d, old, t, storage, s)
		c.scope.declare(old)
		c.info.Defs[d.Name] = old
		return old
	}
	if visible {
		c.errorNote(place(d), "", fmt.Sprintf("'%s' redeclared as different kind of symbol", name), declPos(old),
			fmt.Sprintf("previous declaration of '%s' with type %s", name, quote(old.Type)))
	}
	o := &Object{Kind: kind, Name: name, Type: t, Storage: storage, Decl: d.Name}
	c.scope.declare(o)
	if old == nil || !old.linked() {
		c.linkage[name] = o
	}
	c.info.Defs[d.Name] = o
	c.info.Objects = append(c.info.Objects, o)
	return o
}

// linked says that the object has linkage (C11 6.2.2).
func (o *Object) linked() bool {
	return o.Kind == ObjFunc || o.Kind == ObjVar && (o.Storage == Internal || o.Storage == External ||
		o.Storage == ThreadLocal) && o.Function == nil
}

// relink checks a further declaration of an object with linkage, and makes its type the composite one.
func (c *checker) relink(d *syntax.Declarator, old *Object, t Type, storage Storage, s *specified) {
	name := d.Name.Name
	previous := fmt.Sprintf("previous declaration of '%s' with type %s", name, quote(old.Type))
	switch {
	case !compatibleDeclared(old.Type, t):
		message := fmt.Sprintf("conflicting types for '%s'; have %s", name, quote(t))
		if old.Type.IsShared() != t.IsShared() {
			message = fmt.Sprintf("'%s' is declared both shared and private", name)
		}
		c.errorNote(place(d), "", message, declPos(old), previous)
		return
	case storage == Internal && old.Storage == External:
		c.errorNote(place(d), "", fmt.Sprintf("static declaration of '%s' follows non-static declaration", name),
			declPos(old), previous)
	case storage == External && old.Storage == Internal && old.Kind == ObjVar && s.storage != "extern":
		c.errorNote(place(d), "", fmt.Sprintf("non-static declaration of '%s' follows static declaration", name),
			declPos(old), previous)
	case (storage == ThreadLocal) != (old.Storage == ThreadLocal) && old.Kind == ObjVar:
		c.errorNote(place(d), "", fmt.Sprintf("only one of the declarations of '%s' is '_Thread_local'", name),
			declPos(old), previous)
	}
	keep := old.Type.Align
	old.Type = Composite(old.Type, t)
	old.Type.Align = max(keep, t.Align)
}

// compatibleDeclared compares the types of two declarations. A layout of [*] whose size is not known yet fits each that
// was written so.
func compatibleDeclared(a, b Type) bool {
	if a.Block.Kind == BlockStar && b.Block.Kind == BlockStar {
		a, b = withBlock(a, Block{}), withBlock(b, Block{})
	}
	return Compatible(a, b)
}

// initObject checks an object's initialiser, and that its size is known then.
func (c *checker) initObject(n *syntax.InitDeclarator, o *Object) {
	if n.Init == nil {
		return
	}
	if o.Storage != Automatic && o.Type.IsShared() && !o.Type.bad() {
		if _, array := o.Type.T.(*Array); array {
			c.report(syntax.Diagnostic{Severity: syntax.Warning, ID: "COMP-33", Pos: place(n.Declarator),
				Message: fmt.Sprintf("UPC does not define the initialization of shared arrays: thread 0 initializes "+
					"'%s' at the start", o.Name)})
		}
	}
	before := o.Type
	if variable(o.Type) && !o.Type.IsShared() {
		if _, list := n.Init.(*syntax.InitList); list {
			c.errorf(place(n.Declarator), "", "variable-sized object '%s' may not be initialized", o.Name)
		}
	}
	if !o.Type.bad() && !IsComplete(o.Type) && !isIncompleteArray(o.Type) {
		c.errorf(place(n.Declarator), "", "variable '%s' has initializer but incomplete type", o.Name)
		o.Type = BasicType(Invalid)
	}
	c.initialise(n.Init, &o.Type, o.Storage != Automatic)
	c.info.Declarators[n.Declarator] = o.Type
	if before.T != o.Type.T && o.Type.IsShared() {
		c.sharedArray(place(n.Declarator), &o.Type)
	}
	if isIncompleteArray(o.Type) {
		o.Type = BasicType(Invalid) // what is wrong with the initialiser was reported
	}
}

// funcDecl checks a function definition (C11 6.9.1).
func (c *checker) funcDecl(d *syntax.FuncDecl) {
	if c.fn != nil {
		name := "a function"
		if d.Name != nil && d.Name.Name != nil {
			name = "function '" + d.Name.Name.Name + "'"
		}
		c.errorNote(d.First(), "", name+" is defined inside another function, which is not supported", syntax.NoPos,
			"move it out of the function")
		return
	}
	s := c.specs(d.Specs, false)
	t := c.declarator(d.Name, &s)
	f, ok := t.T.(*Func)
	if !ok || d.Name.Name == nil {
		if !t.bad() {
			c.errorf(place(d.Name), "", "expected a function's declarator before its body")
		}
		return
	}
	part := funcPartOf(d.Name)
	if part == nil {
		c.errorf(place(d.Name), "", "function '%s' is defined with a type from a typedef", d.Name.Name.Name)
		return
	}
	outer := c.scope
	params := c.params[part]
	if params == nil {
		params = &scope{outer: outer}
	}
	if !part.Prototype {
		c.oldParams(d, part, params, f)
	}
	o := c.declareFunc(d.Name, t, &s)
	if o.Defined && o.Def != nil && !o.gnuInline {
		c.errorNote(place(d.Name), "", fmt.Sprintf("redefinition of '%s'", o.Name), o.Def.First(),
			fmt.Sprintf("previous definition of '%s' with type %s", o.Name, quote(o.Type)))
	}
	o.gnuInline = s.inline && hasAttribute(d, "gnu_inline")
	o.Defined, o.Def = true, d.Name.Name
	c.function(d, o, f, part, params)
	c.scope = outer
}

func hasAttribute(d *syntax.FuncDecl, name string) bool {
	for _, list := range [][]*syntax.Attribute{d.Specs.Attributes, d.Name.Attributes} {
		for _, a := range list {
			if a.Name == name {
				return true
			}
		}
	}
	return false
}

// funcPartOf is the parameter list of a function that a declarator declares, or nil.
func funcPartOf(d *syntax.Declarator) *syntax.FuncPart {
	if len(d.Parts) == 0 {
		return nil
	}
	p, _ := d.Parts[0].(*syntax.FuncPart)
	return p
}

// oldParams declares the parameters of an old-style definition (C11 6.9.1p6); those without a declaration are int.
func (c *checker) oldParams(d *syntax.FuncDecl, part *syntax.FuncPart, params *scope, f *Func) {
	outer := c.scope
	c.scope = params
	c.paramDepth++
	for _, v := range d.Params {
		s := c.specs(v.Specs, len(v.Names) == 0)
		for _, n := range v.Names {
			if n.Declarator.Name == nil {
				continue
			}
			listed := false
			for i := range part.Names {
				listed = listed || part.Names[i].Name == n.Declarator.Name.Name
			}
			if !listed {
				c.errorf(place(n.Declarator), "", "declaration for parameter '%s' but no such parameter",
					n.Declarator.Name.Name)
			}
			c.param(n.Declarator, &s)
		}
	}
	for i := range part.Names {
		id := &part.Names[i]
		o := params.names[id.Name]
		if o == nil {
			o = &Object{Kind: ObjParam, Name: id.Name, Type: BasicType(Int), Storage: Automatic, Defined: true,
				Decl: id, Def: id}
			params.declare(o)
		}
		c.info.Defs[id] = o
		f.Params = append(f.Params, o.Type)
	}
	c.paramDepth--
	c.scope = outer
}

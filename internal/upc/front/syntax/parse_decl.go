package syntax

import "slices"

// declaration reads a declaration (C11 6.7), or at file scope the definition of a function (C11 6.9.1).
func (p *parser) declaration(fileScope bool) Decl {
	p.enter()
	defer p.leave()
	start := p.next
	specs := p.specifiers(fileScope)
	d := &VarDecl{Specs: specs}
	if p.at(";") {
		p.advance()
		d.Span = p.span(start)
		return d
	}
	typedef := slices.Contains(specs.Storage, "typedef")
	for first := true; ; first = false {
		at := p.next
		before := p.attributes()
		dr := p.declarator(concrete)
		if len(before) > 0 {
			dr.Attributes = append(before, dr.Attributes...)
			dr.From = at
		}
		if first && p.isDefinition(dr) {
			return p.function(start, specs, dr, fileScope)
		}
		p.afterDeclarator(dr)
		p.declare(dr.Name.Name, typedef)
		item := &InitDeclarator{Declarator: dr}
		if first && fileScope && p.at("{") && dr.function() != nil && len(dr.Attributes) > 0 {
			p.attributesFirst(dr)
			return p.function(start, specs, dr, fileScope)
		}
		if p.accept("=") {
			item.Init = p.declaredInit()
		}
		item.Span = p.span(at)
		d.Names = append(d.Names, item)
		if p.accept(",") {
			continue
		}
		expected := "'=', ',', ';', 'asm' or '__attribute__'"
		if item.Init != nil {
			expected = "',' or ';'"
		}
		p.semicolon(expected)
		d.Span = p.span(start)
		return d
	}
}

// attributesFirst tells of attributes between the declarator of a function and its body.
func (p *parser) attributesFirst(dr *Declarator) {
	p.errorAt(Diagnostic{Pos: dr.Attributes[0].From,
		Message: "attributes of a function that is defined must stand before its declarator"})
}

// afterDeclarator reads the asm name and the attributes after a declarator.
func (p *parser) afterDeclarator(dr *Declarator) {
	from := dr.From
	if p.at("asm") {
		p.advance()
		p.expect("(")
		if p.tok().Kind != StringLiteral {
			p.expected("string literal")
		}
		dr.Asm = p.stringExpr()
		p.expect(")")
		dr.Span = p.span(from)
	}
	if p.at("__attribute__") {
		dr.Attributes = append(dr.Attributes, p.attributes()...)
		dr.Span = p.span(from)
	}
}

// declaredInit reads the initialiser of a declared name. After an error in it the declaration continues, so that the
// name is known.
func (p *parser) declaredInit() Init {
	start := p.next
	var init Init
	if p.attempt(func() {
		init = p.initializer()
		if !p.at(",") && !p.at(";") && !p.at("}") && !p.tok().First {
			p.missing("',' or ';'")
			panic(bail{})
		}
	}) {
		return init
	}
	if p.cut != NoPos {
		panic(bail{})
	}
	to := p.endOfInit(start)
	p.jump(to)
	bad := p.span(start)
	return &InitExpr{Span: bad, X: &BadExpr{bad}}
}

// endOfInit is the comma or semicolon after an initialiser with an error.
func (p *parser) endOfInit(start Pos) Pos {
	failed := p.next
	for i := start; ; i++ {
		t := &p.file.Tokens[i]
		switch {
		case t.Kind == EOF, t.is("}"), t.is(";"):
			return i
		case t.is(","):
			if i > failed {
				return i
			}
		case t.First && i > failed && (t.Kind == Keyword):
			return i
		case t.is("(") || t.is("[") || t.is("{"):
			if end := p.closer[i]; end != 0 {
				i = end
			}
		}
	}
}

// isDefinition says that a declarator is that of a function whose body, or the declarations of whose parameters, come
// next.
func (p *parser) isDefinition(dr *Declarator) bool {
	f := dr.function()
	if f == nil {
		return false
	}
	if p.at("{") {
		return true
	}
	return len(f.Names) > 0 && !p.at("asm") && !p.at("__attribute__") && p.startsDeclaration(p.tok())
}

// function is the part of a function that the declarator declares, or nil.
func (d *Declarator) function() *FuncPart {
	if len(d.Parts) == 0 {
		return nil
	}
	f, _ := d.Parts[0].(*FuncPart)
	return f
}

// function reads the definition of a function after its declarator.
func (p *parser) function(start Pos, specs *Specs, dr *Declarator, fileScope bool) Decl {
	name := dr.Name
	if !fileScope {
		p.nested(start, name)
	}
	p.declare(name.Name, false)
	p.push()
	defer p.pop()
	f := dr.function()
	for _, param := range f.Params {
		if param.Declarator.Name != nil {
			p.declare(param.Declarator.Name.Name, false)
		}
	}
	d := &FuncDecl{Specs: specs, Name: dr}
	for !p.at("{") {
		if !p.startsDeclaration(p.tok()) {
			p.expected("'{'")
		}
		if v, ok := p.declaration(false).(*VarDecl); ok {
			d.Params = append(d.Params, v)
		}
	}
	p.body = p.next
	d.Body = p.blockInScope()
	d.Span = p.span(start)
	return d
}

// nested tells of the definition of a function in a block. One that begins in the first column was meant to stand after
// the block, whose closing brace was forgotten.
func (p *parser) nested(start Pos, name *Ident) {
	t := p.file.Tokens[start]
	if t.First && t.Column == 1 {
		p.unclosed(start, p.body)
		panic(bail{})
	}
	p.errorAt(Diagnostic{Pos: name.From,
		Message: "nested function '" + name.Name +
			"' is not supported; hint: define it at file scope, and pass what it uses"})
	panic(bail{})
}

// initializer reads an initialiser (C11 6.7.9).
func (p *parser) initializer() Init {
	if p.at("{") {
		return p.initList()
	}
	start := p.next
	x := p.assignment()
	return &InitExpr{Span: p.span(start), X: x}
}

// initList reads { … }, which may be empty in GNU C.
func (p *parser) initList() *InitList {
	p.enter()
	defer p.leave()
	list := &InitList{}
	start := p.expect("{")
	for !p.at("}") {
		list.Items = append(list.Items, p.initItem())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	list.Span = p.span(start)
	return list
}

// initItem reads designators and an initialiser. GNU C's old forms are "name: value" and "[index] value".
func (p *parser) initItem() *InitItem {
	start := p.next
	item := &InitItem{}
	if p.tok().Kind == Name && p.peek(1).is(":") {
		name := p.identifier()
		item.Designators = []Designator{{Span: name.Span, Name: &name}}
		p.advance()
		item.Value = p.initializer()
		item.Span = p.span(start)
		return item
	}
	for {
		from := p.next
		if p.accept(".") {
			name := p.identifier()
			item.Designators = append(item.Designators, Designator{Span: p.span(from), Name: &name})
			continue
		}
		if p.accept("[") {
			d := Designator{Low: p.conditional()}
			if p.accept("...") {
				d.High = p.conditional()
			}
			p.expect("]")
			d.Span = p.span(from)
			item.Designators = append(item.Designators, d)
			continue
		}
		break
	}
	if n := len(item.Designators); n > 0 && !p.accept("=") && (n > 1 || item.Designators[0].Low == nil) {
		p.missing("'='")
		panic(bail{})
	}
	item.Value = p.initializer()
	item.Span = p.span(start)
	return item
}

package syntax

import "slices"

// form says whether a declarator has a name.
type form uint8

const (
	concrete form = iota // it must have one
	abstract             // it has none
	either               // of a parameter
)

// declarator reads a declarator (C11 6.7.6) or an abstract one (C11 6.7.7).
func (p *parser) declarator(f form) *Declarator {
	d := &Declarator{Span: Span{p.next, p.next - 1}}
	start := p.next
	p.declaratorInto(d, f)
	if p.next != start {
		d.Span = p.span(start)
	}
	return d
}

// declaratorInto reads a declarator, whose parts it adds from the name outwards.
func (p *parser) declaratorInto(d *Declarator, f form) {
	p.enter()
	defer p.leave()
	var pointers []DeclPart
	for p.at("*") {
		pointers = append(pointers, p.pointer())
	}
	p.direct(d, f)
	slices.Reverse(pointers)
	d.Parts = append(d.Parts, pointers...)
}

// pointer reads * with its qualifiers and attributes.
func (p *parser) pointer() *PointerPart {
	part := &PointerPart{}
	start := p.advance()
	for {
		switch t := p.tok(); {
		case t.Kind == Keyword && (roles[t.Text] == qualifierRole || t.Text == "_Atomic"):
			part.Quals = append(part.Quals, p.qualifier())
		case t.is("__attribute__"):
			part.Attributes = append(part.Attributes, p.attributes()...)
		default:
			part.Span = p.span(start)
			return part
		}
	}
}

// direct reads the name, or the declarator in parentheses, and the arrays and functions after it.
func (p *parser) direct(d *Declarator, f form) {
	switch {
	case f != abstract && p.tok().Kind == Name:
		name := p.identifier()
		d.Name = &name
	case p.at("(") && (f == concrete || p.nestedDeclarator()):
		p.advance()
		d.Attributes = append(d.Attributes, p.attributes()...)
		p.declaratorInto(d, f)
		p.expect(")")
	case f == concrete:
		p.noIdentifier("identifier or '('")
	}
	for {
		switch {
		case p.at("["):
			d.Parts = append(d.Parts, p.array())
		case p.at("("):
			d.Parts = append(d.Parts, p.parameters())
		default:
			return
		}
	}
}

// nestedDeclarator says, of a declarator that may have no name, that the parenthesis begins a declarator and not
// parameters (C11 6.7.6.3p11).
func (p *parser) nestedDeclarator() bool {
	t := p.peek(1)
	return t.is("*") || t.is("(") || t.is("[") || t.is("__attribute__") || t.Kind == Name && !p.isTypedef(t.Text)
}

// array reads [size] (C11 6.7.6.2).
func (p *parser) array() *ArrayPart {
	a := &ArrayPart{}
	start := p.advance()
	for {
		t := p.tok()
		if t.is("static") {
			p.advance()
			a.Static = true
		} else if t.Kind == Keyword && (roles[t.Text] == qualifierRole || t.Text == "_Atomic") {
			a.Quals = append(a.Quals, p.qualifier())
		} else {
			break
		}
	}
	switch {
	case p.at("*") && p.peek(1).is("]"):
		p.advance()
		a.Star = true
	case !p.at("]"):
		a.Size = p.expression()
	}
	p.expect("]")
	a.Span = p.span(start)
	return a
}

// parameters reads the parameters of a function or, in a definition of old, their names (C11 6.7.6.3).
func (p *parser) parameters() *FuncPart {
	f := &FuncPart{}
	start := p.advance()
	p.push()
	defer p.pop()
	if !p.attempt(func() { p.parameterList(f) }) {
		p.skipTo(start)
		f.Prototype, f.Variadic = false, false
	}
	f.Span = p.span(start)
	return f
}

func (p *parser) parameterList(f *FuncPart) {
	if p.accept(")") {
		return
	}
	if t := p.tok(); t.Kind == Name && !p.isTypedef(t.Text) && (p.peek(1).is(",") || p.peek(1).is(")")) {
		for {
			f.Names = append(f.Names, p.identifier())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		return
	}
	f.Prototype = true
	for {
		if p.accept("...") {
			f.Variadic = true
			break
		}
		f.Params = append(f.Params, p.parameter())
		if !p.accept(",") {
			break
		}
	}
	if !p.at(")") {
		p.missing("';', ',' or ')'")
		panic(bail{})
	}
	p.advance()
}

func (p *parser) parameter() *Param {
	p.enter()
	defer p.leave()
	start := p.next
	if t := p.tok(); t.Kind == Name && !p.isTypedef(t.Text) && (p.peek(1).is(",") || p.peek(1).is(")")) {
		p.errorAt(Diagnostic{Pos: p.next, Message: "unknown type name '" + t.Text + "'" + p.meant(t.Text)})
		i := p.advance()
		return &Param{Span: Span{i, i}, Specs: &Specs{Span: Span{i, i}, Bad: true},
			Declarator: &Declarator{Span: Span{i + 1, i}}}
	}
	if t := p.tok(); t.Kind != Name && !p.startsDeclaration(t) {
		p.expected("declaration specifiers or '...'")
	}
	q := &Param{Specs: p.specifiers(false)}
	q.Declarator = p.declarator(either)
	p.afterDeclarator(q.Declarator)
	if q.Declarator.Name != nil {
		p.declare(q.Declarator.Name.Name, false)
	}
	q.Span = p.span(start)
	return q
}

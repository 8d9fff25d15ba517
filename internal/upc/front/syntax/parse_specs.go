package syntax

// startsTypeName says that a type name may begin with the token.
func (p *parser) startsTypeName(t *Token) bool {
	switch t.Kind {
	case Keyword:
		r := roles[t.Text]
		return r == wordRole || r == qualifierRole || r == specialRole && t.Text != "__extension__" &&
			t.Text != "_Alignas"
	case Name:
		return p.isTypedef(t.Text)
	}
	return false
}

// specifiers reads declaration specifiers (C11 6.7; UPC 1.3, 6.5.1). Where an unknown name can only be meant as a type,
// it is reported and taken for one. At file scope a function may go without a type.
func (p *parser) specifiers(fileScope bool) *Specs {
	start := p.next
	s := &Specs{}
	for p.specifier(s) {
	}
	if !s.typed() && p.tok().Kind == Name && !(fileScope && p.untyped()) {
		p.unknownType(s)
		for p.specifier(s) {
		}
	}
	s.Span = p.span(start)
	if p.next == start {
		s.Span = Span{start, start - 1}
		if !fileScope || !p.untyped() {
			p.noIdentifier("a declaration")
		}
	}
	return s
}

// typed says that a type was given already.
func (s *Specs) typed() bool {
	return len(s.Words) > 0 || s.Struct != nil || s.Enum != nil || s.Typedef != nil || s.Typeof != nil ||
		s.Atomic != nil || s.Bad
}

// untyped says that the next name is declared without a type: a function of old, or an object that has a storage class
// only.
func (p *parser) untyped() bool {
	if p.tok().Kind != Name {
		return p.at("*") || p.at("(")
	}
	after := p.peek(1)
	for _, text := range []string{"(", "[", ";", ",", "=", "asm", "__attribute__"} {
		if after.is(text) {
			return true
		}
	}
	return false
}

// unknownType tells of a name that is meant as a type, and takes it for one. After a storage class or qualifier, a name
// that is not followed by another is the declared one.
func (p *parser) unknownType(s *Specs) {
	after := p.peek(1)
	declares := after.Kind == Name || after.is("*") || after.Kind == Keyword && roles[after.Text] >= wordRole
	if !declares {
		return
	}
	name := p.tok().Text
	p.errorAt(Diagnostic{Pos: p.next, Message: "unknown type name '" + name + "'" + p.meant(name)})
	s.Bad = true
	p.advance()
}

// specifier reads one specifier and is false if there is none.
func (p *parser) specifier(s *Specs) bool {
	t := p.tok()
	if t.Kind == Name {
		if s.typed() || !p.isTypedef(t.Text) {
			return false
		}
		i := p.advance()
		s.Typedef = &Ident{Span{i, i}, t.Text}
		return true
	}
	if t.Kind != Keyword {
		return false
	}
	switch roles[t.Text] {
	case storageRole:
		p.advance()
		s.Storage = append(s.Storage, t.Text)
	case functionRole:
		p.advance()
		s.Function = append(s.Function, t.Text)
	case wordRole:
		p.advance()
		s.Words = append(s.Words, t.Text)
	case qualifierRole:
		s.Quals = append(s.Quals, p.qualifier())
	case specialRole:
		p.special(s)
	default:
		return false
	}
	return true
}

// special reads a specifier that has a special form.
func (p *parser) special(s *Specs) {
	switch p.tok().Text {
	case "struct", "union":
		s.Struct = p.structSpec()
	case "enum":
		s.Enum = p.enumSpec()
	case "typeof":
		s.Typeof = p.typeofSpec()
	case "_Alignas":
		s.Align = append(s.Align, p.alignSpec())
	case "_Atomic":
		if !p.peek(1).is("(") {
			s.Quals = append(s.Quals, p.qualifier())
			return
		}
		p.advance()
		p.advance()
		s.Atomic = p.typeName()
		p.expect(")")
	case "__attribute__":
		s.Attributes = append(s.Attributes, p.attributes()...)
	case "__extension__":
		p.advance()
		s.Extension = true
	}
}

// qualifier reads a type qualifier; shared may have a layout qualifier (UPC 1.3, 6.5.1.1).
func (p *parser) qualifier() *Qualifier {
	q := &Qualifier{Word: p.tok().Text}
	start := p.advance()
	if q.Word == "shared" && p.at("[") {
		from := p.advance()
		q.Layout = &Layout{}
		if p.at("*") && p.peek(1).is("]") {
			p.advance()
			q.Layout.Star = true
		} else if !p.at("]") {
			q.Layout.Size = p.expression()
		}
		p.expect("]")
		q.Layout.Span = p.span(from)
	}
	q.Span = p.span(start)
	return q
}

func (p *parser) typeofSpec() *TypeofSpec {
	start := p.advance()
	s := &TypeofSpec{}
	p.expect("(")
	if p.startsTypeName(p.tok()) {
		s.Type = p.typeName()
	} else {
		s.X = p.expression()
	}
	p.expect(")")
	s.Span = p.span(start)
	return s
}

func (p *parser) alignSpec() *AlignSpec {
	start := p.advance()
	s := &AlignSpec{}
	p.expect("(")
	if p.startsTypeName(p.tok()) {
		s.Type = p.typeName()
	} else {
		s.X = p.conditional()
	}
	p.expect(")")
	s.Span = p.span(start)
	return s
}

// typeName reads a type that stands alone (C11 6.7.7).
func (p *parser) typeName() *TypeName {
	p.enter()
	defer p.leave()
	start := p.next
	t := &TypeName{Specs: p.qualifiedType("type name")}
	t.Declarator = p.declarator(abstract)
	t.Span = p.span(start)
	return t
}

// qualifiedType reads specifiers and qualifiers of a type without storage class (C11 6.7.2.1).
func (p *parser) qualifiedType(what string) *Specs {
	start := p.next
	s := &Specs{}
	for roles[p.tok().Text] != storageRole && p.specifier(s) {
	}
	if p.next == start {
		p.noIdentifier(what)
	}
	s.Span = p.span(start)
	return s
}

// structSpec reads struct or union (C11 6.7.2.1).
func (p *parser) structSpec() *StructSpec {
	p.enter()
	defer p.leave()
	s := &StructSpec{Union: p.at("union")}
	start := p.advance()
	s.Attributes = p.attributes()
	if p.tok().Kind == Name {
		tag := p.identifier()
		s.Tag = &tag
	}
	if !p.at("{") {
		if s.Tag == nil {
			p.noIdentifier("identifier or '{'")
		}
		s.Span = p.span(start)
		return s
	}
	s.HasBody = true
	open := p.advance()
	for !p.at("}") {
		if p.accept(";") {
			continue
		}
		if p.tok().Kind == EOF {
			p.unclosed(p.next, open)
			panic(bail{})
		}
		from := p.next
		var m *Member
		if p.attempt(func() { m = p.member() }) {
			s.Members = append(s.Members, m)
			continue
		}
		if end := p.closer[open]; end == 0 || p.cut != NoPos {
			panic(bail{})
		}
		p.resume(from)
	}
	p.advance()
	s.Attributes = append(s.Attributes, p.attributes()...)
	s.Span = p.span(start)
	return s
}

// member reads a declaration inside a struct or union.
func (p *parser) member() *Member {
	start := p.next
	if p.at("_Static_assert") {
		a := p.staticAssert()
		return &Member{Span: a.Span, Assert: a}
	}
	m := &Member{Specs: p.memberSpecs()}
	for !p.at(";") && !p.at("}") {
		m.Names = append(m.Names, p.memberName())
		if !p.accept(",") {
			break
		}
	}
	p.semicolon("':', ',', ';', '}' or '__attribute__'")
	m.Span = p.span(start)
	return m
}

// memberSpecs reads the type of a member. An unknown name is taken for a type, and reported.
func (p *parser) memberSpecs() *Specs {
	start := p.next
	s := &Specs{}
	for roles[p.tok().Text] != storageRole && p.specifier(s) {
	}
	if !s.typed() && p.tok().Kind == Name {
		p.unknownType(s)
		for roles[p.tok().Text] != storageRole && p.specifier(s) {
		}
	}
	if p.next == start {
		p.expected("specifier-qualifier-list")
	}
	s.Span = p.span(start)
	return s
}

// memberName reads a declarator of a member or an unnamed bit-field.
func (p *parser) memberName() *MemberName {
	start := p.next
	n := &MemberName{Attributes: p.attributes()}
	if !p.at(":") {
		n.Declarator = p.declarator(concrete)
	}
	if p.accept(":") {
		n.Width = p.conditional()
	}
	n.Attributes = append(n.Attributes, p.attributes()...)
	n.Span = p.span(start)
	return n
}

// enumSpec reads enum (C11 6.7.2.2).
func (p *parser) enumSpec() *EnumSpec {
	start := p.advance()
	s := &EnumSpec{Attributes: p.attributes()}
	if p.tok().Kind == Name {
		tag := p.identifier()
		s.Tag = &tag
	}
	if !p.at("{") {
		if s.Tag == nil {
			p.noIdentifier("identifier or '{'")
		}
		s.Span = p.span(start)
		return s
	}
	s.HasBody = true
	open := p.advance()
	if !p.attempt(func() {
		for !p.at("}") {
			s.Values = append(s.Values, p.enumerator())
			if !p.accept(",") {
				break
			}
		}
		if !p.at("}") {
			p.missing("',' or '}'")
			panic(bail{})
		}
		p.advance()
	}) {
		p.skipTo(open)
	}
	s.Attributes = append(s.Attributes, p.attributes()...)
	s.Span = p.span(start)
	return s
}

func (p *parser) enumerator() *Enumerator {
	start := p.next
	e := &Enumerator{Name: p.identifier()}
	p.attributes()
	if p.accept("=") {
		e.Value = p.conditional()
	}
	p.declare(e.Name.Name, false)
	e.Span = p.span(start)
	return e
}

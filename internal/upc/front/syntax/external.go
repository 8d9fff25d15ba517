package syntax

// translationUnit reads the whole file (C11 6.9).
func (p *parser) translationUnit() {
	for {
		for _, d := range p.pragmas() {
			p.file.Decls = append(p.file.Decls, d)
		}
		if p.tok().Kind == EOF {
			break
		}
		start := p.next
		var d Decl
		if !p.attempt(func() { d = p.external() }) {
			d = &BadDecl{p.resume(start)}
		}
		p.cut = NoPos
		p.file.Decls = append(p.file.Decls, d)
	}
	p.strayPragmas()
}

// strayPragmas tells pragmas of UPC that are inside of declarations or statements, where no loop has picked them up.
func (p *parser) strayPragmas() {
	if p.deep {
		return
	}
	for i, t := range p.file.Tokens {
		if t.Kind == Pragma && !p.picked[Pos(i)] && isUpc(pragmaWords(t)) {
			p.misplaced(Pos(i))
		}
	}
}

// resume continues after a declaration or statement with an error that begins at start, and returns the tokens that
// were passed over. It continues after the next semicolon, or after a closing brace that nothing follows, and does not
// pass the end of the block around it. A line that begins with a declaration in column 1 ends it too.
func (p *parser) resume(start Pos) Span {
	if p.cut != NoPos {
		p.jump(p.cut)
		return p.span(start)
	}
	p.jump(p.syncPoint(start, max(p.next, start)))
	for i := start; i < p.next; i++ {
		if p.file.Tokens[i].Kind == Pragma {
			p.picked[i] = true
		}
	}
	return p.span(start)
}

func (p *parser) syncPoint(start, failed Pos) Pos {
	tokens := p.file.Tokens
	for i := start; ; i++ {
		t := &tokens[i]
		switch {
		case t.Kind == EOF:
			return i
		case t.is("}"):
			if i == start {
				return i + 1
			}
			return i
		case i >= failed && t.is(";"):
			return i + 1
		case i > failed && t.First && t.Column == 1 && p.startsDeclaration(t):
			return i
		case t.is("{") || t.is("(") || t.is("["):
			end := p.closer[i]
			if end == 0 {
				continue
			}
			i = end
			if t.is("{") && end >= failed && !p.goesOn(end+1) {
				return end + 1
			}
		}
	}
}

// goesOn says that what follows a closing brace belongs to the same declaration or statement.
func (p *parser) goesOn(i Pos) bool {
	t := &p.file.Tokens[i]
	switch {
	case t.Kind == EOF, t.Kind == Pragma, t.is("}"):
		return false
	case t.is(";"), t.is(","), t.is(")"), t.is("]"), t.is("="), t.is("else"):
		return true
	}
	return !t.First
}

// startsDeclaration says that a declaration may begin with the token.
func (p *parser) startsDeclaration(t *Token) bool {
	switch t.Kind {
	case Keyword:
		return roles[t.Text] != noRole || t.Text == "_Static_assert"
	case Name:
		return p.isTypedef(t.Text)
	}
	return false
}

// external reads an external declaration.
func (p *parser) external() Decl {
	start := p.next
	switch {
	case p.at(";"):
		p.advance()
		return &EmptyDecl{p.span(start)}
	case p.at("asm"):
		return p.asmDecl()
	case p.at("_Static_assert"):
		return p.staticAssert()
	}
	return p.declaration(true)
}

// asmDecl reads asm("…"); outside of functions.
func (p *parser) asmDecl() *AsmDecl {
	start := p.advance()
	for p.accept("volatile") || p.accept("inline") {
	}
	p.balanced("(")
	p.semicolon("';'")
	return &AsmDecl{p.span(start)}
}

// balanced passes a pair of brackets with all that is inside.
func (p *parser) balanced(open string) {
	i := p.expect(open)
	end := p.closer[i]
	if end == 0 {
		p.fail("unmatched '%s'", open)
	}
	p.jump(end)
	p.advance()
}

// staticAssert reads _Static_assert(cond, "message"); (C11 6.7.10; GNU C lets the message be left out).
func (p *parser) staticAssert() *StaticAssert {
	start := p.advance()
	d := &StaticAssert{}
	p.expect("(")
	d.Cond = p.conditional()
	if p.accept(",") {
		if p.tok().Kind != StringLiteral {
			p.expected("string literal")
		}
		d.Message = p.stringExpr()
	}
	p.expect(")")
	p.semicolon("';'")
	d.Span = p.span(start)
	return d
}

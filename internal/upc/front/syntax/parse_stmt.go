package syntax

// block reads a compound statement (C11 6.8.2), with its scope.
func (p *parser) block() *Block {
	p.push()
	b := p.blockInScope()
	p.pop()
	return b
}

// blockInScope reads a compound statement in the scope that the caller has opened for it.
func (p *parser) blockInScope() *Block {
	p.enter()
	defer p.leave()
	start := p.expect("{")
	b := &Block{}
	for p.at("__label__") {
		p.localLabels(b)
	}
	pragmasOnly := true
	for p.cut == NoPos {
		for _, d := range p.pragmas() {
			if d.Upc != "" && !pragmasOnly {
				p.misplaced(d.From)
			}
			b.Stmts = append(b.Stmts, &PragmaStmt{*d})
		}
		if p.at("}") {
			p.advance()
			break
		}
		if p.tok().Kind == EOF {
			p.unclosed(p.next, start)
			break
		}
		pragmasOnly = false
		b.Stmts = append(b.Stmts, p.recovered(p.blockItem))
	}
	b.Span = p.span(start)
	return b
}

// unclosed tells that the block that begins at open does not end before a token, and cuts it there: it and all that are
// around it end without closing braces, and no error is reported for that.
func (p *parser) unclosed(at, open Pos) {
	p.jump(at)
	p.errorAt(Diagnostic{Pos: at, Message: "expected '}'" + p.before(),
		Notes: []Diagnostic{{Severity: Note, Pos: open, Message: "to match this '{'"}}})
	p.cut = at
}

// recovered reads a statement. If that has an error, it continues after it.
func (p *parser) recovered(read func() Stmt) Stmt {
	start := p.next
	var s Stmt
	if p.attempt(func() { s = read() }) {
		return s
	}
	return &BadStmt{p.resume(start)}
}

// localLabels reads GNU's __label__ a, b;
func (p *parser) localLabels(b *Block) {
	p.advance()
	for {
		b.Labels = append(b.Labels, p.identifier())
		if !p.accept(",") {
			break
		}
	}
	p.semicolon("';'")
}

// blockItem reads a declaration or a statement.
func (p *parser) blockItem() Stmt {
	if p.declarationAhead() {
		return &DeclStmt{p.inBlock()}
	}
	return p.statement()
}

// declarationAhead says that a declaration begins here: a type that is not known, with a name after it, is meant as
// one.
func (p *parser) declarationAhead() bool {
	at := p.next
	for p.file.Tokens[at].is("__extension__") {
		at = p.visible(at + 1)
	}
	t := &p.file.Tokens[at]
	switch t.Kind {
	case Keyword:
		if t.Text == "__attribute__" {
			return !p.statementAfterAttributes()
		}
		return p.startsDeclaration(t)
	case Name:
		after := &p.file.Tokens[p.visible(at+1)]
		if after.is(":") {
			return false
		}
		return p.isTypedef(t.Text) || after.Kind == Name || after.Kind == Keyword && roles[after.Text] >= wordRole
	}
	return false
}

// statementAfterAttributes says that what follows the attributes here is a statement, such as the null statement of
// __attribute__((fallthrough));
func (p *parser) statementAfterAttributes() bool {
	next, last := p.next, p.last
	defer func() { p.next, p.last = next, last }()
	for p.at("__attribute__") {
		p.advance()
		if !p.at("(") || p.closer[p.next] == 0 {
			return false
		}
		p.jump(p.closer[p.next] + 1)
	}
	return !p.declarationAhead()
}

// inBlock reads a declaration in a block.
func (p *parser) inBlock() Decl {
	if p.at("_Static_assert") {
		return p.staticAssert()
	}
	return p.declaration(false)
}

// statement reads a statement (C11 6.8; UPC 1.3, 6.6).
func (p *parser) statement() Stmt {
	p.enter()
	defer p.leave()
	t := p.tok()
	start := p.next
	switch t.Kind {
	case Punctuator:
		switch t.Text {
		case "{":
			return p.block()
		case ";":
			p.advance()
			return &ExprStmt{Span: p.span(start)}
		}
	case Name:
		if p.peek(1).is(":") {
			return p.label()
		}
	case Keyword:
		if s := p.keywordStatement(t.Text); s != nil {
			return s
		}
	}
	x := p.expression()
	p.semicolon("';'")
	return &ExprStmt{Span: p.span(start), X: x}
}

// keywordStatement reads a statement that begins with a keyword, or returns nil.
func (p *parser) keywordStatement(word string) Stmt {
	start := p.next
	switch word {
	case "case", "default":
		return p.caseLabel()
	case "if":
		return p.ifStatement()
	case "switch":
		p.advance()
		x := p.condition()
		body := p.substatement()
		return &SwitchStmt{Span: p.span(start), X: x, Body: body}
	case "while":
		p.advance()
		cond := p.condition()
		body := p.substatement()
		return &WhileStmt{Span: p.span(start), Cond: cond, Body: body}
	case "do":
		return p.doStatement()
	case "for":
		return p.forStatement()
	case "upc_forall":
		return p.forallStatement()
	case "goto", "break", "continue":
		return p.branch(word)
	case "return":
		p.advance()
		s := &ReturnStmt{}
		if !p.at(";") && !p.at("}") {
			s.X = p.expression()
		}
		p.semicolon("';'")
		s.Span = p.span(start)
		return s
	case "upc_barrier", "upc_notify", "upc_wait", "upc_fence":
		return p.sync(word)
	case "asm":
		return p.asmStatement()
	case "__attribute__":
		return p.attributedStatement()
	case "else":
		p.fail("'else' without a previous 'if'")
	}
	return nil
}

// attributedStatement reads a statement with attributes before it.
func (p *parser) attributedStatement() Stmt {
	start := p.next
	p.attributes()
	if p.accept(";") {
		return &ExprStmt{Span: p.span(start)}
	}
	return p.statement()
}

// substatement reads the statement that another one governs. An error in it does not reach the outer one.
func (p *parser) substatement() Stmt {
	return p.recovered(func() Stmt {
		p.push()
		defer p.pop()
		return p.statement()
	})
}

// condition reads an expression in parentheses. After an error inside, it continues after them.
func (p *parser) condition() Expr {
	open := p.expect("(")
	var x Expr
	if p.attempt(func() { x = p.expression(); p.expect(")") }) {
		return x
	}
	return &BadExpr{p.skipTo(open)}
}

// skipTo continues after the partner of an opening bracket, after an error was reported inside, and returns what was
// passed over; if there is no partner, it gives up.
func (p *parser) skipTo(open Pos) Span {
	end := p.closer[open]
	if end < p.next || p.cut != NoPos {
		panic(bail{})
	}
	p.jump(end)
	bad := Span{open + 1, p.last}
	p.advance()
	return bad
}

// label reads a label. GNU C lets a declaration follow it, and the end of the block.
func (p *parser) label() Stmt {
	start := p.next
	s := &LabelStmt{Label: p.identifier()}
	p.expect(":")
	if p.at("__attribute__") && p.statementAfterAttributes() {
		p.attributes()
	}
	s.Body = p.labelled()
	s.Span = p.span(start)
	return s
}

// caseLabel reads case, with GNU's ranges, or default.
func (p *parser) caseLabel() Stmt {
	s := &CaseStmt{}
	start := p.advance()
	if p.file.Tokens[start].Text == "case" {
		s.Low = p.conditional()
		if p.accept("...") {
			s.High = p.conditional()
		}
	}
	p.expect(":")
	s.Body = p.labelled()
	s.Span = p.span(start)
	return s
}

// labelled reads the statement after a label.
func (p *parser) labelled() Stmt {
	if p.at("}") {
		return nil
	}
	return p.blockItem()
}

func (p *parser) ifStatement() Stmt {
	start := p.advance()
	s := &IfStmt{Cond: p.condition()}
	s.Then = p.substatement()
	if p.accept("else") {
		s.Else = p.substatement()
	}
	s.Span = p.span(start)
	return s
}

func (p *parser) doStatement() Stmt {
	start := p.advance()
	s := &DoStmt{Body: p.substatement()}
	if !p.at("while") {
		p.expected("'while'")
	}
	p.advance()
	s.Cond = p.condition()
	p.semicolon("';'")
	s.Span = p.span(start)
	return s
}

// forStatement reads for (C11 6.8.5.3).
func (p *parser) forStatement() Stmt {
	start := p.advance()
	p.push()
	defer p.pop()
	s := &ForStmt{}
	open := p.expect("(")
	if !p.attempt(func() {
		s.Init, s.Cond, s.Post = p.clauses(")")
		p.expect(")")
	}) {
		*s = ForStmt{Cond: &BadExpr{p.skipTo(open)}}
	}
	s.Body = p.substatement()
	s.Span = p.span(start)
	return s
}

// forallStatement reads upc_forall (UPC 1.3, 6.6.2), whose fourth clause is the affinity.
func (p *parser) forallStatement() Stmt {
	start := p.advance()
	p.push()
	defer p.pop()
	s := &ForallStmt{}
	open := p.expect("(")
	if !p.attempt(func() {
		s.Init, s.Cond, s.Post = p.clauses(";")
		if !p.at(";") {
			p.noAffinity()
		}
		p.advance()
		switch {
		case p.accept("continue"):
			s.Continue = true
		case !p.at(")"):
			s.Affinity = p.expression()
		}
		p.expect(")")
	}) {
		*s = ForallStmt{Cond: &BadExpr{p.skipTo(open)}}
	}
	s.Body = p.substatement()
	s.Span = p.span(start)
	return s
}

// noAffinity tells of a upc_forall that has the clauses of a for only.
func (p *parser) noAffinity() {
	if !p.at(")") {
		p.expect(";")
	}
	p.errorAt(Diagnostic{Pos: p.next,
		Message: "upc_forall has no affinity after its third clause; hint: '; continue)' runs the body on every thread"})
	panic(bail{})
}

// clauses reads the three clauses of a loop. The third one ends before end.
func (p *parser) clauses(end string) (init Stmt, cond, post Expr) {
	switch {
	case p.accept(";"):
	case p.declarationAhead():
		init = &DeclStmt{p.inBlock()}
	default:
		start := p.next
		x := p.expression()
		p.expect(";")
		init = &ExprStmt{Span: p.span(start), X: x}
	}
	if !p.at(";") {
		cond = p.expression()
	}
	p.expect(";")
	if !p.at(end) {
		post = p.expression()
	}
	return init, cond, post
}

// branch reads break, continue or goto, which may be computed in GNU C.
func (p *parser) branch(word string) Stmt {
	start := p.advance()
	s := &BranchStmt{Word: word}
	if word == "goto" {
		if p.accept("*") {
			s.Target = p.expression()
		} else {
			s.Label = p.identifier()
		}
	}
	p.semicolon("';'")
	s.Span = p.span(start)
	return s
}

// sync reads one of UPC's synchronisation statements (UPC 1.3, 6.6.1). upc_fence takes no expression.
func (p *parser) sync(word string) Stmt {
	start := p.advance()
	s := &SyncStmt{Word: word}
	if !p.at(";") && !(p.tok().First && p.tok().Kind != Punctuator) && !p.at("}") {
		if word == "upc_fence" {
			p.missing("';'")
			panic(bail{})
		}
		s.X = p.expression()
	}
	p.semicolon("';'")
	s.Span = p.span(start)
	return s
}

// asmStatement reads GNU's asm with its operands.
func (p *parser) asmStatement() Stmt {
	start := p.advance()
	for p.accept("volatile") || p.accept("inline") || p.accept("goto") || p.accept("const") {
	}
	s := &AsmStmt{}
	p.expect("(")
	p.asmString()
	for section := 1; p.accept(":"); section++ {
		for !p.at(":") && !p.at(")") {
			if x := p.asmOperand(section); x != nil {
				s.Operands = append(s.Operands, x)
			}
			if !p.accept(",") {
				break
			}
		}
	}
	p.expect(")")
	p.semicolon("';'")
	s.Span = p.span(start)
	return s
}

func (p *parser) asmString() {
	if p.tok().Kind != StringLiteral {
		p.expected("string literal")
	}
	p.stringExpr()
}

// asmOperand reads [name] "constraint" (expression) in the first two sections, a register in the third, a label in the
// fourth.
func (p *parser) asmOperand(section int) Expr {
	switch section {
	case 1, 2:
		if p.accept("[") {
			p.identifierOrKeyword()
			p.expect("]")
		}
		p.asmString()
		p.expect("(")
		x := p.expression()
		p.expect(")")
		return x
	case 3:
		p.asmString()
	default:
		p.identifier()
	}
	return nil
}

// identifierOrKeyword reads a word in a place where keywords are words as all others.
func (p *parser) identifierOrKeyword() {
	if k := p.tok().Kind; k != Name && k != Keyword {
		p.expected("identifier")
	}
	p.advance()
}
